//! What people meet on Telegram now and then, in the real binary: a full conversation, a group that grows, a bot that
//! speaks.

use std::fs;

use angelia_core::{intake, limits};
use angelia_testkit::fakes::model::{FakeModel, Reply, Script};
use angelia_testkit::fakes::telegram::{Call, Place, Words};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::telegram::{ANNA, Scene};
use crate::world::wait_for;

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
    assert_eq!(names, &["new", "whoami", "start", "help"]);
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
