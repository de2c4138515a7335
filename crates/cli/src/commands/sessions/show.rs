//! `angelia sessions show`: what is known of a conversation, and the last of what was said.

use angelia_api::client::{Client, ClientError, Rows};
use angelia_api::wire::v1::facts::{Facts, Model};
use angelia_api::wire::v1::page::Page;
use angelia_api::wire::v1::session::{Entry, Order, Role, SessionDetail, Visibility};
use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use angelia_gateway::env;
use serde::Serialize;

use super::{Desk, place, state};
use crate::args::sessions::Show;
use crate::errors::Failure;
use crate::output::table::{self, Cell, Table};
use crate::output::{Form, Output, Paint, time};

pub(super) fn run(desk: &Desk<'_>, wish: &Show) -> Result<(), Failure> {
    let output = desk.start.output(wish.one.format.form());
    let id = desk.find(&wish.one.session)?;
    let whole = desk.ask(whole(&desk.client, id, wish))?;
    if output.form == Form::Json {
        return output.json(&whole);
    }
    show(&output, &whole, env::system_now())
}

/// One conversation with the last of what was said.
#[derive(Debug, Serialize)]
struct Whole {
    session: SessionDetail,
    transcript: Page<Entry>,
}

async fn whole(client: &Client, id: SessionId, wish: &Show) -> Result<Whole, ClientError> {
    let rows = Rows::first(usize::from(wish.limit));
    let session = client.session(id).await?;
    let transcript = if wish.all {
        client.whole_transcript(id, Order::Desc, &rows).await?
    } else {
        client.transcript(id, Order::Desc, &rows).await?
    };
    Ok(Whole {
        session,
        transcript,
    })
}

fn show(output: &Output, whole: &Whole, now: Timestamp) -> Result<(), Failure> {
    table::pairs(output, &head(&whole.session, now))?;
    table::pairs(output, &facts(&whole.session.facts))?;
    for entry in whole.transcript.items.iter().rev() {
        said(output, entry, now)?;
    }
    waiting(output, &whole.session, now)
}

fn head(detail: &SessionDetail, now: Timestamp) -> Vec<(&'static str, Cell)> {
    let session = &detail.session;
    let mut pairs = vec![("session", Cell::new(Paint::Strong, session.id.to_string()))];
    if let Some(title) = &session.title {
        pairs.push(("title", Cell::new(Paint::Strong, title)));
    }
    pairs.extend([
        ("with", session.label.as_str().into()),
        ("key", session.key.as_str().into()),
        ("where", place(session).into()),
        ("state", state(session)),
        ("began", time::relative(now, session.created_at.0).into()),
        ("active", time::relative(now, session.active_at.0).into()),
    ]);
    if let Some(at) = session.ended_at {
        let why = session.end_reason.as_deref().unwrap_or("unknown");
        let when = time::relative(now, at.0);
        pairs.push(("ended", format!("{when}: {why}").into()));
    }
    pairs
}

/// What is worth a line of its own.
fn facts(facts: &Facts) -> Vec<(&'static str, Cell)> {
    let links = &facts.links;
    let mut pairs: Vec<(&str, Cell)> = Vec::new();
    if let (Some(parent), Some(link)) = (links.parent, links.link) {
        pairs.push(("from", format!("{parent} ({})", link.name()).into()));
    }
    if let Some(next) = links.continuation {
        pairs.push(("goes on", next.to_string().into()));
    }
    for branch in &links.branches {
        pairs.push(("branch", branch.to_string().into()));
    }
    if let Some(model) = &facts.model {
        pairs.push(("model", chosen(model).into()));
    }
    if let Some(resume) = &facts.resume {
        pairs.push(("resumes", resume.reason.as_str().into()));
    }
    if facts.usage.calls > 0 {
        pairs.push(("used", used(facts).into()));
    }
    pairs
}

fn chosen(model: &Model) -> String {
    let parts = [&model.model, &model.provider, &model.base_url];
    let said: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    said.join(", ")
}

fn used(facts: &Facts) -> String {
    let usage = &facts.usage;
    let cost = usage.cost_usd.as_ref();
    let cost = cost.map(|cost| format!(", ${cost}")).unwrap_or_default();
    format!(
        "{} tokens in, {} out, {} calls{cost}",
        usage.input_tokens, usage.output_tokens, usage.calls
    )
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
    let mark = match entry.visibility {
        Visibility::Visible => "",
        Visibility::Hidden => "  taken back",
        Visibility::Archived => "  summarised",
        Visibility::Unknown => "  not shown",
    };
    let name = output.foreign(entry.name.as_deref().unwrap_or(usual));
    let when = format!("{}{mark}", time::relative(now, entry.at.0));
    let when = output.paint(Paint::Faint, &when);
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
