//! What nodes that share a store ring at each other: a bell each, and nothing that has to be done.
//!
//! Rings travel as a list in JSON, with who rang. A ring that a reader does not know, because a newer release rang it,
//! is passed over: a bell that is not heard costs a period.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::address::AccountId;
use crate::id::{InboxId, NodeId, SessionId, TurnId};
use crate::limits;

/// A bell of another node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ring {
    /// Messages wait, and there is no place here for a turn.
    Inbox,
    /// A turn was let go.
    Orphans,
    /// An account's lease was let go.
    Leases,
    /// A question is over.
    Decided,
    /// Something is wanted of a background process, or was done.
    Processes,
    /// There is something to deliver.
    Outbox(AccountId),
    /// Something was delivered to a chat.
    Chat(AccountId, String),
    /// Somebody called to stop.
    Stop(SessionId),
    /// A question was answered.
    Approval(SessionId),
    /// A reply that is for this account has grown, or grows no more.
    Grew(TurnId, AccountId),
    /// Somebody watches everything that happens.
    Watched,
    /// Somebody waits for the answer to a message.
    Followed(InboxId),
}

impl Ring {
    /// Whether rows changed that whoever watches may want to read.
    #[must_use]
    pub const fn tells_of_rows(&self) -> bool {
        !matches!(self, Self::Grew(..) | Self::Watched | Self::Followed(_))
    }
}

/// What somebody told.
#[derive(Debug, Serialize, Deserialize)]
struct Told<T> {
    by: NodeId,
    rings: Vec<T>,
}

/// The words for these rings, in pieces that can be told.
pub fn said(by: NodeId, rings: impl IntoIterator<Item = Ring>) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = Told {
        by,
        rings: Vec::new(),
    };
    let mut bytes = words(&piece).len();
    for ring in rings {
        let more = words(&ring).len() + 1;
        if bytes + more > limits::TOLD_BYTES_MAX && !piece.rings.is_empty() {
            pieces.push(words(&piece));
            bytes -= piece
                .rings
                .drain(..)
                .map(|ring| words(&ring).len() + 1)
                .sum::<usize>();
        }
        // One that does not fit at all is not told.
        if bytes + more <= limits::TOLD_BYTES_MAX {
            bytes += more;
            piece.rings.push(ring);
        }
    }
    if !piece.rings.is_empty() {
        pieces.push(words(&piece));
    }
    pieces
}

/// The rings in what another node told; none in our own words.
pub fn heard(words: &str, ourselves: NodeId) -> Vec<Ring> {
    let Ok(told) = serde_json::from_str::<Told<Value>>(words) else {
        return Vec::new();
    };
    let others = Some(told).filter(|told| told.by != ourselves);
    let rings = others.into_iter().flat_map(|told| told.rings);
    rings
        .filter_map(|ring| serde_json::from_value(ring).ok())
        .collect()
}

fn words(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and lists of them can be written")
}

#[cfg(test)]
#[path = "ring_tests.rs"]
mod tests;
