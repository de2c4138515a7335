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
mod spot;
mod tell;

use angelia_core::time::Span;
use angelia_process::command::Command;
use angelia_process::foreground;
use serde_json::Value;

use crate::background::{NotStarted, Wish};
use crate::events::Ended;
use crate::tools::{Toolbox, directory};

pub(super) use allowed::Matter;
pub(super) use order::{FORM, Going, Order, Place, order};
pub(super) use spot::Settled;

impl Toolbox<'_> {
    /// Does what was ordered, in the place that it was allowed for.
    pub(super) async fn run(&self, call: &str, settled: Settled) -> Result<Value, Ended> {
        match settled.order.place.clone() {
            Place::Foreground(time) => self.run_to_end(&settled, time).await,
            Place::Background(going) => {
                let wish = self.wish(call, &settled, going);
                self.start(&settled.order, wish).await
            }
        }
    }

    async fn run_to_end(&self, settled: &Settled, time: Span) -> Result<Value, Ended> {
        let Settled { order, workdir } = settled;
        let command = Command {
            text: directory::asking(&order.command, workdir.as_deref()),
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
        let stays = workdir.clone().filter(|_| order.workdir.is_some());
        if let Some(place) = left_off.or(stays).filter(|place| place.is_absolute()) {
            self.moved(place).await?;
        }
        let output = tell::shown(&order.command, output, &self.input.terms.masker);
        Ok(tell::finished(order, &output, (finished.status, time)))
    }

    fn wish(&self, call: &str, settled: &Settled, going: Going) -> Wish {
        Wish {
            call: call.to_owned(),
            command: settled.order.command.clone(),
            workdir: settled.workdir.clone(),
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
