//! The tools for files: read, write, edit, list and search, inside one directory, the workspace.
//!
//! ```text
//! act     the arguments, read and checked        pure: a refusal is a result
//! plan    a change is tried on what is there     before the call is written down, with what it found
//! done    the file system, one call at a time    on a thread that may wait for a disk
//! ```
//!
//! A path is looked up below the workspace's own directory and never leaves it (`beneath`), whatever links or
//! `..` stand in it and whoever changes them meanwhile.
//!
//! Looking changes nothing. A write puts the same bytes there again, and tells what it told the first time. An
//! edit is written down with the digests of the file before and after it, so a repeated one knows whether it was
//! made; if the file is neither, somebody else changed it, and that is said. What is read goes through the masker, as files that may be
//! written back; what would write the mask over a secret is refused (`hidden`).

mod beneath;
mod edit;
mod forms;
mod glob;
mod hidden;
mod list;
mod path;
mod read;
mod search;
mod served;
mod walk;
mod workspace;
mod write;

use std::sync::Arc;

use angelia_core::context::variables::{Ambient, Variable};
use angelia_core::limits;
use angelia_core::recovery::EffectClass;
use angelia_core::turn::journal::{PLAN_OF_A_CALL, Recorded, Step};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::tools::form::{Form, Given};
use crate::tools::source::Fetched;
use crate::tools::{Deed, Toolbox};
use edit::{Change, Edit};
use path::Inner;
use search::Hunt;
use write::Turnout;

pub(super) use forms::{EDIT, LIST, SEARCH};
pub(crate) use forms::{READ, WRITE};
pub(crate) use served::{Planned, Reach, Unread};
pub use workspace::{Unfit, Workspace};

/// What is said where there is no workspace.
const NO_WORKSPACE: &str = "there is no workspace here, so there are no files to work with";

/// Something to do with files.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    /// Shows lines of a file.
    Read(Inner, read::Lines),
    /// Makes a file, or replaces it whole.
    Write(Inner, String),
    /// A write that was tried, and what it does to the name.
    Fill(Inner, String, Turnout),
    /// Replaces some text of a file.
    Edit(Edit),
    /// An edit that was tried, and what it makes of the file.
    Change(Edit, Change),
    /// Shows what is in a directory, so many levels deep.
    List(Inner, usize),
    /// Finds files by their names or what is in them.
    Search(Hunt),
}

impl Act {
    /// What a crash in the middle means for it.
    pub(super) fn effect(&self) -> EffectClass {
        match self {
            Self::Read(..) | Self::List(..) | Self::Search(_) => EffectClass::Pure,
            Self::Write(..) | Self::Fill(..) | Self::Edit(_) | Self::Change(..) => {
                EffectClass::Keyed
            }
        }
    }

    /// What a repeated call must know of the first one, for its entry of the journal.
    pub(super) fn note(&self, noted: &mut Value) {
        let plan = match self {
            Self::Change(_, change) => change.noted(),
            Self::Fill(_, _, turnout) => turnout.noted(),
            Self::Read(..) | Self::Write(..) | Self::Edit(_) | Self::List(..) | Self::Search(_) => {
                return;
            }
        };
        if let Some(noted) = noted.as_object_mut() {
            noted.insert(PLAN_OF_A_CALL.to_owned(), plan);
        }
    }

    /// The same once it is known what it will do: what was planned before, or what is found now.
    fn planned(self, reach: &Reach, before: Option<&Value>) -> Result<Self, String> {
        Ok(match self {
            Self::Edit(edit) => {
                let change = before.and_then(Change::of);
                let change = change.map_or_else(|| edit::plan(reach, &edit), Ok)?;
                Self::Change(edit, change)
            }
            Self::Write(path, content) => {
                let turnout = before.and_then(Turnout::of);
                let turnout = turnout.map_or_else(|| write::plan(reach, &path, &content), Ok)?;
                Self::Fill(path, content, turnout)
            }
            act @ (Self::Read(..)
            | Self::Fill(..)
            | Self::Change(..)
            | Self::List(..)
            | Self::Search(_)) => act,
        })
    }
}

/// Makes an act of the arguments, or says what is wrong with them.
fn act(form: &Form, given: &Given, workspace: &Workspace) -> Result<Act, String> {
    let inner = |name: &str| {
        let path = given.text(name).unwrap_or(".");
        Inner::read(path, workspace.root())
    };
    let file = || Inner::of_file(given.text("path").unwrap_or("."), workspace.root());
    let whole = |name: &str| {
        given
            .whole(name)
            .and_then(|number| usize::try_from(number).ok())
    };
    let text = |name: &str| given.text(name).unwrap_or_default().to_owned();
    Ok(match form.name {
        "read_file" => Act::Read(
            inner("path")?,
            read::Lines {
                offset: whole("offset").unwrap_or(1),
                limit: whole("limit").unwrap_or(limits::FILE_LINES),
            },
        ),
        "write_file" => Act::Write(file()?, text("content")),
        "edit_file" => Act::Edit(Edit::read(file()?, given)?),
        "list_files" => {
            let depth = whole("depth").unwrap_or(1).min(limits::FILES_DEPTH_MAX);
            Act::List(inner("path")?, depth)
        }
        // There is no other form of this family.
        _ => Act::Search(Hunt::read(inner("path")?, given)?),
    })
}

impl Toolbox<'_> {
    /// What is asked for, once it is known that it can be done.
    pub(super) async fn on_files(&self, call: &str, form: &'static Form, arguments: Value) -> Deed {
        let Some(workspace) = self.input.terms.workspace.clone() else {
            return Deed::Refused(json!({ "error": NO_WORKSPACE }));
        };
        let given = form.read(arguments);
        let asked = match given.and_then(|given| act(form, &given, &workspace)) {
            Ok(asked) => asked,
            Err(why) => return Deed::Refused(json!({ "error": why })),
        };
        let reach = Reach {
            workspace: workspace.clone(),
            masker: self.input.terms.masker.clone(),
        };
        let before = begun(&self.input.journal, call);
        let planned = apart(move || asked.planned(&reach, before.as_ref())).await;
        match planned {
            Ok(act) => Deed::Files(workspace, Box::new(act)),
            Err(why) => Deed::Refused(json!({ "error": why })),
        }
    }

    /// Does it, and tells what came of it.
    pub(super) async fn with_files(
        &self,
        call: &str,
        workspace: Arc<Workspace>,
        act: Act,
    ) -> Fetched {
        let masker = self.input.terms.masker.clone();
        let reach = Reach { workspace, masker };
        let stop = CancellationToken::new();
        let _ended_when_dropped = stop.clone().drop_guard();
        let variables = &self.input.context.variables;
        let session = variables.read(Variable::Id, Ambient::Ignored);
        let key = format!("{} {call}", session.unwrap_or_default());
        let time = matches!(act, Act::Search(_) | Act::List(..)).then(|| stop.clone());
        let doing = apart(move || done(&reach, act, (&stop, &key)));
        let told = match time {
            None => doing.await,
            Some(stop) => in_time(doing, stop).await,
        };
        told.unwrap_or_else(|why| json!({ "error": why }).into())
    }
}

/// What an earlier attempt planned when it began the same change.
fn begun(journal: &[Recorded], call: &str) -> Option<Value> {
    let mut steps = journal.iter().rev();
    steps.find_map(|recorded| match &recorded.step {
        Step::ToolBegun {
            call: begun,
            arguments,
            ..
        } if begun == call => arguments.get(PLAN_OF_A_CALL).cloned(),
        Step::Answer { .. }
        | Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Planned { .. }
        | Step::Moved { .. }
        | Step::Compacted { .. }
        | Step::Emitted { .. }
        | Step::Steered { .. }
        | Step::Command { .. } => None,
    })
}

fn done(
    reach: &Reach,
    act: Act,
    (stop, key): (&CancellationToken, &str),
) -> Result<Fetched, String> {
    let Reach { workspace, masker } = reach;
    let told = match act {
        Act::Read(path, lines) => return read::shown(workspace, &path, lines, masker),
        Act::Fill(path, content, turnout) => {
            write::whole(workspace, &path, (&content, turnout, key))
        }
        act @ (Act::Write(..) | Act::Edit(_)) => {
            let planned = act.planned(reach, None)?;
            return done(reach, planned, (stop, key));
        }
        Act::Change(edit, change) => edit::make(workspace, &edit, (&change, key)),
        Act::List(path, depth) => list::shown(workspace, &path, depth, stop),
        Act::Search(hunt) => search::found(workspace, &hunt, masker, stop),
    };
    told.map(Fetched::from)
}

/// Lets a search come to its end; when its time is up it ends with what it has.
async fn in_time<T>(doing: impl Future<Output = T>, stop: CancellationToken) -> T {
    tokio::pin!(doing);
    tokio::select! {
        biased;
        done = &mut doing => done,
        () = tokio::time::sleep(limits::FILES_SEARCH_TIME.to_std()) => {
            stop.cancel();
            doing.await
        }
    }
}

/// Runs something that may wait for a disk beside the tasks that may not.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err("the file could not be looked at; try again".to_owned()))
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
