//! `angelia sessions`: conversations, and what was said in them.

use angelia_api::client::{Client, ClientError, Rows};
use angelia_api::wire::v1::page::Page;
use angelia_api::wire::v1::session::{Entry, Order, Role, Session, SessionDetail, SessionState};
use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use angelia_gateway::env;
use serde::Serialize;

use super::Start;
use crate::args::Sessions;
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{self, Cell, Table};
use crate::output::{Form, Output, Paint, time};

pub(super) fn run(start: &Start, wish: Sessions) -> Result<(), Failure> {
    let client = finding::client(&start.home)?;
    let failed = |error: ClientError| finding::failure(&start.home, &error);
    match wish {
        Sessions::List { rows, format } => {
            let output = start.output(format.form());
            let listing = Rows::from(rows).into();
            let page = finding::wait(async { client.sessions(&listing).await.map_err(failed) })?;
            list(&output, &page, env::system_now())
        }
        Sessions::Show { id, limit, format } => {
            let output = start.output(format.form());
            let rows = Rows::first(usize::from(limit));
            let whole = finding::wait(async { whole(&client, id, &rows).await.map_err(failed) })?;
            show(&output, &whole, env::system_now())
        }
    }
}

/// One conversation with the last of what was said.
#[derive(Debug, Serialize)]
struct Whole {
    session: SessionDetail,
    transcript: Page<Entry>,
}

async fn whole(client: &Client, id: SessionId, rows: &Rows) -> Result<Whole, ClientError> {
    let session = client.session(id).await?;
    let transcript = client.transcript(id, Order::Desc, rows).await?;
    Ok(Whole {
        session,
        transcript,
    })
}

fn list(output: &Output, page: &Page<Session>, now: Timestamp) -> Result<(), Failure> {
    if output.form == Form::Json {
        return output.json(page);
    }
    if page.items.is_empty() {
        return output.line("no conversations yet; begin one with `angelia chat`");
    }
    let mut table = Table::new(["session", "where", "who", "active", "state", "last words"]);
    for session in &page.items {
        table.row([
            session.id.to_string().into(),
            place(session).into(),
            session.name().into(),
            time::relative(now, session.active_at.0).into(),
            state(session.state),
            Cell::new(Paint::Faint, &session.preview),
        ]);
    }
    table.print(output)?;
    more(output, page.next.as_deref())
}

/// How to read on, if there is more.
pub(super) fn more(output: &Output, next: Option<&str>) -> Result<(), Failure> {
    match next {
        Some(cursor) => {
            output.line(output.paint(Paint::Faint, &format!("more: add `--after {cursor}`")))
        }
        None => Ok(()),
    }
}

fn place(session: &Session) -> String {
    let thread = session
        .thread
        .as_ref()
        .map(|thread| format!("#{thread}"))
        .unwrap_or_default();
    format!("{}/{}{thread}", session.platform, session.chat)
}

fn state(state: SessionState) -> Cell {
    match state {
        SessionState::Idle => Cell::new(Paint::Faint, "idle"),
        SessionState::Working => Cell::new(Paint::Busy, "working"),
        SessionState::Waiting => Cell::new(Paint::Busy, "waiting"),
        SessionState::Unknown => Cell::new(Paint::Busy, "unknown"),
    }
}

fn show(output: &Output, whole: &Whole, now: Timestamp) -> Result<(), Failure> {
    if output.form == Form::Json {
        return output.json(whole);
    }
    let session = &whole.session.session;
    table::pairs(
        output,
        &[
            ("session", Cell::new(Paint::Strong, session.id.to_string())),
            ("key", session.key.as_str().into()),
            ("where", place(session).into()),
            ("state", state(session.state)),
            ("began", time::relative(now, session.created_at.0).into()),
            ("active", time::relative(now, session.active_at.0).into()),
        ],
    )?;
    for entry in whole.transcript.items.iter().rev() {
        said(output, entry, now)?;
    }
    waiting(output, &whole.session, now)
}

fn said(output: &Output, entry: &Entry, now: Timestamp) -> Result<(), Failure> {
    let (usual, paint) = match entry.role {
        Role::User => ("person", Paint::Strong),
        Role::Assistant => ("agent", Paint::Good),
        Role::Tool => ("tool", Paint::Faint),
        Role::System => ("system", Paint::Faint),
        Role::Notice => ("angelia", Paint::Busy),
        Role::Unknown => ("someone", Paint::Faint),
    };
    let name = output.foreign(entry.name.as_deref().unwrap_or(usual));
    let when = output.paint(Paint::Faint, &time::relative(now, entry.at.0));
    output.line(format_args!("\n{}  {when}", output.paint(paint, &name)))?;
    output.line(output.foreign(entry.text.trim_end()))
}

fn waiting(output: &Output, detail: &SessionDetail, now: Timestamp) -> Result<(), Failure> {
    if detail.waiting.is_empty() {
        return Ok(());
    }
    output.line("")?;
    let mut table = Table::new(["not answered yet", "from", "since", "text"]);
    for message in &detail.waiting {
        let who = message.user.name.as_deref().unwrap_or(&message.user.id);
        table.row([
            message.inbox_id.to_string().into(),
            who.into(),
            time::relative(now, message.received_at.0).into(),
            message.text.as_str().into(),
        ]);
    }
    table.print(output)
}
