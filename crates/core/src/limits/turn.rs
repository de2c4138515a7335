//! How long a turn may take.

use crate::time::Span;

/// How long one turn may work before it is ended as failed, unless its agent has another time: longer than most tasks
/// take, short enough that whoever waits for one that goes in circles hears of it the same hour.
pub const TURN_TIME: Span = Span::minutes(30);

/// The shortest and the longest time that can be chosen for it: less ends ordinary answers, and a task of more than a
/// day belongs to a background process.
pub const TURN_TIME_MIN: Span = Span::minutes(1);
/// See [`TURN_TIME_MIN`].
pub const TURN_TIME_MAX: Span = Span::hours(24);

/// How long the clock of a turn stands still because people are asked, all its questions together. Each has a time of its
/// own; this bounds a turn that does nothing but ask.
pub const TURN_ASKS_MAX: Span = Span::hours(24);

/// How long one attempt at a turn lasts at most.
pub const TURN_LENGTH_MAX: Span = Span::ms(TURN_TIME_MAX.as_ms() + TURN_ASKS_MAX.as_ms());
