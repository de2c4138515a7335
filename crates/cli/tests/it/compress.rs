//! A long conversation that is made shorter with `/compress`, with the real binary and a fake model.

use angelia_testkit::fakes::model::{FakeModel, Heard, Reply, Script};
use tokio::runtime::Runtime;

use crate::world::World;

/// Questions that fill a small model.
const QUESTIONS: usize = 4;

fn wants_notes(heard: &Heard) -> bool {
    heard.body.to_string().contains("You keep the notes")
}

fn script() -> Script {
    Script::new(|heard, _| match wants_notes(heard) {
        true => Reply::says(["THE NOTES: the colour is teal."]),
        false => Reply::says(["Noted."]),
    })
}

#[test]
fn a_conversation_is_made_shorter_on_demand_and_goes_on_from_its_summary() {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeModel::start(script())).unwrap();
    let world = World::new();
    world.configure(&format!(
        "[agent]\nbackend = \"openai\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\ncontext_tokens = 8000\n",
        fake.base_url()
    ));
    let gateway = world.serve();
    assert!(world.ok(&["chat", "/compress"]).contains("too little"));
    assert_eq!(fake.asked(), 0, "nothing was asked for nothing");
    for number in 1..=QUESTIONS {
        let question = format!("question {number} {}", "word ".repeat(800));
        assert_eq!(world.ok(&["chat", &question]), "Noted.\n");
    }
    let told = world.ok(&["chat", "/compress the colour teal"]);
    assert!(told.contains("shorter now"), "{told}");
    let heard = fake.heard();
    let notes = heard.last().unwrap();
    assert!(wants_notes(notes), "the model writes the summary itself");
    let notes = notes.body.to_string();
    assert!(
        notes.contains("the colour teal") && notes.contains("question 1 "),
        "{notes}"
    );

    // The summary is in the rows: whoever comes after a restart goes on from it.
    drop(gateway);
    let _gateway = world.serve();
    assert_eq!(world.ok(&["chat", "and now?"]), "Noted.\n");
    let asked = fake.heard().last().unwrap().body["messages"].to_string();
    assert!(asked.contains("THE NOTES: the colour is teal."), "{asked}");
    assert!(!asked.contains("question 1 "), "{asked}");
    assert!(asked.contains("and now?"), "{asked}");
    let found = world.ok(&["sessions", "search", "question"]);
    assert!(found.contains("question"), "nothing is deleted: {found}");
}
