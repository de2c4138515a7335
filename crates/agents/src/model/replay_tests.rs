use angelia_core::transcript::entry::Content;
use serde_json::json;

use super::*;

const HERE: &str = "openai a.example m";
const THERE: &str = "openai b.example m";

/// An answer with a thought and a call, and the result.
fn answered(id: &str) -> [Entry; 2] {
    let call = json!({ "id": id, "type": "function", "function": { "name": "one", "arguments": "{}" }, "extra_content": 1 });
    let mut asked = Entry {
        tool_calls: vec![ToolCall::new(call)],
        ..Entry::new(Role::Assistant, Content::Nothing)
    };
    asked
        .continuation
        .insert("reasoning_content".into(), "hm".into());
    let result = Entry {
        tool_call_id: Some(id.into()),
        ..Entry::new(Role::Tool, "done")
    };
    [asked, result]
}

#[test]
fn what_a_place_wants_back_goes_there_as_it_came() {
    let mut said = answered("functions.one:0");
    mark(&mut said[0], HERE);
    assert!(matches!(rows(&said, Replay::To(HERE)), Cow::Borrowed(_)));
}

#[test]
fn another_place_has_the_words_the_calls_and_ids_that_it_takes() {
    let long = "x".repeat(64);
    for id in ["functions.one:0", &long, "a"] {
        let mut said = answered(id);
        mark(&mut said[0], HERE);
        let told = rows(&said, Replay::To(THERE));
        assert!(told[0].continuation.is_empty());
        let call = json!(told[0].tool_calls[0]);
        assert_eq!(call.get("extra_content"), None, "{call}");
        let other = call["id"].as_str().expect("an id");
        assert!(fits(other), "{other}");
        assert_eq!(told[1].tool_call_id.as_deref(), Some(other));
    }
    assert_ne!(fitting("a.b"), fitting("a:b"));
}

#[test]
fn a_name_that_says_more_than_is_asked_for_is_of_that_place() {
    let mut said = answered("a");
    mark(&mut said[0], HERE);
    let server = Replay::To("openai a.example");
    assert!(matches!(rows(&said, server), Cow::Borrowed(_)));
    for other in ["openai a", "openai a.exam", "openai a.example m2"] {
        let told = rows(&said, Replay::To(other));
        assert!(told[0].continuation.is_empty(), "{other}");
    }
}

#[test]
fn rows_without_a_name_of_their_place_go_as_they_are_unless_nothing_shall() {
    let said = answered("functions.one:0");
    assert!(matches!(rows(&said, Replay::To(THERE)), Cow::Borrowed(_)));
    let told = rows(&said, Replay::Plain);
    assert!(told[0].continuation.is_empty());
}

#[test]
fn rows_that_any_place_takes_bear_no_name() {
    let mut row = Entry::new(Role::Assistant, "hello");
    mark(&mut row, HERE);
    assert!(row.continuation.is_empty());
}
