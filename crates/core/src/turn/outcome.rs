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
        self.told(self.text())
    }

    /// The last words of a conversation in which these answers of the turn stand already, one after the other: what was
    /// said behind them, and how it ended.
    pub fn last_words<'a>(&self, answers: impl IntoIterator<Item = &'a str>) -> String {
        match behind(self.text(), answers) {
            // An answer is never nothing.
            "" if self.is_completed() => self.reply(),
            rest => self.told(rest),
        }
    }

    /// What the agent said.
    fn text(&self) -> &str {
        match self {
            Self::Completed { text }
            | Self::Failed { text, .. }
            | Self::Interrupted { text, .. } => text,
            Self::Abandoned | Self::TooLate => "",
        }
    }

    /// These words of the agent, and how it ended.
    fn told(&self, text: &str) -> String {
        match self {
            Self::Completed { .. } => text.to_owned(),
            Self::Failed { why, repeating, .. } => {
                let advice = repeating.advice();
                after(
                    text,
                    &format!("I could not finish this answer: {why}.{advice}"),
                )
            }
            Self::Interrupted { by, .. } => after(text, &by.notice()),
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

/// What a text says behind these words; all of it if it does not begin with them.
fn behind<'t, 'a>(text: &'t str, words: impl IntoIterator<Item = &'a str>) -> &'t str {
    let rest = words.into_iter().try_fold(text, |rest, words| {
        rest.trim_start().strip_prefix(words.trim())
    });
    rest.map_or(text, str::trim_start)
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
    fn what_stands_in_the_conversation_already_is_not_said_again() {
        let stopped = Outcome::Interrupted {
            text: "I look.\n\nIt is there.\n\nNow I".into(),
            by: Interruption::NewerMessage,
        };
        let notice = "Stopped, as a newer message asked for.";
        let last = |answers: &[&str]| stopped.last_words(answers.iter().copied());
        assert_eq!(
            last(&["I look.", "", "It is there. "]),
            format!("Now I\n\n{notice}")
        );
        assert_eq!(last(&["I look.", "It is there.", "Now I"]), notice);
        assert_eq!(last(&[]), stopped.reply());
        assert_eq!(last(&["Something else."]), stopped.reply());
        let capped = Outcome::Completed {
            text: "I look.\n\nNo room.".into(),
        };
        assert_eq!(capped.last_words(["I look."]), "No room.");
        assert_eq!(capped.last_words(["I look.", "No room."]), capped.reply());
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
