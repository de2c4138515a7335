use super::*;
use crate::tools::source::Fetched;

use angelia_core::limits;
use angelia_core::recovery::EffectClass;
use angelia_core::toolset::Rule;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Offers tools by name and answers with the name.
#[derive(Debug)]
struct Named {
    name: &'static str,
    offers: Mutex<Arc<[Offer]>>,
}

fn offers(names: &[&str]) -> Arc<[Offer]> {
    let offer = |name: &&str| Offer {
        name: (*name).to_owned(),
        description: "For tests.".to_owned(),
        parameters: json!({ "type": "object" }),
        effect: EffectClass::Pure,
    };
    names.iter().map(offer).collect()
}

fn named(name: &'static str, tools: &[&str]) -> Arc<Named> {
    let offers = Mutex::new(offers(tools));
    Arc::new(Named { name, offers })
}

#[async_trait]
impl ToolSource for Named {
    fn name(&self) -> &str {
        self.name
    }

    fn offers(&self) -> Arc<[Offer]> {
        self.offers.lock().unwrap().clone()
    }

    async fn call(&self, tool: &str, _arguments: Value, _stop: CancellationToken) -> Fetched {
        Value::from(tool).into()
    }
}

fn names(set: &Toolset) -> Vec<&str> {
    set.schemas().iter().map(|one| one.name.as_ref()).collect()
}

#[test]
fn tools_from_elsewhere_stand_behind_the_house_under_their_sources_name() {
    let shelf = Shelf::new(vec![
        named("hub", &["find.it", "find it"]),
        named("a", &["x"]),
    ]);
    let set = shelf.set(&Choice::default());
    let shown = names(&set);
    let house = HOUSE.len();
    assert_eq!(shown[..house], HOUSE.map(|form| form.name));
    assert_eq!(shown[house..], ["hub__find_it", "hub__find_it_2", "a__x"]);
    let Some(Maker::Elsewhere(found)) = set.maker("hub__find_it_2") else {
        panic!("it is there");
    };
    assert_eq!(found.tool, "find it");
}

#[test]
fn a_long_name_is_cut_and_stays_its_own() {
    let mut taken = BTreeSet::new();
    let (one, other) = ("x".repeat(90), "x".repeat(91));
    let first = free_name("s", &one, &mut taken);
    let second = free_name("s", &other, &mut taken);
    assert_eq!(
        (first.len(), second.len()),
        (NAME_CHARS_MAX, NAME_CHARS_MAX)
    );
    assert_ne!(first, second);
}

#[test]
fn a_list_is_made_once_and_again_when_a_source_changed() {
    let source = named("hub", &["one"]);
    let shelf = Shelf::new(vec![source.clone()]);
    let choice = Choice::default();
    let first = shelf.set(&choice);
    assert!(Arc::ptr_eq(first.schemas(), shelf.set(&choice).schemas()));
    *source.offers.lock().unwrap() = offers(&["one", "two"]);
    assert!(names(&shelf.set(&choice)).contains(&"hub__two"));
    assert!(
        !names(&first).contains(&"hub__two"),
        "a turn keeps what it began with"
    );
}

#[test]
fn a_choice_leaves_out_a_source_as_it_leaves_out_a_family() {
    let shelf = Shelf::new(vec![named("hub", &["one", "two"]), named("a", &["x"])]);
    let without = |names: &[&str]| Choice {
        role: Rule {
            disable: names.iter().map(|&name| name.to_owned()).collect(),
            ..Rule::default()
        },
        ..Choice::default()
    };
    let set = shelf.set(&without(&["hub", "terminal"]));
    assert!(set.maker("a__x").is_some() && set.maker("process").is_some());
    assert!(set.maker("hub__one").is_none() && set.maker("terminal").is_none());
    let set = shelf.set(&without(&["hub__one"]));
    assert!(set.maker("hub__one").is_none() && set.maker("hub__two").is_some());
}

#[test]
fn no_request_has_more_tools_than_servers_take_and_the_house_comes_first() {
    let many: Vec<String> = (0..100).map(|number| format!("t{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let shelf = Shelf::new(vec![named("one", &many), named("two", &many)]);
    let set = shelf.set(&Choice::default());
    let shown = names(&set);
    assert_eq!(shown.len(), limits::TOOLSET_MAX);
    assert_eq!(shown[..HOUSE.len()], HOUSE.map(|form| form.name));
    assert_eq!(set.left_out(), HOUSE.len() + 200 - limits::TOOLSET_MAX);
    assert!(set.maker("one__t99").is_some() && set.maker("two__t99").is_none());
}
