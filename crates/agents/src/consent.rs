//! Whether a person agrees to what an agent is about to do.
//!
//! A tool asks before it writes down that its call has begun. The question is a row under the turn and
//! the call, so a turn that is run again puts the same question, finds what was decided meanwhile, and
//! goes on with the very call. What was granted is one exact thing: the fingerprint says which.
//!
//! ```text
//! leave: the command → `core::danger` → runs | refused | ask → row → a person's answer
//! ```
//!
//! What is dangerous is not decided here, and neither is who may answer: that is the gateway's. Asking takes as long as a person takes; a turn that is stopped meanwhile drops it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use angelia_core::approval::Fingerprint;
pub use angelia_core::approval::Grant;
use angelia_core::danger::gate::{Bypass, Isolation, Rules, Surface};
use angelia_core::danger::{self, Case, Gate};
use async_trait::async_trait;

use crate::events::Ended;

/// What somebody is asked to agree to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The call within the turn.
    pub call: String,
    /// The words that would run.
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

/// What holds for the commands of one turn.
#[derive(Debug, Clone)]
pub struct Policy {
    /// What the operator wrote down.
    pub rules: Arc<Rules>,
    /// Who can be asked.
    pub surface: Surface,
}

/// What asks people, for one turn.
#[async_trait]
pub trait Consent: fmt::Debug + Send + Sync {
    /// What holds before anybody is asked.
    fn policy(&self) -> Policy;

    /// Puts a question and waits for its answer, or finds the one that this call got before.
    async fn ask(&self, question: Question) -> Result<Answer, Ended>;
}

/// A place where nobody can be asked, and where nothing is therefore agreed to.
#[derive(Debug, Clone, Copy, Default)]
pub struct NobodyAsked;

#[async_trait]
impl Consent for NobodyAsked {
    fn policy(&self) -> Policy {
        Policy {
            rules: Arc::default(),
            surface: Surface::Nobody,
        }
    }

    async fn ask(&self, _question: Question) -> Result<Answer, Ended> {
        let why = "Not run: this command needs somebody's approval, and nobody can be asked here. Do \
                   not try to reach the same in another way; say what you wanted to do.";
        Ok(Answer::Refused(why.to_owned()))
    }
}

/// A command that a tool is about to run.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The call within the turn.
    pub call: &'a str,
    /// The words that would run.
    pub command: &'a str,
    /// Where they would run; in the gateway's own directory if nothing is said.
    pub workdir: Option<&'a Path>,
    /// What would run them.
    pub backend: &'a str,
    /// What that keeps them from.
    pub isolation: Isolation,
}

/// Whether a command may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leave {
    /// It may, now.
    Given,
    /// It may not; this is what the agent is told.
    Refused(String),
}

/// Decides whether a command may run, and asks somebody if that is what it takes. To be called before
/// the call is written down as begun: what was cut off while somebody was asked has not begun.
pub async fn leave(consent: &dyn Consent, wanted: &Wanted<'_>) -> Result<Leave, Ended> {
    let policy = consent.policy();
    let workdir = wanted.workdir.map(|path| path.display().to_string());
    let case = Case {
        command: wanted.command,
        workdir: workdir.as_deref().unwrap_or_default(),
        backend: wanted.backend,
        isolation: wanted.isolation,
        surface: policy.surface,
        rules: &policy.rules,
        bypass: Bypass::None,
        grants: &[],
        scan: &[],
        advice: None,
    };
    let asked = match danger::gate(&case) {
        Gate::Run(_) => return Ok(Leave::Given),
        Gate::Refuse(refusal) => return Ok(Leave::Refused(refusal.to_string())),
        Gate::Ask(asked) | Gate::Consult(asked) => asked,
    };
    let categories = asked.categories.iter();
    let question = Question {
        call: wanted.call.to_owned(),
        command: wanted.command.to_owned(),
        workdir: wanted.workdir.map(Path::to_owned),
        backend: wanted.backend.to_owned(),
        reasons: categories.map(|one| one.words().to_owned()).collect(),
        fingerprint: asked.fingerprint,
    };
    Ok(match consent.ask(question).await? {
        Answer::Granted(_) => Leave::Given,
        Answer::Refused(why) => Leave::Refused(why),
    })
}

#[cfg(test)]
#[path = "consent_tests.rs"]
mod tests;
