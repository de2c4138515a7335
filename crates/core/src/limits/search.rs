//! The numbers of search: how rows come into the index, and how far one page looks.

use crate::time::Span;

/// Rows that are indexed for search in one transaction: a few milliseconds of the one writer.
pub const SEARCH_BATCH_ROWS: usize = 64;

/// Text that is indexed for search in one transaction, unless a single row has more: a few milliseconds of the
/// one writer. What is indexed together needs not be merged later.
pub const SEARCH_BATCH_BYTES: usize = 1024 * 1024;

/// Rows that wait to be indexed and are counted, where each has to be looked at: whoever asks wants to know whether any do,
/// or whether they are many.
pub const SEARCH_COUNTED_MAX: usize = 1_000;

/// How long rows are gathered before they are indexed: many turns share one commit, and a second is
/// kept.
pub const SEARCH_GATHER: Span = Span::ms(250);

/// Rest between two transactions of indexing, for others who write.
pub const SEARCH_REST: Span = Span::ms(5);

/// Hits that are weighed against one another: the newest. More would take longer than a person waits
/// gladly, and nobody reads that far.
pub const SEARCH_RANKED_MAX: usize = 10_000;

/// Rows that one page of a search without an index looks at.
pub const SEARCH_WALK_ROWS: usize = 20_000;

/// Text that one page of a search without an index looks at.
pub const SEARCH_WALK_BYTES: usize = 16 * 1024 * 1024;

/// Text of a hit in which words are marked; a hit further behind shows the row's beginning.
pub const SEARCH_MARKED_BYTES: usize = 64 * 1024;

/// Text of a row that can be found where the words are kept by PostgreSQL, which notes down a MiB of them at most.
pub const SEARCH_READ_BYTES: usize = 128 * 1024;

/// Words around a hit.
pub const SEARCH_SNIPPET_WORDS: usize = 40;

/// Characters around a hit in a script without blanks.
pub const SEARCH_SNIPPET_CHARS: usize = 120;

/// Characters of a hit and of its neighbours.
pub const SEARCH_EXCERPT_CHARS: usize = 200;
