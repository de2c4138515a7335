//! MCP servers that others published, as they are, behind the real binary and a fake model.
//!
//! `cargo xtask test` installs them and says where they are. Without them their tests say loudly that they
//! did not take place; with `CI=true` that is a failure.

use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::{fs, path::Path};

use angelia_testkit::fakes::model::{FakeModel, Reply, Script};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::world::{Gateway, Running, World, wait_for};

/// A secret of the gateway's own, and one for a server. Neither looks like one.
const OURS: &str = "open sesame at noon";
const THEIRS: &str = "half a pound of plums";

/// A fake model that makes these calls one after the other, and a home with these servers.
struct Scene {
    world: World,
    fake: FakeModel,
    _runtime: Runtime,
}

impl Scene {
    fn new(servers: &str, calls: &[(&str, Value)]) -> Self {
        let runtime = Runtime::new().unwrap();
        let numbered = (1..).zip(calls);
        let steps = numbered.map(|(number, (tool, arguments))| {
            Reply::calls(&format!("c{number}"), tool, arguments.clone())
        });
        let script = Script::steps(steps.chain([Reply::says(["done"])]).collect());
        let fake = runtime.block_on(FakeModel::start(script)).unwrap();
        let world = World::new();
        world.configure(&format!(
            "[agent]\nbackend = \"openai\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\n\
             api_key = {{ env = \"MODEL_DOOR\" }}\n{servers}",
            fake.base_url()
        ));
        Self {
            world,
            fake,
            _runtime: runtime,
        }
    }

    fn serve(&self) -> Gateway {
        let path = variable("PATH").unwrap_or_default();
        let seen = [
            ("PATH", path.as_str()),
            ("MODEL_DOOR", OURS),
            ("PLUMS", THEIRS),
        ];
        self.world.serve_seeing(&[], &seen)
    }

    /// What status says about the server, as soon as it is in this state.
    fn server(&self, name: &str, state: &str) -> Value {
        wait_for(&format!("{name} to be {state}"), || {
            let status = self.world.json(&["status", "--json"]);
            let servers = status["mcp"].as_array().cloned().unwrap_or_default();
            let mut servers = servers.into_iter();
            servers.find(|one| one["name"] == name && one["state"] == state)
        })
    }

    /// What the model is told about its calls, after it was asked something.
    fn results(&self) -> Vec<Value> {
        self.world.ok(&["chat", "do it"]);
        let heard = self.fake.heard();
        let messages = heard.last().unwrap().body["messages"].as_array().unwrap();
        let results = messages.iter().filter(|one| one["role"] == "tool");
        results
            .map(|one| serde_json::from_str(one["content"].as_str().unwrap()).unwrap())
            .collect()
    }

    /// The names of the tools that the model was shown.
    fn shown(&self) -> Vec<String> {
        let heard = self.fake.heard();
        let tools = heard.last().unwrap().body["tools"].as_array().unwrap();
        let names = tools.iter().map(|tool| tool["function"]["name"].as_str());
        names.map(|name| name.unwrap().to_owned()).collect()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test run hands over its tools this way"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn given(name: &str) -> Option<String> {
    let found = variable(name);
    if found.is_none() {
        assert_ne!(
            variable("CI").as_deref(),
            Some("true"),
            "no {name} was given"
        );
        eprintln!("SKIPPED: no {name}; run `cargo xtask test`, which installs it");
    }
    found
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn alive(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
    !state.is_empty() && !state.starts_with('Z')
}

#[test]
fn a_server_from_npm_lists_and_runs_its_tools_over_pipes() {
    let Some(program) = given("ANGELIA_TEST_MCP_EVERYTHING") else {
        return;
    };
    let servers = format!(
        "[mcp.everything]\ncommand = [\"node\", \"{program}\", \"stdio\"]\n\
         env = {{ PLUMS = {{ env = \"PLUMS\" }} }}\ndisable = [\"get-tiny-image\"]\n"
    );
    let calls = [
        ("mcp_everything__echo", json!({ "message": "hello there" })),
        ("mcp_everything__get-sum", json!({ "a": 2, "b": 3 })),
        (
            "mcp_everything__get-structured-content",
            json!({ "location": "Chicago" }),
        ),
        ("mcp_everything__get-env", json!({})),
        ("mcp_everything__get-sum", json!({ "a": "no number" })),
    ];
    let scene = Scene::new(&servers, &calls);
    let mut gateway = scene.serve();
    let server = scene.server("everything", "ready");
    assert!(server["tools"].as_u64().unwrap() >= 8, "{server}");
    let results = scene.results();
    assert_eq!(results.len(), calls.len(), "{results:#?}");
    let told = |place: usize| results[place].to_string();
    assert!(told(0).contains("Echo: hello there"), "{}", told(0));
    assert!(told(1).contains('5'), "{}", told(1));
    assert!(results[2]["structured"].is_object(), "{}", told(2));
    // What a server sees of our surroundings is on a short list; what it was given is not shown.
    assert!(told(3).contains("PLUMS"), "{}", told(3));
    for never in [OURS, THEIRS, "MODEL_DOOR", "ANGELIA"] {
        assert!(!told(3).contains(never), "{never} in {}", told(3));
    }
    assert!(results[4]["error"].is_string(), "{}", told(4));
    let shown = scene.shown();
    assert!(
        shown.contains(&"mcp_everything__echo".to_owned()),
        "{shown:?}"
    );
    assert!(
        !shown.iter().any(|name| name.contains("tiny-image")),
        "{shown:?}"
    );
    let status = scene.world.ok(&["status"]);
    assert!(
        status.contains("everything") && status.contains("ready"),
        "{status}"
    );
    gateway.running.signal(Signal::TERM);
    wait_for("the gateway to end", || gateway.running.has_ended());
    let log = scene.world.log();
    assert!(!log.contains(OURS) && !log.contains(THEIRS), "{log}");
}

#[test]
fn a_server_from_npm_lists_and_runs_its_tools_over_http() {
    let Some(program) = given("ANGELIA_TEST_MCP_EVERYTHING") else {
        return;
    };
    let port = free_port();
    let mut command = Command::new("node");
    command.args([program.as_str(), "streamableHttp"]);
    command.env("PORT", port.to_string());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let _server = Running::start(command);
    let servers = format!("[mcp.far]\nurl = \"http://127.0.0.1:{port}/mcp\"\n");
    let calls = [("mcp_far__echo", json!({ "message": "over the wire" }))];
    let scene = Scene::new(&servers, &calls);
    let _gateway = scene.serve();
    scene.server("far", "ready");
    let results = scene.results();
    assert!(
        results[0]["output"]
            .as_str()
            .unwrap()
            .contains("over the wire"),
        "{results:?}"
    );
}

#[test]
fn a_server_from_pypi_lists_and_runs_its_tools() {
    let Some(python) = given("ANGELIA_TEST_MCP_PYTHON") else {
        return;
    };
    let servers = format!(
        "[mcp.time]\ncommand = [\"{python}\", \"-m\", \"mcp_server_time\", \"--local-timezone=UTC\"]\neffect = \"pure\"\n"
    );
    let calls = [
        (
            "mcp_time__get_current_time",
            json!({ "timezone": "Europe/Berlin" }),
        ),
        (
            "mcp_time__get_current_time",
            json!({ "timezone": "Nowhere/At_All" }),
        ),
    ];
    let scene = Scene::new(&servers, &calls);
    let _gateway = scene.serve();
    assert_eq!(scene.server("time", "ready")["tools"], 2);
    let results = scene.results();
    assert!(
        results[0].to_string().contains("Europe/Berlin"),
        "{results:?}"
    );
    assert!(results[1]["error"].is_string(), "{results:?}");
}

#[test]
fn a_server_on_the_official_python_library_is_reached_over_http_with_its_word() {
    let Some(python) = given("ANGELIA_TEST_MCP_PYTHON") else {
        return;
    };
    let port = free_port();
    let mut command = Command::new(python);
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/server.py"));
    command.args([port.to_string().as_str(), THEIRS]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let _server = Running::start(command);
    let servers = format!(
        "[mcp.small]\nurl = \"http://127.0.0.1:{port}/mcp\"\nheaders = {{ Authorization = \"Bearer {THEIRS}\" }}\n"
    );
    let calls = [("mcp_small__twice", json!({ "word": "plum" }))];
    let scene = Scene::new(&servers, &calls);
    let _gateway = scene.serve();
    scene.server("small", "ready");
    let results = scene.results();
    assert!(results[0].to_string().contains("plum plum"), "{results:?}");
    let shown = scene.world.ok(&["config", "show"]);
    assert!(!shown.contains(THEIRS), "{shown}");
}

#[test]
fn servers_that_are_down_keep_nobody_from_anything() {
    let servers = "[mcp.gone]\ncommand = [\"/nowhere/at/all\"]\n[mcp.far]\nurl = \"http://127.0.0.1:1/mcp\"\n\
                   [mcp.shy]\ncommand = [\"x\"]\nenv = { A = { env = \"NOT_SET_ANYWHERE\" } }\n";
    let scene = Scene::new(servers, &[]);
    let _gateway = scene.serve();
    assert!(scene.world.ok(&["chat", "hello"]).contains("done"));
    for (name, why) in [
        ("gone", "/nowhere/at/all"),
        ("far", "refused"),
        ("shy", "NOT_SET_ANYWHERE"),
    ] {
        let server = scene.server(name, "down");
        let said = server["why"].as_str().unwrap().to_lowercase();
        assert!(said.contains(&why.to_lowercase()), "{server}");
        assert_eq!(server["tools"], 0);
    }
    let status = scene.world.ok(&["status"]);
    assert!(status.contains("/nowhere/at/all"), "{status}");
}

#[test]
fn a_server_does_not_outlive_a_killed_gateway() {
    let pid = tempfile::NamedTempFile::new().unwrap();
    let servers = format!(
        "[mcp.deaf]\ncommand = [\"/bin/sh\", \"-c\", \"echo $$ >{}; exec sleep 600\"]\n",
        pid.path().display()
    );
    let scene = Scene::new(&servers, &[]);
    let mut gateway = scene.serve();
    let pid = wait_for("the server to start", || {
        let pid = fs::read_to_string(pid.path()).unwrap();
        pid.ends_with('\n').then(|| pid.trim().to_owned())
    });
    assert!(alive(&pid));
    gateway.running.signal(Signal::KILL);
    wait_for("the gateway to be gone", || gateway.running.has_ended());
    wait_for("the server to be gone", || (!alive(&pid)).then_some(()));
}
