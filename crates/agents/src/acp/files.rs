//! Files that an agent reads and writes through us: those of its workspace, if the turn may reach files at all.
//!
//! They are reached as our own tools reach them (`tools::files`), and by turns that have those tools: who may
//! not call `write_file` gets nothing written by an agent either. What is read holds no secrets.
//!
//! A reading changes nothing and leaves no trace; a writing is a step of the journal, so that a turn that is
//! run again does not write over what was written since.

use std::path::Path;

use angelia_core::context::variables::{Ambient, Variable};
use angelia_core::limits;
use angelia_core::recovery::EffectClass;
use angelia_core::turn::journal::{self, Progress, Step};
use serde_json::{Value, json};

use super::Setup;
use super::host::Served;
use super::peer::{BAD_PARAMS, FAILED, Failure, NOT_FOUND};
use crate::Input;
use crate::events::{Ended, Events};
use crate::tools::files::{Planned, READ, Reach, Unread, WRITE};

/// What is said once a file is written.
const WRITTEN: &str = "written";

/// The files of one turn.
pub(super) struct Files<'a> {
    pub(super) setup: &'a Setup,
    pub(super) input: &'a Input,
    pub(super) events: &'a Events,
}

impl Files<'_> {
    /// Reads a file, or some lines of it.
    pub(super) async fn read(&self, params: &Value) -> Served {
        self.allowed(READ.name)?;
        let path = path(params)?;
        let text = self.reach().text(path).await;
        let text = text.map_err(|why| unread(path, why))?;
        let first = params["line"].as_u64().unwrap_or(1).max(1) - 1;
        let limit = params["limit"].as_u64();
        if first == 0 && limit.is_none() {
            return Ok(json!({ "content": text }));
        }
        let skip = usize::try_from(first).unwrap_or(usize::MAX);
        let take = limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        let lines = text.split_inclusive('\n').skip(skip).take(take);
        Ok(json!({ "content": lines.collect::<String>() }))
    }

    /// Writes a file, unless the journal says that this was done.
    pub(super) async fn write(&self, call: String, params: &Value) -> Result<Served, Ended> {
        let progress = journal::progress(&self.input.journal, &call);
        if let Progress::Finished(said) = progress {
            return Ok(again(&said));
        }
        let planned = match self.planned(params).await {
            Ok(planned) => planned,
            Err(why) => return Ok(Err(why)),
        };
        if progress == Progress::Unbegun {
            self.events.record(begun(&call, params)).await?;
        }
        let written = planned.make(self.key(&call)).await;
        let output = match &written {
            Ok(()) => WRITTEN.to_owned(),
            Err(why) => why.clone(),
        };
        self.events.record(Step::finished(call, output)).await?;
        Ok(written
            .map(|()| json!({}))
            .map_err(|why| Failure::new(FAILED, why)))
    }

    async fn planned(&self, params: &Value) -> Result<Planned, Failure> {
        self.allowed(WRITE.name)?;
        let content = params["content"].as_str();
        let content = content.ok_or_else(|| Failure::new(BAD_PARAMS, "there is no `content`"))?;
        if content.len() > limits::FILE_BYTES_MAX {
            let why = "the content is too long to be written in one piece";
            return Err(Failure::new(BAD_PARAMS, why));
        }
        let planned = self.reach().plan(path(params)?, content.to_owned()).await;
        planned.map_err(|why| Failure::new(FAILED, why))
    }

    /// Whether the turn may use the tool that would do the same.
    fn allowed(&self, tool: &str) -> Result<(), Failure> {
        match self.input.terms.tools.has(tool) {
            true => Ok(()),
            false => {
                let why = format!(
                    "this is not served here: the conversation has no tool `{tool}` (`tools` in the settings)"
                );
                Err(Failure::new(FAILED, why))
            }
        }
    }

    fn reach(&self) -> Reach {
        Reach {
            workspace: self.setup.workspace.clone(),
            masker: self.input.terms.masker.clone(),
        }
    }

    /// What tells this call from every other.
    fn key(&self, call: &str) -> String {
        let variables = &self.input.context.variables;
        let session = variables.read(Variable::Id, Ambient::Ignored);
        format!("{} {call}", session.unwrap_or_default())
    }
}

/// Why there is no text. That a file is missing is said as the agents' own protocol says it: some read a file to
/// find out whether they make it, and know that from no other words.
fn unread(path: &str, why: Unread) -> Failure {
    match why {
        Unread::Missing => Failure::new(NOT_FOUND, format!("Resource not found: {path}")),
        Unread::Because(why) => Failure::new(FAILED, why),
    }
}

fn begun(call: &str, params: &Value) -> Step {
    let bytes = params["content"].as_str().unwrap_or_default().len();
    Step::ToolBegun {
        call: call.to_owned(),
        tool: WRITE.name.to_owned(),
        arguments: json!({ "path": params["path"], "bytes": bytes }),
        effect: EffectClass::Keyed,
    }
}

fn again(said: &str) -> Served {
    match said == WRITTEN {
        true => Ok(json!({})),
        false => Err(Failure::new(FAILED, said)),
    }
}

/// The path that is meant, which the protocol wants to be absolute.
fn path(params: &Value) -> Result<&str, Failure> {
    let refused = |why: &str| Failure::new(BAD_PARAMS, why);
    let path = params["path"].as_str();
    let path = path.ok_or_else(|| refused("there is no `path`"))?;
    match Path::new(path).is_absolute() {
        true => Ok(path),
        false => Err(refused("`path` has to be absolute")),
    }
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
