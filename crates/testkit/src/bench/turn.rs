//! `turn`: a whole exchange over HTTP with the real binary, 64 at once.
//!
//! Each of 64 callers writes into a chat of its own and waits for the reply before it writes again.
//! Counted is what the server's process costs: processor time per turn, threads at any sampled moment,
//! memory after the first thousand turns. What the callers cost is not counted.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::caller::Caller;
use super::line::{Line, Target, Unit};
use super::server::Server;
use super::{Bench, Trouble, proc};

const ROUNDS: usize = 5;
const CALLERS: u64 = 64;

/// Turns of each caller in a round: more than a thousand in all.
const EACH: u64 = 16;

/// How often the threads are counted.
const SAMPLE_EVERY: Duration = Duration::from_millis(5);

/// Threads that the server may have beside one for each core.
const THREADS_BESIDE: usize = 6;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(against_targets(bench))
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let (server, _) = Server::start(bench, &bench.folder.join("home")).await?;
    let mut callers = Vec::new();
    for number in 0..CALLERS {
        callers.push(Caller::new(server.connect().await?, number));
    }
    let threads = Arc::new(AtomicU64::new(0));
    let (mut cpu, mut resident) = (Vec::new(), 0);
    for round in 0..=ROUNDS {
        let before = proc::cpu(server.pid())?;
        callers = talk(callers, server.pid(), &threads).await?;
        let spent = proc::cpu(server.pid())? - before;
        // The first round warms up; after it a thousand turns have been held.
        if round == 0 {
            resident = proc::resident(server.pid())?;
        } else {
            cpu.push(spent.as_secs_f64() * 1000.0 / (CALLERS * EACH) as f64);
        }
    }
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    Ok(lines(cpu, threads.load(Ordering::Relaxed), resident, cores))
}

fn lines(cpu: Vec<f64>, threads: u64, resident: u64, cores: usize) -> Vec<Line> {
    let line = |name, words: &str, unit, most, figures| Line {
        name,
        words: words.to_owned(),
        unit,
        target: Target::AtMost(most),
        figures,
    };
    let threads_most = (cores + THREADS_BESIDE) as f64;
    vec![
        line(
            "turn cpu",
            "the server's processor time per turn, 64 at once",
            Unit::Milliseconds,
            1.0,
            cpu,
        ),
        line(
            "turn threads",
            "the server's threads, at most seen",
            Unit::Count,
            threads_most,
            vec![threads as f64],
        ),
        line(
            "turn memory",
            "the server's resident memory after 1,000 turns",
            Unit::Megabytes,
            45.0,
            vec![resident as f64 / 1e6],
        ),
    ]
}

/// Every caller holds its turns; meanwhile the threads are counted.
async fn talk(
    callers: Vec<Caller>,
    pid: u32,
    threads: &Arc<AtomicU64>,
) -> Result<Vec<Caller>, Trouble> {
    let mut talking = JoinSet::new();
    for caller in callers {
        talking.spawn(all_turns(caller));
    }
    let (mut ended, mut sample) = (Vec::new(), tokio::time::interval(SAMPLE_EVERY));
    loop {
        tokio::select! {
            biased;
            _ = sample.tick() => {
                threads.fetch_max(proc::threads(pid)?, Ordering::Relaxed);
            }
            caller = talking.join_next() => match caller {
                Some(caller) => ended.push(caller??),
                None => return Ok(ended),
            },
        }
    }
}

/// One caller's turns of a round.
async fn all_turns(mut caller: Caller) -> Result<Caller, Trouble> {
    for _ in 0..EACH {
        caller.talk().await?;
    }
    Ok(caller)
}
