//! An agent that starts what the test wishes for and remembers what it is told; and the house around it.

use std::collections::VecDeque;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use angelia_agents::background::Wish;
use angelia_agents::events::Events;
use angelia_agents::{AgentError, Input};
use angelia_core::id::{InboxId, ProcessId};
use angelia_core::inbound::Inbound;
use angelia_core::lease::Fence;
use angelia_core::process::watch::Notifications;
use angelia_core::process::{Mode, Notice, Watch};
use angelia_core::time::Span;
use angelia_core::turn::busy;
use angelia_gateway::gateway::Gateway;
use angelia_gateway::processes::Place;
use angelia_process::environment::Environment;
use angelia_process::held::{Held, Program};
use angelia_process::spec::{self, LOG_BYTES_MAX};
use angelia_store::Fenced;
use angelia_store::processes::{Moved, Process, Processes as _};
use angelia_store::watches::Watches as _;
use async_trait::async_trait;
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::house::{House, Script, state, write};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The home of every house.
pub(super) const HOME: &str = "home";

#[derive(Default)]
pub(super) struct Agent {
    wishes: Mutex<VecDeque<(String, Watch)>>,
    started: Mutex<Vec<ProcessId>>,
    heard: Mutex<Vec<Inbound>>,
    gate: Gate,
}

/// What a turn that stays waits for.
struct Gate(Semaphore);

impl Default for Gate {
    fn default() -> Self {
        Self(Semaphore::new(0))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Agent {
    async fn start(&self, input: &Input) {
        let (command, watch) = locked(&self.wishes).pop_front().unwrap();
        let wish = Wish {
            call: "1".to_owned(),
            command,
            workdir: None,
            environment: Environment::inherited(),
            mode: Mode::Pipe,
            input: spec::Input::Open,
            watch,
        };
        let started = input.background.start(wish).await.unwrap();
        locked(&self.started).push(started.id);
    }
}

#[async_trait]
impl Script for Agent {
    async fn answer(&self, _text: String, _events: Events) -> Result<(), AgentError> {
        Ok(())
    }

    async fn run(&self, input: Input, events: Events) -> Result<(), AgentError> {
        let last = input.messages.last().unwrap();
        if last.event_key.told_process().is_some() {
            locked(&self.heard).push(Inbound::clone(last));
        } else if last.text.starts_with("start") {
            self.start(&input).await;
        }
        if last.text.ends_with("and stay") || last.text.ends_with("and fail") {
            self.gate.0.acquire().await.unwrap().forget();
        }
        if last.text.ends_with("and fail") {
            return Err(AgentError::passing("as asked"));
        }
        let told = events.text("ok").await;
        told.map_err(|_| AgentError::passing("nobody listens"))
    }
}

/// A house with processes, which end with it.
pub(super) struct Home {
    pub(super) house: House<Agent>,
    folder: TempDir,
    messages: Mutex<u32>,
}

impl Home {
    pub(super) fn new() -> Self {
        Self::with(Notifications::All, busy::Mode::Queue)
    }

    pub(super) fn with(notifications: Notifications, busy: busy::Mode) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut house = House::new(Agent::default(), busy);
        house.processes = Some(Place {
            folder: folder.path().join("held"),
            program: Program::at(env!("CARGO_BIN_EXE_angelia-gateway-stand-in")),
            notifications,
            log_bytes_max: LOG_BYTES_MAX,
            nice: 0,
        });
        Self {
            house,
            folder,
            messages: Mutex::new(0),
        }
    }

    /// Every holder is killed after its command raised the flag `began`, before it could say that it runs.
    pub(super) fn kill_holders(&mut self) {
        let holder = self.flag("holder");
        let (real, began) = (self.flag("holder.real"), self.flag("began"));
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_angelia-gateway-stand-in"), &real).unwrap();
        let text = format!(
            "#!/bin/sh\nexec 3<&0\n{} \"$@\" <&3 >/dev/null &\n\
             until [ -e {} ]; do sleep 0.01; done\nkill -9 $!\nwait\necho killed\n",
            real.display(),
            began.display()
        );
        fs::write(&holder, text).unwrap();
        fs::set_permissions(&holder, fs::Permissions::from_mode(0o700)).unwrap();
        self.house.processes.as_mut().unwrap().program = Program::at(holder);
    }

    /// Words for the shell that raise a flag.
    pub(super) fn then_raise(&self, name: &str) -> String {
        format!(">{};", self.flag(name).display())
    }

    /// Words for the shell that wait until a flag is raised.
    pub(super) fn wait_for(&self, name: &str) -> String {
        let flag = self.flag(name);
        let folder = flag.parent().unwrap().display();
        // When the test is over its folder goes, and nobody waits on.
        format!(
            "while [ -d {folder} ] && [ ! -e {} ]; do sleep 0.02; done;",
            flag.display()
        )
    }

    pub(super) fn raise(&self, name: &str) {
        fs::write(self.flag(name), "").unwrap();
    }

    fn flag(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) async fn say(&self, gateway: &Gateway, text: &str) -> InboxId {
        let number = {
            let mut messages = locked(&self.messages);
            *messages += 1;
            *messages
        };
        write(gateway, "c", number, text).await
    }

    /// Lets the agent start a command with these words, which decide what becomes of its turn.
    pub(super) async fn start(
        &self,
        gateway: &Gateway,
        text: &str,
        (command, watch): (String, Watch),
    ) -> (InboxId, ProcessId) {
        let before = locked(&self.house.script.started).len();
        locked(&self.house.script.wishes).push_back((command, watch));
        let inbox = self.say(gateway, text).await;
        let id = until("a process to start", async || {
            locked(&self.house.script.started).get(before).copied()
        })
        .await;
        (inbox, id)
    }

    /// Lets a turn that stays go on.
    pub(super) fn let_go(&self) {
        self.house.script.gate.0.add_permits(1);
    }

    pub(super) fn heard(&self) -> Vec<Inbound> {
        locked(&self.house.script.heard).clone()
    }

    pub(super) async fn until_heard(&self, count: usize) -> Vec<String> {
        until(&format!("{count} messages to be heard"), async || {
            let heard = self.heard();
            (heard.len() >= count).then(|| heard.into_iter().map(|one| one.text).collect())
        })
        .await
    }

    pub(super) async fn process(&self, id: ProcessId) -> Process {
        self.house.store.process(id).await.unwrap().unwrap()
    }

    /// Waits until nothing is left to tell about a process, now or later.
    pub(super) async fn until_spent(&self, id: ProcessId) {
        until("nothing to be left to tell", async || {
            // The clock of the house is ahead of the holders', so what is spent may be forgotten at once.
            let known = self.house.store.process(id).await.unwrap();
            let spent = self.house.store.spent_processes(HOME, 10).await.unwrap();
            let is_spent = known.is_none() || spent.iter().any(|process| process.id == id);
            is_spent.then_some(())
        })
        .await;
    }

    /// Waits until a turn came to this end.
    pub(super) async fn until_turn(&self, inbox: InboxId, wanted: &str) {
        self.house
            .until(inbox, |story| state(story) == wanted)
            .await;
    }

    /// Waits until a process said something, whether anybody looks after it or not.
    pub(super) async fn until_said(&self, id: ProcessId, words: &str) {
        let held = Held::at(self.folder.path().join("held").join(id.to_string()));
        until(&format!("{words:?} to be said"), async || {
            let piece = held.read(0, 64 * 1024).unwrap();
            let said = String::from_utf8_lossy(&piece.bytes).into_owned();
            said.contains(words).then_some(())
        })
        .await;
    }

    /// Sets the clock of the rows forward, and lets the loop look.
    pub(super) fn later(&self, gateway: &Gateway, span: Span) {
        self.house.clock_jumps(span);
        gateway.ground().bells.processes.ring();
    }

    /// Writes down that the turn of this message has read the end of a process.
    pub(super) async fn consume(&self, inbox: InboxId, id: ProcessId) {
        let turn = self.house.story(inbox).await.turn.unwrap().id;
        for fence in 1..20 {
            let consumed = self
                .house
                .store
                .consume_process(id, turn, Fence(fence))
                .await;
            if let Fenced::Done(moved) = consumed.unwrap() {
                assert!(matches!(moved, Moved::Now(_)), "{moved:?}");
                return;
            }
        }
        panic!("the turn is not open");
    }

    pub(super) async fn has_news(&self) -> bool {
        let news = self.house.store.untold_news(HOME, 100).await.unwrap();
        !news.is_empty()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        for name in ["go", "on", "end"] {
            self.raise(name);
        }
    }
}

pub(super) fn for_words(words: &[&str]) -> Watch {
    Watch {
        notice: Notice::Unwanted,
        every: None,
        patterns: words.iter().map(|word| (*word).to_owned()).collect(),
    }
}

/// Asks until there is an answer.
pub(super) async fn until<T>(what: &str, ask: impl AsyncFn() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(answer) = ask().await {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("waited in vain for {what}")
}
