//! `angelia approvals`: questions about commands, and an operator's answers.

use angelia_api::client::{ApprovalListing, Rows, WhichApprovals};
use angelia_api::wire::v1::approval::{Approval, ApprovalState, ApprovalWish, WishedDecision};
use angelia_api::wire::v1::page::Page;
use angelia_core::id::ApprovalId;
use angelia_core::time::Timestamp;
use angelia_gateway::env;

use super::Start;
use super::sessions::{Desk, more};
use crate::args::Format;
use crate::args::approvals::{Approvals, Approve, Deny, List, Reach};
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
        ApprovalState::Expired => "expired",
        ApprovalState::Withdrawn => "withdrawn",
        ApprovalState::Open | ApprovalState::Unknown => "open",
    }
}
