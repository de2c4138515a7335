//! What the `[terminal]` table means: how long commands may take, and what they see of our surroundings.

use angelia_core::length;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_process::environment::Passed;

use super::keys;
use super::raw::NAMES_APART;
use super::resolve::Layers;

/// The shortest and the longest that a command may take while somebody waits for it.
const TIME_MIN: Span = Span::seconds(1);
const TIME_MAX: Span = Span::seconds(limits::FOREGROUND_SECONDS_MAX.cast_signed());

/// What holds for the commands of agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Terminal {
    /// How long one may take, unless the agent asks for another time.
    pub(crate) time: Span,
    /// Variables of the gateway that they may see.
    pub(crate) passed: Passed,
}

impl Layers<'_> {
    pub(super) fn terminal(&mut self) -> Option<Terminal> {
        let time = self.pick(&keys::TERMINAL_TIMEOUT, timeout);
        let passed = self.pick(&keys::PASS_ENV, pass_env);
        Some(Terminal {
            time: time?,
            passed: passed?,
        })
    }
}

fn timeout(text: &str) -> Result<Span, String> {
    let length = length::read(text).filter(|length| (TIME_MIN..=TIME_MAX).contains(length));
    length.ok_or_else(|| {
        format!(
            "must be a length of time from \"1s\" to \"10m\" such as \"180s\"; found \"{text}\""
        )
    })
}

fn pass_env(text: &str) -> Result<Passed, String> {
    Passed::new(text.split(NAMES_APART)).map_err(|refused| format!("holds a wrong name: {refused}"))
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
