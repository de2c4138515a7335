//! A question of an agent that wants words and no yes: how it is shown, and what an answer means.
//!
//! Choices are offered by number. A number or the words of a choice, whatever the case, are that choice; anything
//! else is an answer of its own.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::words::{asked_one, seen, spoken};
use super::{Decision, Fingerprint};
use crate::limits;
use crate::time::Span;

/// Set before the parts, so that no command has the fingerprint of a question.
const VERSION: &[u8] = b"angelia question 1";

/// What recognises a question and its choices.
#[must_use]
pub fn fingerprint(question: &str, choices: &[String]) -> Fingerprint {
    let mut hash = Sha256::new();
    let parts = [VERSION, question.as_bytes()].into_iter();
    for part in parts.chain(choices.iter().map(String::as_bytes)) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// The question, as a chat shows it.
#[must_use]
pub fn shown(question: &str, choices: &[String], time: Span) -> String {
    let mut said: String = question.chars().map(seen).collect();
    if !choices.is_empty() {
        said.push('\n');
    }
    for (number, choice) in (1..).zip(choices) {
        let choice: String = choice.chars().map(seen).collect();
        let _infallible = write!(said, "\n{number}. {choice}");
    }
    let how = match choices {
        [] => "Answer with your next message",
        _ => "Answer with a number or in your own words",
    };
    let _infallible = write!(said, "\n\n({how}, within {}.)", spoken(time));
    said
}

/// What an answer means: the choice that it names, or itself.
#[must_use]
pub fn meant(answer: &str, choices: &[String]) -> String {
    let answer = answer.trim();
    let bare = answer.trim_end_matches(['.', ')']);
    let number = bare
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    let by_number = number.and_then(|number| choices.get(number));
    let is_same = |choice: &&String| choice.trim().to_lowercase() == answer.to_lowercase();
    let chosen = by_number.or_else(|| choices.iter().find(is_same));
    chosen.map_or_else(|| answer.to_owned(), Clone::clone)
}

/// What stands below a question that is over. Only what was offered is said again: other words may be long, or for the
/// agent alone.
#[must_use]
pub fn outcome(decision: Decision, said: Option<&str>, choices: &[String]) -> String {
    match (decision, said) {
        (Decision::Answered, Some(said)) if choices.iter().any(|choice| choice == said) => {
            format!("Chosen: {}", said.chars().map(seen).collect::<String>())
        }
        (Decision::Answered, _) => "Answered.".to_owned(),
        (Decision::Expired, _) => "Nobody answered in time.".to_owned(),
        (Decision::Withdrawn | Decision::Denied | Decision::Granted(_), _) => {
            "Withdrawn: it is not asked any more.".to_owned()
        }
    }
}

/// What somebody reads who may not answer.
#[must_use]
pub fn not_yours(asker: Option<&str>) -> String {
    let who = asked_one(asker);
    format!("Only {who} or an operator of this gateway can answer this question.")
}

/// Somebody answers, and nothing is open.
pub const NOTHING_OPEN: &str =
    "No question waits for an answer here, so I left everything as it is.";

/// What the agent is told when nobody answered in time.
#[must_use]
pub fn unanswered() -> String {
    format!(
        "Nobody answered within {}. Go on with what you can decide yourself, or say what you need to know.",
        spoken(limits::INQUIRY_TIME)
    )
}

/// What the agent is told where nobody can be asked.
pub const NOBODY: &str =
    "Nobody can be asked here: ask in your reply instead, and end your turn with it.";

#[cfg(test)]
#[path = "inquiry_tests.rs"]
mod tests;
