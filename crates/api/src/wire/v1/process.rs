//! Background processes, and what they say.

use angelia_core::address::Platform;
use angelia_core::id::{ProcessId, SessionId, TurnId};
use angelia_core::mask::{Masker, Surface};
use angelia_core::process::{End, How, Mode, Notice, State};
use angelia_gateway::processes::log;
use angelia_store::processes;
use serde::{Deserialize, Serialize};

use super::message::User;
use super::time::Time;

/// A background process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its id.
    pub id: ProcessId,
    /// The conversation it runs for; nothing once that was deleted.
    pub session_id: Option<SessionId>,
    /// The turn that started it.
    pub turn: Option<TurnId>,
    /// The words for the shell, without the secrets among them.
    pub command: String,
    /// Where it runs, if that was said.
    pub workdir: Option<String>,
    /// How one talks to it.
    pub mode: ProcessMode,
    /// Where it stands.
    pub state: ProcessState,
    /// The code it exited with.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Why it could not be started.
    pub why: Option<String>,
    /// The platform it was started from.
    pub platform: Platform,
    /// The chat it was started from.
    pub chat: String,
    /// The thread inside the chat.
    pub thread: Option<String>,
    /// Who started it.
    pub user: User,
    /// Whether its end is told there.
    pub notify_on_complete: bool,
    /// When it was started.
    pub started_at: Time,
    /// When it ended.
    pub ended_at: Option<Time>,
    /// When its end was told.
    pub noticed_at: Option<Time>,
}

/// How one talks to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessMode {
    /// Through pipes.
    Pipe,
    /// Through a terminal.
    Pty,
    /// A way that this release does not know.
    #[serde(other)]
    Unknown,
}

/// Where a process stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessState {
    /// About to be started.
    Starting,
    /// It runs.
    Running,
    /// It ended with a code.
    Exited,
    /// A signal ended it.
    Signalled,
    /// It was asked to end, and did.
    Killed,
    /// It could not be started.
    Failed,
    /// Its holder died; how it ended nobody knows.
    Lost,
    /// A state that this release does not know.
    #[serde(other)]
    Unknown,
}

impl ProcessState {
    /// Whether it is over.
    pub const fn is_ended(self) -> bool {
        !matches!(self, Self::Starting | Self::Running | Self::Unknown)
    }
}

/// Some of what a process said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPage {
    /// The place of its first byte.
    pub from: u64,
    /// The place to ask for next, as `after=`.
    pub next: u64,
    /// How many bytes before it were left out: only the beginning and the end of a long output are kept.
    pub cut: u64,
    /// The words; none mean that nothing more was said until now.
    pub text: String,
}

/// A page of a log, and where its process stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// The words.
    #[serde(flatten)]
    pub page: LogPage,
    /// Where the process stands.
    pub state: ProcessState,
}

/// Words for the input of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteWish {
    /// The words, as they are: a line needs its end.
    pub text: String,
}

/// A size for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResizeWish {
    /// Lines.
    pub rows: u16,
    /// Letters of a line.
    pub columns: u16,
}

impl From<Mode> for ProcessMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Pipe => Self::Pipe,
            Mode::Pty => Self::Pty,
        }
    }
}

impl From<&State> for ProcessState {
    fn from(state: &State) -> Self {
        match state {
            State::Starting => Self::Starting,
            State::Running => Self::Running,
            State::Ended(End::Itself(How::Exited(_))) => Self::Exited,
            State::Ended(End::Itself(How::Signalled(_))) => Self::Signalled,
            State::Ended(End::Killed(_)) => Self::Killed,
            State::Ended(End::Failed(_)) => Self::Failed,
            State::Ended(End::Lost) => Self::Lost,
        }
    }
}

impl Process {
    /// A process as it is shown: the secrets in its command are hidden.
    pub fn of(process: processes::Process, masker: &Masker) -> Self {
        let how = match &process.state {
            State::Ended(end) => end.how(),
            State::Starting | State::Running => None,
        };
        let why = match &process.state {
            State::Ended(End::Failed(why)) => Some(masker.shown(why, Surface::Egress).into_owned()),
            State::Starting | State::Running | State::Ended(_) => None,
        };
        let address = process.caller.address;
        Self {
            id: process.id,
            session_id: process.session,
            turn: process.turn,
            command: masker.shown(&process.command, Surface::Egress).into_owned(),
            workdir: process.workdir,
            mode: process.mode.into(),
            state: (&process.state).into(),
            exit_code: how.and_then(How::code),
            signal: how.and_then(How::signal),
            why,
            platform: address.platform,
            chat: address.chat.id,
            thread: address.thread,
            user: process.caller.person.into(),
            notify_on_complete: process.watch.notice == Notice::Wanted,
            started_at: process.started_at.into(),
            ended_at: process.ended_at.map(Time::from),
            noticed_at: process.noticed_at.map(Time::from),
        }
    }
}

impl From<log::LogPage> for LogPage {
    fn from(page: log::LogPage) -> Self {
        Self {
            from: page.from,
            next: page.next,
            cut: page.cut,
            text: page.text,
        }
    }
}
