//! `process-crowd`: 100 live background commands of the real gateway.
//!
//! The gateway's threads are counted before, after turns that started nothing, and while all of them
//! run. A holder's memory is what the kernel counts for it page by page: `resident` has every page,
//! also those of the program's file, which all holders and the gateway share; `share` divides these.

use std::time::Duration;

use super::{Ended, living, runtime};
use crate::bench::caller::Caller;
use crate::bench::line::{Line, Target, Unit};
use crate::bench::proc::{self, Memory};
use crate::bench::server::Server;
use crate::bench::{Bench, Trouble};

const CHATS: u64 = 10;
const EACH: u64 = 10;

/// How long everybody is left alone before anything is read.
const IDLE: Duration = Duration::from_millis(500);

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    runtime()?.block_on(against_targets(bench))
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let home = bench.folder.join("home");
    let (server, _) = Server::start(bench, &home).await?;
    let mut callers = Vec::new();
    for number in 0..CHATS {
        callers.push(Caller::new(server.connect().await?, number));
    }
    let folder = home.join("processes");
    let _end_with_us = Ended(folder.clone());
    all_say(&mut callers, "echo warm").await?;
    tokio::time::sleep(IDLE).await;
    let (threads, resident) = (proc::threads(server.pid())?, proc::resident(server.pid())?);
    all_say(&mut callers, "start exec sleep 600").await?;
    tokio::time::sleep(IDLE).await;
    let holders = living(&folder)?;
    if holders.len() as u64 != CHATS * EACH {
        return Err(format!("{} commands run, not all", holders.len()).into());
    }
    let grown = proc::resident(server.pid())?.saturating_sub(resident);
    let added = proc::threads(server.pid())?.saturating_sub(threads);
    let memory = holders.into_iter().map(proc::memory);
    Ok(lines(added, grown, &memory.collect::<Result<Vec<_>, _>>()?))
}

async fn all_say(callers: &mut [Caller], text: &str) -> Result<(), Trouble> {
    for _ in 0..EACH {
        for caller in &mut *callers {
            caller.say(text).await?;
        }
    }
    Ok(())
}

fn lines(threads: u64, grown: u64, memory: &[Memory]) -> Vec<Line> {
    let megabytes = |bytes: fn(&Memory) -> u64| {
        let figures = memory.iter().map(bytes);
        figures.map(|bytes| bytes as f64 / 1e6).collect::<Vec<_>>()
    };
    let line = |name, words: &str, unit, target, figures| Line {
        name,
        words: words.to_owned(),
        unit,
        target,
        figures,
    };
    let size = Unit::Megabytes;
    vec![
        line(
            "crowd threads",
            "threads of the gateway that 100 live commands add",
            Unit::Count,
            Target::AtMost(0.0),
            vec![threads as f64],
        ),
        line(
            "crowd gateway",
            "resident memory of the gateway that 100 live commands add",
            size,
            Target::Told,
            vec![grown as f64 / 1e6],
        ),
        line(
            "crowd resident",
            "a holder's memory, pages shared with others counted in full",
            size,
            Target::AtMost(2.0),
            megabytes(|memory| memory.resident),
        ),
        line(
            "crowd share",
            "a holder's memory, shared pages divided among those who share them",
            size,
            Target::Told,
            megabytes(|memory| memory.share),
        ),
        line(
            "crowd private",
            "a holder's memory that nobody else has",
            size,
            Target::Told,
            megabytes(|memory| memory.private),
        ),
    ]
}
