//! Why a call of a model failed, and what may be done about it.
//!
//! Servers say the same thing in many ways; what counts is what can be done: wait and try again, make the
//! conversation shorter, ask another provider, or tell a person what to mend. Words of a server are kept,
//! short, because they are the best hint there is; our key was taken out of them before they come here.

use std::time::Duration;

use serde_json::Value;

use crate::AgentError;

/// Characters that are kept of a server's own words.
const WORDS_CHARS_MAX: usize = 300;

/// The pause before the second try; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// How often a call is tried at one provider, and the longest pause that it may ask for, where another stands behind it.
pub(super) const TRIES_MAX: u32 = 4;
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// The same where nobody does: a turn that fails costs people more than one that waits for a server which begins anew or
/// is overrun for a moment. Six tries take some ten seconds in all.
pub(super) const LAST_TRIES_MAX: u32 = 6;
const LAST_PAUSE_MAX: Duration = Duration::from_secs(300);

/// How often, if it falls silent: each such try costs minutes in which somebody waits.
pub(super) const SILENT_TRIES_MAX: u32 = 2;

/// Ways in which servers say that a conversation is too long for the model.
const OVERFLOW: [&str; 24] = [
    "context length",
    "context_length",
    "context limit",
    "context size",
    "context window",
    "context_exceeded",
    "maximum context",
    "maximum model length",
    "maximum number of tokens",
    "maximum number of input tokens",
    "maximum prompt length",
    "max_prompt_tokens",
    "model token limit",
    "token limit exceeded",
    "exceed the configured limit",
    "prompt is too long",
    "prompt too long",
    "too many tokens",
    "too large for model",
    "input is too long",
    "reduce the length of",
    "exceeds the limit of",
    "exceed_context_size",
    "request_too_large",
];

/// Ways in which servers say that an account has no money left, which no waiting mends. The word "billing" alone says
/// nothing: it stands in quotas that fill again within the minute.
const BROKE: [&str; 6] = [
    "insufficient_quota",
    "insufficient credit",
    "credit balance",
    "billing_hard_limit",
    "billing_not_active",
    "billing_error",
];

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server is there and asks for patience, or is broken for now.
    Busy { why: String, wait: Option<Duration> },
    /// It cannot be reached, or the line was cut.
    Unreachable(String),
    /// It has the question and said nothing more for longer than anybody waits.
    Silent(String),
    /// The conversation is longer than the model can read.
    Overflow(String),
    /// It does not let us in, does not know the model, or has no money: a person must mend it.
    Refused(String),
    /// It does not understand the request.
    Rejected(String),
}

/// Who may be asked instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// Another provider.
    Another,
    /// Nobody.
    Nobody,
}

impl Behind {
    const fn tries(self) -> u32 {
        match self {
            Self::Another => TRIES_MAX,
            Self::Nobody => LAST_TRIES_MAX,
        }
    }

    const fn pause(self) -> Duration {
        match self {
            Self::Another => PAUSE_MAX,
            Self::Nobody => LAST_PAUSE_MAX,
        }
    }
}

/// What to do about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Ask the same again after this pause.
    Again(Duration),
    /// Make the conversation shorter, and ask again.
    Shorten,
    /// Ask the next provider, if there is one.
    Next,
}

impl Failure {
    /// What a status and a body say.
    pub(super) fn of_status(status: u16, wait: Option<Duration>, body: &str) -> Self {
        let why = words_of_body(status, body);
        let low = body.to_ascii_lowercase();
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| low.contains(phrase));
        match status {
            400 | 413 | 422 if says(&OVERFLOW) => Self::Overflow(why),
            413 => Self::Overflow(why),
            402 => Self::Refused(why),
            429 if says(&BROKE) => Self::Refused(why),
            408 | 409 | 425 | 429 | 500..=599 => {
                let wait = wait.or_else(|| super::pause::in_words(&low));
                Self::Busy { why, wait }
            }
            401 | 403 | 404 => Self::Refused(why),
            _ => Self::Rejected(why),
        }
    }

    /// What a server said in the middle of a stream.
    pub(super) fn of_words(why: &str) -> Self {
        let low = why.to_ascii_lowercase();
        if OVERFLOW.iter().any(|phrase| low.contains(phrase)) {
            return Self::Overflow(short(why));
        }
        Self::Busy {
            why: short(why),
            wait: None,
        }
    }

    /// What to do when it has happened `tries` times, `jitter` being a number from 0 to 1.
    pub(super) fn remedy(&self, tries: u32, behind: Behind, jitter: f64) -> Remedy {
        match self {
            Self::Overflow(_) => Remedy::Shorten,
            Self::Refused(_) | Self::Rejected(_) => Remedy::Next,
            Self::Busy {
                wait: Some(wait), ..
            } if *wait > behind.pause() => Remedy::Next,
            Self::Busy { .. } | Self::Unreachable(_) if tries >= behind.tries() => Remedy::Next,
            Self::Silent(_) if tries >= SILENT_TRIES_MAX => Remedy::Next,
            Self::Busy {
                wait: Some(wait), ..
            } => Remedy::Again(*wait),
            Self::Busy { wait: None, .. } | Self::Unreachable(_) | Self::Silent(_) => {
                Remedy::Again(pause(tries, jitter))
            }
        }
    }

    /// Whether it passes by itself.
    pub(super) const fn passes(&self) -> bool {
        match self {
            Self::Busy { .. } | Self::Unreachable(_) | Self::Silent(_) => true,
            Self::Overflow(_) | Self::Refused(_) | Self::Rejected(_) => false,
        }
    }

    /// The end of a turn because of it.
    pub(super) fn error(&self) -> AgentError {
        match self.passes() {
            true => AgentError::passing(self.told()),
            false => AgentError::lasting(self.told()),
        }
    }

    /// What the people in the chat are told.
    fn told(&self) -> String {
        let why = self.why();
        match self {
            Self::Busy { .. } | Self::Unreachable(_) | Self::Silent(_) => {
                format!("the model did not answer ({why})")
            }
            Self::Overflow(_) => format!(
                "this conversation is longer than the model can read; begin another with /new ({why})"
            ),
            Self::Refused(_) => format!(
                "the model cannot be asked ({why}); whoever runs this gateway must look at its [agent] \
                 settings"
            ),
            Self::Rejected(_) => format!("the model's server did not take the request ({why})"),
        }
    }

    /// The server's words, or ours.
    pub(super) fn why(&self) -> &str {
        match self {
            Self::Busy { why, .. } => why,
            Self::Unreachable(why)
            | Self::Silent(why)
            | Self::Overflow(why)
            | Self::Refused(why)
            | Self::Rejected(why) => why,
        }
    }
}

/// Twice as long each time, and not the same for all who wait.
fn pause(tries: u32, jitter: f64) -> Duration {
    let full = FIRST_PAUSE
        .saturating_mul(1 << tries.saturating_sub(1).min(10))
        .min(PAUSE_MAX);
    full.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
}

/// The reason in a record or a body, if it is one of failure.
pub(super) fn words_of(value: &Value) -> Option<String> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    if let Some(words) = behind(error) {
        return Some(words);
    }
    let words = [&error["message"], error, &value["message"]];
    let words = words.into_iter().find_map(Value::as_str);
    Some(words.map_or_else(|| short(&error.to_string()), short))
}

/// What the server said that a router asked. The router's own words are that somebody said something.
fn behind(error: &Value) -> Option<String> {
    let raw = error["metadata"]["raw"].as_str()?;
    let raw = Some(raw.trim()).filter(|raw| !raw.is_empty())?;
    let told = serde_json::from_str::<Value>(raw).ok();
    // One behind another is read as it stands: nobody knows how many there are.
    let told = told.and_then(|told| told["error"]["message"].as_str().map(short));
    Some(told.unwrap_or_else(|| short(raw)))
}

fn words_of_body(status: u16, body: &str) -> String {
    let told = serde_json::from_str::<Value>(body).ok();
    // Some servers wrap their failure in a list.
    let told = told.as_ref().map(|told| told.get(0).unwrap_or(told));
    let words = told.and_then(words_of).unwrap_or_else(|| short(body));
    if words.trim().is_empty() {
        return format!("status {status}");
    }
    format!("status {status}: {words}")
}

fn short(words: &str) -> String {
    let words = words.trim();
    match words.char_indices().nth(WORDS_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words.to_owned(),
    }
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
