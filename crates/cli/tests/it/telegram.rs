//! Telegram in the real binary, with the fake Bot API server behind it and the demo agent in front.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use angelia_testkit::fakes::telegram::{Call, FakeTelegram, Place, TOKEN, Trouble, Words};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::world::{Gateway, World, wait_for};

pub(crate) const VARIABLE: &str = "BOT_WORD";
pub(crate) const ANNA: i64 = 7;

/// A fake Telegram, a home that leads to it, and what runs the fake.
pub(crate) struct Scene {
    pub(crate) world: Arc<World>,
    pub(crate) fake: FakeTelegram,
    // Ends last: the fake lives on it.
    runtime: Runtime,
}

impl Scene {
    pub(crate) fn new(access: &str) -> Self {
        let runtime = Runtime::new().unwrap();
        let fake = runtime.block_on(FakeTelegram::start()).unwrap();
        fake.meets(ANNA, "Anna");
        let world = World::new();
        world.configure(&format!(
            "[platforms.telegram]\ntoken = {{ env = \"{VARIABLE}\" }}\napi_url = \"{}\"\n[access]\n{access}\n",
            fake.url()
        ));
        Self {
            world: Arc::new(world),
            fake,
            runtime,
        }
    }

    pub(crate) fn serve(&self) -> Gateway {
        self.world.serve_seeing(&[], &[(VARIABLE, TOKEN)])
    }

    pub(crate) fn says(&self, person: i64, text: &str) {
        let _inside = self.runtime.enter();
        self.fake.says(Place::dm(person), text);
    }

    pub(crate) fn writes(&self, place: Place, words: Words) -> i64 {
        let _inside = self.runtime.enter();
        self.fake.writes(place, words)
    }

    /// A group becomes another one.
    pub(crate) fn becomes(&self, old: i64, new: i64) {
        let _inside = self.runtime.enter();
        self.fake.becomes(old, new, ANNA);
    }

    pub(crate) fn presses(&self, place: Place, message: i64, says: &str) {
        let _inside = self.runtime.enter();
        self.fake.presses(place, message, says);
    }

    pub(crate) fn shows(&self, chat: i64, texts: &[&str]) {
        wait_for("the chat to show the answers", || {
            (self.fake.texts(chat) == texts).then_some(())
        });
    }

    /// Waits until nothing is under way.
    pub(crate) fn rests(&self) {
        wait_for("nothing to be under way", || {
            let status = self.world.json(&["status", "--json"]);
            let counts = ["due", "running", "waiting"];
            counts.iter().all(|name| status[name] == 0).then_some(())
        });
    }

    /// The account as `platforms list` shows it.
    fn account(&self) -> Value {
        let list = self.world.json(&["platforms", "list", "--json"]);
        let mut items = list["items"].as_array().unwrap().iter();
        items
            .find(|one| one["account"] == "telegram")
            .unwrap()
            .clone()
    }

    fn is_in_state(&self, state: &str) {
        wait_for("the account to be in a state", || {
            (self.account()["state"] == state).then_some(())
        });
    }
}

#[test]
fn telegram_people_who_are_let_in_are_answered_and_nobody_else() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    scene.fake.meets(8, "Mallory");
    let gateway = scene.serve();
    scene.says(8, "echo let me in");
    scene.says(ANNA, "echo hello");
    scene.shows(ANNA, &["hello"]);
    scene.says(ANNA, "echo **bold** 1.5");
    scene.shows(ANNA, &["hello", "bold 1.5"]);
    scene.says(ANNA, "/status");
    wait_for("an answer to a command", || {
        (scene.fake.texts(ANNA).len() == 3).then_some(())
    });
    assert!(scene.fake.texts(8).is_empty(), "a stranger was answered");
    let sessions = scene.world.json(&["sessions", "list", "--json"]);
    assert_eq!(sessions["items"].as_array().unwrap().len(), 1);
    assert_eq!(scene.account()["state"], "connected");
    assert_eq!(scene.account()["name"], "angelia_test_bot");
    assert!(gateway.get("/ready").contains("\"ready\""));
    assert!(!scene.fake.calls_of("setMyCommands").is_empty());
    drop(gateway);
    keeps_its_secret(&scene);
}

/// The token is nowhere but in the variable.
fn keeps_its_secret(scene: &Scene) {
    let secret = TOKEN.split_once(':').unwrap().1;
    assert!(!scene.world.log().contains(secret), "the log has the token");
    for file in fs::read_dir(scene.world.home()).unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap_or_default();
        let found = bytes
            .windows(secret.len())
            .any(|part| part == secret.as_bytes());
        assert!(!found, "{} has the token", path.display());
    }
}

#[test]
fn telegram_what_was_written_while_nobody_listened_is_answered() {
    let scene = Scene::new("allow = [\"telegram:*\"]");
    for number in 0..5 {
        scene.says(ANNA, &format!("echo before {number}"));
    }
    let gateway = scene.serve();
    // What she wrote ahead may be answered together: each of her messages once, in her order.
    let answered = || {
        let texts = scene.fake.texts(ANNA).join(" ");
        let numbers = texts.split("before ").skip(1);
        let numbers = numbers.filter_map(|rest| rest.get(..1).map(str::to_owned));
        numbers.collect::<Vec<_>>()
    };
    wait_for("every message to be answered", || {
        (answered() == ["0", "1", "2", "3", "4"]).then_some(())
    });
    // Shown is not yet written down: who dies in between sends once more.
    scene.rests();
    let before = scene.fake.texts(ANNA);
    drop(gateway);
    scene.says(ANNA, "echo meanwhile");
    let _gateway = scene.serve();
    let before = before.iter().map(String::as_str);
    let all: Vec<&str> = before.chain(["meanwhile"]).collect();
    scene.shows(ANNA, &all);
}

#[test]
fn telegram_the_truth_is_told_about_a_token_that_opens_nothing() {
    let scene = Scene::new("");
    let gateway = scene.serve();
    scene.is_in_state("connected");
    let probe = scene.world.command(&["platforms", "probe", "--json"]);
    let probe = crate::world::ended({
        let mut probe = probe;
        probe.env(VARIABLE, TOKEN);
        probe
    });
    assert!(probe.stdout.contains("angelia_test_bot"), "{probe:?}");
    scene.fake.revoke();
    scene.is_in_state("down");
    let ready = gateway.get("/ready");
    assert!(
        ready.contains("degraded") && ready.contains("token"),
        "{ready}"
    );
    assert!(!ready.contains(TOKEN));
}

#[test]
fn telegram_what_is_pushed_with_the_right_word_is_answered_once() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let text = fs::read_to_string(scene.world.home().join("angelia.toml")).unwrap();
    let url = "webhook_url = \"http://127.0.0.1:1/webhooks/telegram\"\n[access]";
    scene.world.configure(&text.replace("[access]", url));
    let gateway = scene.serve();
    let set = wait_for("the webhook to be set", || {
        scene.fake.calls_of("setWebhook").into_iter().next()
    });
    let word = set.text("secret_token").unwrap();
    let update = json!({ "update_id": 5, "message": {
        "message_id": 1, "date": 1, "text": "echo pushed",
        "from": { "id": ANNA, "is_bot": false, "first_name": "Anna" },
        "chat": { "id": ANNA, "type": "private" },
    } });
    let push = |word: &str| posted(&gateway, word, &update.to_string());
    assert_eq!(push("a guess"), "403");
    assert_eq!(
        (push(&word), push(&word)),
        ("200".to_owned(), "200".to_owned())
    );
    scene.shows(ANNA, &["pushed"]);
    assert!(scene.fake.calls_of("getUpdates").is_empty());
}

/// The status of a push, as Telegram makes it.
fn posted(gateway: &Gateway, word: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(&gateway.address).unwrap();
    let length = body.len();
    write!(
        stream,
        "POST /webhooks/telegram HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\
         Content-Type: application/json\r\nX-Telegram-Bot-Api-Secret-Token: {word}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().to_owned()
}

/// What goes wrong with calls that come at a bad moment. A send that is put off waits for seconds, so only a few are.
fn storm() -> impl FnMut(&Call) -> Option<Trouble> + Send + 'static {
    let (mut polls, mut sends) = (0, 0);
    move |call| {
        if call.is("sendMessage") {
            sends += 1;
            return match sends {
                2 | 5 => Some(Trouble::Flood(1)),
                8 => Some(Trouble::Broken(502)),
                _ => None,
            };
        }
        polls += 1;
        match polls % 12 {
            1 => Some(Trouble::Broken(502)),
            3 => Some(Trouble::HalfAnswer),
            5 => Some(Trouble::Cut),
            7 => Some(Trouble::AnswerLost),
            9 => Some(Trouble::Flood(1)),
            11 if polls < 12 => Some(other_poller()),
            _ => None,
        }
    }
}

fn other_poller() -> Trouble {
    let words = "Conflict: terminated by other getUpdates request";
    Trouble::Refused(409, words.to_owned())
}

#[test]
fn telegram_trouble_is_waited_out_and_nothing_is_lost_or_doubled() {
    let scene = Scene::new("allow = [\"telegram:*\"]");
    scene.fake.trouble(storm());
    let _gateway = scene.serve();
    let people: Vec<i64> = (100..110).collect();
    for number in 0..3 {
        for person in &people {
            scene.fake.meets(*person, "P");
            scene.says(*person, &format!("echo {person} {number}"));
        }
    }
    wait_for("all answers", || {
        let done = people
            .iter()
            .all(|person| scene.fake.texts(*person).len() >= 3);
        done.then_some(())
    });
    for person in people {
        let wanted: Vec<String> = (0..3).map(|number| format!("{person} {number}")).collect();
        assert_eq!(scene.fake.texts(person), wanted);
    }
}

const PEOPLE: i64 = 12;
const ROUNDS: usize = 10;
const KILLS: usize = 14;

#[test]
fn telegram_torture_every_message_is_answered_however_often_the_gateway_is_killed() {
    // Each message has an answer of its own, so that answers can be counted.
    let scene = Scene::new("allow = [\"telegram:*\"]\n[busy]\ngather = false");
    let people: Vec<i64> = (200..200 + PEOPLE).collect();
    people
        .iter()
        .for_each(|person| scene.fake.meets(*person, "P"));
    let mut gateway = scene.serve();
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    for kill in 0..KILLS {
        if kill < ROUNDS {
            for person in &people {
                scene.says(*person, &format!("echo {kill}"));
            }
        }
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_millis((dice >> 33) % 250));
        gateway.running.signal(Signal::KILL);
        wait_for("the gateway to be gone", || gateway.running.has_ended());
        gateway = scene.serve();
    }
    wait_for("all answers", || {
        let done = people
            .iter()
            .all(|person| seen(&scene, *person).len() == ROUNDS);
        done.then_some(())
    });
    scene.rests();
    check_repeats(&scene, &people);
}

/// How often each text is shown in a chat.
fn seen(scene: &Scene, person: i64) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for text in scene.fake.texts(person) {
        *counts.entry(text).or_default() += 1;
    }
    counts
}

/// Every answer is there, in order of its first showing; one is repeated at most once, at most one for each kill and
/// lane, and the rows know of each.
fn check_repeats(scene: &Scene, people: &[i64]) {
    let mut repeated = 0;
    for person in people {
        let mut first: Vec<String> = Vec::new();
        for text in scene.fake.texts(*person) {
            if !first.contains(&text) {
                first.push(text);
            }
        }
        let wanted: Vec<String> = (0..ROUNDS).map(|number| number.to_string()).collect();
        assert_eq!(first, wanted, "chat {person}");
        let most = seen(scene, *person).into_values().max();
        assert!(most <= Some(2), "an answer was shown {most:?} times");
        repeated += scene.fake.texts(*person).len() - ROUNDS;
    }
    let page = scene.world.json(&[
        "outbox", "list", "--state", "all", "--limit", "200", "--json",
    ]);
    let items = page["items"].as_array().unwrap();
    let marked = items
        .iter()
        .filter(|one| one["repeat"] != Value::Null && one["repeat"] != "none")
        .count();
    assert_eq!(
        items.len(),
        people.len() * ROUNDS,
        "one delivery for each message"
    );
    assert!(
        repeated <= marked,
        "{repeated} were shown twice and only {marked} are marked"
    );
}
