//! OpenAI's newer interface, over the same messages.
//!
//! ```text
//! read    a request becomes one for a completion: `instructions` first, then what `input` holds
//! shapes  the object that is answered, as far as it is known
//! events  deltas become the events of a stream
//! ```
//!
//! A response has the id of its message, so that `previous_response_id` leads to the conversation that it belongs to.

pub(crate) mod events;
pub(crate) mod read;
pub(crate) mod shapes;
