//! `process-beside`: what the gateway and other conversations notice of a background command that says
//! 100 MB.
//!
//! Two callers talk all the time. Quiet windows and commands take turns; each exchange counts where it
//! began, and each round compares the slowest hundredth of both. Then somebody follows such an output
//! over HTTP to its end, and the gateway's memory is looked at meanwhile.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::task::LocalSet;

use super::{Ended, ms, output, runtime};
use crate::bench::caller::Caller;
use crate::bench::http::Http;
use crate::bench::line::{Line, Target, Unit, median};
use crate::bench::server::Server;
use crate::bench::{Bench, Trouble, clock, proc};

const ROUNDS: usize = 5;

/// Commands and quiet windows of a round.
const EACH: usize = 8;

const CALLERS: u64 = 2;

/// How often it is asked whether the command has ended, and memory is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long a quiet window is.
const QUIET: Duration = Duration::from_millis(400);

/// Times that somebody follows.
const FOLLOWED: usize = 5;

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    runtime()?.block_on(LocalSet::new().run_until(against_targets(bench)))
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let command = format!("start {}", output::command(&bench.folder)?);
    let home = bench.folder.join("home");
    let (server, _) = Server::start(bench, &home).await?;
    let _end_with_us = Ended(home.join("processes"));
    let mut flood = Flood::new(&server, command).await?;
    let times = Rc::new(Times::default());
    for number in 0..CALLERS {
        let caller = Caller::new(server.connect().await?, number);
        tokio::task::spawn_local(talk(caller, Rc::clone(&times)));
    }
    flood.once().await?;
    let (mut idle, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        times.forget();
        for _ in 0..EACH {
            times.now.set(Now::Quiet);
            flood.quiet().await?;
            times.now.set(Now::Flooded);
            flood.once().await?;
            times.now.set(Now::Neither);
        }
        if let Some(why) = times.failed.borrow_mut().take() {
            return Err(format!("somebody could not talk on: {why}").into());
        }
        idle.push(slowest_hundredth(&times.quiet.borrow())?);
        beside.push(slowest_hundredth(&times.flooded.borrow())?);
    }
    let mut grown = Vec::new();
    for _ in 0..FOLLOWED {
        grown.push(flood.followed(&server).await? as f64 / 1e6);
    }
    Ok(lines(&idle, &beside, grown))
}

/// What is going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Now {
    #[default]
    Neither,
    Quiet,
    Flooded,
}

/// How long exchanges took, in milliseconds.
#[derive(Default)]
struct Times {
    now: Cell<Now>,
    quiet: RefCell<Vec<f64>>,
    flooded: RefCell<Vec<f64>>,
    /// Why somebody talks no more.
    failed: RefCell<Option<String>>,
}

impl Times {
    fn forget(&self) {
        self.quiet.borrow_mut().clear();
        self.flooded.borrow_mut().clear();
    }
}

/// Talks until the benchmark ends, or something goes wrong.
async fn talk(mut caller: Caller, times: Rc<Times>) {
    loop {
        let (now, began) = (times.now.get(), clock::now());
        if let Err(why) = caller.talk().await {
            *times.failed.borrow_mut() = Some(why.to_string());
            return;
        }
        let took = ms(began.elapsed());
        match now {
            Now::Quiet => times.quiet.borrow_mut().push(took),
            Now::Flooded => times.flooded.borrow_mut().push(took),
            Now::Neither => (),
        }
    }
}

/// A chat whose agent starts commands that say much.
struct Flood {
    caller: Caller,
    http: Http,
    command: String,
}

impl Flood {
    async fn new(server: &Server, command: String) -> Result<Self, Trouble> {
        Ok(Self {
            caller: Caller::new(server.connect().await?, CALLERS),
            http: server.connect().await?,
            command,
        })
    }

    /// Has the command run to its end.
    async fn once(&mut self) -> Result<(), Trouble> {
        // By the time of the reply it runs, or has run.
        self.caller.say(&self.command).await?;
        while self.runs().await? {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    /// Does nothing, asking as often as if a command ran.
    async fn quiet(&mut self) -> Result<(), Trouble> {
        let began = clock::now();
        while began.elapsed() < QUIET {
            self.runs().await?;
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    async fn runs(&mut self) -> Result<bool, Trouble> {
        let page = self.http.get("/api/v1/processes?state=live").await?;
        let page = page.json(200)?;
        Ok(!page["items"].as_array().ok_or("no page")?.is_empty())
    }

    /// Has the command run while somebody reads all of it; by how much the gateway grew meanwhile.
    async fn followed(&mut self, server: &Server) -> Result<u64, Trouble> {
        let before = proc::resident(server.pid())?;
        let reply = self.caller.say(&self.command).await?;
        let id = reply
            .split([' ', '.'])
            .find(|word| word.starts_with("prc_"));
        let id = id.ok_or_else(|| format!("no process in {reply:?}"))?;
        let path = format!("/api/v1/processes/{id}/log?follow=true");
        let following = tokio::task::spawn_local(read_all(server.connect().await?, path));
        let mut most = before;
        while !following.is_finished() {
            most = most.max(proc::resident(server.pid())?);
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let read = following.await??;
        // Some is left out of the middle, and each piece is wrapped.
        if read < output::bytes() / 2 {
            return Err(format!("only {read} bytes were read").into());
        }
        Ok(most - before)
    }
}

/// Reads a stream of events to the one that says `end`.
async fn read_all(http: Http, path: String) -> Result<u64, Trouble> {
    let mut stream = http.stream(&path).await?;
    let (mut chunk, mut sum, mut last) = (vec![0; 64 * 1024], 0, Vec::new());
    loop {
        let count = stream.read(&mut chunk).await?;
        if count == 0 {
            return Err("the stream was cut off".into());
        }
        sum += count as u64;
        last.extend_from_slice(&chunk[..count]);
        if last.windows(10).any(|words| words == b"event: end") {
            return Ok(sum);
        }
        // What a word may begin with.
        last.drain(..last.len().saturating_sub(9));
    }
}

fn slowest_hundredth(times: &[f64]) -> Result<f64, Trouble> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    // Fewer than that have no slowest hundredth.
    if sorted.len() < 100 {
        return Err(format!("only {} exchanges were made", sorted.len()).into());
    }
    Ok(sorted[sorted.len() * 99 / 100])
}

fn lines(idle: &[f64], beside: &[f64], grown: Vec<f64>) -> Vec<Line> {
    let pairs = beside.iter().zip(idle);
    vec![
        Line {
            name: "beside p99",
            words: format!(
                "others' slowest hundredth of turns while 100 MB are said, against quiet \
                 ({:.1} and {:.1} ms)",
                median(beside),
                median(idle)
            ),
            unit: Unit::Ratio,
            target: Target::AtMost(2.0),
            figures: pairs.map(|(beside, idle)| beside / idle).collect(),
        },
        Line {
            name: "beside memory",
            words: "the gateway's growth while somebody follows 100 MB".to_owned(),
            unit: Unit::Megabytes,
            target: Target::AtMost(2.0),
            figures: grown,
        },
    ]
}
