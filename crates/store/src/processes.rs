//! Background processes: who started what, where it is held, and how it ended.
//!
//! A row is there before anything is started, under the call that asked for it, so a call that is made
//! again finds the same process. An end is written once. Whether it still has to be told is a column, so
//! no restart forgets it and none repeats it.
//!
//! A *home* is where processes are held: the folder of one gateway, which outlives its boots. Rows of
//! another home are another machine's to look after.
//!
//! While a conversation has a process that lives, its policy does not end it: that is kept with these
//! rows, in the same transactions.

use angelia_core::id::{NodeId, ProcessId, SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::process::{Caller, End, Mode, State, Watch};
use angelia_core::time::Timestamp;
use async_trait::async_trait;

use crate::views::{Page, Range};
use crate::{Fenced, StoreError};

/// A process to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProcess {
    /// Its id, if the call is made for the first time.
    pub id: ProcessId,
    /// The turn that starts it.
    pub turn: TurnId,
    /// The number under which the turn was claimed.
    pub fence: Fence,
    /// The call within the turn.
    pub call: String,
    /// The boot that starts it.
    pub node: NodeId,
    /// Where it is held.
    pub home: String,
    /// The words for the shell.
    pub command: String,
    /// Where it runs, if that was said.
    pub workdir: Option<String>,
    /// How one talks to it.
    pub mode: Mode,
    /// Who starts it.
    pub caller: Caller,
    /// What is to be told about it.
    pub watch: Watch,
}

/// What became of a wish to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It may be started.
    New(Process),
    /// The call was made before; this is what stands under it.
    Before(Process),
    /// There are too many.
    Full(Limit),
}

/// What there may be no more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Processes that live in the conversation.
    Session,
    /// Processes that live on the node.
    Node,
}

/// A process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub id: ProcessId,
    /// The conversation it runs for; nothing once that was deleted.
    pub session: Option<SessionId>,
    /// The turn that started it.
    pub turn: Option<TurnId>,
    /// The boot that started it.
    pub node: NodeId,
    /// Where it is held.
    pub home: String,
    /// The words for the shell.
    pub command: String,
    /// Where it runs, if that was said.
    pub workdir: Option<String>,
    /// How one talks to it.
    pub mode: Mode,
    /// Who started it.
    pub caller: Caller,
    /// What is to be told about it.
    pub watch: Watch,
    /// When it was started.
    pub started_at: Timestamp,
    /// Where it stands.
    pub state: State,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When its end was told.
    pub noticed_at: Option<Timestamp>,
}

/// A process that has not ended, and whether somebody may still be about to start it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The process.
    pub process: Process,
    /// Its turn.
    pub turn: Starter,
    /// Whether it is to live on.
    pub wanted: Wanted,
}

/// What is wanted of a process that lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Nobody asked it to end.
    Life,
    /// Somebody asked it to end, and may have died before it could be told.
    End,
}

/// The turn that started a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Starter {
    /// It is open: what it began it may still do.
    Open,
    /// It is closed: what it has not done it will not do.
    Closed,
}

/// What became of a wish to change a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// It changed; this is it now.
    Now(Box<Process>),
    /// It was so before, or has ended.
    Before(Box<Process>),
    /// There is no such process.
    Unknown,
}

/// An end that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// How. That it was killed is added by the row, which knows who asked for it.
    pub end: End,
    /// When.
    pub at: Timestamp,
}

/// Which processes to list, newest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessFilter {
    /// Only those of this conversation.
    pub session: Option<SessionId>,
    /// Only those that live, or all.
    pub living: Living,
}

/// Whether those that ended are meant too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Living {
    /// All.
    #[default]
    Any,
    /// Only those that have not ended.
    Only,
}

/// Background processes.
#[async_trait]
pub trait Processes: Send + Sync {
    /// Writes a process down before it is started, under its turn's fence. A call that was made before
    /// gets what stands under it. `limits` say how many may live.
    async fn begin_process(&self, new: NewProcess) -> Result<Fenced<Begun>, StoreError>;

    /// It was started.
    async fn process_runs(&self, id: ProcessId) -> Result<Moved, StoreError>;

    /// Somebody asks it to end; when it does, it was killed.
    async fn ask_to_end(&self, id: ProcessId) -> Result<Moved, StoreError>;

    /// Writes its end, once.
    async fn end_process(&self, id: ProcessId, seen: Seen) -> Result<Moved, StoreError>;

    /// Writes its end, once, as one that whoever started it is told otherwise: it is never told again.
    async fn end_told_process(&self, id: ProcessId, seen: Seen) -> Result<Moved, StoreError>;

    /// A turn has read how it ended. That counts when the turn is completed: until it is settled the end
    /// is not told, and afterwards only if it was not completed. A message about the end that still waits
    /// behind the turn is taken back. Of a process that has not ended, or whose end was told or read
    /// before, nothing changes.
    async fn consume_process(
        &self,
        id: ProcessId,
        turn: TurnId,
        fence: Fence,
    ) -> Result<Fenced<Moved>, StoreError>;

    /// Its end was told.
    async fn process_noticed(&self, id: ProcessId) -> Result<Moved, StoreError>;

    /// Every process of this home that has not ended.
    async fn live_processes(&self, home: &str) -> Result<Vec<Live>, StoreError>;

    /// Processes of this home whose end is still to be told, the first to end first.
    async fn untold_processes(&self, home: &str, limit: usize) -> Result<Vec<Process>, StoreError>;

    /// At most `limit` processes of this home that ended and have nothing left to tell, the first to end
    /// first; those of deleted conversations before all others.
    async fn spent_processes(&self, home: &str, limit: usize) -> Result<Vec<Process>, StoreError>;

    /// Forgets a process that ended. Its folder must be gone by then.
    async fn forget_process(&self, id: ProcessId) -> Result<(), StoreError>;

    /// A process.
    async fn process(&self, id: ProcessId) -> Result<Option<Process>, StoreError>;

    /// Processes, newest first.
    async fn processes(
        &self,
        filter: ProcessFilter,
        range: Range,
    ) -> Result<Page<Process>, StoreError>;
}
