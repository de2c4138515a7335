//! The one decision about an arriving message: is it taken, and into which conversation?
//!
//! Flow: `check` looks at the message alone and names its key; the store then opens the session's row,
//! and `decide` looks at what already waits there. Duplicates are not decided here: the unique event
//! key of the inbox recognises them.

use crate::command;
use crate::inbound::Inbound;
use crate::limits;
use crate::media::attached::Attached;
use crate::session::key::{self, Isolation, Place, Route};
use crate::whatsapp::aliases::Aliases;

/// Why a message is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nobody is known to have written it.
    #[error("the message names no sender")]
    NoPerson,
    /// A private chat that cannot be told from others.
    #[error("the message names no chat")]
    NoChat,
    /// Nothing was said.
    #[error("the message has no text")]
    Empty,
    /// More than a turn can carry.
    #[error("the message is longer than {} KiB", limits::TEXT_BYTES_MAX / 1024)]
    TooLong,
    /// An id or name longer than any platform makes them.
    #[error(
        "an id or name of the message is longer than {} bytes",
        limits::NAME_BYTES_MAX
    )]
    NameTooLong,
    /// More pictures than a turn can carry.
    #[error(
        "the message has more than {} pictures, or more than {} MiB of them",
        limits::PICTURES_PER_MESSAGE,
        limits::PICTURES_BYTES_MAX / 1024 / 1024
    )]
    ManyPictures,
    /// A picture that is not kept here, or not any more.
    #[error("a picture of the message is not kept here; upload it again")]
    NoPicture,
    /// The conversation has as many waiting messages as it may.
    #[error(
        "{} messages already wait in this conversation",
        limits::WAITING_PER_SESSION
    )]
    Full,
    /// Nobody let its sender in.
    #[error("nobody let the sender in")]
    Stranger,
    /// It was answered before, in a conversation that somebody has deleted since.
    #[error("the message came before, and its conversation was deleted")]
    Forgotten,
    /// It tells the end of a process, and a turn has read that already.
    #[error("the end of the process was read already")]
    Read,
}

impl Refusal {
    /// Whether the same message may be taken later. Whoever sent it and waits for the answer is told so; on a platform
    /// that nobody can be made to wait on it is turned away ([`turned_away`]). Any other refusal is final.
    pub const fn may_pass_later(self) -> bool {
        matches!(self, Self::Full)
    }
}

/// What somebody is told whose message finds its conversation full, on a platform: to hold it back would hold back
/// everybody else who writes there.
#[must_use]
pub fn turned_away() -> String {
    format!(
        "{} messages already wait here, so this one was not taken. Send it again when some of them are answered.",
        limits::WAITING_PER_SESSION
    )
}

/// Looks at the message alone and names the conversation it belongs to. `aliases` has the row of the id
/// that [`key::known_by`] names; for most messages that is none.
pub fn check(inbound: &Inbound, isolation: Isolation, aliases: &Aliases) -> Result<Route, Refusal> {
    if inbound.person.id.is_empty() {
        return Err(Refusal::NoPerson);
    }
    if inbound.words().trim().is_empty() && inbound.pictures.is_empty() {
        return Err(Refusal::Empty);
    }
    if has_many_pictures(inbound) {
        return Err(Refusal::ManyPictures);
    }
    let is_long = |text: &str| text.len() > limits::TEXT_BYTES_MAX;
    if is_long(&inbound.text)
        || inbound.about.words().any(is_long)
        || context_bytes(inbound) > limits::CONTEXT_BYTES_MAX
    {
        return Err(Refusal::TooLong);
    }
    if names(inbound).any(|name| name.len() > limits::NAME_BYTES_MAX) {
        return Err(Refusal::NameTooLong);
    }
    key::route(&Place::of(inbound), isolation, aliases).map_err(|_| Refusal::NoChat)
}

/// How much a message matters when others wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// As much as any.
    Ordinary,
    /// It answers a question that a running turn waits for.
    Answer,
    /// It calls to stop, and must come in when nothing else does.
    Stop,
}

/// How much the message matters.
pub fn urgency(inbound: &Inbound) -> Urgency {
    let reading = command::read(inbound);
    if reading.stops() {
        Urgency::Stop
    } else if reading.answer().is_some() {
        Urgency::Answer
    } else {
        Urgency::Ordinary
    }
}

/// How many messages may wait in a conversation once one of this urgency is among them.
pub const fn room(urgency: Urgency) -> usize {
    match urgency {
        Urgency::Ordinary => limits::WAITING_PER_SESSION,
        Urgency::Answer => limits::WAITING_PER_SESSION + limits::ANSWERS_PER_SESSION,
        Urgency::Stop => {
            limits::WAITING_PER_SESSION + limits::ANSWERS_PER_SESSION + limits::STOPS_PER_SESSION
        }
    }
}

/// Decides over a message whose conversation already has `waiting` others.
pub fn decide(waiting: usize, urgency: Urgency) -> Result<(), Refusal> {
    if waiting >= room(urgency) {
        Err(Refusal::Full)
    } else {
        Ok(())
    }
}

fn has_many_pictures(inbound: &Inbound) -> bool {
    let remotes = |one: &Attached| one.remote.len() > limits::REMOTE_BYTES_MAX;
    if inbound.attached.len() > limits::ATTACHED_PER_MESSAGE || inbound.attached.iter().any(remotes)
    {
        return true;
    }
    let bytes: u64 = inbound.pictures.iter().map(|picture| picture.bytes).sum();
    let earlier = inbound
        .context
        .iter()
        .map(|said| said.pictures.len())
        .sum::<usize>();
    inbound.pictures.len() > limits::PICTURES_PER_MESSAGE
        || bytes > limits::PICTURES_BYTES_MAX as u64
        || earlier > limits::PICTURES_SHOWN
}

fn context_bytes(inbound: &Inbound) -> usize {
    inbound.context.iter().map(|said| said.text.len()).sum()
}

fn names(inbound: &Inbound) -> impl Iterator<Item = &str> {
    let Inbound {
        address,
        person,
        message_id,
        about,
        ..
    } = inbound;
    [&address.chat.id, &person.id, message_id]
        .into_iter()
        .chain(&address.thread)
        .chain(&person.name)
        .map(String::as_str)
        .chain(about.ids())
}

#[cfg(test)]
#[path = "intake_tests.rs"]
mod tests;
