//! `angelia approvals`: questions about commands, and an operator's answers.

use angelia_api::client::{ApprovalListing, Rows, WhichApprovals};
use angelia_api::wire::v1::approval::{
    Agreement, Approval, ApprovalState, ApprovalWish, WishedDecision,
};
use angelia_api::wire::v1::page::Page;
use angelia_core::id::ApprovalId;
use angelia_core::time::Timestamp;
use angelia_gateway::env;

use super::Start;
use super::sessions::{Desk, more};
use crate::args::Format;
use crate::args::approvals::{Approvals, Approve, Deny, Grants, List, Reach, Revoke};
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{Cell, Table};
use crate::output::{Form, Paint, time};

pub(super) fn run(start: &Start, wish: Approvals) -> Result<(), Failure> {
    let desk = Desk {
        start,
        client: finding::client(&start.home)?,
    };
    match wish {
        Approvals::List(wish) => list(&desk, wish),
        Approvals::Approve(wish) => approve(&desk, &wish),
        Approvals::Deny(wish) => deny(&desk, wish),
        Approvals::Grants(wish) => grants(&desk, wish),
        Approvals::Revoke(wish) => revoke(&desk, &wish),
    }
}

fn list(desk: &Desk<'_>, wish: List) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let session = wish.session.map(|text| desk.find(&text)).transpose()?;
    let listing = ApprovalListing {
        session,
        which: if wish.all {
            WhichApprovals::All
        } else {
            WhichApprovals::Open
        },
        rows: Rows::from(wish.rows),
    };
    let page = desk.ask(desk.client.approvals(&listing))?;
    if output.form == Form::Json {
        return output.json(&page);
    }
    if page.items.is_empty() {
        return output.line(nothing(&listing));
    }
    table(&page, env::system_now()).print(&output)?;
    more(&output, page.next.as_deref())
}

fn nothing(listing: &ApprovalListing) -> &'static str {
    match listing.which {
        WhichApprovals::Open => "nothing waits for an approval",
        WhichApprovals::All => "nobody was asked yet",
    }
}

fn table(page: &Page<Approval>, now: Timestamp) -> Table {
    let mut table = Table::new(["approval", "state", "asked", "who", "why", "command"]);
    for approval in &page.items {
        let who = approval.user.name.as_ref().unwrap_or(&approval.user.id);
        table.row([
            approval.id.to_string().into(),
            state(approval.state),
            time::relative(now, approval.asked_at.0).into(),
            format!("{who} on {}/{}", approval.platform, approval.chat).into(),
            approval.reasons.join("; ").into(),
            Cell::new(Paint::Faint, &approval.command),
        ]);
    }
    table
}

fn state(state: ApprovalState) -> Cell {
    match state {
        ApprovalState::Open => Cell::new(Paint::Busy, "open"),
        ApprovalState::Once => Cell::new(Paint::Good, "approved once"),
        ApprovalState::Conversation => Cell::new(Paint::Good, "approved for the conversation"),
        ApprovalState::Always => Cell::new(Paint::Good, "approved for always"),
        ApprovalState::Denied => Cell::new(Paint::Bad, "denied"),
        ApprovalState::Answered => Cell::new(Paint::Good, "answered"),
        ApprovalState::Expired => Cell::new(Paint::Faint, "expired"),
        ApprovalState::Withdrawn => Cell::new(Paint::Faint, "withdrawn"),
        ApprovalState::Unknown => Cell::new(Paint::Busy, "unknown"),
    }
}

fn approve(desk: &Desk<'_>, wish: &Approve) -> Result<(), Failure> {
    let decision = match wish.reach {
        Reach { always: true, .. } => WishedDecision::Always,
        Reach {
            conversation: true, ..
        } => WishedDecision::Conversation,
        Reach { .. } => WishedDecision::Once,
    };
    let reason = None;
    let wished = ApprovalWish { decision, reason };
    decide(desk, wish.id, &wished, &wish.format)
}

fn deny(desk: &Desk<'_>, wish: Deny) -> Result<(), Failure> {
    let wished = ApprovalWish {
        decision: WishedDecision::Denied,
        reason: wish.reason,
    };
    decide(desk, wish.id, &wished, &wish.format)
}

fn grants(desk: &Desk<'_>, wish: Grants) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let page = desk.ask(desk.client.agreements(&Rows::from(wish.rows)))?;
    if output.form == Form::Json {
        return output.json(&page);
    }
    if page.items.is_empty() {
        return output.line("nothing was approved for longer than once");
    }
    held(&page, env::system_now()).print(&output)?;
    more(&output, page.next.as_deref())
}

fn held(page: &Page<Agreement>, now: Timestamp) -> Table {
    let mut table = Table::new(["approval", "since", "where", "for", "directory", "command"]);
    for one in &page.items {
        let place = one.session_id.map(|session| session.to_string());
        let who = match (&one.account, &one.user_id) {
            (Some(account), Some(user)) => format!("{user} on {account}"),
            _ => "everybody".to_owned(),
        };
        table.row([
            one.id.to_string().into(),
            time::relative(now, one.granted_at.0).into(),
            place.unwrap_or_else(|| "everywhere".to_owned()).into(),
            who.into(),
            one.workdir.clone().unwrap_or_default().into(),
            Cell::new(Paint::Faint, &one.command),
        ]);
    }
    table
}

fn revoke(desk: &Desk<'_>, wish: &Revoke) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let revoked = desk.ask(desk.client.revoke(wish.id))?;
    match output.form {
        Form::Json => output.json(&revoked),
        Form::People => output.line(format_args!(
            "{} holds no longer; the command is asked about again",
            wish.id
        )),
    }
}

fn decide(
    desk: &Desk<'_>,
    id: ApprovalId,
    wish: &ApprovalWish,
    format: &Format,
) -> Result<(), Failure> {
    let output = desk.start.output(format.form());
    let approval = desk.ask(desk.client.decide(id, wish))?;
    match output.form {
        Form::Json => output.json(&approval),
        Form::People => output.line(format_args!("{id} is {}", said(approval.state))),
    }
}

/// What became of a question, in words.
fn said(state: ApprovalState) -> &'static str {
    match state {
        ApprovalState::Once => "approved this once",
        ApprovalState::Conversation => "approved for its conversation",
        ApprovalState::Always => "approved for always",
        ApprovalState::Denied => "denied",
        ApprovalState::Answered => "answered",
        ApprovalState::Expired => "expired",
        ApprovalState::Withdrawn => "withdrawn",
        ApprovalState::Open | ApprovalState::Unknown => "open",
    }
}
