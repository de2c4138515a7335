//! `angelia sessions`: conversations, what was said in them, and what an operator does with them.
//!
//! `list` shows many, `show` one, `search` what was said; `change` does what a person asked for. All of
//! them are calls of the HTTP interface.

mod change;
mod list;
mod search;
mod show;

use std::future::Future;

use angelia_api::client::{Client, ClientError};
use angelia_api::wire::v1::session::{Session, SessionState};
use angelia_core::id::SessionId;

use super::Start;
use crate::args::sessions::Sessions;
use crate::errors::Failure;
use crate::finding;
use crate::output::table::Cell;
use crate::output::{Output, Paint};

pub(super) use list::more;

pub(super) fn run(start: &Start, wish: Sessions) -> Result<(), Failure> {
    let desk = Desk {
        start,
        client: finding::client(&start.home)?,
    };
    match wish {
        Sessions::List(wish) => list::run(&desk, wish),
        Sessions::Show(wish) => show::run(&desk, &wish),
        Sessions::Search(wish) => search::run(&desk, wish),
        Sessions::Export(wish) => change::export(&desk, &wish),
        Sessions::New(wish) => change::begin(&desk, wish),
        Sessions::Resume(wish) => change::resume(&desk, &wish),
        Sessions::Rewind(wish) => change::rewind(&desk, &wish),
        Sessions::Branch(wish) => change::branch(&desk, wish),
        Sessions::Stop(wish) => change::stop(&desk, &wish),
        Sessions::Suspend(wish) => change::suspend(&desk, &wish),
        Sessions::Title(wish) => change::title(&desk, &wish),
        Sessions::Model(wish) => change::model(&desk, wish),
        Sessions::Delete(wish) => change::delete(&desk, &wish),
        Sessions::Prune(wish) => change::prune(&desk, &wish),
    }
}

/// What every one of these commands works with.
pub(super) struct Desk<'a> {
    pub(super) start: &'a Start,
    pub(super) client: Client,
}

impl Desk<'_> {
    /// Makes a call, with the words for one that failed.
    pub(super) fn ask<T>(
        &self,
        call: impl Future<Output = Result<T, ClientError>>,
    ) -> Result<T, Failure> {
        let failed = |error: ClientError| finding::failure(&self.start.home, &error);
        finding::wait(async { call.await.map_err(failed) })
    }

    /// The conversation that a text stands for. A whole id needs no call.
    pub(super) fn find(&self, text: &str) -> Result<SessionId, Failure> {
        match text.parse() {
            Ok(id) => Ok(id),
            Err(_) => self.ask(self.client.find_session(text)),
        }
    }
}

/// Where a conversation takes place.
fn place(session: &Session) -> String {
    let thread = session
        .thread
        .as_ref()
        .map(|thread| format!("#{thread}"))
        .unwrap_or_default();
    format!("{}/{}{thread}", session.platform, session.chat)
}

/// What a conversation does now.
fn state(session: &Session) -> Cell {
    match session.state {
        SessionState::Working => Cell::new(Paint::Busy, "working"),
        SessionState::Waiting => Cell::new(Paint::Busy, "waiting"),
        SessionState::Unknown => Cell::new(Paint::Busy, "unknown"),
        SessionState::Idle if session.ended_at.is_some() => Cell::new(Paint::Faint, "ended"),
        SessionState::Idle if session.suspended_at.is_some() => Cell::new(Paint::Busy, "suspended"),
        SessionState::Idle => Cell::new(Paint::Faint, "idle"),
    }
}

/// A name for people and the id behind it.
fn called(output: &Output, session: &Session) -> String {
    let name = output.foreign(session.name());
    format!("{} ({name})", session.id)
}
