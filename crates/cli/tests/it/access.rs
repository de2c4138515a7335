//! Strangers, codes and grants in the real binary: a fake Telegram on one side, the command line on the other.

use std::fs;
use std::path::Path;

use angelia_core::access::code::Code;
use serde_json::Value;

use crate::telegram::{ANNA as BOSS, Scene};
use crate::world::wait_for;

const STRANGER: i64 = 8;

/// A boss who lets people in, and a stranger.
fn scene(access: &str) -> Scene {
    let scene = Scene::new(access);
    scene.fake.meets(STRANGER, "Sam");
    scene
}

impl Scene {
    /// Waits until the chat shows so many messages; returns the last.
    fn shown(&self, chat: i64, number: usize) -> String {
        wait_for("the chat to show another message", || {
            let texts = self.fake.texts(chat);
            (texts.len() >= number).then(|| texts[number - 1].clone())
        })
    }

    /// Waits until what somebody said before was met: a later message of somebody else was answered.
    fn answers_the_boss(&self, word: &str, number: usize) {
        self.says(BOSS, &format!("echo {word}"));
        assert_eq!(self.shown(BOSS, number), word);
    }

    fn listed(&self) -> Value {
        self.world.json(&["access", "list", "--all", "--json"])
    }
}

/// The code in an answer to a stranger.
fn code(text: &str) -> String {
    let mut words = text.split_whitespace();
    let code = words.find(|word| *word == word.to_uppercase() && Code::read(word).is_some());
    code.unwrap_or_else(|| panic!("no code in {text}"))
        .to_owned()
}

/// Whether any file below has these bytes.
fn has(folder: &Path, needle: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|file| {
        let path = file.unwrap().path();
        if path.is_dir() {
            return has(&path, needle);
        }
        let bytes = fs::read(&path).unwrap_or_default();
        let mut parts = bytes.windows(needle.len());
        parts.any(|part| part == needle.as_bytes())
    })
}

fn is_nowhere(scene: &Scene, code: &str) {
    for form in [code.to_owned(), code.to_lowercase()] {
        assert!(!scene.world.log().contains(&form), "the log has the code");
        assert!(!has(&scene.world.home(), &form), "a file has the code");
    }
}

#[test]
fn a_stranger_gets_a_code_is_let_in_by_it_and_is_forgotten_again() {
    let scene = scene("operators = [\"telegram:7\"]\npairing = \"direct\"");
    let gateway = scene.serve();
    scene.says(STRANGER, "echo let me in");
    let code = code(&scene.shown(STRANGER, 1));
    scene.says(STRANGER, "echo please");
    scene.answers_the_boss("one", 1);
    scene.rests();
    assert_eq!(
        scene.fake.texts(STRANGER).len(),
        1,
        "asked again, answered again"
    );
    let sessions = scene.world.json(&["sessions", "list", "--json"]);
    assert_eq!(sessions["items"].as_array().unwrap().len(), 1);
    is_nowhere(&scene, &code);

    // Nothing warns it: that is how a gateway ends here.
    drop(gateway);
    let gateway = scene.serve();
    scene.answers_the_boss("two", 2);
    assert_eq!(scene.fake.texts(STRANGER).len(), 1, "the code came twice");

    let approved = [
        "access",
        "approve",
        &code.to_lowercase(),
        "--why",
        "a friend",
        "--json",
    ];
    let grant = scene.world.json(&approved);
    assert_eq!(grant["user_id"], "8");
    assert_eq!(grant["role"], "member");
    assert_eq!(grant["granted_by"], "token");
    assert_eq!(grant["why"], "a friend");
    scene.shown(STRANGER, 2);
    scene.says(STRANGER, "echo thanks");
    assert_eq!(scene.shown(STRANGER, 3), "thanks");
    is_nowhere(&scene, &code);

    let taken = scene
        .world
        .json(&["access", "revoke", "telegram:8", "--json"]);
    assert_eq!(taken["id"], grant["id"]);
    scene.says(STRANGER, "echo still there?");
    scene.answers_the_boss("three", 3);
    assert_eq!(scene.fake.texts(STRANGER).len(), 3);
    let listed = scene.listed();
    assert_eq!(listed["waiting"]["items"], serde_json::json!([]));
    assert_eq!(listed["grants"]["items"][0]["revoked_by"], "token");
    drop(gateway);
    is_nowhere(&scene, &code);
}

#[test]
fn an_operator_lets_somebody_in_from_a_chat_and_nobody_else_can() {
    let scene =
        scene("operators = [\"telegram:7\"]\nallow = [\"telegram:9\"]\npairing = \"direct\"");
    scene.fake.meets(9, "Nina");
    let gateway = scene.serve();
    scene.says(STRANGER, "hello");
    let code = code(&scene.shown(STRANGER, 1));
    scene.says(9, &format!("/access approve {code}"));
    assert!(
        scene.shown(9, 1).contains("not yours"),
        "{:?}",
        scene.fake.texts(9)
    );
    scene.says(9, "/whoami");
    assert!(scene.shown(9, 2).contains("a member"));
    scene.says(9, &format!("/queue /access approve {code}"));
    assert!(scene.shown(9, 3).contains("not yours"));
    scene.says(BOSS, "/access");
    assert!(scene.shown(BOSS, 1).contains("Sam"));
    scene.says(BOSS, "/access approve ABCDEFGH");
    assert!(scene.shown(BOSS, 2).contains("Nobody who waits"));
    scene.says(BOSS, &format!("/access approve {code}"));
    assert!(scene.shown(BOSS, 3).contains("may speak now"));
    scene.shown(STRANGER, 2);
    scene.says(STRANGER, "echo in");
    assert_eq!(scene.shown(STRANGER, 3), "in");
    scene.rests();
    let listed = scene.listed();
    assert_eq!(listed["grants"]["items"][0]["granted_by"], "telegram:7");
    drop(gateway);
    is_nowhere(&scene, &code);
}

#[test]
fn guests_and_members_have_the_commands_and_tools_of_their_role() {
    let scene =
        scene("operators = [\"telegram:7\"]\nallow = [\"telegram:*\"]\ncommands = [\"status\"]");
    let _gateway = scene.serve();
    scene.says(STRANGER, "/model");
    assert!(scene.shown(STRANGER, 1).contains("not yours"));
    scene.says(STRANGER, "/whoami");
    assert!(scene.shown(STRANGER, 2).contains("a guest"));
    scene.says(STRANGER, "run echo reached the machine");
    let refused = scene.shown(STRANGER, 3);
    assert!(refused.contains("there is no tool terminal"), "{refused}");
    scene.says(BOSS, "run echo reached the machine");
    assert!(scene.shown(BOSS, 1).contains("reached the machine"));
}
