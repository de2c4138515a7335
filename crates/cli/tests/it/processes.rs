//! Background processes outlive the real binary, however it ends, and everything about them is found
//! again: output, input, the true end, and one notice each.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::world::{Gateway, World, wait_for};

/// How often everything is done again.
const ROUNDS: usize = 5;

/// A home whose processes end with the test, whatever becomes of it.
pub(crate) struct Held {
    pub(crate) world: World,
}

impl Held {
    pub(crate) fn new() -> Self {
        let world = World::new();
        fs::create_dir_all(world.beside("flags")).unwrap();
        Self { world }
    }

    /// A file that a command waits for.
    pub(crate) fn flag(&self, name: &str) -> PathBuf {
        self.world.beside("flags").join(name)
    }

    pub(crate) fn raise(&self, name: &str) {
        fs::write(self.flag(name), "").unwrap();
    }

    /// Words for the shell that go on until a flag is raised.
    pub(crate) fn until(&self, name: &str, meanwhile: &str) -> String {
        let flag = self.flag(name).display().to_string();
        format!("while [ ! -e {flag} ]; do {meanwhile} sleep 0.01; done;")
    }

    /// Words for the shell that start a daemon, which leaves its number in a file, and go on.
    pub(crate) fn forking(&self, file: &str) -> String {
        let script = self.flag(&format!("{file}.sh"));
        let number = self.flag(file).display().to_string();
        fs::write(&script, format!("echo $$ >{number}; exec sleep 1000")).unwrap();
        let goes_on = self.until("never", "");
        format!("setsid sh {} & {goes_on}", script.display())
    }

    /// Lets the agent start a command; the process.
    pub(crate) fn start(&self, command: &str) -> String {
        let said = self.world.ok(&["chat", &format!("start {command}")]);
        let id = said.split([' ', '.']).find(|word| word.starts_with("prc_"));
        id.unwrap_or_else(|| panic!("no process in {said:?}"))
            .to_owned()
    }

    pub(crate) fn process(&self, id: &str) -> Value {
        let page = self
            .world
            .json(&["processes", "list", "--json", "-n", "200"]);
        let items = page["items"].as_array().unwrap().iter();
        let found = items.filter(|process| process["id"] == id);
        let found: Vec<&Value> = found.collect();
        assert_eq!(found.len(), 1, "{id} is there once: {page}");
        found[0].clone()
    }

    /// Waits until its end was told, and gives the process.
    pub(crate) fn told(&self, id: &str) -> Value {
        wait_for("an end to be told", || {
            let process = self.process(id);
            (!process["noticed_at"].is_null()).then_some(process)
        })
    }

    pub(crate) fn log(&self, id: &str) -> String {
        self.world.ok(&["processes", "log", id])
    }

    fn folder(&self, id: &str) -> PathBuf {
        self.world.home().join("processes").join(id)
    }

    pub(crate) fn has_exit(&self, id: &str) -> bool {
        self.folder(id).join("exit.json").exists()
    }

    /// A process of `holder.json`: `holder` or `child`.
    pub(crate) fn pid(&self, id: &str, who: &str) -> Pid {
        let text = fs::read(self.folder(id).join("holder.json")).unwrap();
        let holding: Value = serde_json::from_slice(&text).unwrap();
        let pid = holding[who]["pid"].as_i64().unwrap();
        Pid::from_raw(i32::try_from(pid).unwrap()).unwrap()
    }

    /// How often the end of each process was told in the chat, once nothing is on its way any more.
    pub(crate) fn notices(&self) -> BTreeMap<String, usize> {
        wait_for("everything to be delivered", || {
            let status = self.world.json(&["status", "--json"]);
            let idle = status["running"] == 0 && status["waiting"] == 0;
            let open = self.world.json(&["outbox", "list", "--json"]);
            (idle && open["items"].as_array()?.is_empty()).then_some(())
        });
        let mut notices = BTreeMap::new();
        for text in self.world.sent() {
            let words: Vec<&str> = text.split_whitespace().take(3).collect();
            if let ["Background", "process", id] = words[..] {
                *notices.entry(id.to_owned()).or_default() += 1;
            }
        }
        notices
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let folders = fs::read_dir(self.world.home().join("processes"));
        for folder in folders.into_iter().flatten().flatten() {
            let id = folder.file_name().into_string().unwrap_or_default();
            if !self.has_exit(&id) && folder.path().join("holder.json").exists() {
                // Asked to end, a holder takes its command along. An error means that it is gone.
                let _gone = kill_process(self.pid(&id, "holder"), Signal::TERM).is_err();
            }
        }
    }
}

/// Ends the gateway and waits until it is gone.
pub(crate) fn end(mut gateway: Gateway, signal: Signal) {
    gateway.running.signal(signal);
    wait_for("the gateway to be gone", || gateway.running.has_ended());
}

#[track_caller]
pub(crate) fn ended(process: &Value, state: &str, code: Option<i64>, signal: Option<i64>) {
    assert_eq!(process["state"], state, "{process}");
    assert_eq!(process["exit_code"].as_i64(), code, "{process}");
    assert_eq!(process["signal"].as_i64(), signal, "{process}");
}

#[test]
fn processes_outlive_a_killed_gateway_and_each_end_is_told_once() {
    for _ in 0..ROUNDS {
        an_outage(Signal::KILL);
    }
}

#[test]
fn processes_outlive_a_gateway_that_was_asked_to_end_and_each_end_is_told_once() {
    for _ in 0..ROUNDS {
        an_outage(Signal::TERM);
    }
}

fn an_outage(signal: Signal) {
    let held = Held::new();
    let gateway = held.world.serve();
    let talker = held.start(&format!(
        "i=0; {} echo end",
        held.until("enough", "i=$((i+1)); echo $i;")
    ));
    let reader = held.start("read x; echo got $x; exit 5");
    let absent = held.start(&format!(
        "echo here; {} echo gone; exit 7",
        held.until("go", "")
    ));
    let forker = held.start(&held.forking("daemon"));
    let early = held.start("exit 3");
    ended(&held.told(&early), "exited", Some(3), None);
    let daemon = wait_for("the daemon", || {
        let text = fs::read_to_string(held.flag("daemon")).ok()?;
        Pid::from_raw(text.strip_suffix('\n')?.parse().ok()?)
    });

    end(gateway, signal);
    held.raise("go");
    wait_for("an exit without a gateway", || {
        held.has_exit(&absent).then_some(())
    });
    let gateway = held.world.serve();

    ended(&held.told(&absent), "exited", Some(7), None);
    assert_eq!(held.log(&absent), "here\ngone\n");
    for id in [&talker, &reader, &forker] {
        assert_eq!(held.process(id)["state"], "running");
    }
    held.world.ok(&["processes", "write", &reader, "hello"]);
    let followed = held.world.ok(&["processes", "log", "-f", &reader]);
    assert_eq!(followed, "got hello\n");
    ended(&held.told(&reader), "exited", Some(5), None);
    held.world.ok(&["processes", "kill", &forker]);
    ended(&held.told(&forker), "killed", None, Some(15));
    assert!(is_gone(daemon), "the daemon is gone too");
    held.raise("enough");
    ended(&held.told(&talker), "exited", Some(0), None);
    assert_counts(&held.log(&talker));

    let all = [&talker, &reader, &absent, &forker, &early];
    let once: BTreeMap<String, usize> = all.iter().map(|id| ((*id).clone(), 1)).collect();
    assert_eq!(held.notices(), once);
    end(gateway, signal);
    let _gateway = held.world.serve();
    assert_eq!(held.notices(), once, "a restart tells nothing again");
    assert_eq!(held.log(&absent), "here\ngone\n", "and forgets nothing");
}

/// The lines are 1, 2, 3 … and then `end`: not a byte is missing.
#[track_caller]
pub(crate) fn assert_counts(log: &str) {
    let lines: Vec<&str> = log.lines().collect();
    let (last, numbers) = lines.split_last().unwrap();
    assert_eq!(*last, "end");
    assert!(!numbers.is_empty());
    for (line, number) in numbers.iter().zip(1..) {
        assert_eq!(*line, number.to_string());
    }
}

/// Whether nothing runs under the number. Who is dead may wait for init to reap it, which is not ours to
/// hurry.
pub(crate) fn is_gone(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid()));
    stat.map_or(true, |stat| stat.contains(") Z "))
}

#[test]
fn a_process_whose_holder_dies_is_lost_and_that_is_told_once() {
    let held = Held::new();
    let gateway = held.world.serve();
    let watched = held.start(&format!("echo here; {}", held.until("never", "")));
    let unwatched = held.start(&format!("echo there; {}", held.until("never", "")));
    let child = held.pid(&watched, "child");
    kill_process(held.pid(&watched, "holder"), Signal::KILL).unwrap();
    ended(&held.told(&watched), "lost", None, None);
    assert_eq!(held.log(&watched), "here\n");
    wait_for("what it left to end", || is_gone(child).then_some(()));
    end(gateway, Signal::KILL);
    kill_process(held.pid(&unwatched, "holder"), Signal::KILL).unwrap();
    let gateway = held.world.serve();
    ended(&held.told(&unwatched), "lost", None, None);
    let once = BTreeMap::from([(watched.clone(), 1), (unwatched, 1)]);
    assert_eq!(held.notices(), once);
    let refused = held.world.run(&["processes", "write", &watched, "hello"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("lost"), "{}", refused.stderr);
    end(gateway, Signal::KILL);
    let _gateway = held.world.serve();
    assert_eq!(held.notices(), once);
}

#[test]
fn a_command_that_cannot_be_found_ends_by_itself_and_an_unknown_process_is_refused() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let process = held.start("no-such-command-here");
    ended(&held.told(&process), "exited", Some(127), None);
    let unknown = held
        .world
        .run(&["processes", "log", "prc_00000000000000000000000007"]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.stderr.contains("no process"), "{}", unknown.stderr);
}

#[test]
fn a_follower_waits_for_a_gateway_that_restarts() {
    let held = Held::new();
    let gateway = held.world.serve();
    let process = held.start(&format!("echo one; {} echo two", held.until("go", "")));
    let mut follower = held.world.start(&["processes", "log", "-f", &process]);
    // Whoever begins to follow while nobody is there is told so; this one has begun.
    assert_eq!(follower.said(4), "one\n");
    end(gateway, Signal::KILL);
    let _gateway = held.world.serve();
    held.raise("go");
    let ran = follower.end();
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "two\n"),
        "{}",
        ran.stderr
    );
}

/// A key in the command and torn in the output, and the gateway's own token: neither is seen anywhere
/// but on the operator's own terminal.
#[test]
fn no_secret_of_a_process_is_shown() {
    let held = Held::new();
    let gateway = held.world.serve();
    let (key, part) = ("ghp_AbCdEfGhIjKlMnOpQrStUvWx", "IjKlMn");
    // In a file of another name: reading the token itself is asked about.
    let token = held.flag("words");
    fs::copy(held.world.home().join("api-token"), &token).unwrap();
    let process = held.start(&format!(
        "k='a key: {key}'; printf %s \"$k\" | head -c 16; {} printf '%s\\n' \"$k\" | tail -c +17; \
         cat {}; exit 3",
        held.until("go", ""),
        token.display(),
    ));
    let follower = held.world.start(&["processes", "log", "-f", &process]);
    wait_for("the words before the key", || {
        (held.log(&process) == "a key: ").then_some(())
    });
    held.raise("go");
    let told = held.told(&process);
    let token = fs::read_to_string(token).unwrap();
    assert_eq!(held.notices().len(), 1, "it is delivered");
    let sent = held.world.sent();
    let notice = sent.iter().find(|text| text.contains("exited with code 3"));
    let shown = [
        held.log(&process),
        follower.end().stdout,
        told["command"].as_str().unwrap().to_owned(),
        notice.unwrap().clone(),
    ];
    for text in &shown {
        assert!(text.contains("ghp_Ab...UvWx"), "{text}");
        assert!(
            !text.contains(part) && !text.contains(token.trim()),
            "{text}"
        );
    }
    end(gateway, Signal::TERM);
}

#[test]
fn of_a_long_output_no_more_is_kept_than_the_operator_chose() {
    let held = Held::new();
    held.world.configure("[processes]\nlog_mib = 1\n");
    let _gateway = held.world.serve();
    let process = held.start("yes first | head -c 2000000; yes last | head -c 2000000");
    ended(&held.told(&process), "exited", Some(0), None);
    let folder = held.world.home().join("processes").join(&process);
    let parts = fs::read_dir(folder).unwrap();
    let bytes: u64 = parts
        .map(|part| part.unwrap().metadata().unwrap().len())
        .sum();
    assert!((500_000..=1_100_000).contains(&bytes), "{bytes}");
    let log = held.log(&process);
    assert!(
        log.starts_with("first\n") && log.ends_with("last\n"),
        "both ends are there"
    );
}
