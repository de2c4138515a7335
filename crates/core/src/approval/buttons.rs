//! The buttons below a question: each says the command that somebody would type, for this very question.
//!
//! A press is a message like any other from there on: whoever may not answer by words may not by a button, and the
//! second press of two decides nothing.
//!
//! A question that offers choices has a button for each. What is too long for one is cut there, behind its number;
//! the message above has all of it.

use super::words::seen;
use crate::id::ApprovalId;
use crate::limits::platform::{BUTTON_LABEL_CHARS, BUTTONS_MAX};
use crate::outbound::Button;

/// What a message asks, while nobody has answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asks {
    /// The question.
    pub question: ApprovalId,
    /// What wants words and no yes: the answers that are offered, perhaps none.
    pub choices: Option<Vec<String>>,
}

/// The buttons of a question.
pub fn of(asks: &Asks) -> Vec<Button> {
    match &asks.choices {
        Some(choices) => of_choices(asks.question, choices),
        None => of_yes_or_no(asks.question),
    }
}

fn of_yes_or_no(question: ApprovalId) -> Vec<Button> {
    let button = |label: &str, command: &str, more: &str| Button {
        label: label.to_owned(),
        says: format!("{command} {question}{more}"),
    };
    vec![
        button("Run it once", "/approve", ""),
        button("In this conversation", "/approve", " session"),
        button("Always", "/approve", " always"),
        button("Do not run it", "/deny", ""),
    ]
}

fn of_choices(question: ApprovalId, choices: &[String]) -> Vec<Button> {
    let button = |(number, choice): (usize, &String)| Button {
        label: label(number, choice),
        says: format!("/answer {question} {number}"),
    };
    let offered = (1..).zip(choices).take(BUTTONS_MAX);
    offered.map(button).collect()
}

/// The choice on one line; of a long one the number and the beginning, so that two that begin alike differ.
fn label(number: usize, choice: &str) -> String {
    let words: Vec<&str> = choice.split_whitespace().collect();
    let line: String = words.join(" ").chars().map(seen).collect();
    if line.chars().count() <= BUTTON_LABEL_CHARS {
        return line;
    }
    let numbered = format!("{number}. {line}");
    let kept: String = numbered.chars().take(BUTTON_LABEL_CHARS - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
#[path = "buttons_tests.rs"]
mod tests;
