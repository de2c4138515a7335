//! `watch_and_notify`, op notification_text: what a message says.
//!
//! An end is a value with us: one without a code is lost, a code below zero is a signal, and every process
//! has an id and a command.

use angelia_core::id::ProcessId;
use angelia_core::process::notice::{self, Told};
use angelia_core::process::watch::News;
use angelia_core::process::{End, How};
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    op: String,
    #[serde(default)]
    event: Value,
}

fn how(code: i64) -> How {
    match i32::try_from(code).expect("a code") {
        signal if signal < 0 => How::Signalled(-signal),
        code => How::Exited(code),
    }
}

/// How the process of an event ended, and the words for that.
fn end(event: &Value) -> (End, String) {
    let code = &event["exit_code"];
    let code = code
        .as_i64()
        .or_else(|| code.as_str().and_then(|text| text.parse().ok()));
    match (event["completion_reason"].as_str(), code.map(how)) {
        (Some("killed"), Some(how)) => (End::Killed(how), format!("was killed: it {how}")),
        (Some("failed_start"), _) => (End::Failed("no".into()), "could not be started".into()),
        (Some("lost"), _) | (_, None) => (End::Lost, "is lost".into()),
        (_, Some(how)) => (End::Itself(how), how.to_string()),
    }
}

fn said(event: &Value) -> (String, Vec<String>) {
    let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let (id, command) = (ProcessId::from_bits(7), text("command"));
    let suppressed = u32::try_from(event["suppressed"].as_u64().unwrap_or(0)).expect("a number");
    let news = match event["type"].as_str() {
        Some("watch_match") => News::Hit {
            pattern: text("pattern"),
            lines: text("output"),
            suppressed,
        },
        Some("watch_disabled") => News::StruckOut { suppressed },
        _ => {
            let (end, words) = end(event);
            let told = Told {
                id,
                command: &command,
                end: &end,
                output: &text("output"),
            };
            return (notice::text(&told), vec![command, text("output"), words]);
        }
    };
    let mut facts = vec![command.clone(), text("pattern"), text("output")];
    facts.extend((suppressed > 0).then(|| suppressed.to_string()));
    (notice::news(id, &command, &news), facts)
}

#[test]
fn every_message_names_the_process_and_says_what_is_known() {
    for case in cases::<Case>("processes/watch_and_notify.json") {
        if case.op != "notification_text" {
            continue;
        }
        let (text, facts) = said(&case.event);
        let id = ProcessId::from_bits(7);
        assert!(
            text.starts_with(&format!("[Background process {id} ")),
            "{}: {text}",
            case.id
        );
        for fact in facts {
            assert!(text.contains(&fact), "{}: no {fact:?} in {text}", case.id);
        }
    }
}
