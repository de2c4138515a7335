//! From answers to files: tried first, written last, each file whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use angelia_agents::model::trial;
use angelia_process::environment::Passed;

use super::answers::{Answers, KEY_FILE, Key, Model};
use crate::config::{self, Agent, Overrides, edit};
use crate::doctor;
use crate::errors::Failure;
use crate::home::{self, Home};

/// What a trial brought.
pub(crate) enum Trial {
    /// It answers, or needs no trial.
    Answers(String),
    /// It does not, for this reason.
    Silent(String),
}

/// Tries whoever was chosen, as the file will have it.
pub(crate) async fn try_out(answers: &Answers, plan: &Plan, place: (&Home, &Path)) -> Trial {
    let (_, config) = place;
    let folder = config.parent().unwrap_or(Path::new("."));
    match answers {
        Answers::Demo => Trial::Answers("The demo agent needs nothing.".to_owned()),
        Answers::Model(model) => try_model(model, folder).await,
        Answers::Program(program) => match program.command.first() {
            Some(name) if found(name, folder).is_none() => {
                Trial::Silent(format!("there is no program `{name}`"))
            }
            Some(_) => try_program(plan, place).await,
            None => Trial::Silent("no program was named".to_owned()),
        },
    }
}

/// A program is given one message, as `angelia doctor --call` does.
async fn try_program(plan: &Plan, (home, config): (&Home, &Path)) -> Trial {
    match doctor::agent::call(&plan.agent, (home, config), &plan.passed).await {
        Ok(says) => Trial::Answers(format!("{says}.")),
        Err(why) => Trial::Silent(why),
    }
}

async fn try_model(model: &Model, folder: &Path) -> Trial {
    let key = match model.key.reveal(folder).await {
        Ok(key) => key,
        Err(why) => return Trial::Silent(why),
    };
    match trial::call(&model.place(key)).await {
        Ok(_) => Trial::Answers(format!("{} answers.", model.model)),
        Err(why) => Trial::Silent(why),
    }
}

/// The program of this name, as a shell would find it that is started in `folder`.
pub(crate) fn found(name: &str, folder: &Path) -> Option<PathBuf> {
    let is_there = |path: &PathBuf| {
        path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
    };
    if name.contains('/') {
        return Some(folder.join(name)).filter(is_there);
    }
    let folders = config::environment::variable("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(is_there)
}

/// The new text of the file, which has no errors.
pub(crate) fn planned(
    path: &Path,
    answers: &Answers,
    overrides: &Overrides,
) -> Result<Plan, Failure> {
    let before = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let what = format!(
                "the configuration {} cannot be read: {error}",
                path.display()
            );
            return Err(Failure::new(what).hint("mend its rights, or name another with `--config`"));
        }
    };
    let refused = |why: String| {
        Failure::new(format!("{} is not changed: {why}", path.display()))
            .hint("mend it first (`angelia config check`), or change `[agent]` by hand")
    };
    let changes = answers.changes();
    let after =
        edit::changed(&before, "agent", &changes).map_err(|why| refused(why.to_string()))?;
    let settings = config::judge(&after, overrides).map_err(refused)?;
    Ok(Plan {
        before,
        after,
        agent: settings.agents.main,
        passed: settings.terminal.passed,
    })
}

/// What the file says now, what it will say, and who answers then.
pub(crate) struct Plan {
    before: String,
    after: String,
    agent: Agent,
    /// The variables that it will be given beside its own.
    passed: Passed,
}

impl Plan {
    /// Writes the key, if one was typed, and then the configuration.
    pub(crate) fn write(&self, home: &Home, path: &Path, answers: &Answers) -> Result<(), Failure> {
        home.prepare()?;
        // A link stays a link: what it leads to is changed.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::read_to_string(path).unwrap_or_default() != self.before {
            let what = format!("{} was changed by somebody else meanwhile", path.display());
            return Err(Failure::new(what).hint("begin again with `angelia setup`"));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        if let Answers::Model(Model {
            key: Key::Typed(word),
            ..
        }) = answers
        {
            write(&folder.join(KEY_FILE), &format!("{word}\n"))?;
        }
        write(path, &self.after)
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    home::write_whole(path, text).map_err(|error| {
        let what = format!("{} cannot be written: {error}", path.display());
        Failure::new(what).hint("mend the rights of its folder, or name another with `--config`")
    })
}
