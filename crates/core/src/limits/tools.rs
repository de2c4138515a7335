//! The numbers of the tools for files, tasks and earlier conversations.
//!
//! They bound what one call reads, finds and tells. Those of commands and processes stand with the others.

use crate::time::Span;

/// Tools that one request offers to a model, those of the house first. Servers with the OpenAI-compatible interface
/// refuse more.
pub const TOOLSET_MAX: usize = 128;

/// A file that a tool reads, writes or changes as a whole. Larger ones belong to programs.
pub const FILE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Lines of a file that are shown when the caller does not say.
pub const FILE_LINES: usize = 2_000;

/// Characters of a line that are shown, of a file or of what was found in one.
pub const FILE_LINE_CHARS: usize = 2_000;

/// Names that one list of files shows.
pub const FILES_LISTED_MAX: usize = 1_000;

/// Finds of one search in files, at most and when the caller does not say.
pub const FILES_FOUND_MAX: usize = 500;

/// See [`FILES_FOUND_MAX`].
pub const FILES_FOUND: usize = 100;

/// Files and directories that one search looks at.
pub const FILES_SEEN_MAX: usize = 50_000;

/// Text that one search reads.
pub const FILES_READ_BYTES_MAX: usize = 128 * 1024 * 1024;

/// How long one search may take.
pub const FILES_SEARCH_TIME: Span = Span::seconds(10);

/// Directories within directories of a workspace.
pub const FILES_DEPTH_MAX: usize = 64;

/// A path within a workspace, and a pattern for one.
pub const PATH_BYTES_MAX: usize = 1_024;

/// Tasks in the list of one conversation. Who needs more has lost track of them.
pub const TASKS_MAX: usize = 100;

/// Characters of one task.
pub const TASK_CHARS_MAX: usize = 500;

/// Characters of what a task is known by.
pub const TASK_ID_CHARS_MAX: usize = 64;

/// Finds that an agent is told of one look into earlier conversations.
pub const SESSION_FINDS_MAX: usize = 20;
