//! What an agent may ask of us: permissions, files of its workspace, and commands.
//!
//! | asked for | served by |
//! |---|---|
//! | `session/request_permission` | `ask`: our own questions |
//! | `fs/*` | `files`: as our own tools for files, where the turn has them |
//! | `terminal/*` | `terminals`: our own tools `terminal` and `process` |
//!
//! A request is served beside the others, because one may wait for another. What has an effect is a step of
//! the journal under the request's own name, so a turn that is run again does not do it again. Answers may be
//! given twice, after a crash; an agent that has its answer passes the second over.

use serde_json::Value;

use super::files::Files;
use super::peer::{BAD_PARAMS, Failure, NO_METHOD};
use super::terminals::Terminals;
use super::update::Call;
use super::{Setup, ask, permission};
use crate::Input;
use crate::events::{Ended, Events};

/// What an agent is served with, in one turn.
pub(super) struct Desk<'a> {
    pub(super) setup: &'a Setup,
    pub(super) input: &'a Input,
    pub(super) events: &'a Events,
    pub(super) terminals: Terminals<'a>,
}

/// A request of the agent.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    /// Its name in the journal.
    pub(super) call: String,
    /// The agent's own name for it.
    pub(super) id: Value,
    /// What it wants.
    pub(super) method: String,
    /// With what.
    pub(super) params: Value,
    /// What was told before of the call that it is about.
    pub(super) known: Option<Call>,
}

/// What a request came to.
pub(super) type Served = Result<Value, Failure>;

impl Desk<'_> {
    /// Serves a request. Whatever goes wrong is an answer too; only the end of the turn is none.
    pub(super) async fn serve(&self, wish: Wish) -> Result<(Value, Served), Ended> {
        let Wish {
            call,
            id,
            method,
            params,
            known,
        } = wish;
        let served = match method.as_str() {
            "session/request_permission" => self.permission(call, (&params, known)).await?,
            "fs/read_text_file" => self.files().read(&params).await,
            "fs/write_text_file" => self.files().write(call, &params).await?,
            "terminal/create" => self.terminals.create(&call, &params).await?,
            "terminal/output" => self.terminals.output(&params).await?,
            "terminal/wait_for_exit" => self.terminals.wait(&params).await?,
            "terminal/kill" => self.terminals.kill(&params).await?,
            "terminal/release" => self.terminals.release(&params).await?,
            other => Err(Failure::new(
                NO_METHOD,
                format!("`{other}` is not served here"),
            )),
        };
        Ok((id, served))
    }

    async fn permission(
        &self,
        call: String,
        (params, known): (&Value, Option<Call>),
    ) -> Result<Served, Ended> {
        let Some(asked) = permission::read(params, known) else {
            let why = "it is not said what is to be allowed";
            return Ok(Err(Failure::new(BAD_PARAMS, why)));
        };
        self.events.heard().await?;
        let workdir = self.setup.workdir();
        let asked = asked.within(workdir);
        let answered = ask::ask(self.input, workdir, (call, &asked));
        Ok(Ok(answered.await?))
    }

    fn files(&self) -> Files<'_> {
        Files {
            setup: self.setup,
            input: self.input,
            events: self.events,
        }
    }
}
