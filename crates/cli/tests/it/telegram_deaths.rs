//! What becomes of a message and of a reply if the gateway is killed at each point of their way, and that
//! `docs/platforms.md` says so: its tables have the rows below.
//!
//! The fake kills: it is asked at the very moment that a row is about, and decides whether what was asked is still done.

use std::fs;
use std::sync::{Arc, OnceLock};

use angelia_testkit::fakes::telegram::{Call, Place, Trouble, Words};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::telegram::{ANNA, Scene};
use crate::world::wait_for;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/platforms.md");

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03";

/// One row.
struct Point {
    /// When we die, as the page says it.
    dies: &'static str,
    /// What becomes of it, likewise.
    becomes: &'static str,
    /// What Anna asks for.
    asks: Asks,
    /// The call at which it is killed, and what is still done.
    at: fn(&Call) -> Option<Trouble>,
    /// What she sees in the end.
    sees: Sees,
}

/// What Anna asks for.
#[derive(Clone, Copy)]
enum Asks {
    /// To be told these words.
    Words(&'static str),
    /// To be told what a file says.
    File,
    /// To be sent a picture.
    Picture,
}

/// What is seen in the end.
#[derive(Clone, Copy)]
enum Sees {
    /// The answer, once.
    Once(&'static str),
    /// An answer with these words in it, once.
    OnceWith(&'static str),
    /// The answer twice, and the rows know it.
    Twice(&'static str),
    /// The picture twice, and the rows know it.
    PictureTwice,
    /// A beginning that nobody finds again, and the whole answer.
    BeginningAndAll(&'static str),
}

/// The words of `stream 30`.
const ALL: &str = "word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12 word13 word14 word15 \
                   word16 word17 word18 word19 word20 word21 word22 word23 word24 word25 word26 word27 word28 word29 word30";

const POINTS: [Point; 10] = [
    Point {
        dies: "after it was fetched, before the commit",
        becomes: "the same: it was not confirmed",
        asks: Asks::Words("echo hello"),
        at: |call| first_poll(call).then_some(Trouble::AnswerLost),
        sees: Sees::Once("hello"),
    },
    Point {
        dies: "after the commit, before the next poll",
        becomes: "fetched again and recognised: answered once",
        asks: Asks::Words("echo hello"),
        at: |call| later_poll(call).then_some(Trouble::Cut),
        sees: Sees::Once("hello"),
    },
    Point {
        dies: "while what came with it is fetched",
        becomes: "the turn is run again and fetches again; the same bytes are the same file",
        asks: Asks::File,
        at: |call| call.is("getFile").then_some(Trouble::Cut),
        sees: Sees::OnceWith("milk and bread"),
    },
    Point {
        dies: "while the agent answers",
        becomes: "the turn goes on over its journal",
        asks: Asks::Words("stream 30"),
        at: |call| call.is("sendChatAction").then_some(Trouble::Cut),
        sees: Sees::Once(ALL),
    },
    Point {
        dies: "planned, not yet sent",
        becomes: "sent by the next start",
        asks: Asks::Words("echo hello"),
        at: |call| call.is("sendMessage").then_some(Trouble::Cut),
        sees: Sees::Once("hello"),
    },
    Point {
        dies: "after Telegram got it, before its answer was written down",
        becomes: "nobody can tell: sent once more, so it may be shown twice; it is marked (`\"repeat\"` in its story) and never sent a third time",
        asks: Asks::Words("echo hello"),
        at: |call| call.is("sendMessage").then_some(Trouble::AnswerLost),
        sees: Sees::Twice("hello"),
    },
    Point {
        dies: "while it grows in a message",
        becomes: "the turn goes on, and ends in that message",
        asks: Asks::Words("stream 30"),
        at: |call| call.is("editMessageText").then_some(Trouble::Cut),
        sees: Sees::Once(ALL),
    },
    Point {
        dies: "while a file or an album is sent",
        becomes: "like words: sent once more, marked, and never a third time",
        asks: Asks::Picture,
        at: |call| call.is("sendPhoto").then_some(Trouble::AnswerLost),
        sees: Sees::PictureTwice,
    },
    Point {
        dies: "while it is being edited for the last time",
        becomes: "edited again: that cannot show twice",
        asks: Asks::Words("stream 30"),
        at: |call| last_edit(call).then_some(Trouble::AnswerLost),
        sees: Sees::Once(ALL),
    },
    Point {
        dies: "after Telegram got the first message of a growing answer, before its number was written down",
        becomes: "nobody can find that message again: it stays as it is, and the answer is sent whole; the row of the draft is the record",
        asks: Asks::Words("stream 30"),
        at: |call| call.is("sendMessage").then_some(Trouble::AnswerLost),
        sees: Sees::BeginningAndAll(ALL),
    },
];

fn first_poll(call: &Call) -> bool {
    call.is("getUpdates") && call.number("offset").is_none()
}

fn later_poll(call: &Call) -> bool {
    call.is("getUpdates") && call.number("offset").is_some()
}

fn last_edit(call: &Call) -> bool {
    let text = call.text("text").unwrap_or_default();
    call.is("editMessageText") && text.ends_with("word30")
}

impl Asks {
    fn ask(self, scene: &Scene) {
        match self {
            Self::Words(words) => scene.says(ANNA, words),
            Self::File => {
                let id = scene.fake.keeps("notes.txt", b"milk and bread".to_vec());
                let file =
                    json!({ "file_id": id, "file_unique_id": "u", "file_name": "notes.txt" });
                let words = Words::default().with("document", file);
                scene.writes(Place::dm(ANNA), words.with("caption", json!("echo see")));
            }
            Self::Picture => {
                let path = scene.world.home().parent().unwrap().join("plot.png");
                fs::write(&path, PNG).unwrap();
                scene.says(ANNA, &format!("echo MEDIA:{}", path.display()));
            }
        }
    }
}

impl Sees {
    /// Whether everything is there that is to be seen.
    fn is_there(self, scene: &Scene) -> bool {
        let texts = scene.fake.texts(ANNA);
        match self {
            Self::Once(words) | Self::Twice(words) => texts.iter().any(|text| text == words),
            Self::OnceWith(words) => texts.iter().any(|text| text.contains(words)),
            Self::PictureTwice => scene.fake.files(ANNA).len() == 2,
            Self::BeginningAndAll(words) => texts.last().is_some_and(|text| text == words),
        }
    }

    fn check(self, scene: &Scene, dies: &str) {
        let texts = scene.fake.texts(ANNA);
        match self {
            Self::Once(words) => assert_eq!(texts, [words], "{dies}"),
            Self::OnceWith(_) => assert_eq!(texts.len(), 1, "{dies}: {texts:?}"),
            Self::Twice(words) => {
                assert_eq!(texts, [words, words], "{dies}");
                assert_eq!(marked(scene), 1, "{dies}: the rows know it");
            }
            Self::PictureTwice => {
                assert_eq!(scene.fake.files(ANNA).len(), 2, "{dies}");
                assert_eq!(marked(scene), 1, "{dies}: the rows know it");
            }
            Self::BeginningAndAll(words) => {
                assert_eq!(texts.len(), 2, "{dies}: {texts:?}");
                assert!(words.starts_with(texts[0].trim_end()), "{dies}: {texts:?}");
            }
        }
    }
}

/// How many deliveries are marked as perhaps shown twice.
fn marked(scene: &Scene) -> usize {
    let page = scene
        .world
        .json(&["outbox", "list", "--state", "all", "--json"]);
    let items = page["items"].as_array().unwrap().iter();
    items
        .filter(|one| !one["repeat"].is_null() && one["repeat"] != "none")
        .count()
}

/// Kills the gateway at the point, once, and starts another.
fn play(point: &Point) {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let victim: Arc<OnceLock<Pid>> = Arc::default();
    let (at, pid, mut is_over) = (point.at, Arc::clone(&victim), false);
    scene.fake.trouble(move |call| {
        let trouble = at(call).filter(|_| !is_over)?;
        is_over = true;
        // It may have died by itself; then the test says so.
        let _gone = kill_process(*pid.wait(), Signal::KILL).is_err();
        Some(trouble)
    });
    point.asks.ask(&scene);
    let mut gateway = scene.serve();
    let pid = Pid::from_raw(i32::try_from(gateway.running.pid()).unwrap()).unwrap();
    victim.set(pid).unwrap();
    wait_for("the gateway to be killed", || gateway.running.has_ended());
    let _gateway = scene.serve();
    wait_for(point.dies, || point.sees.is_there(&scene).then_some(()));
    scene.rests();
    point.sees.check(&scene, point.dies);
}

#[test]
fn telegram_torture_dying_at_each_point_of_the_way_does_what_the_page_says() {
    let page = fs::read_to_string(PAGE).unwrap();
    for point in &POINTS {
        let row = format!("| {} | {} |", point.dies, point.becomes);
        assert!(page.contains(&row), "docs/platforms.md has no row {row}");
        play(point);
    }
}
