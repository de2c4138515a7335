//! The terminal tool: runs a command for the shell, to its end or in the background.
//!
//! ```text
//! order    the arguments, read and checked       pure: a refusal is a result
//! allowed  consent, where it is needed           before the call is written down
//! run      in the foreground: to its end         `process::foreground`, then `tell`
//!          in the background: started            `Background::start`, keyed by the call
//! ```
//!
//! A command can do anything, so nobody can say what a half-run one has done: it is never run again, not
//! after a crash and not after an error. One that goes on in the background is started once for a call.
//!
//! What it said is shown without escapes and without secrets (`tell`).

mod allowed;
mod order;
mod tell;

use std::path::{Path, PathBuf};

use angelia_core::terminal::workdir;
use angelia_core::time::Span;
use angelia_process::command::Command;
use angelia_process::environment::Environment;
use angelia_process::foreground;
use serde_json::Value;

use crate::background::{NotStarted, Wish};
use crate::events::Ended;
use crate::tools::{Toolbox, directory};

pub(super) use order::{FORM, Going, Order, Place, order};

impl Toolbox<'_> {
    /// Does what was ordered.
    pub(super) async fn run(&self, call: &str, order: Order) -> Result<Value, Ended> {
        let workdir = self.workdir(&order);
        match order.place.clone() {
            Place::Foreground(time) => self.run_to_end(&order, workdir, time).await,
            Place::Background(going) => self.start(&order, self.wish(call, &order, going)).await,
        }
    }

    /// Where it runs: where it says, below where the last command left off. A place that has vanished
    /// since gives way to the nearest above it; one that an order names has to be there.
    pub(super) fn workdir(&self, order: &Order) -> Option<PathBuf> {
        let left_off = self.directory();
        let left_off = left_off.and_then(|place| workdir::nearest(&place, Path::is_dir));
        match (order.workdir.as_deref().map(at_home), left_off) {
            (None, left_off) => left_off,
            (Some(said), Some(left_off)) => Some(left_off.join(said)),
            (Some(said), None) => Some(said),
        }
    }

    async fn run_to_end(
        &self,
        order: &Order,
        workdir: Option<PathBuf>,
        time: Span,
    ) -> Result<Value, Ended> {
        let command = Command {
            text: directory::asking(&order.command),
            workdir: workdir.clone(),
            time,
            environment: self.input.context.environment(&self.input.terms.passed),
            target: self.input.context.target.clone(),
        };
        let finished = match foreground::run(&command).await {
            Ok(finished) => finished,
            Err(error) => return Ok(tell::not_run(&error)),
        };
        let (output, left_off) = directory::answered(&finished.output);
        let stays = workdir.filter(|_| order.workdir.is_some());
        if let Some(place) = left_off.or(stays).filter(|place| place.is_absolute()) {
            self.moved(place).await?;
        }
        let output = tell::shown(&order.command, output, &self.input.terms.masker);
        Ok(tell::finished(order, &output, (finished.status, time)))
    }

    fn wish(&self, call: &str, order: &Order, going: Going) -> Wish {
        Wish {
            call: call.to_owned(),
            command: order.command.clone(),
            workdir: self.workdir(order),
            environment: self.input.context.environment(&self.input.terms.passed),
            mode: going.mode,
            input: going.input,
            watch: going.watch,
        }
    }

    async fn start(&self, order: &Order, wish: Wish) -> Result<Value, Ended> {
        match self.input.background.start(wish).await {
            Ok(started) => Ok(tell::started(order, started)),
            Err(NotStarted::Ended) => Err(Ended),
            Err(NotStarted::Refused(why)) => Ok(tell::not_started(&why, None)),
            Err(NotStarted::Failed { id, why }) => Ok(tell::not_started(&why, Some(id))),
        }
    }
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
