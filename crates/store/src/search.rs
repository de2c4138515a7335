//! Looking for words in everything that was said.
//!
//! Two halves that never meet in one transaction. [`Search::index_more`] reads rows of the transcript in
//! the order of writing and adds their words to an index; whoever writes a message or a reply does none of
//! it and waits for none of it. [`Search::search`] asks the index, and looks up what it may show.
//!
//! How a query is read, and which rows may be found, is decided in `core::transcript::search_query`. A row
//! is found once it is indexed, which is within a second of being written; short words of scripts without
//! blanks are looked for in the rows themselves, a bounded number of them for each page.

use std::ops::Range as Span;

use angelia_core::address::Platform;
use angelia_core::id::SessionId;
use angelia_core::session::key::Scope as Scoped;
use angelia_core::time::Timestamp;
use angelia_core::transcript::entry::Role;
use angelia_core::transcript::search_query::Scope;
use async_trait::async_trait;

use crate::StoreError;
use crate::views::{Page, Range};

/// What somebody looks for.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// What was typed.
    pub text: String,
    /// Only these platforms, if given. An empty list finds nothing.
    pub platforms: Option<Vec<Platform>>,
    /// None of these platforms.
    pub not_platforms: Vec<Platform>,
    /// Only what these said, if given. An empty list finds nothing.
    pub roles: Option<Vec<Role>>,
    /// Which rows may be found.
    pub scope: Scope,
    /// Whose conversations may be found.
    pub reach: Reach,
    /// What comes first.
    pub sort: Sort,
    /// Which of the hits to read.
    pub range: Range,
}

/// Whose conversations may be found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Reach {
    /// Everybody's, for whoever runs the house.
    #[default]
    Everywhere,
    /// Those that somebody at this place may go on in: begun there or led there by themselves, and in a private
    /// chat all private ones of the same person and account.
    Place(Scoped),
}

/// Which hit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// The one that fits best, among the newest `limits::SEARCH_RANKED_MAX`. A short word of a script
    /// without blanks fits everywhere alike: the newest first.
    #[default]
    Relevance,
    /// The one that was written down last.
    Newest,
    /// The one that was written down first.
    Oldest,
}

/// A row that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The conversation.
    pub session: SessionId,
    /// Its place in the conversation.
    pub seq: u64,
    /// Who spoke.
    pub role: Role,
    /// When.
    pub at: Timestamp,
    /// The tool that answered.
    pub tool_name: Option<String>,
    /// Where the conversation takes place.
    pub platform: Platform,
    /// When the conversation began.
    pub session_started: Timestamp,
    /// The words around what was looked for.
    pub snippet: Snippet,
    /// The row before, the row itself and the row after, as far as they may be shown.
    pub context: Vec<Excerpt>,
}

/// Some words of a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// The words; `…` stands for what is left out before or behind them.
    pub text: String,
    /// Where in `text` the words are that were looked for, in bytes, in order, apart from one another.
    pub marks: Vec<Span<usize>>,
}

/// The beginning of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Its place in the conversation.
    pub seq: u64,
    /// Who spoke.
    pub role: Role,
    /// At most `limits::SEARCH_EXCERPT_CHARS` of its text.
    pub text: String,
}

/// What one step of indexing did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Indexed {
    /// Rows that can be found from now on.
    pub rows: usize,
    /// How many were written and are not indexed yet. It counts deleted ones in between too, is
    /// nothing only if there are none, and may end at `limits::SEARCH_COUNTED_MAX`.
    pub waiting: u64,
}

/// The index and its questions.
#[async_trait]
pub trait Search: Send + Sync {
    /// Indexes the next rows, at most `limit` and at most `limits::SEARCH_BATCH_BYTES` of text (but one
    /// row at least). Whoever asks again after a lost answer indexes nothing twice. Without anything
    /// to do it does not trouble the writer.
    async fn index_more(&self, limit: usize) -> Result<Indexed, StoreError>;

    /// The hits of a query. One that the index cannot read finds nothing.
    ///
    /// A page may be short and still have a `next`: looking for short words is bounded by
    /// `limits::SEARCH_WALK_ROWS` for each page and goes on there.
    async fn search(&self, query: Query) -> Result<Page<Hit>, StoreError>;
}
