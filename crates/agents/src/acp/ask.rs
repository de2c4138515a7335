//! Whether somebody agrees to what an agent wants to do with its own tools.
//!
//! A command is judged like one of ours: what never runs is refused, what the operator allowed is granted.
//! Everything else is a question for a person, since the agent itself found that it should ask. The question
//! stands under the agent's request, so a turn that is run again finds what was decided meanwhile. Where nothing is
//! told of a deed but its name, whatever is answered holds for this one call.

use std::path::Path;

use angelia_core::approval::Grant;
use angelia_core::danger::fingerprint;
use angelia_core::danger::gate::{Bypass, Case, Gate, Isolation, Pass, Surface, Typing, gate};
use angelia_core::limits;
use serde_json::Value;

use super::permission::{Asked, Scope};
use crate::Input;
use crate::consent::{Answer, Question};
use crate::events::Ended;

/// What runs it, as people are told.
const BACKEND: &str = "the agent's own tools";

/// Why somebody is asked if nothing else is known.
const WHY: &str = "the agent asks before it does this";

/// Letters that are shown of what an agent says about its own command.
const REMARK_CHARS_MAX: usize = limits::APPROVAL_LINE_CHARS;

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
    if let Some(line) = asked.line() {
        match judged(input, &line, &place) {
            Gate::Refuse(refusal) => return Ok(Answer::Refused(refusal.to_string())),
            Gate::Run(Pass::Allowed | Pass::Bypassed | Pass::Granted)
                if asked.command().is_some() =>
            {
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
    reasons.extend(asked.remark().map(quoted));
    let bound_to = match asked.scope() {
        Scope::Deed => words.clone(),
        Scope::Call => format!("{} {call} {words}", input.links.turn()),
    };
    let question = Question {
        call,
        sort: asked.sort(),
        workdir: Some(workdir.to_owned()),
        backend: BACKEND.to_owned(),
        reasons,
        fingerprint: fingerprint(&bound_to, &place, BACKEND),
        command: words,
    };
    input.consent.ask(question).await
}

/// What the agent says about it, in one line that is seen to be none of ours.
fn quoted(remark: &str) -> String {
    let line: Vec<&str> = remark.split_whitespace().collect();
    let line: String = line.join(" ").chars().take(REMARK_CHARS_MAX).collect();
    format!("the agent says “{line}”")
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
