//! Whether somebody agrees to what an agent wants to do with its own tools.
//!
//! A command is judged like one of ours: what never runs is refused, what the operator allowed is granted.
//! Everything else is a question for a person, since the agent itself found that it should ask. The question
//! stands under the agent's request, so a turn that is run again finds what was decided meanwhile.

use std::path::Path;

use angelia_core::approval::Grant;
use angelia_core::danger::fingerprint;
use angelia_core::danger::gate::{Bypass, Case, Gate, Isolation, Pass, Surface, Typing, gate};
use serde_json::Value;

use super::permission::Asked;
use crate::Input;
use crate::consent::{Answer, Question};
use crate::events::Ended;

/// What runs it, as people are told.
const BACKEND: &str = "the agent's own tools";

/// Why somebody is asked if nothing else is known.
const WHY: &str = "the agent asks before it does this";

/// Asks whether this may be done, under the name `call`.
pub(super) async fn ask(
    input: &Input,
    workdir: &Path,
    (call, asked): (String, &Asked),
) -> Result<Value, Ended> {
    let answer = answer(input, workdir, (call, asked)).await?;
    Ok(asked.outcome(&answer))
}

async fn answer(
    input: &Input,
    workdir: &Path,
    (call, asked): (String, &Asked),
) -> Result<Answer, Ended> {
    let words = asked.words();
    let place = workdir.to_string_lossy();
    let mut reasons = Vec::new();
    if let Some(command) = asked.command() {
        match judged(input, &command, &place) {
            Gate::Refuse(refusal) => return Ok(Answer::Refused(refusal.to_string())),
            Gate::Run(Pass::Allowed | Pass::Bypassed | Pass::Granted) => {
                return Ok(Answer::Granted(Grant::Once));
            }
            Gate::Run(_) => (),
            Gate::Ask(question) | Gate::Consult(question) => {
                let categories = question.categories.iter();
                reasons.extend(categories.map(|one| one.words().to_owned()));
            }
        }
    }
    if reasons.is_empty() {
        reasons.push(WHY.to_owned());
    }
    let question = Question {
        call,
        workdir: Some(workdir.to_owned()),
        backend: BACKEND.to_owned(),
        reasons,
        fingerprint: fingerprint(&words, &place, BACKEND),
        command: words,
    };
    input.consent.ask(question).await
}

fn judged(input: &Input, command: &str, place: &str) -> Gate {
    gate(&Case {
        command,
        workdir: place,
        typing: Typing::Never,
        backend: BACKEND,
        isolation: Isolation::None,
        surface: Surface::Person,
        rules: &input.terms.rules,
        bypass: Bypass::None,
        grants: &[],
        scan: &[],
        advice: None,
    })
}
