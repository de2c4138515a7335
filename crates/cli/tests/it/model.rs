//! The built-in agent in the real binary, with a fake model behind it.

use std::fs;
use std::process::Command;
use std::time::Duration;

use angelia_api::client::{Client, Rows};
use angelia_api::token::Token;
use angelia_api::wire::v1::inbox::{Accepted, ChatType, Entrance, InboxRequest, Sender};
use angelia_api::wire::v1::session::{Entry, Order, Role};
use angelia_testkit::fakes::model::{FakeModel, Heard, Piece, Reply, Script};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::openai::python;
use crate::world::{Gateway, World, ended, wait_for};

/// What opens the fake's door, and the variable it is in. Neither looks like a secret.
const WORD: &str = "open sesame at noon";
const VARIABLE: &str = "MODEL_DOOR";

/// Longer than a test lasts.
const LONG: Duration = Duration::from_secs(600);

/// A fake model, a home that leads to it, and what runs both.
struct Scene {
    world: World,
    fake: FakeModel,
    runtime: Runtime,
}

impl Scene {
    fn new(backend: &str, script: Script) -> Self {
        let runtime = Runtime::new().unwrap();
        let fake = runtime.block_on(FakeModel::start(script)).unwrap();
        let world = World::new();
        world.configure(&format!(
            "[agent]\nbackend = \"{backend}\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\n\
             api_key = {{ env = \"{VARIABLE}\" }}\n",
            fake.base_url()
        ));
        Self {
            world,
            fake,
            runtime,
        }
    }

    fn serve(&self) -> Gateway {
        self.world.serve_seeing(&[], &[(VARIABLE, WORD)])
    }

    fn token(&self) -> String {
        let token = fs::read_to_string(self.world.home().join("api-token")).unwrap();
        token.trim().to_owned()
    }

    fn client(&self, gateway: &Gateway) -> Client {
        let address = format!("http://{}", gateway.address);
        Client::new(&address, Token::new(&self.token())).unwrap()
    }

    /// Says something over HTTP.
    fn say(&self, gateway: &Gateway, text: &str) -> Accepted {
        self.say_as(gateway, ("m1", text))
    }

    fn say_as(&self, gateway: &Gateway, (id, text): (&str, &str)) -> Accepted {
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
            message_id: id.to_owned(),
            platform: Entrance::Api,
        };
        let client = self.client(gateway);
        self.runtime.block_on(client.inbox(&message)).unwrap()
    }

    fn asked(&self, times: usize) {
        wait_for("the model to be asked", || {
            (self.fake.heard().len() >= times).then_some(())
        });
    }

    fn transcript(&self, gateway: &Gateway, said: &Accepted) -> Vec<Entry> {
        let (client, rows) = (self.client(gateway), Rows::default());
        let page = client.whole_transcript(said.session_id, Order::Asc, &rows);
        self.runtime.block_on(page).unwrap().items
    }

    /// What the conversation used: tokens read, and calls.
    fn used(&self, gateway: &Gateway, said: &Accepted) -> (u64, u64) {
        let client = self.client(gateway);
        let detail = self.runtime.block_on(client.session(said.session_id));
        let usage = detail.unwrap().facts.usage;
        (usage.input_tokens, usage.calls)
    }
}

#[test]
fn a_turn_with_tools_survives_a_kill_and_everything_in_it_is_there_once() {
    for backend in ["openai", "anthropic"] {
        let runs = tempfile::NamedTempFile::new().unwrap();
        let command = format!(
            "echo run >>{}; echo the tool said so",
            runs.path().display()
        );
        let script = Script::new(move |_, number| match number {
            1 => Reply::calls("c1", "terminal", json!({ "command": command.as_str() })),
            2 => Reply::of([Piece::Say("Half of".to_owned()), Piece::Pause(LONG)]),
            _ => Reply::says(["All of ", "it."]),
        });
        let scene = Scene::new(backend, script);
        let mut gateway = scene.serve();
        let said = scene.say(&gateway, "look it up");
        scene.asked(2);
        gateway.running.signal(Signal::KILL);
        wait_for("the gateway to be gone", || gateway.running.has_ended());

        let gateway = scene.serve();
        let replies = wait_for("the reply", || {
            let sent = scene.world.sent();
            (!sent.is_empty()).then_some(sent)
        });
        assert_eq!(replies, ["All of it."], "{backend}");
        let rows = scene.transcript(&gateway, &said);
        let roles: Vec<Role> = rows.iter().map(|row| row.role).collect();
        assert_eq!(
            roles,
            [Role::User, Role::Assistant, Role::Tool, Role::Assistant],
            "{backend}: {rows:#?}"
        );
        assert!(rows[2].text.contains("the tool said so"), "{rows:#?}");
        assert_eq!(rows[3].text, "All of it.");
        assert_eq!(fs::read_to_string(runs.path()).unwrap(), "run\n");
        let heard = scene.fake.heard();
        assert_eq!(heard.len(), 3, "{backend}");
        assert!(heard.iter().all(|one| one.key.as_deref() == Some(WORD)));
        assert_eq!(scene.used(&gateway, &said), (200, 2));
        assert!(!scene.world.log().contains(WORD));
    }
}

#[test]
fn a_question_that_was_stopped_is_not_open_when_the_next_one_comes() {
    for backend in ["openai", "anthropic"] {
        let script = Script::new(|_, number| match number {
            1 => Reply::of([Piece::Say("Half of".to_owned()), Piece::Pause(LONG)]),
            _ => Reply::says(["Yes."]),
        });
        let scene = Scene::new(backend, script);
        let gateway = scene.serve();
        scene.say_as(&gateway, ("m1", "tell me a story"));
        scene.asked(1);
        scene.say_as(&gateway, ("m2", "/stop"));
        wait_for("the end", || {
            let mut sent = scene.world.sent().into_iter();
            sent.find(|one| one.contains("Stopped, as you asked."))
        });
        scene.say_as(&gateway, ("m3", "is it late?"));
        scene.asked(2);
        let asked = scene.fake.heard().remove(1).body;
        let told = asked["messages"].as_array().unwrap();
        let told: Vec<&Value> = told.iter().filter(|one| one["role"] != "system").collect();
        let roles: Vec<&Value> = told.iter().map(|one| &one["role"]).collect();
        assert_eq!(roles, ["user", "assistant", "user"], "{backend}: {asked}");
        assert!(
            told[1].to_string().contains("Stopped"),
            "{backend}: {asked}"
        );
    }
}

#[test]
fn the_key_reaches_neither_commands_nor_what_is_shown() {
    let script = Script::steps(vec![
        Reply::calls(
            "c1",
            "terminal",
            json!({ "command": format!("echo \"door: ${VARIABLE}.\"; echo {WORD}; env") }),
        ),
        Reply::says(["done"]),
    ]);
    let scene = Scene::new("openai", script);
    let gateway = scene.serve();
    let said = scene.say(&gateway, "try it");
    wait_for("the reply", || {
        (!scene.world.sent().is_empty()).then_some(())
    });
    let output = &scene.transcript(&gateway, &said)[2].text;
    assert!(output.contains("door: ."), "{output}");
    assert!(
        !output.contains(VARIABLE) && !output.contains(WORD),
        "{output}"
    );
    let shown = scene.world.ok(&["config", "show"]);
    assert!(
        shown.contains("api_key = { env = \"MODEL_DOOR\" }"),
        "{shown}"
    );
    let status = scene.world.ok(&["status", "--json"]);
    let status: Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["agent"]["backend"], "openai", "{status}");
    assert_eq!(status["agent"]["model"], "fake-1", "{status}");
}

#[test]
fn a_key_that_cannot_be_read_keeps_the_gateway_from_starting() {
    let scene = Scene::new("openai", Script::in_order(vec![]));
    let ran = scene.world.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains(VARIABLE), "{}", ran.stderr);
    let key = "\"a literal that nobody may read\"";
    scene.world.configure(&format!(
        "[agent]\nbackend = \"openai\"\nmodel = \"m\"\napi_key = {key}\n"
    ));
    let shown = scene.world.ok(&["config", "show"]);
    assert!(
        shown.contains("api_key = \"…\"") && !shown.contains("nobody"),
        "{shown}"
    );
}

#[test]
fn the_official_openai_client_streams_the_words_of_a_model() {
    let Some(python) = python() else { return };
    let pause = || Piece::Pause(Duration::from_millis(200));
    let words = (1..=10).flat_map(|number| [Piece::Say(format!("{number}, ")), pause()]);
    let words = words.chain([Piece::Say("done.".to_owned())]);
    let scene = Scene::new("openai", Script::in_order(vec![Reply::of(words)]));
    let gateway = scene.serve();
    let mut command = Command::new(python);
    command
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/openai/words.py"
        ))
        .arg(format!("http://{}/v1", gateway.address))
        .args([&scene.token(), "count to ten"]);
    let ran = ended(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(told["text"], "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, done.");
    assert_eq!(told["reason"], "stop");
    assert!(told["pieces"].as_u64().unwrap() > 1, "it came all at once");
}

/// Conversations that the official client holds at once.
const CROWD: usize = 64;

/// Asks for a command that says the word of the last message, and then tells what the command said.
fn telling(heard: &Heard) -> Reply {
    let messages = heard.body["messages"].as_array().unwrap();
    let last = messages.last().unwrap();
    let content = last["content"].as_str().unwrap_or_default();
    if last["role"] == "tool" {
        let result: Value = serde_json::from_str(content).unwrap();
        let output = result["output"].as_str().unwrap_or_default();
        return Reply::says(["It says ", output, "."]);
    }
    let word = content.split_whitespace().last().unwrap_or_default();
    Reply::calls(
        "c1",
        "terminal",
        json!({ "command": format!("echo {word}") }),
    )
}

#[test]
fn the_official_openai_client_holds_many_conversations_and_none_hears_another() {
    let Some(python) = python() else { return };
    let scene = Scene::new("openai", Script::new(|heard, _| telling(heard)));
    let gateway = scene.serve();
    let mut command = Command::new(python);
    command
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/openai/crowd.py"
        ))
        .arg(format!("http://{}/v1", gateway.address))
        .args([&scene.token(), &CROWD.to_string()]);
    let ran = ended(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut told: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    told.sort_by_key(|one| one["number"].as_u64());
    assert_eq!(told.len(), CROWD);
    for (number, one) in told.iter().enumerate() {
        assert_eq!(one["first"], format!("It says word-{number}-first."));
        assert_eq!(one["second"], format!("It says word-{number}-second."));
        assert_eq!(one["reason"], "stop");
    }
    // Every request knows its own conversation only: what was said in it before, and nobody else's words.
    for heard in scene.fake.heard() {
        let text = heard.body["messages"].to_string();
        let words = text.split("word-").skip(1);
        let mut numbers = words.filter_map(|rest| rest.split('-').next());
        let first = numbers.next();
        assert!(numbers.all(|other| Some(other) == first), "{text}");
    }
}
