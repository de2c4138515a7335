//! A folder of processes, and ways to wait for facts.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use angelia_process::environment::Environment;
use angelia_process::exit::{Exit, How};
use angelia_process::held::{self, Found, Held, Outcome, Program, SpawnError, adopt};
use angelia_process::spec::{Size, Spec, Surface};
use rustix::process::{Pid, Signal};
use serde_json::Value;

pub(crate) const STAND_IN: &str = env!("CARGO_BIN_EXE_angelia-process-stand-in");

/// A home for processes; what still runs in it at the end of a test is ended.
pub(crate) struct World {
    dir: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self { dir }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A process that runs `text` here.
    pub(crate) fn spec(&self, text: &str) -> Spec {
        Spec {
            workdir: Some(self.dir.path().to_owned()),
            ..Spec::new(text)
        }
    }

    pub(crate) fn on_terminal(&self, text: &str) -> Spec {
        Spec {
            surface: Surface::Terminal(Size::default()),
            ..self.spec(text)
        }
    }

    pub(crate) async fn try_spawn(&self, name: &str, spec: &Spec) -> Result<Held, SpawnError> {
        let environment = Environment::inherited();
        held::spawn(&Program::at(STAND_IN), self.path(name), spec, &environment).await
    }

    pub(crate) async fn spawn(&self, spec: &Spec) -> Held {
        self.try_spawn("p", spec).await.unwrap()
    }

    pub(crate) async fn run(&self, text: &str) -> Held {
        self.spawn(&self.spec(text)).await
    }

    /// The process `name`, which must run.
    pub(crate) async fn adopt(&self, name: &str) -> Held {
        match adopt(self.path(name)).await.unwrap() {
            Found::Running(held) => held,
            other @ (Found::Ended(_) | Found::Lost | Found::Absent) => {
                panic!("{name} is {other:?}")
            }
        }
    }

    /// What a holder wrote about itself or its command.
    pub(crate) fn holding(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.path(name).join("holder.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    pub(crate) fn holder(&self, name: &str) -> Pid {
        pid_of(&self.holding(name)["holder"]).unwrap()
    }

    pub(crate) fn child(&self, name: &str) -> Pid {
        pid_of(&self.holding(name)["child"]).unwrap()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let folders = fs::read_dir(self.dir.path()).unwrap();
        for entry in folders.flatten() {
            let text = fs::read_to_string(entry.path().join("holder.json"));
            let is_over = entry.path().join("exit.json").exists();
            let Some(holding) = text.ok().filter(|_| !is_over) else {
                continue;
            };
            let holding: Value = serde_json::from_str(&holding).unwrap_or_default();
            for who in ["child", "holder"] {
                end_if_same(&holding[who]);
            }
        }
    }
}

fn end_if_same(identity: &Value) {
    let is_same = |pid: &Pid| start_of(*pid) == identity["start"].as_u64();
    if let Some(pid) = pid_of(identity).filter(is_same) {
        let _gone = rustix::process::kill_process(pid, Signal::KILL).is_err();
    }
}

fn pid_of(identity: &Value) -> Option<Pid> {
    Pid::from_raw(i32::try_from(identity["pid"].as_i64()?).unwrap())
}

/// The tick at which a process started, unless it is dead.
pub(crate) fn start_of(pid: Pid) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    let fields: Vec<_> = after_name.split_ascii_whitespace().collect();
    (fields[0] != "Z").then(|| fields[19].parse().unwrap())
}

/// Waits for something that must come to pass; the test runner's limit is the deadline.
pub(crate) async fn until<T>(look: impl Fn() -> Option<T>) -> T {
    loop {
        if let Some(found) = look() {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The process whose number stands in `file`, once it is there.
pub(crate) async fn pid_in(file: &Path) -> Pid {
    let read = || {
        let text = fs::read_to_string(file).ok()?;
        Pid::from_raw(text.strip_suffix('\n')?.trim().parse().ok()?)
    };
    until(read).await
}

pub(crate) async fn gone(pid: Pid) {
    until(|| start_of(pid).is_none().then_some(())).await;
}

/// All output until now, without cuts.
pub(crate) fn said(held: &Held) -> String {
    let mut bytes = Vec::new();
    loop {
        let piece = held.read(bytes.len() as u64, 1024 * 1024).unwrap();
        assert_eq!(piece.cut, 0);
        if piece.bytes.is_empty() {
            return String::from_utf8(bytes).unwrap();
        }
        bytes.extend(piece.bytes);
    }
}

/// Waits until the output holds `words`.
pub(crate) async fn says(held: &Held, words: &str) {
    until(|| said(held).contains(words).then_some(())).await;
}

pub(crate) fn how(outcome: Outcome) -> How {
    match outcome {
        Outcome::Ended(Exit { how, .. }) => how,
        Outcome::Lost => panic!("it is lost"),
    }
}

pub(crate) async fn end(held: &Held) -> How {
    how(held.wait().await.unwrap())
}

/// A gateway that can be killed.
pub(crate) struct Gateway {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Gateway {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    pub(crate) fn start_with(variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(STAND_IN);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.envs(variables.iter().copied());
        let mut child = command.spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        Self { child, said }
    }

    /// Has it start a process.
    pub(crate) fn spawn(&mut self, folder: &Path, spec: &Spec) {
        let line = serde_json::to_string(&(folder, spec)).unwrap();
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        let mut answer = String::new();
        self.said.read_line(&mut answer).unwrap();
        assert_eq!(answer, "held\n");
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
