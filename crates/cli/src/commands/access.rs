//! `angelia access`: who waits to be let in, who may speak, and an operator's yes and no.

use angelia_api::client::{Rows, WhichGrants};
use angelia_api::wire::v1::access::{ApproveWish, Grant, GrantWish, Knock, RevokeWish, Role};
use angelia_api::wire::v1::page::Page;
use angelia_core::id::{GrantId, KnockId};
use angelia_core::time::Timestamp;
use angelia_gateway::env;
use serde_json::json;

use super::Start;
use super::sessions::{Desk, more};
use crate::args::access::{self, Access, Approve, List, Revoke};
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{Cell, Table};
use crate::output::{Form, Output, Paint, time};

pub(super) fn run(start: &Start, wish: Access) -> Result<(), Failure> {
    let desk = Desk {
        start,
        client: finding::client(&start.home)?,
    };
    match wish {
        Access::List(wish) => list(&desk, wish),
        Access::Approve(wish) => approve(&desk, wish),
        Access::Grant(wish) => give(&desk, wish),
        Access::Revoke(wish) => revoke(&desk, wish),
    }
}

fn list(desk: &Desk<'_>, wish: List) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let which = if wish.all {
        WhichGrants::All
    } else {
        WhichGrants::Held
    };
    let waiting = desk.ask(desk.client.knocks(&Rows::default()))?;
    let grants = desk.ask(desk.client.grants(which, &Rows::from(wish.rows)))?;
    if output.form == Form::Json {
        return output.json(&json!({ "waiting": waiting, "grants": grants }));
    }
    let now = env::system_now();
    match waiting.items.as_slice() {
        [] => output.line("nobody waits to be let in")?,
        _ => knocks(&waiting, now).print(&output)?,
    }
    match grants.items.as_slice() {
        [] => return output.line("nobody was let in; who may speak is in the configuration"),
        _ => granted(&grants, now).print(&output)?,
    }
    more(&output, grants.next.as_deref())
}

fn knocks(page: &Page<Knock>, now: Timestamp) -> Table {
    let mut table = Table::new(["waits", "asked", "account", "person", "name"]);
    for knock in &page.items {
        table.row([
            Cell::new(Paint::Busy, knock.id.to_string()),
            time::relative(now, knock.asked_at.0).into(),
            knock.account.clone().into(),
            knock.user_id.clone().into(),
            knock.name.clone().unwrap_or_default().into(),
        ]);
    }
    table
}

fn granted(page: &Page<Grant>, now: Timestamp) -> Table {
    let mut table = Table::new([
        "grant", "since", "account", "person", "name", "role", "by", "why",
    ]);
    for grant in &page.items {
        table.row([
            grant.id.to_string().into(),
            time::relative(now, grant.granted_at.0).into(),
            grant.account.clone().into(),
            grant.user_id.clone().into(),
            grant.name.clone().unwrap_or_default().into(),
            standing(grant),
            grant.granted_by.clone().into(),
            grant.why.clone().unwrap_or_default().into(),
        ]);
    }
    table
}

fn standing(grant: &Grant) -> Cell {
    match &grant.revoked_by {
        Some(by) => Cell::new(Paint::Faint, format!("taken back by {by}")),
        None => Cell::new(Paint::Good, grant.role.name()),
    }
}

fn approve(desk: &Desk<'_>, wish: Approve) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let knock = wish.code.parse::<KnockId>().ok();
    let wished = ApproveWish {
        code: Some(wish.code).filter(|_| knock.is_none()),
        knock,
        role: role(wish.terms.role),
        why: wish.terms.why,
    };
    let grant = desk.ask(desk.client.let_in(&wished))?;
    told(&output, &grant)
}

fn give(desk: &Desk<'_>, wish: access::Grant) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let (account, user_id) = wish.person;
    let wished = GrantWish {
        account,
        user_id,
        name: None,
        role: role(wish.terms.role),
        why: wish.terms.why,
    };
    let grant = desk.ask(desk.client.give(&wished))?;
    told(&output, &grant)
}

fn told(output: &Output, grant: &Grant) -> Result<(), Failure> {
    match output.form {
        Form::Json => output.json(grant),
        Form::People => output.line(format_args!(
            "{} may speak now, as {} ({})",
            called(output, grant),
            grant.role.name(),
            grant.id
        )),
    }
}

fn revoke(desk: &Desk<'_>, wish: Revoke) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let id = find(desk, &wish.grant)?;
    let taken = desk.ask(desk.client.take_back(id, &RevokeWish { why: wish.why }))?;
    match output.form {
        Form::Json => output.json(&taken),
        Form::People => output.line(format_args!(
            "{} may speak no more",
            called(&output, &taken)
        )),
    }
}

/// The grant that a text stands for: its id, or whose it is.
fn find(desk: &Desk<'_>, text: &str) -> Result<GrantId, Failure> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let mut rows = Rows::default();
    loop {
        let page = desk.ask(desk.client.grants(WhichGrants::Held, &rows))?;
        let is_meant = |grant: &&Grant| format!("{}:{}", grant.account, grant.user_id) == text;
        if let Some(grant) = page.items.iter().find(is_meant) {
            return Ok(grant.id);
        }
        match page.next {
            Some(next) => rows.after = Some(next),
            None => {
                let what = format!("nobody was let in as `{text}`");
                return Err(Failure::new(what).hint("`angelia access list` shows who was"));
            }
        }
    }
}

fn called(output: &Output, grant: &Grant) -> String {
    let name = grant.name.as_deref().unwrap_or(&grant.user_id);
    format!("{} on {}", output.foreign(name), grant.account)
}

const fn role(role: access::Role) -> Role {
    match role {
        access::Role::Operator => Role::Operator,
        access::Role::Member => Role::Member,
        access::Role::Guest => Role::Guest,
    }
}
