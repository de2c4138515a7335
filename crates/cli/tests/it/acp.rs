//! A published agent behind the real binary: OpenCode, over the Agent Client Protocol, with a fake model
//! behind it. It answers over HTTP, asks before it runs a command, and its turn outlives a killed gateway.
//!
//! Without OpenCode these tests say loudly that they did not take place; with `CI=true` that is a failure.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use angelia_api::client::Client;
use angelia_api::token::Token;
use angelia_api::wire::v1::inbox::{Accepted, ChatType, Entrance, InboxRequest, Sender};
use angelia_testkit::fakes::model::{FakeModel, Heard, Piece, Reply, Script};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::world::{Gateway, World, wait_for};

/// The program, if the tests were given one.
#[expect(
    clippy::disallowed_methods,
    reason = "the test runner says by variables what it made ready"
)]
pub(crate) fn opencode() -> Option<String> {
    let program = std::env::var("ANGELIA_TEST_OPENCODE").ok();
    if program.is_none() {
        let ci = std::env::var("CI");
        assert_ne!(ci.as_deref(), Ok("true"), "no OpenCode was given");
        eprintln!("SKIPPED: no OpenCode; run `cargo xtask test`, which installs it");
    }
    program
}

/// Waits longer than usual: OpenCode takes some seconds to wake up, and more on a busy machine.
pub(crate) fn patiently<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..900 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("waited in vain for {what}")
}

/// OpenCode in a home, with a fake model behind it.
pub(crate) struct Scene {
    pub(crate) world: Arc<World>,
    pub(crate) fake: FakeModel,
    runtime: Runtime,
    numbers: u32,
}

impl Scene {
    /// Nothing without OpenCode.
    pub(crate) fn new(
        choose: impl Fn(&str, usize) -> Reply + Send + Sync + 'static,
    ) -> Option<Self> {
        let program = opencode()?;
        let runtime = Runtime::new().unwrap();
        let fake = runtime
            .block_on(FakeModel::start(Script::new(move |heard, _| {
                chosen(heard, &choose)
            })))
            .unwrap();
        let world = World::new();
        let settings = world.beside("opencode.json");
        fs::write(&settings, settings_for(&fake).to_string()).unwrap();
        world.configure(&configuration(&world, &program));
        fs::create_dir_all(world.beside("work")).unwrap();
        Some(Self {
            world: Arc::new(world),
            fake,
            runtime,
            numbers: 0,
        })
    }

    /// A file in the agent's directory.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.world.beside("work").join(name)
    }

    fn say(&mut self, gateway: &Gateway, text: &str) -> Accepted {
        self.numbers += 1;
        let token = fs::read_to_string(self.world.home().join("api-token")).unwrap();
        let address = format!("http://{}", gateway.address);
        let client = Client::new(&address, Token::new(token.trim())).unwrap();
        let message = InboxRequest {
            attachments: Vec::new(),
            chat: "c".to_owned(),
            chat_type: ChatType::Dm,
            thread: None,
            user: Sender {
                id: "u".to_owned(),
                name: None,
            },
            text: text.to_owned(),
            message_id: format!("m{}", self.numbers),
            platform: Entrance::Api,
        };
        self.runtime.block_on(client.inbox(&message)).unwrap()
    }

    /// Waits for so many replies, and gives the last. The newest is listed first.
    fn reply(&self, count: usize) -> String {
        patiently("a reply", || {
            let sent = self.world.sent();
            sent.into_iter().rev().nth(count - 1)
        })
    }
}

impl Drop for Scene {
    /// Agents outlive their gateway: those of this home are ended by the next one's pool, or here.
    fn drop(&mut self) {
        let folders = fs::read_dir(self.world.home().join("agents"));
        for folder in folders.into_iter().flatten().flatten() {
            let held = angelia_process::held::Held::at(folder.path());
            let ended = held.kill(angelia_core::limits::KILL_GRACE);
            let _gone = self.runtime.block_on(ended).is_err();
        }
    }
}

/// What OpenCode needs to know: the model, and that it asks before it runs anything.
fn settings_for(fake: &FakeModel) -> Value {
    json!({
        "autoupdate": false,
        "share": "disabled",
        "model": "fake/fake-1",
        "small_model": "fake/fake-1",
        "permission": { "bash": "ask" },
        "provider": { "fake": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "fake",
            "options": { "baseURL": fake.base_url(), "apiKey": "open sesame at noon" },
            "models": { "fake-1": {
                "name": "fake-1", "tool_call": true, "limit": { "context": 100_000, "output": 4_000 },
            } },
        } },
    })
}

fn configuration(world: &World, program: &str) -> String {
    let beside = |name: &str| world.beside(name).display().to_string();
    format!(
        "[agent]\nbackend = \"acp\"\ncommand = [\"{program}\", \"acp\"]\nworkdir = \"{}\"\n\
         [agent.env]\nOPENCODE_CONFIG = \"{}\"\nHOME = \"{}\"\nXDG_CONFIG_HOME = \"{}\"\n\
         XDG_DATA_HOME = \"{}\"\nXDG_CACHE_HOME = \"{}\"\nXDG_STATE_HOME = \"{}\"\n\
         OPENCODE_DISABLE_AUTOUPDATE = \"1\"\nOPENCODE_DISABLE_MODELS_FETCH = \"1\"\n\
         OPENCODE_DISABLE_LSP_DOWNLOAD = \"1\"\n\
         PATH = \"/usr/local/bin:/usr/bin:/bin\"\n",
        beside("work"),
        beside("opencode.json"),
        beside("oc"),
        beside("oc/config"),
        beside("oc/data"),
        beside("oc/cache"),
        beside("oc/state"),
    )
}

/// OpenCode also asks for a title, without tools; that is not what the tests are about. What is chosen
/// depends on the last words of the person, and how many answers came since.
fn chosen(heard: &Heard, choose: &impl Fn(&str, usize) -> Reply) -> Reply {
    if heard.body["tools"].as_array().is_none_or(Vec::is_empty) {
        return Reply::says(["A title"]);
    }
    let messages = heard.body["messages"].as_array().unwrap();
    let person = messages
        .iter()
        .rposition(|one| one["role"] == "user")
        .unwrap();
    let answers = messages[person..]
        .iter()
        .filter(|one| one["role"] == "assistant");
    choose(&messages[person]["content"].to_string(), answers.count())
}

/// The calls that are about the conversation, not about its title.
pub(crate) fn asked(fake: &FakeModel) -> usize {
    let heard = fake.heard();
    heard
        .iter()
        .filter(|one| one.body["tools"].is_array())
        .count()
}

/// A command that leaves one line behind each time it runs, and the words after it.
pub(crate) fn runs_once(said: &str, answers: usize) -> Reply {
    match (said.contains("run it"), answers) {
        (true, 0) => Reply::of([
            Piece::Say("I will run it.".to_owned()),
            Piece::Call {
                id: "call_1".to_owned(),
                name: "bash".to_owned(),
                arguments: json!({ "command": "echo ran >> ran.txt", "description": "Leave a line" }),
            },
        ]),
        (true, _) => Reply::says(["It ", "ran."]),
        (false, _) => Reply::says(["Hello ", "from the ", "model."]),
    }
}

fn kill(gateway: &mut Gateway) {
    gateway.running.signal(Signal::KILL);
    wait_for("the gateway to be gone", || gateway.running.has_ended());
}

#[test]
fn opencode_answers_and_is_asked_about_and_survives_a_killed_gateway() {
    let Some(mut scene) = Scene::new(runs_once) else {
        return;
    };
    let mut gateway = scene.world.serve();
    scene.say(&gateway, "hello");
    assert_eq!(scene.reply(1), "Hello from the model.");

    scene.say(&gateway, "run it");
    let question = scene.reply(2);
    assert!(question.contains("echo ran >> ran.txt"), "{question}");
    assert!(!scene.file("ran.txt").exists(), "nobody agreed yet");
    kill(&mut gateway);

    let mut gateway = scene.world.serve();
    scene.say(&gateway, "/approve");
    assert_eq!(scene.reply(3), "I will run it.\n\nIt ran.");
    assert_eq!(fs::read_to_string(scene.file("ran.txt")).unwrap(), "ran\n");
    assert_eq!(asked(&scene.fake), 3, "nothing was asked twice");

    kill(&mut gateway);
    let gateway = scene.world.serve();
    scene.say(&gateway, "hello again");
    assert_eq!(scene.reply(4), "Hello from the model.");
    let heard = scene.fake.heard();
    let last = heard.last().unwrap().body["messages"].to_string();
    assert!(last.contains("It ran."), "it remembers: {last}");
}

#[test]
fn opencode_speaks_on_while_the_gateway_is_dead_and_nothing_is_lost_or_doubled() {
    let slow = |_: &str, _: usize| {
        let pieces = (1..=40).flat_map(|number| {
            let pause = Piece::Pause(Duration::from_millis(60));
            [Piece::Say(format!("w{number} ")), pause]
        });
        Reply::of(pieces)
    };
    let Some(mut scene) = Scene::new(slow) else {
        return;
    };
    let mut gateway = scene.world.serve();
    scene.say(&gateway, "count");
    patiently("the model to be asked", || {
        (asked(&scene.fake) > 0).then_some(())
    });
    kill(&mut gateway);
    let _gateway = scene.world.serve();
    let counted: String = (1..=40).map(|number| format!("w{number} ")).collect();
    assert_eq!(scene.reply(1).trim(), counted.trim());
    assert_eq!((asked(&scene.fake), scene.world.sent().len()), (1, 1));
}
