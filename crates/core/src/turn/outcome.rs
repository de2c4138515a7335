//! How a turn ended, and the words that people read about it.

use crate::command::reply;
use crate::inbound::Role;
use crate::limits;
use crate::text::silence::Ending;

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The agent answered.
    Completed {
        /// Its reply.
        text: String,
    },
    /// The agent could not answer.
    Failed {
        /// What it had said until then.
        text: String,
        /// Why, in words for people.
        why: String,
        /// Whether it helps to send the message again.
        repeating: Repeating,
    },
    /// A person ended it.
    Interrupted {
        /// What it had said until then.
        text: String,
        /// How.
        by: Interruption,
    },
    /// It was begun as often as it may and never ended.
    Abandoned,
    /// It was interrupted, too long ago to be taken up again.
    TooLate,
}

/// Whether it helps to send a message again that was not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeating {
    /// What went wrong passes.
    Helps,
    /// It stays as it is, or something may be done twice. What to do instead stands in the reason.
    IsNoUse,
}

impl Repeating {
    /// What stands behind the reason.
    const fn advice(self) -> &'static str {
        match self {
            Self::Helps => " Send the message again to retry.",
            Self::IsNoUse => "",
        }
    }
}

/// How a person ended a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// By writing something else.
    NewerMessage,
    /// By asking to stop.
    Stop {
        /// How many messages wait to be answered next.
        waiting: usize,
    },
}

impl Interruption {
    fn notice(self) -> String {
        match self {
            Self::NewerMessage => "Stopped, as a newer message asked for.".to_owned(),
            Self::Stop { waiting } => reply::stopped(waiting),
        }
    }
}

impl Outcome {
    /// The name used in rows and the HTTP interface.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Completed { .. } => "completed",
            Self::Failed { .. } => "failed",
            Self::Interrupted { .. } => "interrupted",
            Self::Abandoned | Self::TooLate => "abandoned",
        }
    }

    /// Whether the agent said all it wanted to.
    pub const fn is_completed(&self) -> bool {
        matches!(self, Self::Completed { .. })
    }

    /// Whether its words are an answer, or tell of a failure.
    pub const fn ending(&self) -> Ending {
        match self {
            Self::Completed { .. } | Self::Interrupted { .. } => Ending::Answered,
            Self::Failed { .. } | Self::Abandoned | Self::TooLate => Ending::Failed,
        }
    }

    /// Who speaks in the reply.
    pub const fn role(&self) -> Role {
        match self {
            Self::Completed { .. } => Role::Assistant,
            Self::Failed { .. } | Self::Interrupted { .. } | Self::Abandoned | Self::TooLate => {
                Role::Notice
            }
        }
    }

    /// The reply that is delivered.
    pub fn reply(&self) -> String {
        match self {
            Self::Completed { text } => text.clone(),
            Self::Failed {
                text,
                why,
                repeating,
            } => {
                let advice = repeating.advice();
                after(
                    text,
                    &format!("I could not finish this answer: {why}.{advice}"),
                )
            }
            Self::Interrupted { text, by } => after(text, &by.notice()),
            Self::Abandoned => format!(
                "I gave up on this message: the gateway stopped {} times while answering it. \
                 Send it again to retry.",
                limits::TURN_ATTEMPTS
            ),
            Self::TooLate => {
                "I did not take this message up again: it was interrupted too long ago. \
                              Send it again to retry."
                    .to_owned()
            }
        }
    }
}

fn after(text: &str, notice: &str) -> String {
    if text.trim().is_empty() {
        notice.to_owned()
    } else {
        format!("{text}\n\n{notice}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_follows_what_was_already_said() {
        let failed = Outcome::Failed {
            text: "So far".into(),
            why: "the agent ended".into(),
            repeating: Repeating::Helps,
        };
        assert!(failed.reply().starts_with("So far\n\nI could not finish"));
        assert!(!Outcome::Abandoned.reply().is_empty());
        assert_eq!(Outcome::Completed { text: "x".into() }.reply(), "x");
    }

    #[test]
    fn to_send_a_message_again_is_advised_where_that_helps() {
        let reply = |repeating| {
            let why = "the key is refused".to_owned();
            let text = String::new();
            Outcome::Failed {
                text,
                why,
                repeating,
            }
            .reply()
        };
        assert!(reply(Repeating::Helps).ends_with("refused. Send the message again to retry."));
        assert!(reply(Repeating::IsNoUse).ends_with("the key is refused."));
    }
}
