//! Whether a person agrees to what an agent is about to do.
//!
//! A tool asks before it writes down that its call has begun. The question is a row under the turn and
//! the call, so a turn that is run again puts the same question, finds what was decided meanwhile, and
//! goes on with the very call. What was granted is one exact thing: the fingerprint says which.
//!
//! An agent that wants words and no yes asks in the same way (`inquire`).
//!
//! What is dangerous is not decided here, and neither is who may answer: that is the gateway's. Asking takes as long as a person takes; a turn that is stopped meanwhile drops it.

use std::fmt;
use std::path::PathBuf;

use angelia_core::approval::{Fingerprint, inquiry};
pub use angelia_core::approval::{Grant, Sort};
use async_trait::async_trait;

use crate::events::Ended;

/// What somebody is asked to agree to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The call within the turn.
    pub call: String,
    /// What would be done.
    pub sort: Sort,
    /// The words that would run, or the deed in words.
    pub command: String,
    /// Where they would run; in the gateway's own directory if nothing is said.
    pub workdir: Option<PathBuf>,
    /// What would run them.
    pub backend: String,
    /// Why somebody is asked, in words for people.
    pub reasons: Vec<String>,
    /// What the answer is bound to.
    pub fingerprint: Fingerprint,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It may run, now, and as it was shown.
    Granted(Grant),
    /// It may not; this is what the agent is told.
    Refused(String),
}

/// Something that an agent wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inquiry {
    /// The call within the turn.
    pub call: String,
    /// The question.
    pub question: String,
    /// Answers that are offered; perhaps none.
    pub choices: Vec<String>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Somebody said this.
    Answered(String),
    /// Nobody said anything; this is what the agent is told.
    Nothing(String),
}

/// What asks people, for one turn.
#[async_trait]
pub trait Consent: fmt::Debug + Send + Sync {
    /// Puts a question and waits for its answer, or finds the one that this call got before.
    async fn ask(&self, question: Question) -> Result<Answer, Ended>;

    /// Asks for words and waits for them, or finds those that this call got before.
    async fn inquire(&self, inquiry: Inquiry) -> Result<Told, Ended>;
}

/// A place where nobody can be asked, and where nothing is therefore agreed to.
#[derive(Debug, Clone, Copy, Default)]
pub struct NobodyAsked;

#[async_trait]
impl Consent for NobodyAsked {
    async fn ask(&self, _question: Question) -> Result<Answer, Ended> {
        let why = "Not run: this command needs somebody's approval, and nobody can be asked here. Do \
                   not try to reach the same in another way; say what you wanted to do.";
        Ok(Answer::Refused(why.to_owned()))
    }

    async fn inquire(&self, _inquiry: Inquiry) -> Result<Told, Ended> {
        Ok(Told::Nothing(inquiry::NOBODY.to_owned()))
    }
}
