//! `angelia doctor`: what is wrong, and the command that mends it.

use serde_json::json;

use super::Start;
use crate::args;
use crate::doctor::{self, Finding, Patient, Trial, Verdict};
use crate::errors::Failure;
use crate::finding;
use crate::output::{Form, Output, Paint};

pub(super) fn run(mut start: Start, wish: &args::Doctor) -> Result<(), Failure> {
    let output = start.output(wish.format.form());
    let overrides = start.overrides();
    let loaded = start.config.load(&overrides);
    let patient = Patient {
        home: &start.home,
        config: start.config.path(),
        settings: loaded
            .map(|resolved| resolved.settings)
            .map_err(|failure| failure.told().0.to_owned()),
        trial: trial(wish),
    };
    let found = finding::runtime()?.block_on(doctor::examine(&patient));
    match output.form {
        Form::Json => output.json(&json!({ "items": found }))?,
        Form::People => show(&output, &found)?,
    }
    verdict(&found)
}

fn trial(wish: &args::Doctor) -> Trial {
    match (wish.no_agent, wish.deep.call) {
        (true, _) => Trial::None,
        (false, true) => Trial::Call,
        (false, false) => Trial::Usual,
    }
}

fn show(output: &Output, found: &[Finding]) -> Result<(), Failure> {
    for one in found {
        let (mark, paint) = match one.verdict {
            Verdict::Fine => ("ok", Paint::Good),
            Verdict::Note => ("note", Paint::Busy),
            Verdict::Wrong => ("wrong", Paint::Bad),
            Verdict::Skipped => ("-", Paint::Faint),
        };
        let mark = output.paint(paint, &format!("{mark:<6}"));
        let says = output
            .foreign(&one.says)
            .replace('\n', "\n                     ");
        output.line(format_args!("{mark} {:<13} {says}", one.check))?;
        if let Some(mend) = &one.mend {
            let arrow = output.paint(Paint::Strong, &output.foreign(mend));
            output.line(format_args!("{:<21}→ {arrow}", ""))?;
        }
    }
    Ok(())
}

fn verdict(found: &[Finding]) -> Result<(), Failure> {
    match found
        .iter()
        .filter(|one| one.verdict == Verdict::Wrong)
        .count()
    {
        0 => Ok(()),
        1 => Err(Failure::new("one thing is wrong")),
        some => Err(Failure::new(format!("{some} things are wrong"))),
    }
}
