//! How much is asked and answered about what an agent wants to do.

/// Questions that may be open in one conversation.
pub const APPROVALS_PER_SESSION: usize = 16;

/// Characters of a command that a question in chat shows: nearly all of what is ever asked about, and with
/// our own words around it still one message on most platforms.
pub const APPROVAL_CHAT_CHARS: usize = 3_000;

/// Characters of a directory or a name in a question.
pub const APPROVAL_LINE_CHARS: usize = 200;

/// Characters of a command that are kept for those who look at a question elsewhere.
pub const APPROVAL_COMMAND_CHARS_MAX: usize = 4_000;

/// Why somebody is asked: so many reasons, and so much of each.
pub const APPROVAL_REASONS_MAX: usize = 16;

/// Patterns of commands that an operator may write down, each way.
pub const APPROVAL_PATTERNS_MAX: usize = 256;

/// Answers to questions that are taken into a full conversation: the turn that asked is what empties it.
pub const ANSWERS_PER_SESSION: usize = 16;

/// Messages that a turn may answer before it takes no more answers along that decide nothing: in a busy
/// room anybody can write them.
pub const BATCH_WITH_ANSWERS_MAX: usize = 32;
