//! The tool that asks the person something, and waits for the answer.
//!
//! The question stands under the call, so a call that is made again after a crash finds the same question, or its
//! answer. How people are asked, and how long, is the gateway's business (`Consent::inquire`).

use angelia_core::limits;
use serde_json::{Value, json};

use super::Toolbox;
use super::form::{Argument, Form, Given, Kind};
use crate::consent::{Inquiry, Told};
use crate::events::Ended;

/// What the tool takes.
pub(crate) const FORM: Form = Form {
    name: "ask_user",
    family: "ask_user",
    about: "Asks the person you speak with a question and waits for the answer. Use it when you cannot go on without \
            knowing, and not for what you can find out yourself or ask in your reply.",
    required: &["question"],
    arguments: &[
        Argument {
            name: "question",
            kind: Kind::Text,
            about: "The question, complete in itself.",
        },
        Argument {
            name: "choices",
            kind: Kind::Texts(limits::INQUIRY_CHOICES_MAX),
            about: "Answers to choose from, if there are a few. Another answer may be given all the same.",
        },
    ],
};

/// Reads a call; or says what is wrong with it.
pub(super) fn inquiry(call: &str, given: &Given) -> Result<Inquiry, String> {
    let question = given.text("question").unwrap_or_default().trim().to_owned();
    let choices = given.texts("choices").unwrap_or_default();
    let choices: Vec<String> = choices.iter().map(|one| one.trim().to_owned()).collect();
    let is_long = |text: &str, most: usize| text.chars().nth(most).is_some();
    if question.is_empty() || is_long(&question, limits::INQUIRY_CHARS_MAX) {
        let most = limits::INQUIRY_CHARS_MAX;
        return Err(format!("`question` must have from 1 to {most} characters"));
    }
    let most = limits::INQUIRY_CHOICE_CHARS_MAX;
    if choices
        .iter()
        .any(|one| one.is_empty() || is_long(one, most))
    {
        return Err(format!(
            "each of `choices` must have from 1 to {most} characters"
        ));
    }
    Ok(Inquiry {
        call: call.to_owned(),
        question,
        choices,
    })
}

impl Toolbox<'_> {
    /// Asks, and tells what was said.
    pub(super) async fn asked(&self, inquiry: Inquiry) -> Result<Value, Ended> {
        Ok(match self.input.consent.inquire(inquiry).await? {
            Told::Answered(answer) => json!({ "status": "answered", "answer": answer }),
            Told::Nothing(why) => json!({ "status": "unanswered", "error": why }),
        })
    }
}
