use proptest::prelude::*;
use serde_json::json;

use super::super::compaction;
use super::super::conversation_laws::breach;
use super::super::entry::{Attention, ToolCall, Visibility};
use super::*;
use crate::time::Timestamp;

fn user(text: &str) -> Entry {
    Entry::new(Role::User, text)
}

fn overheard(text: &str) -> Entry {
    Entry {
        attention: Attention::Observed,
        ..user(text)
    }
}

fn assistant(text: &str, calls: &[&str]) -> Entry {
    let calls = calls.iter().map(|id| ToolCall::new(json!({"id": id})));
    Entry {
        tool_calls: calls.collect(),
        ..Entry::new(Role::Assistant, text)
    }
}

fn result(id: &str) -> Entry {
    Entry {
        tool_call_id: Some(id.to_owned()),
        ..Entry::new(Role::Tool, format!("result of {id}"))
    }
}

/// Role and words of each row, after checking every law.
fn told(rows: &[Entry]) -> Vec<String> {
    let conversation = for_model(rows);
    assert_eq!(
        breach(&load(rows), &conversation),
        None,
        "{conversation:#?}"
    );
    let line = |row: &Entry| format!("{}: {}", row.role.as_str(), row.content.plain_text());
    conversation.iter().map(line).collect()
}

#[test]
fn a_whole_turn_is_given_as_it_is() {
    let rows = [
        user("a"),
        assistant("", &["1"]),
        result("1"),
        assistant("b", &[]),
    ];
    assert_eq!(for_model(&rows), rows);
}

#[test]
fn an_answer_with_nothing_in_it_is_given_to_no_model() {
    let mut thinking = assistant(" ", &[]);
    thinking.continuation.insert("thoughts".into(), json!("hm"));
    for nothing in [assistant("", &[]), assistant("\n", &[]), thinking.clone()] {
        let rows = [user("a"), nothing, user("b"), assistant("c", &[])];
        assert_eq!(told(&rows), ["user: a\n\nb", "assistant: c"]);
    }
    let paused = Entry {
        finish: Finish::Incomplete,
        ..thinking
    };
    assert_eq!(for_model(&[user("a"), paused]).len(), 2);
}

#[test]
fn hidden_rows_are_not_loaded() {
    let mut rows = [user("a"), user("b"), user("c")];
    rows[0].visibility = Visibility::Compacted;
    rows[1].visibility = Visibility::Rewound;
    assert_eq!(load(&rows), [user("c")]);
}

#[test]
fn a_call_that_was_never_answered_gets_a_result_that_says_so() {
    let lines = told(&[user("a"), assistant("", &["1", "2"]), result("2")]);
    assert_eq!(lines[2], "tool: result of 2");
    assert!(
        lines[3].starts_with("tool: No result was recorded"),
        "{lines:?}"
    );
}

#[test]
fn a_result_without_a_call_and_a_second_result_are_left_out() {
    let rows = [
        result("9"),
        assistant("", &["1"]),
        result("1"),
        result("1"),
        user("a"),
    ];
    assert_eq!(told(&rows), ["assistant: ", "tool: result of 1", "user: a"]);
}

#[test]
fn a_result_that_came_after_another_message_moves_behind_its_call() {
    let rows = [
        assistant("", &["1"]),
        user("wait"),
        result("1"),
        assistant("ok", &[]),
    ];
    let lines = [
        "assistant: ",
        "tool: result of 1",
        "user: wait",
        "assistant: ok",
    ];
    assert_eq!(told(&rows), lines);
}

#[test]
fn an_id_that_is_used_again_answers_the_nearest_call() {
    let rows = [
        assistant("first", &["1"]),
        user("again"),
        assistant("second", &["1"]),
        result("1"),
    ];
    let lines = told(&rows);
    assert!(lines[1].starts_with("tool: No result"), "{lines:?}");
    assert_eq!(lines[4], "tool: result of 1");
}

#[test]
fn a_call_without_an_id_is_not_asked() {
    let mut row = assistant("text", &[]);
    row.tool_calls = ToolCall::list(json!([{"type": "function"}, "id"]));
    assert_eq!(for_model(&[row]), [assistant("text", &[])]);
}

#[test]
fn neighbouring_rows_of_one_voice_become_one() {
    let rows = [
        user("a"),
        user(""),
        user("b"),
        assistant("x", &["1"]),
        assistant("y", &["2"]),
    ];
    let conversation = for_model(&rows);
    assert_eq!(conversation[0], user("a\n\nb"));
    assert_eq!(conversation[1], assistant("x\ny", &["1", "2"]));
}

#[test]
fn overheard_chatter_is_never_joined_with_what_was_said_to_the_agent() {
    let rows = [
        overheard("chatter"),
        overheard("more"),
        user("real"),
        overheard("later"),
    ];
    let joined = [
        overheard("chatter\n\nmore"),
        user("real"),
        overheard("later"),
    ];
    assert_eq!(for_model(&rows), joined);
}

#[test]
fn parts_stay_a_row_of_their_own() {
    let parts = Entry::new(Role::User, json!([{"type": "text", "text": "look"}]));
    let rows = [user("a"), parts, user("b")];
    assert_eq!(for_model(&rows), rows);
}

#[test]
fn the_earlier_reasoning_stays_and_the_later_fills_what_is_missing() {
    let reasoning = |value: serde_json::Value| value.as_object().unwrap().clone();
    let mut rows = [assistant("x", &[]), assistant("y", &[])];
    rows[0].reasoning = reasoning(json!({"text": "first"}));
    rows[1].reasoning = reasoning(json!({"text": "second", "details": [1]}));
    let joined = &for_model(&rows)[0].reasoning;
    assert_eq!(*joined, reasoning(json!({"text": "first", "details": [1]})));
}

#[test]
fn a_row_that_a_provider_continues_from_is_left_alone() {
    let mut rows = [assistant("x", &[]), assistant("y", &[])];
    rows[0]
        .continuation
        .insert("items".to_owned(), json!([{"id": 1}]));
    assert_eq!(for_model(&rows), rows);
    rows[0].continuation.clear();
    rows[1].finish = Finish::Incomplete;
    assert_eq!(for_model(&rows), rows);
}

#[test]
fn a_provisional_row_is_replaced_by_the_next() {
    let mut rows = [
        assistant("a", &[]),
        assistant("draft", &["1"]),
        assistant("b", &[]),
    ];
    rows[1].finish = Finish::Provisional;
    assert_eq!(for_model(&rows), [assistant("a\nb", &[])]);
}

#[test]
fn rows_of_an_unknown_role_are_loaded_but_no_model_is_shown_them() {
    let note = Entry::new(Role::Other("session_meta".to_owned()), Content::Nothing);
    let rows = [user("a"), note, user("b")];
    assert_eq!(load(&rows).len(), 3);
    assert_eq!(told(&rows), ["user: a\n\nb"]);
}

#[test]
fn only_an_assistant_reasons_and_calls() {
    let mut row = user("a");
    row.reasoning.insert("reasoning".to_owned(), json!("no"));
    row.tool_calls = ToolCall::list(json!([{"id": "1"}]));
    assert_eq!(load(&[row]), [user("a")]);
}

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![
        4 => Just(Role::User),
        4 => Just(Role::Assistant),
        4 => Just(Role::Tool),
        1 => Just(Role::System),
        1 => Just(Role::default()),
    ]
}

fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        6 => "( |[a-c]|<memory-context>|</memory-context>){0,4}".prop_map(Content::Text),
        1 => Just(Content::Nothing),
        1 => Just(Content::from(json!([{"type": "text", "text": "part"}, {"type": "image"}]))),
    ]
}

prop_compose! {
    fn row()(
        role in role(),
        content in content(),
        calls in prop::collection::vec(0..4u8, 0..3),
        answers in prop::option::of(0..4u8),
        odd in 0..40u8,
        at in any::<Option<i32>>(),
    ) -> Entry {
        let calls = calls.into_iter().map(|id| ToolCall::new(match id {
            0 => json!({"name": "nameless"}),
            id => json!({"id": format!("{id}"), "call_id": format!("call_{id}")}),
        }));
        let mut row = Entry {
            tool_calls: calls.collect(),
            tool_call_id: answers.map(|id| format!("call_{id}")),
            at: at.map(|ms| Timestamp::from_ms(ms.into())),
            ..Entry::new(role, content)
        };
        match odd {
            0..4 => row.attention = Attention::Observed,
            4..6 => row.finish = Finish::Provisional,
            6..8 => row.finish = Finish::Incomplete,
            8..10 => drop(row.continuation.insert("items".to_owned(), json!(odd))),
            10..12 => row.visibility = Visibility::Rewound,
            12..14 => row.visibility = Visibility::Compacted,
            _ => {}
        }
        row
    }
}

proptest! {
    /// T1, T4: whatever the times say, and without changing a row that is only hidden.
    #[test]
    fn rows_are_loaded_in_the_order_in_which_they_were_appended(mut rows in prop::collection::vec(row(), 0..24)) {
        for (place, row) in rows.iter_mut().enumerate() {
            row.platform_message_id = Some(place.to_string());
        }
        let ids = |rows: &[Entry]| rows.iter().map(|row| row.platform_message_id.clone()).collect::<Vec<_>>();
        let visible: Vec<Entry> = rows.iter().filter(|row| row.is_visible()).cloned().collect();
        prop_assert_eq!(ids(&load(&rows)), ids(&visible));
    }

    /// T2
    #[test]
    fn text_and_structure_come_back_as_they_were_said(text in "[^<>]{0,40}", number in any::<i64>()) {
        let parts = json!({"kind": [number, text]});
        let rows = [user(text.trim()), Entry::new(Role::User, parts), result(&text)];
        prop_assert_eq!(load(&rows), rows);
    }

    /// T5
    #[test]
    fn rewriting_what_was_loaded_keeps_it(rows in prop::collection::vec(row(), 0..24)) {
        let loaded = load(&rows);
        prop_assert_eq!(load(&compaction::rewritten(loaded.clone())), loaded);
    }

    /// T7
    #[test]
    fn what_a_model_is_given_keeps_the_laws_and_doing_it_twice_changes_nothing(
        rows in prop::collection::vec(row(), 0..24),
    ) {
        let once = for_model(&rows);
        prop_assert_eq!(breach(&load(&rows), &once), None, "{:#?}", once);
        prop_assert_eq!(for_model(&once), once);
    }

    /// T7: a result that was recorded is only left out if it answers nothing.
    #[test]
    fn a_recorded_result_of_a_call_that_waits_is_kept(gap in prop::collection::vec(row(), 0..6)) {
        let mut rows = vec![assistant("", &["own"])];
        rows.extend(gap);
        rows.push(result("own"));
        let kept = for_model(&rows).iter().filter(|row| row.content == result("own").content).count();
        prop_assert_eq!(kept, 1);
    }
}
