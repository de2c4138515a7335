//! What was said, row by row: written, read for a model, undone, summarised, replaced, branched.
//!
//! Rows are numbered within their conversation; numbers only rise and are never given twice, also not
//! after rows were deleted, so whoever names a row names the same one for ever. Rows are read in that
//! order whatever their times say. Hiding and archiving change who sees a row and nothing else of it.
//!
//! Changes of what was said are refused while somebody's turn is open, unless it is the caller's own: an
//! agent must not lose its ground while it speaks. A change that was planned on what the caller read says
//! how far that was ([`Seen`]), and does not happen if more was said meanwhile.
//!
//! A caller who lost the answer may repeat every verb here: messages are recognised, and a change that
//! stands already is done, not made again.
//!
//! The words of turns come with `Turns::settle_turn`. Listings for people are in `views`.

use angelia_core::address::AccountId;
use angelia_core::id::{SessionId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::lease::Fence;
use angelia_core::link::Sequel;
use angelia_core::media::Picture;
use angelia_core::media::attached::Attached;
use angelia_core::session::key::Scope;
use angelia_core::transcript::entry::Entry;
use async_trait::async_trait;

use crate::views::{Page, Range};
use crate::{Change, StoreError};

/// What recognises a message within a conversation. Event keys are unique within an account, and several
/// accounts may speak in one conversation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageKey(String);

impl MessageKey {
    /// The key of an event of an account.
    pub fn new(account: &AccountId, event: &EventKey) -> Self {
        let account = account.0.as_str();
        Self(format!("{}:{account}:{}", account.len(), event.as_str()))
    }

    /// The key of a message.
    pub fn of(inbound: &Inbound) -> Self {
        Self::new(&inbound.address.account, &inbound.event_key)
    }

    /// The text that is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A row to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// What was said.
    pub entry: Entry,
    /// The speaker's name, for people.
    pub name: Option<String>,
    /// What recognises it if it comes again; a row without it is new each time.
    pub key: Option<MessageKey>,
}

impl From<Entry> for Said {
    fn from(entry: Entry) -> Self {
        Self {
            entry,
            name: None,
            key: None,
        }
    }
}

/// A row that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its number within the conversation.
    pub seq: u64,
    /// The speaker's name.
    pub name: Option<String>,
    /// What was said, and who may see it.
    pub entry: Entry,
}

/// How much of a conversation to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Last {
    /// All of it.
    #[default]
    All,
    /// Its last rows.
    Rows(usize),
}

/// What the caller of a change had read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Nothing that the change depends on.
    Anything,
    /// Everything up to the row of this number; zero when there was none.
    UpTo(u64),
}

/// Who makes a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Somebody outside.
    Anyone,
    /// The open turn of the conversation, under its fence.
    Turn(TurnId, Fence),
}

/// What became of rows to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// How many are new.
    pub written: usize,
    /// How many were there already.
    pub known: usize,
    /// The number of the conversation's last row.
    pub last: u64,
}

/// What an undo would hide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undo {
    /// The first row.
    pub from: u64,
    /// The last row when the plan was made.
    pub last: u64,
    /// How many rows.
    pub rows: usize,
    /// How many turns.
    pub turns: usize,
    /// The words of the first row.
    pub text: String,
    /// The pictures of the first row.
    pub pictures: Vec<Picture>,
    /// The same words with what came along, if the turn ended before that was opened.
    pub unopened: Option<Unopened>,
}

/// A question with things that nobody has opened; its words have no notes of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unopened {
    /// The words.
    pub text: String,
    /// What came along.
    pub attached: Vec<Attached>,
}

/// An undo to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hide {
    /// The conversation.
    pub session: SessionId,
    /// Who undoes.
    pub by: By,
    /// The first row to hide; so is every visible one behind it.
    pub from: u64,
    /// How far the plan looked.
    pub seen: Seen,
}

/// Rows in place of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// The conversation.
    pub session: SessionId,
    /// Who replaces.
    pub by: By,
    /// What the new rows were made from.
    pub seen: Seen,
    /// The new rows.
    pub rows: Vec<Said>,
}

/// A conversation that goes another way from here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The conversation.
    pub session: SessionId,
    /// The id of the new one.
    pub id: SessionId,
    /// The last row to take along; all of them if none is named.
    pub up_to: Option<u64>,
    /// Where people go on.
    pub then: Then,
}

/// Where people go on after a branch was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    /// Where they are.
    Stay,
    /// In the branch, if they speak in this place; others stay.
    Move(Scope),
    /// In the branch, all who spoke in the conversation.
    MoveAll,
}

/// What was said, for agents.
#[async_trait]
pub trait Transcripts: Send + Sync {
    /// Writes rows behind all others, those whose message is known left out; also while a turn is open,
    /// since chatter does not wait for it. A row that says no time is said now.
    async fn append(
        &self,
        session: SessionId,
        rows: Vec<Said>,
    ) -> Result<Change<Appended>, StoreError>;

    /// The visible rows in order; of the last ones, the summary of what is not shown is always one. Nothing
    /// if there is no such conversation.
    async fn conversation(
        &self,
        session: SessionId,
        last: Last,
    ) -> Result<Option<Vec<Kept>>, StoreError>;

    /// Who spoke behind the row `after`, without the words: the visible rows, at most the last so many. Nothing if there
    /// is no such conversation.
    async fn sequel(
        &self,
        session: SessionId,
        after: u64,
        most: usize,
    ) -> Result<Option<Sequel>, StoreError>;

    /// All rows in order, hidden and archived ones too, for an export. Nothing if there is no such
    /// conversation.
    async fn rows(
        &self,
        session: SessionId,
        range: Range,
    ) -> Result<Option<Page<Kept>>, StoreError>;

    /// What undoing the last turns would hide: at least one, at most all. Nothing if there is no turn, or
    /// no such conversation. It changes nothing.
    async fn rewind_plan(&self, session: SessionId, turns: u32)
    -> Result<Option<Undo>, StoreError>;

    /// Hides every visible row from the given one on; returns how many. Rows that are hidden already are
    /// done.
    async fn hide_from(&self, hide: Hide) -> Result<Change<usize>, StoreError>;

    /// Deletes every row, hidden and archived ones too, and writes these. Returns the last number.
    async fn rewrite(&self, replacement: Replacement) -> Result<Change<u64>, StoreError>;

    /// Archives every visible row and writes these, which say the same in fewer words. Returns the last
    /// number.
    async fn compact(&self, replacement: Replacement) -> Result<Change<u64>, StoreError>;

    /// Makes a conversation that begins with a copy of the visible rows. Returns how many rows it has. The
    /// one that everybody left ends; it can be resumed. A branch that was made already is done.
    async fn branch(&self, branch: Branch) -> Result<Change<usize>, StoreError>;
}
