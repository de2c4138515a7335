//! What a turn knows about itself: where it is, what is new, whose turn it is.
//!
//! The gateway makes one for every turn and hands it over whole. It is a value: what a turn starts gets
//! a clone of it, and there is no copy in the process that another turn could read.
//!
//! What was said before is not in it, because most of it is read by few: see `Past`.

use std::path::PathBuf;

use angelia_core::context::day::Day;
use angelia_core::context::variables::{Ambient, Change, Variables};
use angelia_process::environment::{Environment, Passed};
use angelia_process::target::Target;

/// What a turn knows about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    /// Where the conversation takes place, in words for the agent. The same for every turn until
    /// something about the place changes, so that a provider can reuse what it has read.
    pub prompt: String,
    /// What is true for this turn alone, such as that the conversation began anew.
    pub note: Option<String>,
    /// When the first message was accepted, in the calendar of the house.
    pub day: Option<Day>,
    /// The words of the messages as a model reads them: with the sender's name where several people
    /// share the conversation.
    pub said: Vec<String>,
    /// Whose turn it is, for tools and child processes.
    pub variables: Variables,
    /// Where the conversation's commands run, if one has said so.
    pub directory: Option<PathBuf>,
    /// Where the commands of this turn run.
    pub target: Target,
}

impl Context {
    /// The variables of a command that this turn runs: the harmless ones of the gateway, those that the
    /// operator lets pass, and whose turn it is.
    #[must_use]
    pub fn environment(&self, passed: &Passed) -> Environment {
        let own = self.variables.for_child(Ambient::Ignored);
        let set = own.into_iter().filter_map(|(name, change)| match change {
            Change::Set(value) => Some((name, value)),
            // Neither the harmless ones nor those that may pass have the name of a variable of a turn.
            Change::Remove | Change::Keep => None,
        });
        set.fold(
            Environment::passing(passed),
            |environment, (name, value)| environment.with(name, value),
        )
    }
}
