//! Numbers of the connections to platforms.

use crate::time::Span;

/// One call that is not held open on purpose. Shorter than what a courier allows a send.
pub const CALL_TIME: Span = Span::seconds(30);

/// Bytes of one answer of a platform: a hundred of the longest messages fit.
pub const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;

/// How long nothing may be heard before a connection counts as silent. Polls are answered twice within it.
pub const SILENCE_MAX: Span = Span::seconds(90);

/// The first and the longest pause before a poll that failed is made again.
pub const POLL_AGAIN: Span = Span::ms(500);
/// See above.
pub const POLL_AGAIN_MAX: Span = Span::seconds(30);

/// How often it is looked whether a platform still pushes to us. It is also the proof that it lives.
pub const LOOK_EVERY: Span = Span::seconds(30);

/// Bytes of one request that a platform makes: a message with all that is said about it.
pub const PUSH_BYTES_MAX: usize = 1024 * 1024;

/// A connection that lasted so long was a good one: the pauses between tries begin anew.
pub const LASTING: Span = Span::minutes(1);

/// Bytes that a button can carry on the narrowest platform.
pub const BUTTON_BYTES_MAX: usize = 64;

/// Buttons below one message: as many as a phone shows without hiding what was said above them.
pub const BUTTONS_MAX: usize = 10;

/// Characters that stand on a button: about what a phone shows of a button that has a row to itself.
pub const BUTTON_LABEL_CHARS: usize = 40;

/// Characters that a phone shows of a button that shares its row with another.
pub const BUTTON_HALF_CHARS: usize = 20;

/// Operators of an account who have a menu of their own: each costs a call when it connects.
pub const MENUS_MAX: usize = 16;
