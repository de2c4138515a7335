//! The numbers of what people see while a reply grows.

use crate::time::Span;

/// Characters with which a reply is shown at once, before its first interval has passed.
pub const DRAFT_FIRST_CHARS: usize = 24;

/// The longest time between two steps of a draft that the platform keeps putting off, unless it names a
/// later moment itself.
pub const DRAFT_INTERVAL_MAX: Span = Span::seconds(10);

/// The least time between two changes of the lines about tools: they are beside the reply, and come in bursts.
pub const LINES_EVERY: Span = Span::ms(1_500);

/// How long a change of a draft may take. It is a hint; the next one makes up for it.
pub const DRAFT_EDIT_TIME: Span = Span::seconds(10);

/// How long a question waits until the words before it are shown: a platform's slowest pace and some more.
pub const WORDS_BEFORE_QUESTION: Span = Span::seconds(5);

/// A turn that ends sooner shows no sign that it writes.
pub const TYPING_AFTER: Span = Span::ms(250);

/// How long the sign that somebody writes may take to be shown, and how long it rests after "not now".
pub const TYPING_TIME: Span = Span::ms(1_500);
/// See above.
pub const TYPING_REST: Span = Span::seconds(30);

/// Messages that are taken away at once, when the replies that they showed have ended otherwise.
pub const STALE_DRAFTS: usize = 32;

/// What other nodes see of a reply that grows here: its beginning, the last of its steps, and a few words about each.
pub const GLIMPSE_TEXT_BYTES: usize = 64 * 1024;
/// See [`GLIMPSE_TEXT_BYTES`].
pub const GLIMPSE_STEPS: usize = 16;
/// See [`GLIMPSE_TEXT_BYTES`].
pub const GLIMPSE_STEP_BYTES: usize = 2 * 1024;
/// A turn that ends sooner leaves nothing to see for other nodes; and the least time between two looks at it.
pub const GLIMPSE_EVERY: Span = Span::ms(700);
/// For how long others believe what they saw of a reply, if its node says nothing more: three of its periods.
pub const GLIMPSE_TIME: Span = Span::seconds(15);
/// Replies of other nodes that are looked at here at once.
pub const GLIMPSES_MAX: usize = 256;
/// For how long a node takes it that somebody watches elsewhere after it was told so last: three periods.
pub const WATCHED_TIME: Span = Span::seconds(15);
