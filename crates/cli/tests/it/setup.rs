//! A first configuration: by flags, through a pipe, and by a person at a real terminal.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use angelia_testkit::fakes::model::{FakeModel, Reply, Script};
use rustix::termios::{LocalModes, tcgetattr};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::terminal::Terminal;
use crate::world::{Ran, Running, World, ended, mode, wait_for};

/// What opens the fake's door. It does not look like a secret.
const WORD: &str = "open sesame at noon";

/// What is there before, with something to lose.
const BEFORE: &str = "# mine\nlisten = \"127.0.0.1:0\"\n\n[agent]   # who\nbackend = \"demo\"\n";

/// A fake model and what runs it.
struct Scene {
    world: World,
    fake: FakeModel,
    _runtime: Runtime,
}

impl Scene {
    fn new(reply: Reply) -> Self {
        let runtime = Runtime::new().unwrap();
        let fake = FakeModel::start(Script::in_order(vec![reply]));
        let fake = runtime.block_on(fake).unwrap();
        Self {
            world: World::new(),
            fake,
            _runtime: runtime,
        }
    }

    fn file(&self) -> String {
        fs::read_to_string(self.world.home().join("angelia.toml")).unwrap_or_default()
    }

    /// Answers each question with a line.
    fn piped(&self, lines: &[&str]) -> Ran {
        let mut command = self.world.command(&["setup"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // It may end before it has read everything.
        let _ended = input
            .write_all(format!("{}\n", lines.join("\n")).as_bytes())
            .is_err();
        drop(input);
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

#[test]
fn answers_through_a_pipe_become_a_configuration_that_works() {
    let scene = Scene::new(Reply::says(["OK"]));
    scene.world.configure(BEFORE);
    let ran = scene.piped(&["openai", &scene.fake.base_url(), "typed", WORD, "fake-1"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("fake-1 answers."), "{}", ran.stdout);
    assert!(!ran.stdout.contains(WORD), "{}", ran.stdout);
    let file = scene.file();
    assert!(
        file.starts_with("# mine\nlisten = \"127.0.0.1:0\"\n\n[agent]   # who\n"),
        "{file}"
    );
    assert!(
        file.contains("backend = \"openai\"") && !file.contains(WORD),
        "{file}"
    );
    let key = scene.world.home().join("model-key");
    assert_eq!(fs::read_to_string(&key).unwrap().trim(), WORD);
    assert_eq!(mode(&key), 0o600);
    assert_eq!(scene.fake.heard()[0].key.as_deref(), Some(WORD));
    let told = scene.world.run(&["doctor", "--json"]).stdout;
    let told: Value = serde_json::from_str(&told).unwrap();
    let agent = told["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["check"] == "agent");
    assert_eq!(agent.unwrap()["verdict"], "fine", "{told:#}");
}

#[test]
fn whoever_leaves_on_the_way_has_changed_nothing() {
    let scene = Scene::new(Reply::refuses(401, "no"));
    scene.world.configure(BEFORE);
    let base = scene.fake.base_url();
    let ways: [&[&str]; 4] = [
        &[],
        &["openai", &base],
        &["openai", &base, "typed", WORD, "fake-1"],
        &["openai", &base, "typed", WORD, "fake-1", "n"],
    ];
    for way in ways {
        let ran = scene.piped(way);
        assert_eq!(ran.code, Some(1), "{way:?}: {ran:?}");
        assert!(
            ran.stderr.contains("nothing was changed"),
            "{way:?}: {ran:?}"
        );
        assert_eq!(scene.file(), BEFORE, "{way:?}");
        assert!(!scene.world.home().join("model-key").exists(), "{way:?}");
    }
    let ran = scene.piped(&["openai", &base, "none", "fake-1", "y"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(scene.file().contains("model = \"fake-1\""));
}

#[test]
fn flags_do_the_same_without_a_question() {
    let scene = Scene::new(Reply::says(["OK"]));
    let base = scene.fake.base_url();
    let words = [
        "setup",
        "--non-interactive",
        "--backend",
        "openai",
        "--base-url",
        &base,
    ];
    let ran = scene.world.run(&words);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("`--model` is missing"),
        "{}",
        ran.stderr
    );
    let all = [&words[..], &["--model", "fake-1"]].concat();
    scene.world.ok(&all);
    assert!(
        scene.file().contains("model = \"fake-1\""),
        "{}",
        scene.file()
    );
    assert!(!scene.file().contains("api_key"), "{}", scene.file());
    scene.world.ok(&["config", "check"]);
    scene
        .world
        .ok(&["setup", "--non-interactive", "--backend", "demo"]);
    assert!(
        scene.file().contains("# model = \"fake-1\""),
        "{}",
        scene.file()
    );
}

#[test]
fn a_file_with_errors_or_of_another_shape_is_left_alone() {
    let world = World::new();
    for text in [
        "listen = 5\n",
        "agent = { backend = \"demo\" }\n",
        "[agent\n",
    ] {
        world.configure(text);
        let ran = world.run(&["setup", "--non-interactive", "--backend", "demo"]);
        assert_eq!(ran.code, Some(1), "{text}: {ran:?}");
        assert!(
            ran.stderr.contains("is not changed"),
            "{text}: {}",
            ran.stderr
        );
        let now = fs::read_to_string(world.home().join("angelia.toml")).unwrap();
        assert_eq!(now, text);
    }
}

#[test]
fn a_key_that_is_typed_at_a_terminal_is_not_shown_there() {
    let scene = Scene::new(Reply::says(["OK"]));
    let mut terminal = Terminal::new();
    let before = tcgetattr(terminal.line()).unwrap().local_modes;
    let mut command = scene.world.command(&["setup"]);
    command
        .stdin(terminal.line())
        .stdout(terminal.line())
        .stderr(terminal.line())
        .env("NO_COLOR", "1");
    let setup = Running::start(command);
    terminal.shows("Choose [1]: ");
    terminal.types("openai\r");
    terminal.shows("/v1]: ");
    terminal.types(&format!("{}\r", scene.fake.base_url()));
    terminal.shows("Choose [1]: ");
    terminal.types("3\r");
    terminal.shows("(it is not shown): ");
    wait_for("the terminal to hide what is typed", || {
        let modes = tcgetattr(terminal.line()).unwrap().local_modes;
        (!modes.contains(LocalModes::ECHO)).then_some(())
    });
    terminal.types(&format!("x\x7f{WORD}\r"));
    let shown = terminal.shows("Choose [1]: ");
    assert!(!shown.contains(WORD), "{shown}");
    assert!(
        shown.contains("fake-2"),
        "the server's models are offered: {shown}"
    );
    assert_eq!(tcgetattr(terminal.line()).unwrap().local_modes, before);
    terminal.types("2\r");
    let shown = terminal.shows("angelia doctor");
    assert!(!shown.contains(WORD), "{shown}");
    assert_eq!(setup.end().code, Some(0));
    let key = fs::read_to_string(scene.world.home().join("model-key")).unwrap();
    assert_eq!(key.trim(), WORD);
}

#[test]
fn ctrl_c_while_something_is_typed_unseen_leaves_the_terminal_as_it_was() {
    let scene = Scene::new(Reply::says(["OK"]));
    let mut terminal = Terminal::new();
    let before = tcgetattr(terminal.line()).unwrap().local_modes;
    let mut command = scene.world.command(&["setup"]);
    command
        .stdin(terminal.line())
        .stdout(terminal.line())
        .stderr(terminal.line())
        .env("NO_COLOR", "1");
    let setup = Running::start(command);
    terminal.shows("Choose [1]: ");
    terminal.types("openai\r");
    terminal.shows("/v1]: ");
    terminal.types("\r");
    terminal.shows("Choose [1]: ");
    terminal.types("3\r");
    terminal.shows("(it is not shown): ");
    wait_for("the terminal to hide what is typed", || {
        let modes = tcgetattr(terminal.line()).unwrap().local_modes;
        (!modes.contains(LocalModes::ECHO)).then_some(())
    });
    terminal.types("half a w\x03");
    terminal.shows("nothing was changed");
    assert_eq!(setup.end().code, Some(1));
    assert_eq!(tcgetattr(terminal.line()).unwrap().local_modes, before);
    assert!(!scene.world.home().exists());
}

#[test]
fn a_program_is_given_a_message_before_it_is_chosen() {
    let world = World::new();
    let kept = world.beside("kept");
    fs::create_dir_all(&kept).unwrap();
    let peer = concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/tests/acp/peer.py");
    let setup = |backend: &str, line: &str| {
        let words = [
            "setup",
            "--non-interactive",
            "--backend",
            backend,
            "--command",
            line,
        ];
        let mut command = world.command(&words);
        command.env("PATH", "/usr/bin:/bin");
        ended(command)
    };
    for (backend, line) in [("exec", "sh -c 'exit 3'"), ("acp", "false")] {
        let ran = setup(backend, line);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("nothing was changed"), "{ran:?}");
        assert!(!world.home().exists(), "{ran:?}");
    }
    let acp = format!("python3 -u {peer} {}", kept.display());
    for (backend, line) in [("exec", "sh -c 'cat >/dev/null; echo OK'"), ("acp", &*acp)] {
        let ran = setup(backend, line);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stdout.contains("answers a message"), "{ran:?}");
        let file = fs::read_to_string(world.home().join("angelia.toml")).unwrap();
        assert!(file.contains(&format!("backend = \"{backend}\"")), "{file}");
    }
    let methods = fs::read_to_string(kept.join("methods")).unwrap();
    assert!(methods.ends_with("session/prompt\n"), "{methods}");
}
