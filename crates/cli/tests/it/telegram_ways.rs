//! What people meet on Telegram now and then, in the real binary: a full conversation, a group that grows, a bot that
//! speaks, and trouble of every kind.

use std::fs;
use std::time::Duration;

use angelia_core::{intake, limits};
use angelia_testkit::fakes::model::{FakeModel, Reply, Script};
use angelia_testkit::fakes::telegram::{Call, Place, Trouble, Words};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::telegram::{ANNA, Scene, other_poller};
use crate::world::{Gateway, wait_for, wait_longer_for};

const TEAM: i64 = -5;
const GROWN: i64 = -1005;

#[test]
fn telegram_a_full_conversation_is_told_so_and_holds_up_nobody() {
    let scene = Scene::new("allow = [\"telegram:*\"]");
    scene.fake.meets(8, "Ben");
    let gateway = scene.serve();
    scene.says(ANNA, "sleep 600");
    wait_for("the turn to run", || {
        let status = scene.world.json(&["status", "--json"]);
        (status["running"] == 1).then_some(())
    });
    for number in 0..limits::WAITING_PER_SESSION {
        scene.says(ANNA, &format!("/queue echo {number}"));
    }
    scene.says(ANNA, "echo one too many");
    let told = intake::turned_away();
    let told = wait_for("Anna to be told", || {
        let mut shown = scene.fake.shown(ANNA).into_iter();
        shown.find(|one| one.text == told)
    });
    let asked = &told.message["reply_to_message"]["text"];
    assert_eq!(asked, "echo one too many");
    scene.says(8, "echo me too");
    scene.shows(8, &["me too"]);
    assert!(gateway.get("/ready").contains("\"ready\""));
    assert_eq!(scene.fake.waiting(), 0, "nothing is held back");
}

#[test]
fn telegram_a_group_that_becomes_another_goes_on_with_its_conversation() {
    let scene = Scene::new("allow = [\"telegram:*\"]");
    scene.fake.group(TEAM, "group", "Team");
    let gateway = scene.serve();
    let says = |chat: i64, text: &str| {
        let words = Words::text(&format!("{text}@angelia_test_bot"));
        scene.writes(Place::group(ANNA, chat), words)
    };
    let asks = |chat: i64, text: &str| {
        let words = Words::text(&format!("@angelia_test_bot {text}"));
        scene.writes(Place::group(ANNA, chat), words)
    };
    asks(TEAM, "echo before");
    scene.shows(TEAM, &["before"]);
    says(TEAM, "/verbose");
    scene.rests();
    let before = scene.world.json(&["sessions", "list", "--json"]);
    scene.becomes(TEAM, GROWN);
    asks(GROWN, "echo after");
    scene.shows(GROWN, &["after"]);
    scene.rests();
    let after = scene.world.json(&["sessions", "list", "--json"]);
    assert_eq!(after["items"].as_array().unwrap().len(), 1, "{after}");
    assert_eq!(after["items"][0]["id"], before["items"][0]["id"]);
    let key = after["items"][0]["key"].as_str().unwrap();
    assert!(key.contains(&GROWN.to_string()), "{key}");
    drop(gateway);
    // The platform may tell it again; and a restart changes nothing.
    let _gateway = scene.serve();
    asks(GROWN, "echo again");
    scene.shows(GROWN, &["after", "again"]);
    let after = scene.world.json(&["sessions", "list", "--json"]);
    assert_eq!(after["items"].as_array().unwrap().len(), 1, "{after}");
}

#[test]
fn telegram_whoever_opens_the_chat_is_greeted_and_has_a_menu() {
    let scene =
        Scene::new("operators = [\"telegram:7\"]\nallow = [\"telegram:*\"]\ncommands = [\"new\"]");
    let _gateway = scene.serve();
    scene.says(ANNA, "/start");
    wait_for("a greeting", || {
        let texts = scene.fake.texts(ANNA);
        texts.first()?.starts_with("Hello.").then_some(())
    });
    let menus = scene.fake.calls_of("setMyCommands");
    let named = |call: &Call| {
        let commands = call.object("commands").unwrap();
        let names = commands.as_array().unwrap().iter();
        let names: Vec<String> = names
            .map(|one| one["command"].as_str().unwrap().to_owned())
            .collect();
        (call.object("scope").unwrap(), names)
    };
    let menus: Vec<_> = menus.iter().map(named).collect();
    let (private, names) = &menus[0];
    assert_eq!(private["type"], "all_private_chats");
    assert_eq!(names, &["new", "answer", "whoami", "start", "help"]);
    assert_eq!(menus[1].0["type"], "all_group_chats");
    let (own, names) = &menus[2];
    assert_eq!(
        (&own["type"], &own["chat_id"]),
        (&json!("chat"), &json!("7"))
    );
    assert!(names.iter().any(|name| name == "restart"));
}

#[test]
fn telegram_answers_are_spoken_where_a_chat_wants_it() {
    let speech = "[speech]\ncommand = [\"sh\", \"-c\", \"printf OggS; cat\"]";
    let heard = "[transcription]\ncommand = [\"cat\", \"{file}\"]";
    let scene = Scene::new(&format!("allow = [\"telegram:7\"]\n{speech}\n{heard}"));
    let _gateway = scene.serve();
    scene.says(ANNA, "/voice on");
    scene.shows(ANNA, &["Answers to voice messages are spoken here, too."]);
    scene.says(ANNA, "echo in writing");
    wait_for("an answer in writing", || {
        (scene.fake.texts(ANNA).last()? == "in writing").then_some(())
    });
    scene.rests();
    assert!(scene.fake.files(ANNA).is_empty(), "nobody spoke");
    let id = scene.fake.keeps("file", b"OggS hello".to_vec());
    let voice = json!({ "file_id": id, "file_unique_id": "u", "duration": 1 });
    let words = Words::default().with("voice", voice);
    scene.writes(Place::dm(ANNA), words.with("caption", json!("echo aloud")));
    let spoken = wait_for("a spoken answer", || {
        scene.fake.files(ANNA).into_iter().next()
    });
    assert_eq!(spoken.0, "voice");
    let sound = String::from_utf8_lossy(&spoken.1).into_owned();
    assert!(sound.starts_with("OggSaloud"), "{sound}");
    scene.rests();
    assert_eq!(scene.fake.files(ANNA).len(), 1);
    let left = fs::read_dir(scene.world.home().join("media")).unwrap();
    let left = left.map(|one| one.unwrap().file_name().into_string().unwrap());
    let mut left = left;
    assert!(left.all(|name| !name.starts_with(".new-")), "nothing stays");
}

#[test]
fn telegram_what_is_logged_names_the_conversation_and_nobody() {
    let speech = "[speech]\ncommand = [\"false\"]";
    let scene = Scene::new(&format!("allow = [\"telegram:*\"]\n{speech}"));
    let person = 123_456_789;
    scene.fake.meets(person, "Cleo");
    let _gateway = scene.serve();
    scene.says(person, "/voice all");
    scene.says(person, "echo hi");
    scene.shows(person, &["All answers are spoken here, too.", "hi"]);
    scene.rests();
    let log = scene.world.log();
    let line = log
        .lines()
        .find(|line| line.contains("an answer was not spoken"));
    let line = line.expect("it is logged");
    assert!(
        line.contains("agent:main:telegram:dm:…89") && line.contains("trn_"),
        "{line}"
    );
    for secret in [person.to_string(), "Cleo".to_owned(), "echo hi".to_owned()] {
        assert!(!log.contains(&secret), "the log has {secret}");
    }
}

#[test]
fn telegram_an_answer_has_a_line_below_it_where_a_chat_wants_one() {
    let runtime = Runtime::new().unwrap();
    let script = Script::in_order(vec![Reply::says(["It is done."])]);
    let model = runtime.block_on(FakeModel::start(script)).unwrap();
    let agent = format!(
        "[agent]\nbackend = \"openai\"\nbase_url = \"{}\"\nmodel = \"family/fake-1\"",
        model.base_url()
    );
    let scene = Scene::new(&format!("allow = [\"telegram:7\"]\n{agent}"));
    let _gateway = scene.serve();
    scene.says(ANNA, "do it");
    scene.shows(ANNA, &["It is done."]);
    scene.says(ANNA, "/footer on");
    scene.rests();
    scene.says(ANNA, "again");
    let text = wait_for("a line below", || {
        let texts = scene.fake.texts(ANNA);
        texts.get(2).filter(|text| text.contains("fake-1")).cloned()
    });
    assert!(text.starts_with("It is done.\n\nfake-1"), "{text}");
    let told = &scene.fake.texts(ANNA)[1];
    assert!(
        !told.contains("fake-1"),
        "what the gateway says has none: {told}"
    );
}

/// The signs that were put on messages: which message, and which sign.
fn signs(scene: &Scene) -> Vec<(i64, String)> {
    let calls = scene.fake.calls_of("setMessageReaction").into_iter();
    let signs = calls.map(|call| {
        let reaction = call.object("reaction").unwrap();
        let sign = reaction[0]["emoji"].as_str().unwrap_or_default().to_owned();
        (call.number("message_id").unwrap(), sign)
    });
    signs.collect()
}

#[test]
fn telegram_a_sign_on_a_message_tells_that_it_is_answered_and_that_it_was() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let text = fs::read_to_string(scene.world.home().join("angelia.toml")).unwrap();
    let text = text.replace("[access]", "reactions = true\n[access]");
    scene.world.configure(&text);
    let _gateway = scene.serve();
    let message = scene.writes(Place::dm(ANNA), Words::text("stream 30"));
    wait_for("a sign of work, and then of its end", || {
        let wanted = [(message, "👀".to_owned()), (message, "👍".to_owned())];
        (signs(&scene) == wanted).then_some(())
    });
}

/// A kind of trouble with polls, and a word of what `/ready` says of it.
fn kinds() -> [(Trouble, &'static str); 7] {
    let second = Duration::from_secs(1);
    [
        (Trouble::Broken(502), "502"),
        (Trouble::Hangs(second), "lost"),
        (other_poller(), "another program"),
        (Trouble::Flood(1), "Too Many Requests"),
        (Trouble::HalfAnswer, "cannot be read"),
        (Trouble::Cut, "lost"),
        (
            Trouble::Refused(500, "Internal Server Error".to_owned()),
            "500",
        ),
    ]
}

/// What readiness says, once it holds.
fn ready_says(gateway: &Gateway, what: &str, words: &[&str]) {
    wait_for(what, || {
        let said = gateway.get("/ready");
        words.iter().all(|word| said.contains(word)).then_some(())
    });
}

/// An hour of trouble, as short as the pauses between tries allow: each kind for as long as it takes to be noticed, twice
/// over, with people who write all along; then a storm over sends as well. Another program comes once: who meets it twice
/// within a minute waits longer than a test should.
#[test]
fn telegram_torture_trouble_of_every_kind_is_waited_out_and_ready_tells_the_truth() {
    let scene = Scene::new("allow = [\"telegram:*\"]");
    let gateway = scene.serve();
    ready_says(&gateway, "a good beginning", &["\"ready\""]);
    let mut said = Vec::new();
    for round in 0..2 {
        let kinds = kinds().into_iter().enumerate();
        for (number, (trouble, word)) in kinds.filter(|(number, _)| (round, *number) != (1, 2)) {
            let text = format!("{round} {number}");
            truth_about(&scene, &gateway, (trouble, word), &text);
            said.push(text);
            let wanted: Vec<&str> = said.iter().map(String::as_str).collect();
            shows_in_the_end(&scene, &wanted);
            ready_says(&gateway, "the truth about its end", &["\"ready\""]);
        }
    }
    scene.fake.trouble(storm());
    for number in 0..10 {
        let text = format!("storm {number}");
        scene.says(ANNA, &format!("/queue echo {text}"));
        said.push(text);
    }
    let wanted: Vec<&str> = said.iter().map(String::as_str).collect();
    shows_in_the_end(&scene, &wanted);
    scene.fake.fair();
    ready_says(&gateway, "a good end", &["\"ready\""]);
    scene.rests();
    scene.shows(ANNA, &wanted);
}

/// Whoever met another program waits up to half a minute before it listens again.
fn shows_in_the_end(scene: &Scene, texts: &[&str]) {
    wait_longer_for(3, "the chat to show the answers in the end", || {
        (scene.fake.texts(ANNA) == texts).then_some(())
    });
}

/// Trouble with polls, while somebody writes, until readiness tells of it.
fn truth_about(scene: &Scene, gateway: &Gateway, (trouble, word): (Trouble, &str), text: &str) {
    let trouble = move |call: &Call| call.is("getUpdates").then(|| trouble.clone());
    scene.fake.trouble(trouble);
    let words = format!("echo {text}");
    let message = scene.writes(Place::dm(ANNA), Words::text(&words));
    wait_for("the truth about trouble", || {
        // Half of an answer is only an answer if there is something to tell: a correction changes nothing.
        if scene.fake.waiting() == 0 {
            scene.corrects(ANNA, message, &words);
        }
        let said = gateway.get("/ready");
        (said.contains("degraded") && said.contains(word)).then_some(())
    });
    scene.fake.fair();
}

/// Every third call goes wrong, sends among them, in a way that leaves it undone.
fn storm() -> impl FnMut(&Call) -> Option<Trouble> + Send + 'static {
    let mut calls = 0_usize;
    move |_| {
        calls += 1;
        match calls % 9 {
            0 => Some(Trouble::Broken(502)),
            3 => Some(Trouble::Flood(1)),
            6 => Some(Trouble::Broken(503)),
            _ => None,
        }
    }
}
