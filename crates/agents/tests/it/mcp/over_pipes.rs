//! A program that is started, and everything it may do wrong.

use std::sync::Arc;
use std::time::Duration;

use angelia_agents::mcp::State;
use angelia_agents::mcp::settings::{Hints, Picks, Way};
use angelia_agents::model::provider::Secret;
use angelia_agents::tools::source::ToolSource as _;
use angelia_core::limits;
use angelia_core::recovery::EffectClass;
use angelia_core::time::Span;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::world::{Kept, PATIENCE, stand_in};

#[tokio::test]
async fn tools_are_listed_in_order_and_called() {
    let kept = Kept::ready(stand_in("well")).await;
    let offered = kept.offered();
    assert!(offered.is_sorted());
    assert!(offered.contains(&"echo".to_owned()));
    assert_eq!(kept.server.name(), "mcp_stand-in");
    let echoed = kept.call("echo", json!({ "text": "hello" })).await;
    assert_eq!(echoed, json!({ "output": "hello" }));
    let sum = kept.call("add", json!({ "a": 2, "b": 3 })).await;
    assert_eq!(sum, json!({ "structured": { "sum": 5 } }));
    let picture = kept.call("picture", json!({})).await;
    assert_eq!(picture, json!({ "output": "look\n[image/png]" }));
}

#[tokio::test]
async fn what_goes_wrong_is_an_answer() {
    let kept = Kept::ready(stand_in("well")).await;
    let failed = kept.call("fail", json!({})).await;
    assert_eq!(failed, json!({ "error": "the disk is full" }));
    let unknown = kept.call("nothing_like_this", json!({})).await;
    let why = unknown["error"].as_str().unwrap();
    assert!(why.contains("there is no such tool"), "{why}");
}

#[tokio::test]
async fn a_long_answer_is_shortened() {
    let kept = Kept::ready(stand_in("well")).await;
    let long = kept.call("long", json!({})).await;
    let output = long["output"].as_str().unwrap();
    assert!(output.chars().count() <= limits::TOOL_OUTPUT_CHARS_MAX);
    assert!(output.starts_with("long long"));
}

#[tokio::test]
async fn a_program_sees_its_own_variables_and_none_of_ours() {
    let (mut settings, notes) = stand_in("well");
    if let Way::Program { variables, .. } = &mut settings.way {
        variables.push(("GITHUB_TOKEN".to_owned(), Secret::new("only for you")));
    }
    let kept = Kept::ready((settings, notes)).await;
    let own = kept
        .call("variable", json!({ "name": "GITHUB_TOKEN" }))
        .await;
    assert_eq!(own, json!({ "output": "only for you" }));
    // Set by cargo for whoever runs tests, and harmless; but on no list.
    let ours = kept
        .call("variable", json!({ "name": "CARGO_MANIFEST_DIR" }))
        .await;
    assert_eq!(ours, json!({ "output": "" }));
}

#[tokio::test]
async fn only_picked_tools_are_offered() {
    let (mut settings, notes) = stand_in("well");
    settings.picks = Picks {
        enable: ["echo", "add", "die"].map(str::to_owned).to_vec(),
        disable: vec!["die".to_owned()],
    };
    let kept = Kept::ready((settings, notes)).await;
    assert_eq!(kept.offered(), ["add", "echo"]);
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled_and_the_server_goes_on() {
    let (mut settings, notes) = stand_in("well");
    settings.time = Span::seconds(4);
    let kept = Kept::ready((settings, notes)).await;
    let late = kept.call("hang", json!({})).await;
    assert_eq!(late["status"], "timeout");
    kept.noted("cancelled").await;
    // The machine may stand still for longer than a call may take here.
    let mut echoed = late;
    while echoed["status"] == "timeout" {
        echoed = kept.call("echo", json!({ "text": "still here" })).await;
    }
    assert_eq!(echoed, json!({ "output": "still here" }));
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_cancelled() {
    let kept = Kept::ready(stand_in("well")).await;
    let stop = CancellationToken::new();
    let calling = kept.server.call("hang", json!({}), stop.clone());
    let stopping = async {
        kept.noted("called hang").await;
        stop.cancel();
    };
    let (answer, ()) = tokio::join!(calling, stopping);
    assert!(answer.told["error"].is_string());
    kept.noted("cancelled").await;
}

#[tokio::test]
async fn a_call_that_its_server_did_not_survive_is_not_made_again() {
    let kept = Kept::ready(stand_in("well")).await;
    let lost = kept.call("die", json!({})).await;
    assert_eq!(lost["status"], "unknown", "{lost}");
    // It is there again, and what it offers never went away.
    let echoed = kept.call("echo", json!({ "text": "back" })).await;
    assert_eq!(echoed, json!({ "output": "back" }));
    let calls = |notes: &[String]| notes.iter().filter(|note| *note == "called die").count();
    assert_eq!(calls(&kept.notes()), 1);
}

#[tokio::test]
async fn a_call_that_changes_nothing_is_made_again_if_the_server_is_believed() {
    let (mut settings, notes) = stand_in("well");
    settings.hints = Hints::Trusted;
    let kept = Kept::ready((settings, notes)).await;
    let lost = kept.call("die_reading", json!({})).await;
    assert_eq!(lost["status"], "unknown", "{lost}");
    let calls = kept.notes();
    let calls = calls.iter().filter(|note| *note == "called die_reading");
    assert_eq!(calls.count(), 2);
}

#[tokio::test]
async fn what_a_server_says_of_effects_counts_only_if_it_is_believed() {
    for (hints, effect) in [
        (Hints::Ignored, EffectClass::Unknown),
        (Hints::Trusted, EffectClass::Pure),
    ] {
        let (mut settings, notes) = stand_in("well");
        settings.hints = hints;
        let kept = Kept::ready((settings, notes)).await;
        let offers = kept.server.offers();
        let reading = offers.iter().find(|offer| offer.name == "die_reading");
        assert_eq!(reading.unwrap().effect, effect);
    }
}

#[tokio::test]
async fn a_new_list_is_taken_and_an_equal_one_is_the_same() {
    let kept = Kept::ready(stand_in("well")).await;
    let before = kept.server.offers();
    assert!(Arc::ptr_eq(&before, &kept.server.offers()));
    kept.call("grow", json!({})).await;
    kept.until(|report| report.tools == before.len() + 1).await;
    assert!(kept.offered().contains(&"grown_0".to_owned()));
}

#[tokio::test]
async fn garbage_and_complaints_do_no_harm() {
    for mode in ["garbage", "complaining"] {
        let kept = Kept::ready(stand_in(mode)).await;
        let echoed = kept.call("echo", json!({ "text": mode })).await;
        assert_eq!(echoed, json!({ "output": mode }));
    }
}

#[tokio::test]
async fn a_list_is_bounded_however_long_it_is() {
    let kept = Kept::ready(stand_in("many")).await;
    let report = kept.server.report();
    assert_eq!(report.tools, limits::mcp::TOOLS_MAX);
    assert_eq!(report.left_out, 10_000 - limits::mcp::TOOLS_MAX);
    let kept = Kept::ready(stand_in("endless")).await;
    assert_eq!(kept.server.report().tools, limits::mcp::TOOLS_MAX);
}

#[tokio::test]
async fn a_server_without_the_handshake_is_understood() {
    let kept = Kept::ready(stand_in("modern")).await;
    let echoed = kept.call("echo", json!({ "text": "hello" })).await;
    assert_eq!(echoed, json!({ "output": "hello" }));
}

#[tokio::test]
async fn one_that_cannot_start_is_down_says_why_and_is_tried_again() {
    let kept = Kept::new(stand_in("dead"));
    let report = kept.until(|report| report.state == State::Down).await;
    let why = report.why.unwrap();
    assert!(why.contains("exit code 3"), "{why}");
    assert_eq!(report.tools, 0);
    let answer = kept.call("echo", json!({})).await;
    assert!(answer["error"].as_str().unwrap().contains("is down"));
    let again = async {
        while kept.notes().len() < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, again).await.unwrap();
}

#[tokio::test]
async fn one_that_is_not_there_or_says_nothing_is_down() {
    let (mut settings, notes) = stand_in("well");
    settings.way = Way::Program {
        words: vec!["/nowhere/at/all".to_owned()],
        variables: vec![],
    };
    let kept = Kept::new((settings, notes));
    let report = kept.until(|report| report.state == State::Down).await;
    assert!(report.why.unwrap().contains("/nowhere/at/all"));
    let (mut settings, notes) = stand_in("mute");
    settings.start_time = Span::ms(200);
    let kept = Kept::new((settings, notes));
    let report = kept.until(|report| report.state == State::Down).await;
    assert!(report.why.unwrap().contains("within 0.2 seconds"));
}

#[tokio::test]
async fn letting_go_ends_the_program_in_peace() {
    let kept = Kept::ready(stand_in("well")).await;
    let (notes, report) = kept.end().await;
    assert_eq!(notes.last().map(String::as_str), Some("ended"));
    assert_eq!(report.state, State::Ended);
}
