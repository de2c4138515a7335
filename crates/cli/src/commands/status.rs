//! `angelia status`: what runs and what waits.

use angelia_api::wire::v1::status::{Account, Loop, McpServer, Status};
use angelia_core::address::Platform;
use angelia_core::time::Timestamp;
use angelia_gateway::env;

use super::Start;
use crate::args;
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{self, Cell, Table};
use crate::output::{Form, Output, Paint, time};

pub(super) fn run(start: &Start, wish: args::Status) -> Result<(), Failure> {
    let output = start.output(wish.format.form());
    let client = finding::client(&start.home)?;
    let status = finding::wait(async {
        client
            .status()
            .await
            .map_err(|error| finding::failure(&start.home, &error))
    })?;
    match output.form {
        Form::Json => output.json(&status),
        Form::People => show(&output, start, &status, env::system_now()),
    }
}

fn show(output: &Output, start: &Start, status: &Status, now: Timestamp) -> Result<(), Failure> {
    let up = time::short(now.since(status.started_at.0));
    let phase = Cell::new(phase_paint(&status.phase), &status.phase);
    let version = format!("{}, pid {}, up {up}", status.version, status.pid);
    let mut pairs = vec![
        ("gateway", phase),
        ("version", version.into()),
        ("home", start.home.path().display().to_string().into()),
        ("console", Cell::new(Paint::Strong, &status.console)),
        ("agent", agent(status)),
    ];
    pairs.extend(others(status).map(|others| ("others", others)));
    table::pairs(output, &pairs)?;
    output.line("")?;
    table::pairs(
        output,
        &[
            ("waiting", count(status.waiting, "message", Paint::Busy)),
            ("running", count(status.running, "turn", Paint::Busy)),
            ("due", count(status.due, "delivery", Paint::Busy)),
            ("wedged", wedged(status)),
            ("sessions", status.sessions.to_string().into()),
            ("loops", all_loops(&status.loops)),
        ],
    )?;
    troubles(output, &status.loops, now)?;
    nodes(output, status, now)?;
    accounts(output, &status.platforms)?;
    servers(output, &status.mcp)
}

/// The gateways that share the database, if there are several.
fn nodes(output: &Output, status: &Status, now: Timestamp) -> Result<(), Failure> {
    if status.nodes.len() < 2 {
        return Ok(());
    }
    output.line("")?;
    let mut table = Table::new(["node", "version", "up", "place"]);
    for node in &status.nodes {
        let is_ours = node.id == status.node;
        let place = match is_ours {
            true => format!("{} (this one)", node.place),
            false => node.place.clone(),
        };
        table.row([
            node.id.to_string().into(),
            node.version.as_str().into(),
            time::short(now.since(node.started_at.0)).into(),
            place.into(),
        ]);
    }
    table.print(output)
}

/// The accounts besides those of the house, if there are any.
fn accounts(output: &Output, accounts: &[Account]) -> Result<(), Failure> {
    let house = Platform::HOUSE.map(Platform::name);
    let mut outside = accounts
        .iter()
        .filter(|one| !house.contains(&one.platform.as_str()))
        .peekable();
    if outside.peek().is_none() {
        return Ok(());
    }
    output.line("")?;
    let mut table = Table::new(["account", "state", "problem"]);
    for one in outside {
        let paint = match one.state.as_str() {
            "connected" | "elsewhere" => Paint::Good,
            "connecting" => Paint::Busy,
            _ => Paint::Bad,
        };
        table.row([
            one.account.as_str().into(),
            Cell::new(paint, &one.state),
            one.why.clone().unwrap_or_default().into(),
        ]);
    }
    table.print(output)
}

/// The servers that bring tools, if there are any.
fn servers(output: &Output, servers: &[McpServer]) -> Result<(), Failure> {
    if servers.is_empty() {
        return Ok(());
    }
    output.line("")?;
    let mut table = Table::new(["mcp server", "state", "tools", "problem"]);
    for one in servers {
        let paint = match one.state.as_str() {
            "ready" => Paint::Good,
            "down" => Paint::Bad,
            _ => Paint::Busy,
        };
        table.row([
            one.name.as_str().into(),
            Cell::new(paint, &one.state),
            one.tools.to_string().into(),
            problem(one).into(),
        ]);
    }
    table.print(output)
}

fn problem(server: &McpServer) -> String {
    match (&server.why, server.left_out) {
        (Some(why), _) => why.clone(),
        (None, 0) => String::new(),
        (None, more) => format!("{more} more tools are left out: too many or too long"),
    }
}

fn phase_paint(phase: &str) -> Paint {
    if phase == "running" {
        Paint::Good
    } else {
        Paint::Busy
    }
}

fn agent(status: &Status) -> Cell {
    let backend = &status.agent.backend;
    if status.agent.configured {
        who(backend, status.agent.model.as_deref()).into()
    } else {
        Cell::new(
            Paint::Busy,
            format!("{backend} (none is configured; see `angelia config path`)"),
        )
    }
}

/// Who answers, in words.
pub(super) fn who(backend: &str, model: Option<&str>) -> String {
    match model {
        Some(model) => format!("{backend}, with the model {model}"),
        None => backend.to_owned(),
    }
}

/// The agents that have names of their own.
fn others(status: &Status) -> Option<Cell> {
    let named = status.agents.iter().filter(|one| !one.name.is_main());
    let named: Vec<String> = named
        .map(|one| format!("{} ({})", one.name, one.backend))
        .collect();
    (!named.is_empty()).then(|| named.join(", ").into())
}

fn wedged(status: &Status) -> Cell {
    let counted = count(status.wedged, "delivery", Paint::Bad);
    match status.wedged {
        0 => counted,
        _ => counted.and("; see `angelia outbox list --state wedged`"),
    }
}

/// So many of them; none is nothing to look at.
fn count(number: u64, what: &str, paint: Paint) -> Cell {
    let many = match what.strip_suffix('y') {
        Some(stem) if number != 1 => format!("{stem}ies"),
        None if number != 1 => format!("{what}s"),
        Some(_) | None => what.to_owned(),
    };
    let paint = if number == 0 { Paint::Plain } else { paint };
    Cell::new(paint, format!("{number} {many}"))
}

fn all_loops(loops: &[Loop]) -> Cell {
    match loops.iter().filter(|one| one.last_error.is_some()).count() {
        0 => format!("{}, all well", loops.len()).into(),
        some => Cell::new(Paint::Bad, format!("{some} of {} in trouble", loops.len())),
    }
}

/// The loops that met something, if any did.
fn troubles(output: &Output, loops: &[Loop], now: Timestamp) -> Result<(), Failure> {
    let troubled = || {
        loops
            .iter()
            .filter_map(|one| Some((one, one.last_error.as_ref()?)))
    };
    if troubled().next().is_none() {
        return Ok(());
    }
    output.line("")?;
    let mut table = Table::new(["loop", "last look", "problem"]);
    for (one, problem) in troubled() {
        let last = time::relative(now, one.last_run_at.0);
        table.row([
            one.name.as_str().into(),
            last.into(),
            Cell::new(Paint::Bad, problem),
        ]);
    }
    table.print(output)
}

#[cfg(test)]
#[path = "status_tests.rs"]
mod tests;
