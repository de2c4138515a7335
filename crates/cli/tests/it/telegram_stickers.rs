//! Stickers on Telegram in the real binary: looked at once, whoever sends them, and known after a restart.

use std::fs;

use angelia_testkit::fakes::model::{FakeModel, Heard, Reply, Script};
use angelia_testkit::fakes::telegram::{Place, Words};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::telegram::{ANNA, Scene};
use crate::world::wait_for;

const BERT: i64 = 8;

/// The beginning of a WebP picture of two by three pixels.
const WEBP: &[u8] = b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x01\0\0\x02\0\0";

const KNOWN: &str = "[sticker 🎉 of the set “Cats”: a cat waves]";
const UNSEEN: &str = "[sticker 🎉 of the set “Cats”]";

impl Scene {
    /// Somebody sends the same sticker as everybody else; only the id by which it is fetched is another each time.
    fn sticks(&self, person: i64, more: Value) {
        let id = self.fake.keeps("file", WEBP.to_vec());
        let mut sticker =
            json!({ "file_id": id, "file_unique_id": "u1", "emoji": "🎉", "set_name": "Cats" });
        let facts = sticker.as_object_mut().unwrap();
        facts.extend(more.as_object().unwrap().clone());
        self.writes(Place::dm(person), Words::default().with("sticker", sticker));
    }

    /// The chat has so many answers, and the last has these words.
    fn hears(&self, person: i64, answers: usize, words: &str) {
        let texts = wait_for("an answer", || {
            Some(self.fake.texts(person)).filter(|texts| texts.len() >= answers)
        });
        let last = texts.last().unwrap();
        assert!(last.contains(words), "no {words:?} in {last:?}");
        self.rests();
    }
}

#[test]
fn telegram_stickers_are_looked_at_once_whoever_sends_them_and_after_a_restart() {
    let looks = tempfile::NamedTempFile::new().unwrap();
    let looked = || fs::read_to_string(looks.path()).unwrap().lines().count();
    let scene = Scene::new(&format!(
        "allow = [\"telegram:*\"]\n[stickers]\n\
         command = [\"sh\", \"-c\", \"test -s $0 && echo look >>{}; echo 'a cat'; echo waves\", \"{{file}}\"]",
        looks.path().display()
    ));
    scene.fake.meets(BERT, "Bert");
    let gateway = scene.serve();
    scene.sticks(ANNA, json!({}));
    scene.hears(ANNA, 1, KNOWN);
    scene.sticks(BERT, json!({}));
    scene.hears(BERT, 1, KNOWN);
    drop(gateway);
    let _gateway = scene.serve();
    scene.sticks(ANNA, json!({}));
    scene.hears(ANNA, 2, KNOWN);
    assert_eq!(looked(), 1, "nobody looks again");
    assert_eq!(scene.fake.calls_of("getFile").len(), 1, "nor fetches it");
    for (number, moves) in (3..).zip(["is_animated", "is_video"]) {
        scene.sticks(ANNA, json!({ "file_unique_id": "u2", moves: true }));
        scene.hears(ANNA, number, UNSEEN);
    }
    assert_eq!(looked(), 1, "what moves is not looked at");
}

#[test]
fn telegram_stickers_that_nobody_can_describe_are_told_by_sign_and_set() {
    for stickers in [
        "",
        "[stickers]\ncommand = [\"false\", \"{file}\"]",
        "[stickers]\ncommand = [\"sh\", \"-c\", \"sleep 60\", \"{file}\"]\ntimeout = \"1s\"",
    ] {
        let scene = Scene::new(&format!("allow = [\"telegram:*\"]\n{stickers}"));
        let _gateway = scene.serve();
        scene.sticks(ANNA, json!({}));
        scene.hears(ANNA, 1, UNSEEN);
    }
}

/// Whether somebody wants to know what a sticker shows.
fn is_look(heard: &Heard) -> bool {
    heard.body.to_string().contains("You describe stickers")
}

#[test]
fn telegram_stickers_are_looked_at_by_the_agents_model_unless_it_cannot_see() {
    let script = || {
        Script::new(|heard, _| match is_look(heard) {
            true => Reply::says(["a cat ", "waves"]),
            false => Reply::says(["I see."]),
        })
    };
    for (images, looks, told) in [("true", 1, KNOWN), ("false", 0, UNSEEN)] {
        let runtime = Runtime::new().unwrap();
        let fake = runtime.block_on(FakeModel::start(script())).unwrap();
        let scene = Scene::new(&format!(
            "allow = [\"telegram:*\"]\n[agent]\nbackend = \"openai\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\n\
             images = {images}\n[costs]\ntokens_per_day = 1000000",
            fake.base_url()
        ));
        let gateway = scene.serve();
        scene.sticks(ANNA, json!({}));
        scene.hears(ANNA, 1, "I see.");
        drop(gateway);
        let _gateway = scene.serve();
        scene.sticks(ANNA, json!({}));
        scene.hears(ANNA, 2, "I see.");
        let heard = fake.heard();
        let (looking, answering): (Vec<_>, Vec<_>) = heard.iter().partition(|one| is_look(one));
        assert_eq!((looking.len(), answering.len()), (looks, 2));
        let usage = scene.world.json(&["usage", "--json"]);
        let beside = usage["reserved"]["tokens"].as_u64().unwrap();
        assert_eq!(beside > 0, looks > 0, "what looking costs counts: {usage}");
        let has_picture = |one: &&Heard| one.body.to_string().contains("data:image/webp;base64,");
        assert!(looking.iter().all(has_picture));
        assert!(!answering.iter().any(has_picture), "words take its place");
        let last = answering[1].body.to_string();
        let told = json!(told).to_string();
        let told = told.trim_matches('"');
        assert_eq!(last.matches(told).count(), 2, "{told} in {last}");
    }
}
