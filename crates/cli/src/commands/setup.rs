//! `angelia setup`: a first configuration, asked for step by step or given as flags.

use std::path::Path;

use angelia_agents::model::provider;
use angelia_agents::model::wire::Wire;

use super::Start;
use crate::args::setup::Setup;
use crate::errors::Failure;
use crate::finding;
use crate::output::{Form, Output};
use crate::setup::answers::{Answers, Key, Model, Program, words};
use crate::setup::dialog::{Dialog, left};
use crate::setup::questions;
use crate::setup::writing::{self, Trial};

pub(super) fn run(start: &Start, wish: &Setup) -> Result<(), Failure> {
    let output = start.output(Form::People);
    let dialog = Dialog::new(&output);
    let path = start.config.path();
    let folder = path.parent().unwrap_or(Path::new("."));
    let answers = match wish.non_interactive {
        true => given(wish)?,
        false => {
            dialog.say(
                "This changes who answers. Nothing is written before the end; Ctrl-C leaves.",
            )?;
            questions::ask(&dialog, folder)?
        }
    };
    let plan = writing::planned(path, &answers, &start.overrides())?;
    if !wish.trial.no_test {
        let trial = writing::try_out(&answers, &plan, (&start.home, path));
        tried(&dialog, wish, trial)?;
    }
    plan.write(&start.home, path, &answers)?;
    next(&output, start)
}

/// Tries the agent; what does not answer is written only if somebody wants that.
fn tried(
    dialog: &Dialog<'_>,
    wish: &Setup,
    trial: impl Future<Output = Trial>,
) -> Result<(), Failure> {
    dialog.say("")?;
    match finding::runtime()?.block_on(trial) {
        Trial::Answers(words) => dialog.say(&words),
        Trial::Silent(why) if wish.non_interactive => {
            let what = format!("the agent does not answer: {why}; nothing was changed");
            Err(Failure::new(what).hint("mend that, or leave the trial out with `--no-test`"))
        }
        Trial::Silent(why) => {
            dialog.say(&format!("The agent does not answer: {why}."))?;
            match dialog.agree("Write it all the same?")? {
                true => Ok(()),
                false => Err(left()),
            }
        }
    }
}

fn next(output: &Output, start: &Start) -> Result<(), Failure> {
    output.line(format_args!(
        "Written to {}.",
        start.config.path().display()
    ))?;
    let runs = start.home.facts().is_some();
    output.line(match runs {
        true => "Next: `angelia serve --replace` lets the running gateway follow it.",
        false => {
            "Next: `angelia serve`, and then `angelia chat`. `angelia doctor` says what is wrong."
        }
    })
}

/// The answers that the flags give.
fn given(wish: &Setup) -> Result<Answers, Failure> {
    let missing = |flag: &str| {
        Failure::new(format!("`--{flag}` is missing"))
            .hint("see `angelia setup --help`, or leave out `--non-interactive`")
    };
    let backend = wish.backend.as_deref().ok_or_else(|| missing("backend"))?;
    if backend == "demo" {
        return Ok(Answers::Demo);
    }
    let Ok(wire) = backend.parse::<Wire>() else {
        let line = wish.command.as_deref().ok_or_else(|| missing("command"))?;
        return Ok(Answers::Program(Program {
            backend: backend.to_owned(),
            command: words(line),
        }));
    };
    let base_url = wish.base_url.as_deref().unwrap_or(wire.usual_base());
    let base_url = provider::base_url(base_url)
        .map_err(|why| Failure::new(format!("`--base-url` must be {why}")))?;
    Ok(Answers::Model(Model {
        wire,
        base_url,
        model: wish.model.clone().ok_or_else(|| missing("model"))?,
        key: key(wish),
    }))
}

fn key(wish: &Setup) -> Key {
    match (&wish.key_env, &wish.key_file) {
        (Some(name), _) => Key::Variable(name.clone()),
        (None, Some(path)) => Key::File(path.clone()),
        (None, None) => Key::None,
    }
}
