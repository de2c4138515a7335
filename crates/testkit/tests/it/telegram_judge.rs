//! The fake Bot API server as the official `python-telegram-bot` package sees it: what it takes for Telegram is
//! real enough.
//!
//! `cargo xtask test` makes the Python environment and names its interpreter. Without it the test says loudly
//! that it did not take place; with `CI=true` that is a failure.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should end")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use angelia_testkit::fakes::telegram::{Call, FakeTelegram, Place, TOKEN, Trouble};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

const ANNA: Place = Place {
    person: 7,
    chat: 7,
    thread: None,
};

fn trouble(call: &Call) -> Option<Trouble> {
    match call.text("text").as_deref() {
        Some("flood") => Some(Trouble::Flood(4)),
        Some("broken") => Some(Trouble::Broken(502)),
        Some("half") => Some(Trouble::HalfAnswer),
        Some(_) | None => None,
    }
}

fn stage(fake: &FakeTelegram) {
    fake.meets(7, "Anna");
    fake.meets(66, "Grumpy");
    fake.blocks(66);
    fake.group(-5, "group", "Team");
    fake.becomes(-5, -1005, 7);
    fake.group(-1007, "supergroup", "Forum");
    fake.topic(-1007, 2, "First");
    fake.trouble(trouble);
}

/// What Anna does once the bot polls.
fn talk(fake: &FakeTelegram) {
    fake.says(ANNA, "hello");
    let asked = fake.says(ANNA, "ask me");
    fake.corrects(7, asked, "asked already");
    let pick = loop {
        let shown = fake.shown(7);
        if let Some(pick) = shown.iter().find(|one| one.text == "pick") {
            break pick.id;
        }
        std::thread::yield_now();
    };
    fake.presses(ANNA, pick, "yes");
}

/// What the client tells of its checks.
fn told(python: &str, fake: &FakeTelegram) -> BTreeMap<String, Value> {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/clients/telegram_client.py"
    );
    let mut command = Command::new(python);
    command.arg(script).arg(fake.url()).arg(TOKEN);
    command.env("NO_PROXY", "127.0.0.1");
    command.stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut told = BTreeMap::new();
    for line in lines {
        let fact: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if fact["check"] == "ready" {
            talk(fake);
        }
        told.insert(fact["check"].as_str().unwrap().to_owned(), fact);
    }
    assert!(child.wait().unwrap().success(), "the client ended badly");
    told
}

fn check_sending(told: &BTreeMap<String, Value>) {
    let of = |check: &str, name: &str| told[check][name].clone();
    assert_eq!(of("me", "name"), "angelia_test_bot");
    assert_eq!(of("sent", "chat"), "private");
    assert_eq!(of("marked", "text"), "bold .");
    assert_eq!(of("marked", "kinds"), json!(["bold"]));
    assert_eq!(of("asked", "answers"), of("sent", "id"));
    assert_eq!(
        (of("edited", "text"), of("edited", "when")),
        (json!("changed"), json!(true))
    );
    assert_eq!(of("document", "name"), "a.txt");
    assert_eq!(of("fetched", "bytes"), "some bytes");
    assert_eq!(
        (of("album", "count"), of("album", "one")),
        (json!(2), json!(1))
    );
    assert_eq!(
        (of("pictures", "count"), of("pictures", "one")),
        (json!(2), json!(1))
    );
    assert_eq!(of("audio", "name"), "a.mp3");
    assert_eq!(of("video", "name"), "a.mp4");
    assert_eq!(of("animation", "name"), "a.gif");
    assert_eq!(of("topic", "thread"), true);
    assert_eq!(of("commands", "names"), json!(["help"]));
    let menus = json!([["help"], ["stop"], ["restart"]]);
    assert_eq!(of("menus", "names"), menus);
    assert_eq!(of("menu gone", "names"), json!([]));
}

fn check_refusals(told: &BTreeMap<String, Value>) {
    let kinds = [
        ("same", "BadRequest"),
        ("gone", "BadRequest"),
        ("long", "BadRequest"),
        ("entities", "BadRequest"),
        ("stranger", "BadRequest"),
        ("no topic", "BadRequest"),
        ("no picture", "BadRequest"),
        ("big picture", "BadRequest"),
        ("lone album", "BadRequest"),
        ("blocked", "Forbidden"),
        ("moved", "ChatMigrated"),
        ("flood", "RetryAfter"),
        ("broken", "NetworkError"),
        ("half", "TelegramError"),
        ("both", "Conflict"),
        ("two", "Conflict"),
        ("token", "InvalidToken"),
    ];
    for (check, kind) in kinds {
        assert_eq!(told[check]["kind"], kind, "{check}: {}", told[check]);
    }
    assert_eq!(told["flood"]["after"], 4);
}

#[test]
fn the_official_client_takes_the_fake_for_telegram() {
    let Some(python) = python() else { return };
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeTelegram::start()).unwrap();
    let _inside = runtime.enter();
    stage(&fake);
    let told = told(&python, &fake);
    check_sending(&told);
    check_refusals(&told);
    let said = told["heard"]["said"].as_array().unwrap();
    let texts: Vec<&Value> = said.iter().filter_map(|one| one.get("text")).collect();
    assert_eq!(texts, ["hello", "ask me", "asked already"]);
    assert_eq!(said.last().unwrap()["pressed"], "yes");
    assert!(fake.texts(7).contains(&"picked yes".to_owned()));
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test run hands over its tools this way"
)]
fn python() -> Option<String> {
    let python = std::env::var("ANGELIA_TEST_TELEGRAM_PYTHON").ok();
    if python.is_none() {
        assert_ne!(
            std::env::var("CI").as_deref(),
            Ok("true"),
            "no Python with `python-telegram-bot` was given"
        );
        eprintln!(
            "SKIPPED: no Python with `python-telegram-bot`; run `cargo xtask test`, which makes one"
        );
    }
    python
}
