//! OpenAI's interface, spoken like any other message: chat completions, and responses.
//!
//! ```text
//! shapes   what OpenAI's clients send and expect
//! content  the words and pictures of one message
//! ask      a request becomes an `Inbound`: earlier messages are its context, the last one its text
//! wait     the answer is read from the rows; the feed only says when to look, and shows drafts
//! growth   drafts, each the whole text so far, become deltas
//! pieces   deltas as they come, and how the answer ends
//! speech   deltas become chunks of a stream
//! responses  the newer interface, over the same messages
//! error    the kinds of `ApiError` in OpenAI's shape
//! ```
//!
//! A caller who leaves changes nothing: the message is durable and is answered all the same.

pub(crate) mod ask;
mod content;
pub(crate) mod error;
mod growth;
mod pieces;
pub(crate) mod responses;
pub(crate) mod shapes;
pub(crate) mod speech;
pub(crate) mod wait;
