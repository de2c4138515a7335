use serde_json::json;

use super::*;
use crate::address::{AccountId, Chat, ChatKind, Platform};
use crate::turn::shown::{Kind, State};

fn glimpse(text: &str) -> Glimpse {
    Glimpse {
        session: SessionId::from_bits(1),
        messages: vec![InboxId::from_bits(2)],
        address: Address {
            platform: Platform::Telegram,
            account: AccountId("bot".to_owned()),
            chat: Chat {
                id: "7".to_owned(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        message_id: "3".to_owned(),
        notice: None,
        text: text.to_owned(),
        breaks: vec![2],
        thoughts: String::new(),
        work: Work::Going,
        steps: vec![seen("1", json!({ "command": "ls" }))],
    }
}

fn seen(id: &str, input: Value) -> Seen {
    Seen {
        seq: Some(1),
        at: Timestamp::from_ms(5),
        after: 2,
        step: Shown {
            title: Some("terminal".to_owned()),
            input: Some(input),
            ..Shown::new(id, Kind::Tool, State::Running)
        },
    }
}

#[test]
fn the_stored_shape_is_this() {
    let stored = concat!(
        r#"{"v":1,"body":{"session":"ses_00000000000000000000000001","messages":["inb_00000000000000000000000002"],"#,
        r#""address":{"platform":"telegram","account":"bot","chat":{"id":"7","kind":"dm"},"thread":null},"#,
        r#""message_id":"3","notice":null,"text":"so far","breaks":[2],"thoughts":"","work":"going","#,
        r#""steps":[{"seq":1,"at":5,"after":2,"step":{"id":"1","kind":"tool","title":"terminal","state":"running","#,
        r#""words":null,"input":{"command":"ls"},"output":null,"tokens":null}}]}}"#
    );
    assert_eq!(glimpse("so far").written(), stored);
    assert_eq!(Glimpse::read(stored), Some(glimpse("so far")));
}

#[test]
fn what_a_newer_release_wrote_is_passed_over() {
    let stored = glimpse("so far").written();
    let newer = [
        stored.replace(r#""v":1"#, r#""v":2"#),
        stored.replace(r#""kind":"tool""#, r#""kind":"song""#),
        stored.replace(r#""going""#, r#""dreaming""#),
        stored.replace(r#""breaks":[2]"#, r#""breaks":[99]"#),
        "{}".to_owned(),
    ];
    for one in newer {
        assert_eq!(Glimpse::read(&one), None, "{one}");
    }
    let more = stored.replace(r#""notice":null"#, r#""notice":null,"mood":"good""#);
    assert_eq!(Glimpse::read(&more), Some(glimpse("so far")));
}

#[test]
fn it_is_bounded_whatever_is_said_and_done() {
    let mut long = glimpse(&"ö".repeat(limits::GLIMPSE_TEXT_BYTES));
    long.breaks = vec![2, limits::REPLY_BYTES_MAX];
    let deep = json!({ "content": "x".repeat(99_999), "path": "a.txt" });
    let wide: Value = (0..9_999).collect();
    long.steps = (0..99)
        .map(|number| seen(&number.to_string(), deep.clone()).bounded())
        .chain([seen("wide", wide).bounded()])
        .collect();
    let bounded = long.bounded();
    assert!(bounded.text.len() <= limits::GLIMPSE_TEXT_BYTES);
    assert_eq!(bounded.breaks, [2]);
    let last: Vec<&Seen> = bounded.steps.iter().rev().take(2).collect();
    assert_eq!(bounded.steps.len(), limits::GLIMPSE_STEPS);
    assert_eq!((&*last[0].step.id, &last[0].step.input), ("wide", &None));
    let input = last[1].step.input.as_ref().unwrap();
    assert_eq!(input["path"], "a.txt", "short ones stay");
    let most = limits::GLIMPSE_TEXT_BYTES + 4 * limits::GLIMPSE_STEPS * limits::GLIMPSE_STEP_BYTES;
    assert!(bounded.written().len() < most);
}

#[test]
fn more_words_go_on_where_fewer_were_and_others_do_not() {
    let before = glimpse("so far");
    assert!(glimpse("so far so good").continues(&before));
    assert!(!glimpse("no").continues(&before));
    let mut parted = glimpse("so far so good");
    parted.breaks = vec![3];
    assert!(!parted.continues(&before));
}
