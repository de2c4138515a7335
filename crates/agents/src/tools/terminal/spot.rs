//! Where an order runs: worked out once, before anybody is asked, and kept for the run.
//!
//! ```text
//! what the order says ──▶ below where the last command left off ──▶ judged, shown, and run there
//!                         else below the workspace
//! ```
//!
//! A conversation in which no command has run begins where its files are: what `write_file` wrote, a command finds under
//! the same name. A workspace that is gone is made again, as it is for files, because nothing was done in it yet.
//!
//! A place that has vanished is refused and never replaced: `rm *` in the directory above is another
//! command. On this machine that is seen here and, if it vanishes later, when the command is started.
//! In another place only that place knows its directories and its home, so nothing is looked up here:
//! what is not there is refused by the shell there.

use std::path::{Path, PathBuf};

use angelia_core::terminal::{place, workdir};
use angelia_process::environment::Environment;
use angelia_process::target::Target;

use super::order::Order;
use crate::tools::{Deed, Toolbox};

/// An order with the place that it was allowed for.
#[derive(Debug)]
pub(crate) struct Settled {
    /// What is ordered.
    pub(crate) order: Order,
    /// Where it runs; where the target puts us if nothing was ever said.
    pub(crate) workdir: Option<PathBuf>,
}

impl Toolbox<'_> {
    /// Where an order runs, or why it cannot run where it would.
    pub(super) fn spot(&self, order: &Order) -> Result<Option<PathBuf>, String> {
        let said = order.workdir.as_deref();
        if !self.input.context.target.is_local() {
            return Ok(there(said, self.directory()));
        }
        match said.map(at_home) {
            Some(said) if said.is_absolute() => Ok(Some(said)),
            said => Ok(below(self.beginning()?, said)),
        }
    }

    /// Where a command of this machine begins that names no place.
    fn beginning(&self) -> Result<Option<PathBuf>, String> {
        match (self.directory(), &self.input.terms.workspace) {
            (Some(left_off), _) if !left_off.is_dir() => Err(vanished(&left_off)),
            (Some(left_off), _) => Ok(Some(left_off)),
            (None, Some(workspace)) => workspace.ready().map(Some),
            (None, None) => Ok(None),
        }
    }

    /// An order that was allowed before, where it would run now. If it was started its place is known there.
    pub(in crate::tools) fn settled(&self, order: Order) -> Deed {
        let workdir = self.spot(&order).unwrap_or_else(|_| self.directory());
        Deed::Run(Box::new(Settled { order, workdir }))
    }

    /// The directory that paths of a command are read from, as far as anybody here knows it.
    pub(super) fn judged_in(&self, workdir: Option<&Path>) -> String {
        let here = || {
            let target = &self.input.context.target;
            target.is_local().then(std::env::current_dir)?.ok()
        };
        let place = workdir.map(Path::to_owned).or_else(here);
        place.unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The target, as questions name it and as answers are bound to it.
    pub(in crate::tools) fn backend(&self) -> String {
        let target: &Target = &self.input.context.target;
        target.to_string()
    }
}

fn below(beginning: Option<PathBuf>, said: Option<PathBuf>) -> Option<PathBuf> {
    match (beginning, said) {
        (Some(beginning), Some(said)) => Some(beginning.join(said)),
        (beginning, said) => said.or(beginning),
    }
}

/// A place in a target: a tilde is for the shell there, and is below nothing.
fn there(said: Option<&Path>, left_off: Option<PathBuf>) -> Option<PathBuf> {
    match (said, left_off) {
        (None, left_off) => left_off,
        (Some(said), Some(left_off)) if !place::is_remote_home(&said.to_string_lossy()) => {
            Some(left_off.join(said))
        }
        (Some(said), _) => Some(said.to_owned()),
    }
}

fn vanished(left_off: &Path) -> String {
    let nearest = workdir::nearest(left_off, Path::is_dir);
    let nearest = nearest.map_or_else(String::new, |near| format!(", such as {}", near.display()));
    format!(
        "Not run: the directory that the last command left off in, {}, is no longer there. Say in \
         `workdir` where this one is to run{nearest}.",
        left_off.display()
    )
}

/// A path with the home directory where it says `~`, as a shell would read it.
fn at_home(path: &Path) -> PathBuf {
    let Ok(below) = path.strip_prefix("~") else {
        return path.to_owned();
    };
    let environment = Environment::inherited();
    let home = environment.pairs().find(|(name, _)| name == "HOME");
    home.map_or_else(|| path.to_owned(), |(_, home)| Path::new(&home).join(below))
}
