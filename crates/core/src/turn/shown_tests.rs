use super::*;
use crate::recovery::EffectClass;
use crate::time::Timestamp;
use crate::transcript::entry::{Entry, Role};
use crate::transcript::usage::Billing;

fn recorded(seq: u32, step: Step) -> Recorded {
    let at = Timestamp::from_ms(1);
    Recorded { seq, at, step }
}

fn finished(output: &str) -> Shown {
    let step = Step::finished("1.1", output);
    Shown::of(&recorded(3, step)).unwrap()
}

#[test]
fn a_call_has_one_id_from_its_beginning_to_its_end() {
    let begun = Shown::of(&recorded(
        2,
        Step::ToolBegun {
            call: "1.1".to_owned(),
            tool: "terminal".to_owned(),
            arguments: json!({ "command": "ls" }),
            effect: EffectClass::Unknown,
        },
    ))
    .unwrap();
    assert_eq!((begun.id.as_str(), begun.state), ("1.1", State::Running));
    assert_eq!(begun.title.as_deref(), Some("terminal"));
    let ended = finished(r#"{"output":"a","exit_code":0,"error":null}"#);
    assert_eq!((ended.id.as_str(), ended.state), ("1.1", State::Done));
    assert_eq!(ended.title, None);
}

#[test]
fn a_result_tells_how_it_went() {
    assert_eq!(finished(r#"{"error":"no"}"#).state, State::Failed);
    assert_eq!(
        finished(r#"{"status":"unknown","error":"hm"}"#).state,
        State::Unknown
    );
    assert_eq!(finished("plain words").output, Some("plain words".into()));
}

#[test]
fn thoughts_become_the_answer_that_is_written_down_in_their_place() {
    let live = Shown::thinking(1, "hm".to_owned());
    let mut row = Entry::new(Role::Assistant, "hello".to_owned());
    row.reasoning.insert("text".to_owned(), "hm, so".into());
    let spent = Usage {
        model: Some("m".to_owned()),
        billing: Billing::default(),
        tokens: Tokens {
            input: 5,
            output: 2,
            ..Tokens::default()
        },
        ..Usage::default()
    };
    let step = Step::Answer {
        row: Box::new(row),
        spent: Some(Box::new(spent)),
    };
    let whole = Shown::of(&recorded(1, step)).unwrap();
    assert_eq!(live.id, whole.id);
    assert_eq!((live.state, whole.state), (State::Running, State::Done));
    assert_eq!(whole.words.as_deref(), Some("hm, so"));
    assert_eq!(whole.tokens.map(|tokens| tokens.input), Some(5));
}

#[test]
fn thoughts_that_no_answer_follows_are_told_once_more_as_done() {
    let live = Shown::thinking(1, "hm".to_owned());
    let over = live.clone().over();
    assert_eq!((over.id, over.words), (live.id, live.words));
    assert_eq!(over.state, State::Done);
}

#[test]
fn a_plan_stands_for_the_one_before_and_is_no_tool() {
    let planned = |number: u32, words: &str| {
        let step = Step::Planned {
            plan: format!("acp.1:plan {number}"),
            standing: format!("{number} of 2 done"),
            words: words.to_owned(),
        };
        Shown::of(&recorded(number, step)).unwrap()
    };
    let (first, second) = (planned(1, "[ ] look"), planned(2, "[x] look"));
    assert_eq!((first.kind, &first.id), (Kind::Plan, &second.id));
    assert_eq!(second.title.as_deref(), Some("2 of 2 done"));
    assert_eq!(second.words.as_deref(), Some("[x] look"));
    assert!(second.stands_for(&first));
}

#[test]
fn what_a_call_says_while_it_runs_begins_no_call_and_is_over_with_its_end() {
    let begun = Shown {
        input: Some(json!({ "command": "make" })),
        ..Shown::new("1.1", Kind::Tool, State::Running)
    };
    let (one, more) = (
        Shown::saying("1.1", "a".to_owned()),
        Shown::saying("1.1", "ab".to_owned()),
    );
    assert!(begun.is_call() && !one.is_call());
    assert!(more.stands_for(&one) && finished("ab").stands_for(&more));
    assert!(
        !more.stands_for(&begun),
        "nobody else says what it was called with"
    );
    assert!(!more.stands_for(&Shown::saying("1.2", "a".to_owned())));
}

#[test]
fn what_only_the_gateway_needs_is_not_shown() {
    let directory = "/tmp".to_owned();
    assert_eq!(Shown::of(&recorded(1, Step::Moved { directory })), None);
}

#[test]
fn known_secrets_and_named_ones_are_hidden_wherever_they_stand() {
    let masker = Masker::new(["the-word-of-this-house".to_owned()]);
    let shown = Shown {
        words: Some("I know the-word-of-this-house".to_owned()),
        input: Some(
            json!({ "deep": [{ "password": "hunter2-hunter2" }], "note": "the-word-of-this-house" }),
        ),
        output: Some(json!({ "output": "said the-word-of-this-house" })),
        ..Shown::new("x", Kind::Tool, State::Done)
    };
    let seen = format!("{:?}", shown.fit_to_be_seen(&masker));
    assert!(!seen.contains("the-word-of-this-house"), "{seen}");
    assert!(!seen.contains("hunter2-hunter2"), "{seen}");
}

#[test]
fn a_long_text_keeps_its_ends_and_says_what_is_left_out() {
    let long = format!("begin{}end", "é".repeat(limits::STEP_SHOWN_BYTES));
    let shown = Shown {
        output: Some(json!({ "output": long, "exit_code": 0 })),
        ..Shown::new("x", Kind::Tool, State::Done)
    };
    let seen = shown.fit_to_be_seen(&Masker::default()).output.unwrap();
    let text = seen["output"].as_str().unwrap();
    assert!(text.starts_with("begin") && text.ends_with("end"));
    assert!(text.contains("bytes are not shown"));
    assert!(text.len() < limits::STEP_SHOWN_BYTES + 100);
    assert_eq!(seen["exit_code"], 0);
}

#[test]
fn a_result_of_very_many_parts_becomes_one_bounded_text() {
    let many: Vec<String> = (0..10_000).map(|number| format!("line {number}")).collect();
    let shown = Shown {
        output: Some(json!(many)),
        ..Shown::new("x", Kind::Tool, State::Done)
    };
    let seen = shown.fit_to_be_seen(&Masker::default());
    assert!(
        seen.bytes() < limits::STEP_SHOWN_BYTES * 2,
        "{}",
        seen.bytes()
    );
}
