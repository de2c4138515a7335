//! What went wrong with a call of the Bot API, and what it means for a message that was to be sent.
//!
//! The code and the parameters decide wherever they can; words are looked at only where Telegram tells several
//! things by one code. Nothing here does anything: it turns an answer into a decision.

use angelia_core::outbound::{Reach, SendError};
use angelia_core::time::{Span, Timestamp};

/// Why a call did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// It answered, and said no.
    #[error("Telegram said {}: {}", .0.code, .0.words)]
    Refused(No),
    /// It was not reached: nothing was sent.
    #[error("Telegram cannot be reached: {0}")]
    Unreached(String),
    /// A server before it answered that it is not there: nothing was done.
    #[error("Telegram is not there: its front answers {0}")]
    Away(u16),
    /// Something was sent, and no answer that can be read came back.
    #[error("Telegram's answer was lost: {0}")]
    Lost(String),
}

/// A no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct No {
    /// The code, as in HTTP.
    pub(super) code: u16,
    /// Telegram's words.
    pub(super) words: String,
    /// When to come back.
    pub(super) retry_after: Option<Span>,
    /// What the chat is called by now.
    pub(super) moved_to: Option<i64>,
}

/// Words of refusals that hold for everything in the chat, although their code is that of a single message.
const OF_THE_CHAT: [&str; 9] = [
    "chat not found",
    "user not found",
    "user is deactivated",
    "peer_id_invalid",
    "chat_write_forbidden",
    "no rights to send",
    "not enough rights",
    "need administrator rights",
    "group chat was upgraded",
];

/// Words of refusals about a message that was sent before.
const OF_A_MESSAGE: [&str; 6] = [
    "message to edit not found",
    "message can't be edited",
    "message to delete not found",
    "message can't be deleted",
    "message_id_invalid",
    "message identifier is not specified",
];

impl Fault {
    /// What it means for a message. A time that Telegram names counts from `now`.
    pub(super) fn of_sending(&self, now: Timestamp) -> SendError {
        let why = self.to_string();
        match self {
            Self::Refused(no) => no.of_sending(why, now),
            Self::Unreached(_) | Self::Away(_) => SendError::Later {
                not_before: None,
                why,
            },
            Self::Lost(_) => SendError::Unknown { why },
        }
    }

    /// The refusal, if it is one.
    pub(super) fn no(&self) -> Option<&No> {
        match self {
            Self::Refused(no) => Some(no),
            Self::Unreached(_) | Self::Away(_) | Self::Lost(_) => None,
        }
    }
}

impl No {
    fn of_sending(&self, why: String, now: Timestamp) -> SendError {
        let refused = |reach| SendError::Refused {
            reach,
            why: why.clone(),
        };
        match self.code {
            429 => SendError::Later {
                not_before: self.retry_after.map(|pause| now + pause),
                why,
            },
            // A token that was withdrawn, and one that never was.
            401 | 404 => refused(Reach::Account),
            403 => refused(Reach::Chat),
            500.. => SendError::Later {
                not_before: None,
                why,
            },
            400 if self.is_of_the_message() => SendError::Gone { why },
            _ if self.is_of_the_chat() => refused(Reach::Chat),
            _ => refused(Reach::Message),
        }
    }

    fn is_of_the_chat(&self) -> bool {
        let words = self.words.to_lowercase();
        // A topic that is gone says nothing about the chat around it.
        !words.contains("thread not found") && OF_THE_CHAT.iter().any(|part| words.contains(part))
    }

    /// Whether the message that was to be changed is gone, or stays as it is.
    fn is_of_the_message(&self) -> bool {
        let words = self.words.to_lowercase();
        OF_A_MESSAGE.iter().any(|part| words.contains(part))
    }

    /// Whether everything is already as it was asked for.
    pub(super) fn is_of_no_change(&self) -> bool {
        self.code == 400
            && self
                .words
                .to_lowercase()
                .contains("message is not modified")
    }

    /// Whether it is the markup that Telegram does not take, or what becomes of the text by it.
    pub(super) fn is_of_the_form(&self) -> bool {
        let words = self.words.to_lowercase();
        let about = ["can't parse", "entit", "too long", "unsupported start tag"];
        self.code == 400 && about.iter().any(|part| words.contains(part))
    }

    /// Whether it is the file that Telegram does not take as what it was to be.
    pub(super) fn is_of_the_file(&self) -> bool {
        let words = self.words.to_lowercase();
        let about = [
            "photo_",
            "for a photo",
            "image_process",
            "voice_messages_forbidden",
            "wrong type",
        ];
        self.code == 400 && about.iter().any(|part| words.contains(part))
    }

    /// Whether the token opens nothing.
    pub(super) fn is_of_the_token(&self) -> bool {
        matches!(self.code, 401 | 404)
    }
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
