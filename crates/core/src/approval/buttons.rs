//! The buttons below a question: each says the command that somebody would type, for this very question.
//!
//! A press is a message like any other from there on: whoever may not answer by words may not by a button, and the
//! second press of two decides nothing.

use crate::id::ApprovalId;
use crate::outbound::Button;

/// The buttons of a question that wants a yes or a no.
pub fn of(question: ApprovalId) -> Vec<Button> {
    let button = |label, command: &str, more: &str| Button {
        label,
        says: format!("{command} {question}{more}"),
    };
    vec![
        button("Run it once", "/approve", ""),
        button("In this conversation", "/approve", " session"),
        button("Always", "/approve", " always"),
        button("Do not run it", "/deny", ""),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Reading, read_text};
    use crate::limits;

    #[test]
    fn every_button_is_a_command_for_this_question_that_platforms_can_carry() {
        let id = ApprovalId::from_bits(u128::MAX);
        for button in of(id) {
            assert!(button.says.len() <= limits::platform::BUTTON_BYTES_MAX);
            let reading = read_text(&button.says);
            assert!(matches!(reading, Reading::Command(_)), "{}", button.says);
            assert!(reading.answer().is_some_and(|answer| answer.is_ok()));
        }
    }
}
