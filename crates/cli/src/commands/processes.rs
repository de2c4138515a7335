//! `angelia processes`: background processes, what they say, and what an operator does with them.

mod attach;
mod log;

use angelia_api::client::{ProcessListing, Rows, WhichProcesses};
use angelia_api::wire::v1::page::Page;
use angelia_api::wire::v1::process::{Process, ProcessState};
use angelia_core::time::Timestamp;
use angelia_gateway::env;

use super::Start;
use super::sessions::{Desk, more};
use crate::args::processes::{Kill, List, Processes, Write};
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{Cell, Table};
use crate::output::{Form, Output, Paint, time};

pub(super) fn run(start: &Start, wish: Processes) -> Result<(), Failure> {
    let desk = Desk {
        start,
        client: finding::client(&start.home)?,
    };
    match wish {
        Processes::List(wish) => list(&desk, wish),
        Processes::Log(wish) => log::run(&desk, &wish),
        Processes::Attach(wish) => attach::run(&desk, &wish),
        Processes::Write(wish) => write(&desk, &wish),
        Processes::Kill(wish) => kill(&desk, &wish),
    }
}

fn list(desk: &Desk<'_>, wish: List) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let session = wish.session.map(|text| desk.find(&text)).transpose()?;
    let listing = ProcessListing {
        session,
        which: if wish.live {
            WhichProcesses::Live
        } else {
            WhichProcesses::All
        },
        rows: Rows::from(wish.rows),
    };
    let page = desk.ask(desk.client.processes(&listing))?;
    if output.form == Form::Json {
        return output.json(&page);
    }
    if page.items.is_empty() {
        return output.line(nothing(&listing));
    }
    table(&page, env::system_now()).print(&output)?;
    more(&output, page.next.as_deref())
}

fn nothing(listing: &ProcessListing) -> &'static str {
    match listing.which {
        WhichProcesses::Live => "no background process runs",
        WhichProcesses::All => "there are no background processes",
    }
}

fn table(page: &Page<Process>, now: Timestamp) -> Table {
    let mut table = Table::new(["process", "state", "started", "where", "command"]);
    for process in &page.items {
        table.row([
            process.id.to_string().into(),
            state(process),
            time::relative(now, process.started_at.0).into(),
            format!("{}/{}", process.platform, process.chat).into(),
            Cell::new(Paint::Faint, &process.command),
        ]);
    }
    table
}

/// Where a process stands, in as many words as it needs.
fn state(process: &Process) -> Cell {
    let ending = || match (process.exit_code, process.signal) {
        (Some(code), _) => format!(" {code}"),
        (None, Some(signal)) => format!(" (signal {signal})"),
        (None, None) => String::new(),
    };
    match process.state {
        ProcessState::Starting => Cell::new(Paint::Busy, "starting"),
        ProcessState::Running => Cell::new(Paint::Busy, "running"),
        ProcessState::Exited if process.exit_code == Some(0) => Cell::new(Paint::Good, "exited 0"),
        ProcessState::Exited => Cell::new(Paint::Bad, "exited").and(&ending()),
        ProcessState::Signalled => Cell::new(Paint::Bad, "ended").and(&ending()),
        ProcessState::Killed => Cell::new(Paint::Faint, "killed").and(&ending()),
        ProcessState::Failed => Cell::new(Paint::Bad, "not started"),
        ProcessState::Lost => Cell::new(Paint::Bad, "lost"),
        ProcessState::Unknown => Cell::new(Paint::Busy, "unknown"),
    }
}

fn write(desk: &Desk<'_>, wish: &Write) -> Result<(), Failure> {
    if !wish.text.is_empty() {
        let line = format!("{}\n", wish.text.join(" "));
        desk.ask(desk.client.write(wish.id, &line))?;
    }
    if wish.close {
        desk.ask(desk.client.close(wish.id))?;
    }
    Ok(())
}

fn kill(desk: &Desk<'_>, wish: &Kill) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let process = desk.ask(desk.client.kill(wish.id))?;
    match output.form {
        Form::Json => output.json(&process),
        Form::People => said(&output, &process),
    }
}

/// How a process ended, as a sentence.
fn said(output: &Output, process: &Process) -> Result<(), Failure> {
    let id = process.id;
    let how = match (process.exit_code, process.signal) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) if process.state == ProcessState::Lost => "is lost".to_owned(),
        (None, None) => "was not started".to_owned(),
    };
    output.line(format_args!("{id} {how}"))
}
