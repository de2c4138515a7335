use serde_json::json;

use super::super::settings::{Picks, Way};
use super::*;

fn settings() -> Settings {
    Settings::new("one", Way::Nowhere("a test".to_owned()))
}

fn told(name: &str) -> Told {
    Told {
        name: name.to_owned(),
        description: "  what it does ".to_owned(),
        parameters: Map::new(),
        claim: Claim::Nothing,
    }
}

fn names(listing: &Listing) -> Vec<&str> {
    listing
        .offers
        .iter()
        .map(|offer| offer.name.as_str())
        .collect()
}

#[test]
fn the_order_does_not_depend_on_the_server() {
    let one = list(vec![told("b"), told("a")], &settings());
    let other = list(vec![told("a"), told("b")], &settings());
    assert_eq!(one, other);
    assert_eq!(names(&one), ["a", "b"]);
}

#[test]
fn a_name_counts_once_and_must_be_one() {
    let long = "n".repeat(limits::NAME_BYTES_MAX + 1);
    let listing = list(
        vec![told("a"), told("a"), told(""), told(&long)],
        &settings(),
    );
    assert_eq!(names(&listing), ["a"]);
    assert_eq!(listing.left_out, 0);
}

#[test]
fn a_schema_is_that_of_an_object_or_the_tool_is_left_out() {
    let mut odd = told("odd");
    odd.parameters.insert("type".to_owned(), "string".into());
    let listing = list(vec![told("plain"), odd], &settings());
    assert_eq!(names(&listing), ["plain"]);
    assert_eq!(listing.left_out, 1);
    assert_eq!(
        listing.offers[0].parameters,
        json!({ "type": "object", "properties": {} })
    );
    assert_eq!(listing.offers[0].description, "what it does");
}

#[test]
fn one_schema_and_all_together_are_bounded() {
    let with = |name: &str, bytes: usize| {
        let mut tool = told(name);
        let words = "w".repeat(bytes);
        tool.parameters.insert("title".to_owned(), words.into());
        tool
    };
    let listing = list(
        vec![with("big", limits::mcp::SCHEMA_BYTES_MAX), told("small")],
        &settings(),
    );
    assert_eq!(names(&listing), ["small"]);
    let half = limits::mcp::SCHEMA_BYTES_MAX / 2;
    let many = (0..100).map(|number| with(&format!("t{number:03}"), half));
    let listing = list(many.collect(), &settings());
    let bytes: usize = listing.offers.iter().map(length).sum();
    assert!(bytes <= limits::mcp::SCHEMAS_BYTES_MAX);
    assert_eq!(listing.offers.len() + listing.left_out, 100);
}

#[test]
fn what_is_not_picked_is_not_missed() {
    let mut settings = settings();
    settings.picks = Picks {
        enable: vec![],
        disable: vec!["b".to_owned()],
    };
    let listing = list(vec![told("a"), told("b")], &settings);
    assert_eq!((names(&listing), listing.left_out), (vec!["a"], 0));
}

#[test]
fn effects_are_the_operators_unless_the_server_is_believed() {
    let claims = [Claim::Reads, Claim::Repeats, Claim::Nothing];
    let effects = |settings: &Settings| {
        let tools = claims.map(|claim| Told {
            claim,
            ..told(&format!("{claim:?}"))
        });
        let listing = list(tools.to_vec(), settings);
        claims.map(|claim| listing.effect(&format!("{claim:?}")))
    };
    let mut settings = settings();
    settings.effect = EffectClass::Keyed;
    assert_eq!(effects(&settings), [EffectClass::Keyed; 3]);
    settings.effect = EffectClass::Unknown;
    settings.hints = Hints::Trusted;
    let believed = [EffectClass::Pure, EffectClass::Keyed, EffectClass::Unknown];
    assert_eq!(effects(&settings), believed);
}

#[test]
fn a_choice_between_objects_becomes_one_object() {
    let object = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
    for word in ["anyOf", "oneOf", "allOf"] {
        let mut tool = told("either");
        tool.parameters = json!({
            "properties": { "id": { "type": "integer" } },
            "required": ["id"],
            word: [object("page"), object("block"), { "required": ["id"] }],
        })
        .as_object()
        .cloned()
        .unwrap();
        let listing = list(vec![tool], &settings());
        assert_eq!(
            listing.offers[0].parameters,
            json!({
                "type": "object",
                "properties": {
                    "id": { "type": "integer" },
                    "page": { "type": "string" },
                    "block": { "type": "string" },
                },
                "required": ["id"],
            }),
            "{word}"
        );
    }
}

#[test]
fn an_entry_that_several_choices_know_keeps_all_it_may_be() {
    let mut tool = told("either");
    tool.parameters = json!({
        "type": "object",
        "anyOf": [
            { "properties": { "kind": { "const": "page" } } },
            { "oneOf": [{ "properties": { "kind": { "const": "block" } } }, { "properties": { "kind": { "const": "page" } } }] },
        ],
    })
    .as_object()
    .cloned()
    .unwrap();
    let listing = list(vec![tool], &settings());
    assert_eq!(
        listing.offers[0].parameters["properties"]["kind"],
        json!({ "anyOf": [{ "const": "page" }, { "const": "block" }] })
    );
}

#[test]
fn a_choice_that_leads_to_itself_comes_to_an_end() {
    let own = json!({ "$ref": "#/$defs/node" });
    let mut tool = told("endless");
    tool.parameters = json!({
        "anyOf": [own.clone()],
        "$defs": { "node": { "properties": { "next": { "type": "string" } }, "anyOf": vec![own.clone(); 100] } },
    })
    .as_object()
    .cloned()
    .unwrap();
    let listing = list(vec![tool], &settings());
    let entries = &listing.offers[0].parameters["properties"];
    assert_eq!(*entries, json!({ "next": { "type": "string" } }));
}
