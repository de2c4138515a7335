use super::*;
use std::sync::Arc;

use crate::background::NoBackground;
use crate::consent::NobodyAsked;
use crate::context::Context;
use crate::events::{self, AgentEvent};
use crate::past::NoPast;
use crate::tools::terms::Terms;
use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound};

fn message(text: &str) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Local,
            account: AccountId::of(Platform::Local),
            chat: Chat {
                id: "c".into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: "u".into(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: "1".into(),
        text: text.into(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

async fn answer(text: &str) -> Result<Vec<String>, AgentError> {
    let (ended, words) = turn(text, CancellationToken::new()).await;
    ended.map(|()| words)
}

async fn turn(text: &str, stop: CancellationToken) -> (Result<(), AgentError>, Vec<String>) {
    let demo = Demo {
        config: "angelia.toml".into(),
    };
    let input = Input {
        messages: vec![message(text).into()],
        journal: Vec::new(),
        context: Context::default(),
        past: Arc::new(NoPast),
        pictures: std::sync::Arc::new(crate::pictures::NoPictures),
        background: Arc::new(NoBackground),
        consent: Arc::new(NobodyAsked),
        links: Arc::new(crate::links::InMemory::default()),
        terms: Terms::default(),
        choice: Default::default(),
        spending: std::sync::Arc::new(crate::spending::Unlimited),
    };
    let (events, mut told) = events::channel();
    let hearing = async {
        let mut words = Vec::new();
        while let Some(event) = told.recv().await {
            match event {
                AgentEvent::Text(text) => words.push(text),
                AgentEvent::AnswerBegins
                | AgentEvent::AnswerDropped
                | AgentEvent::Thought(_)
                | AgentEvent::Shown(_) => (),
                AgentEvent::Between(answer) => drop(answer.send(Vec::new())),
                AgentEvent::Heard(answer) => answer.send(()).unwrap(),
                AgentEvent::Step(_, durable) => durable.send(()).unwrap(),
            }
        }
        words
    };
    tokio::join!(demo.run(input, events, stop), hearing)
}

#[tokio::test(start_paused = true)]
async fn each_command_has_its_fixed_reply() {
    assert_eq!(answer("echo  hi there ").await.unwrap(), ["hi there"]);
    assert_eq!(
        answer("stream 3").await.unwrap(),
        ["word1", " word2", " word3"]
    );
    assert_eq!(answer("sleep 2").await.unwrap(), ["slept 2 s"]);
    assert!(answer("fail").await.is_err());
    let long = answer("long 1200").await.unwrap().concat();
    assert_eq!(long.chars().count(), 1200);
    assert!(long.contains("```text"));
}

#[tokio::test]
async fn anything_else_is_echoed_with_a_way_to_a_real_agent() {
    for text in [
        "hello",
        "echo",
        "run",
        "start",
        "sleep now",
        "stream -1",
        "failure",
    ] {
        let words = answer(text).await.unwrap().concat();
        assert!(
            words.starts_with(text) && words.contains("angelia.toml"),
            "{words}"
        );
    }
}

#[tokio::test]
async fn a_command_is_run_and_answered_with_its_words_and_its_end() {
    assert_eq!(
        answer("run echo hi; exit 3").await.unwrap(),
        ["hi\n[exit 3]"]
    );
    assert_eq!(answer("run true").await.unwrap(), ["(no output)"]);
    let lines = answer("run echo one\necho two").await.unwrap();
    assert_eq!(lines, ["one\ntwo"]);
}

#[tokio::test]
async fn a_background_command_is_declined_where_nothing_can_be_started() {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("mark");
    let words = answer(&format!("start touch {}", mark.display()))
        .await
        .unwrap();
    assert!(
        words.concat().contains("cannot be started here"),
        "{words:?}"
    );
    assert!(!mark.exists());
}

#[test]
fn the_end_of_a_process_is_answered_with_what_was_told_about_it() {
    let told = "[Background process prc_1 exited with code 0]\nCommand: make\nIt said nothing.";
    assert_eq!(
        reply::ended(told),
        "Background process prc_1 exited with code 0\nCommand: make\nIt said nothing."
    );
}

#[tokio::test]
async fn stopping_a_turn_ends_its_command() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pid");
    let text = format!("run echo $$ >{}; sleep 1000; :", file.display());
    let stop = CancellationToken::new();
    let stopping = async {
        let pid = pid_in(&file).await;
        stop.cancel();
        pid
    };
    let ((ended, _), pid) = tokio::join!(turn(&text, stop.clone()), stopping);
    assert_eq!(ended, Ok(()));
    while rustix::process::test_kill_process(pid).is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The process whose number stands in `file`, once it is there.
async fn pid_in(file: &std::path::Path) -> rustix::process::Pid {
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if let Some(number) = text.strip_suffix('\n') {
            return rustix::process::Pid::from_raw(number.parse().unwrap()).unwrap();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_stopped_turn_ends_at_once() {
    let demo = Demo {
        config: "angelia.toml".into(),
    };
    let input = Input {
        messages: vec![message("sleep 3600").into()],
        journal: Vec::new(),
        context: Context::default(),
        past: Arc::new(NoPast),
        pictures: std::sync::Arc::new(crate::pictures::NoPictures),
        background: Arc::new(NoBackground),
        consent: Arc::new(NobodyAsked),
        links: Arc::new(crate::links::InMemory::default()),
        terms: Terms::default(),
        choice: Default::default(),
        spending: std::sync::Arc::new(crate::spending::Unlimited),
    };
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(demo.run(input, events::channel().0, stop).await, Ok(()));
}
