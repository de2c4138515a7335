//! A home of its own for each test, the gateways and commands that run on it, and ways to wait.
//!
//! Nothing waits for a time: it waits for a condition and gives up after a bounded number of looks. Every
//! child is ended by its own number when its handle is dropped.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A minute in all, for a machine that is busy.
const LOOKS: u32 = 6_000;
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Looks until there is something, at most for a minute.
pub(crate) fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    wait_longer_for(1, what, look)
}

/// The same for what takes so many times as long.
pub(crate) fn wait_longer_for<T>(times: u32, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..times * LOOKS {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(LOOK_EVERY);
    }
    panic!("waited in vain for {what}");
}

/// A home in a folder that vanishes with it.
pub(crate) struct World {
    folder: tempfile::TempDir,
    name: &'static str,
}

/// How a command ended and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            name: "home",
        }
    }

    /// A home whose agent is this script.
    pub(crate) fn scripted(script: &str, more: &str) -> Self {
        let world = Self::new();
        world.configure(&format!(
            "[agent]\nbackend = \"exec\"\ncommand = [\"/bin/sh\", \"agent.sh\"]\n{more}"
        ));
        fs::write(world.home().join("agent.sh"), script).unwrap();
        world
    }

    /// A home whose agent answers "there" once it is let go.
    pub(crate) fn held(more: &str) -> Self {
        Self::scripted(
            "while ! test -e go; do sleep 0.02; done\necho there\n",
            more,
        )
    }

    /// Lets the agent of a home that is [`World::held`] answer.
    pub(crate) fn let_go(&self) {
        fs::write(self.home().join("go"), "").unwrap();
    }

    /// Lets it answer as soon as the log says this.
    pub(crate) fn let_go_at(&self, words: &str) {
        wait_for(words, || self.log().contains(words).then_some(()));
        self.let_go();
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    /// Gives the home another name and makes it another's, as somebody does who copies it to another machine.
    pub(crate) fn move_home(&mut self, name: &'static str) {
        fs::rename(self.home(), self.folder.path().join(name)).unwrap();
        self.name = name;
        fs::remove_file(self.home().join("node-id")).unwrap();
    }

    /// A place beside the home.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn configure(&self, text: &str) {
        fs::create_dir_all(self.home()).unwrap();
        fs::write(self.home().join("angelia.toml"), text).unwrap();
    }

    /// The binary with nothing in its environment but this home.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_angelia"));
        command
            .args(args)
            .env_clear()
            .env("ANGELIA_HOME", self.home())
            .env("USER", "anna");
        command.stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        ended(self.command(args))
    }

    /// Runs a command that must succeed; its output.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        ran.stdout
    }

    /// Runs a command that prints JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap()
    }

    /// Starts a gateway and waits until it listens.
    pub(crate) fn serve(&self) -> Gateway {
        self.serve_with(&[])
    }

    pub(crate) fn serve_with(&self, more: &[&str]) -> Gateway {
        self.serve_seeing(more, &[])
    }

    /// Starts a gateway with these variables in its environment.
    pub(crate) fn serve_seeing(&self, more: &[&str], variables: &[(&str, &str)]) -> Gateway {
        let log = self.beside("log");
        let stderr = File::options()
            .create(true)
            .append(true)
            .open(&log)
            .unwrap();
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        let child = command
            .args(more)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn();
        let mut running = Running {
            child: child.unwrap(),
        };
        let mut line = String::new();
        let stdout = running.child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let words = line.strip_prefix("listening on http://");
        let address = words.and_then(|rest| rest.split(' ').next());
        let address = address.unwrap_or_else(|| {
            panic!(
                "it did not start: {line:?} {}",
                fs::read_to_string(&log).unwrap_or_default()
            )
        });
        Gateway {
            address: address.to_owned(),
            greeting: line.clone(),
            running,
        }
    }

    /// Starts a command that runs beside the test.
    pub(crate) fn start(&self, args: &[&str]) -> Running {
        let mut command = self.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running::start(command)
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.beside("log")).unwrap_or_default()
    }

    /// Waits until so many turns run.
    pub(crate) fn turns_running(&self, turns: u64) {
        wait_for("turns to run", || {
            let ran = self.run(&["status", "--json"]);
            let status: Value = serde_json::from_str(&ran.stdout).ok()?;
            (status["running"] == turns).then_some(())
        });
    }

    /// The texts of everything that was sent, newest first.
    pub(crate) fn sent(&self) -> Vec<String> {
        let page = self.json(&["outbox", "list", "--state", "sent", "--json"]);
        let items = page["items"].as_array().unwrap().iter();
        items
            .map(|item| item["text"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Runs a command to its end.
pub(crate) fn ended(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A child that is killed when this is dropped.
pub(crate) struct Running {
    child: Child,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        Self {
            child: command.spawn().unwrap(),
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    pub(crate) fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Waits until it has said so many bytes. [`Running::end`] gives what it says after them.
    pub(crate) fn said(&mut self, bytes: u64) -> String {
        let mut text = String::new();
        let pipe = self.child.stdout.as_mut().unwrap();
        pipe.take(bytes).read_to_string(&mut text).unwrap();
        text
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ran {
        let status = wait_for("a command to end", || self.has_ended());
        let (mut stdout, mut stderr) = (String::new(), String::new());
        if let Some(mut pipe) = self.child.stdout.take() {
            pipe.read_to_string(&mut stdout).unwrap();
        }
        if let Some(mut pipe) = self.child.stderr.take() {
            pipe.read_to_string(&mut stderr).unwrap();
        }
        Ran {
            code: status.code(),
            stdout,
            stderr,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ended = self.child.kill().is_err();
        let _reaped = self.child.wait().is_ok();
    }
}

/// A running gateway.
pub(crate) struct Gateway {
    pub(crate) address: String,
    pub(crate) greeting: String,
    pub(crate) running: Running,
}

impl Gateway {
    /// The status line and body of a plain GET.
    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

/// The rights of a file.
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).unwrap().mode() & 0o777
}
