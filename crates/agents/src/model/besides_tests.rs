use serde_json::json;

use super::*;
use crate::model::demands::Demands;
use crate::model::request::Tool;

fn set(answer_tokens: Option<u32>, request: &Value) -> Besides {
    Besides {
        wire: Wire::Anthropic,
        answer_tokens,
        request: request.as_object().cloned().unwrap_or_default(),
    }
}

/// What goes out with so many tokens.
fn sent(besides: &Besides, manner: Manner, tokens: u32) -> Value {
    sent_with(Vec::new(), besides, (manner, tokens))
}

/// The same with these tools.
fn sent_with(tools: Vec<Tool<'_>>, besides: &Besides, (manner, tokens): (Manner, u32)) -> Value {
    let mut body = Body {
        shaped: json!({ "model": "m" }),
        tools,
    };
    besides.dress(&mut body, manner, tokens);
    json!(body)
}

#[test]
fn what_was_set_about_tools_is_said_where_some_are_shown() {
    let set = set(
        None,
        &json!({ "tool_choice": "auto", "parallel_tool_calls": false, "temperature": 1 }),
    );
    let parameters = json!({});
    let tool = Tool::Anthropic {
        name: "one",
        description: "",
        input_schema: &parameters,
    };
    let names = |sent: Value| {
        let names = ["tools", "tool_choice", "parallel_tool_calls", "temperature"];
        names.map(|name| sent.get(name).is_some())
    };
    let usual = (Manner::default(), 1_024);
    assert_eq!(names(sent_with(vec![tool], &set, usual)), [true; 4]);
    let without = names(sent_with(Vec::new(), &set, usual));
    assert_eq!(without, [false, false, false, true]);
}

#[test]
fn a_short_answer_is_short_unless_something_was_set() {
    let nothing = json!({});
    assert_eq!(set(None, &nothing).tokens(Room::AtLeast(100)), 100);
    assert_eq!(set(Some(2_000), &nothing).tokens(Room::AtLeast(100)), 2_000);
    assert_eq!(
        set(Some(2_000), &nothing).tokens(Room::AtLeast(4_096)),
        2_000,
        "nobody is allowed more than was set"
    );
    assert_eq!(set(Some(2_000), &nothing).tokens(Room::Usual), 2_000);
    let effort = json!({ "reasoning_effort": "high" });
    assert_eq!(set(None, &effort).tokens(Room::Within(16)), ANSWER_TOKENS);
}

#[test]
fn an_answer_that_was_cut_has_more_room_than_it_had_if_that_was_not_set() {
    let (nothing, effort) = (json!({}), json!({ "reasoning_effort": "high" }));
    for (request, tokens) in [(&nothing, 4_096), (&effort, 4_096), (&nothing, 50_000)] {
        let besides = set(None, request);
        let before = besides.tokens(Room::AtLeast(tokens));
        assert!(besides.tokens(Room::Beyond(tokens)) > before.max(tokens));
        assert!(besides.has_more() && besides.is_told(Room::Beyond(tokens)));
    }
    let fixed = set(Some(8_000), &nothing);
    assert_eq!(fixed.tokens(Room::Beyond(8_000)), 8_000);
    assert!(!fixed.has_more());
    assert_eq!(set(None, &nothing).tokens(Room::Beyond(u32::MAX)), u32::MAX);
}

#[test]
fn whatever_the_budget_of_thoughts_there_is_room_for_the_answer() {
    for budget in [0, 1_024, 12_288, 12_289, 16_383, 16_384, 30_000, u32::MAX] {
        let besides = set(None, &json!({ "thinking": { "budget_tokens": budget } }));
        let tokens = besides.tokens(Room::Usual);
        assert!(tokens >= ANSWER_TOKENS && tokens >= budget.saturating_add(BESIDE_THOUGHTS));
    }
}

#[test]
fn a_large_budget_of_thoughts_leaves_room_for_the_answer() {
    let budget = json!({ "thinking": { "type": "enabled", "budget_tokens": 30_000 } });
    let besides = set(None, &budget);
    assert!(besides.tokens(Room::Usual) > 30_000);
    assert!(besides.tokens(Room::AtLeast(4_096)) > 30_000);
    let sent_with = |tokens| sent(&besides, Manner::default(), tokens);
    assert_eq!(sent_with(31_000)["thinking"]["budget_tokens"], 30_000);
    assert_eq!(
        sent_with(1_024).get("thinking"),
        None,
        "a cap allows no more"
    );
}

#[test]
fn whoever_misses_thoughts_that_nobody_has_is_told_not_to_think() {
    let manner = Manner {
        thoughts: Thoughts::Left,
        demands: Demands {
            gaps: Gaps::Filled,
            ..Demands::default()
        },
        ..Manner::default()
    };
    let sent = sent(&set(None, &json!({})), manner, 1_024);
    assert_eq!(sent["thinking"], json!({ "type": "disabled" }));
}

#[test]
fn whoever_takes_no_thoughts_back_is_not_asked_for_any() {
    let adaptive = json!({ "thinking": { "type": "adaptive" }, "temperature": 1 });
    let manner = Manner {
        thoughts: Thoughts::Left,
        ..Manner::default()
    };
    let sent = sent(&set(None, &adaptive), manner, 1_024);
    assert_eq!(
        (sent.get("thinking"), &sent["temperature"]),
        (None, &json!(1))
    );
}
