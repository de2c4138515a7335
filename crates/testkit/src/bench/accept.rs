//! `accept`: what it costs to make one message durable.
//!
//! Each accept goes into a conversation of its own that was held before and rests, one at a time,
//! through the real writer thread. Its reference is a bare commit of a row of the same size; the two
//! take turns, one by one, so both meet the same disk at the same moment.
//!
//! The counts are of real system calls. A checkpoint moves many commits' pages into the file at once;
//! its cost is told apart.

use std::path::Path;
use std::time::Duration;

use angelia_gateway::env::Env;
use angelia_store::database::Database;
use angelia_store::intake::Intake as _;
use rusqlite::Connection;
use tokio::runtime::{Builder, Runtime};

use super::bare::{Bare, Commit};
use super::line::{Line, Target, Unit, median};
use super::{Bench, Trouble, clock, message, seed, trace};

const ROUNDS: usize = 7;
const PER_ROUND: u64 = 100;

/// Rest before each commit. Disks that are rented have a budget of bytes per second; whoever writes
/// without rest measures the budget.
const REST: Duration = Duration::from_micros(500);

/// Both logs must have been through a checkpoint before the first round: until then each commit also
/// makes its file longer, which costs the file system a commit of its own.
const WARM_UP: u64 = 200;
const BARE_WARM_UP: u64 = 1200;

/// Accepts that are counted between two checkpoints, and across several.
const COUNTED: u64 = 60;
const COUNTED_LONG: u64 = 600;

/// The number of every first message after the past.
const AFTER_THE_PAST: u64 = 1;

/// A runtime for one caller.
fn runtime() -> Result<Runtime, Trouble> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

pub(super) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let mut lines = runtime()?.block_on(against_bare(bench))?;
    lines.extend(counts(bench)?);
    Ok(lines)
}

async fn against_bare(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let bare = Bare::open(&bench.folder.join("bare.db"), Commit::Each)?;
    let store = seed::open(&bench.folder.join("store.db"))?;
    let chats = WARM_UP + ROUNDS as u64 * PER_ROUND;
    seed::talk(&store, chats, 1).await?;
    let (env, body) = (Env::system(), message::bare_body());
    for _ in 0..BARE_WARM_UP {
        bare.insert(body.clone()).await?;
    }
    for chat in 0..WARM_UP {
        accept(&store, &env, chat).await?;
    }
    let mut rounds = Vec::new();
    for round in 0..ROUNDS as u64 {
        let first = WARM_UP + round * PER_ROUND;
        rounds.push(round_of(&store, &bare, (&env, &body), first).await?);
    }
    Ok(lines(&rounds))
}

/// The medians of one round, in milliseconds by the wall and on the processor.
struct Round {
    ours: Cost,
    theirs: Cost,
}

#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    cpu: f64,
}

fn lines(rounds: &[Round]) -> Vec<Line> {
    let line = |name, what: &str, target, of: fn(&Cost) -> f64| {
        let middle = |side: fn(&Round) -> &Cost| {
            1000.0
                * median(
                    &rounds
                        .iter()
                        .map(|round| of(side(round)))
                        .collect::<Vec<_>>(),
                )
        };
        let (ours, theirs) = (middle(|round| &round.ours), middle(|round| &round.theirs));
        Line {
            name,
            words: format!("{what}: {ours:.0} µs / {theirs:.0} µs"),
            unit: Unit::Ratio,
            target,
            figures: rounds
                .iter()
                .map(|round| of(&round.ours) / of(&round.theirs))
                .collect(),
        }
    };
    let durable = "median of a durable accept against a bare commit";
    let on_cpu = "the same, on the processor only";
    vec![
        line("accept", durable, Target::AtMost(1.6), |cost| cost.wall),
        line("accept cpu", on_cpu, Target::Told, |cost| cost.cpu),
    ]
}

async fn round_of(
    store: &Database,
    bare: &Bare,
    (env, body): (&Env, &str),
    first: u64,
) -> Result<Round, Trouble> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for chat in first..first + PER_ROUND {
        theirs.push(timed(bare.insert(body.to_owned())).await?);
        ours.push(timed(accept(store, env, scattered(chat))).await?);
    }
    let middle = |costs: &[Cost]| Cost {
        wall: median(&costs.iter().map(|cost| cost.wall).collect::<Vec<_>>()),
        cpu: median(&costs.iter().map(|cost| cost.cpu).collect::<Vec<_>>()),
    };
    Ok(Round {
        ours: middle(&ours),
        theirs: middle(&theirs),
    })
}

/// What one commit cost, after a rest.
async fn timed(commit: impl Future<Output = Result<(), Trouble>>) -> Result<Cost, Trouble> {
    tokio::time::sleep(REST).await;
    let (wall, cpu) = (clock::now(), clock::cpu());
    commit.await?;
    Ok(Cost {
        wall: wall.elapsed().as_secs_f64() * 1000.0,
        cpu: (clock::cpu() - cpu).as_secs_f64() * 1000.0,
    })
}

/// Another order of the chats within their block of 100, so that neighbours are not neighbours on
/// disk. 77 and 100 have no common divisor, so each comes once.
const fn scattered(chat: u64) -> u64 {
    chat - chat % PER_ROUND + (chat % PER_ROUND) * 77 % PER_ROUND
}

async fn accept(store: &Database, env: &Env, chat: u64) -> Result<(), Trouble> {
    let message = message::accept(env, chat, AFTER_THE_PAST);
    message::taken(&store.accept(message).await?)
}

/// What the child under the tracer does.
pub(super) fn traced(folder: &Path) -> Result<(), Trouble> {
    let (path, env) = (folder.join("store.db"), Env::system());
    runtime()?.block_on(async {
        let store = seed::open(&path)?;
        seed::talk(&store, 1 + COUNTED + COUNTED_LONG, 1).await?;
        // An empty log: the counted accepts are then far from the next checkpoint.
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        Connection::open(&path)?.query_row(checkpoint, [], |_| Ok(()))?;
        accept(&store, &env, 0).await?;
        trace::mark(folder, "between")?;
        for chat in 1..=COUNTED {
            accept(&store, &env, chat).await?;
        }
        trace::mark(folder, "across")?;
        for chat in COUNTED + 1..=COUNTED + COUNTED_LONG {
            accept(&store, &env, chat).await?;
        }
        trace::mark(folder, "after")
    })
}

fn counts(bench: &Bench) -> Result<[Line; 4], Trouble> {
    let parts = trace::parts(bench, "accept")?;
    let part = |name: &str| parts.get(name).cloned().unwrap_or_default();
    let (between, across) = (part("between"), part("across"));
    let (few, many) = (COUNTED as f64, COUNTED_LONG as f64);
    let line = |name, words: &str, unit, target, figure: f64| Line {
        name,
        words: words.to_owned(),
        unit,
        target,
        figures: vec![figure],
    };
    let syncs = (between.log_syncs + between.file_syncs) as f64 / few;
    let bytes = (between.log_bytes + between.file_bytes) as f64 / few / 1000.0;
    let moved = (across.file_bytes as f64) / many / 1000.0;
    let all_syncs = (across.log_syncs + across.file_syncs) as f64 / many;
    Ok([
        line(
            "accept syncs",
            "syncs per accept",
            Unit::Count,
            Target::AtMost(1.0),
            syncs,
        ),
        line(
            "accept bytes",
            "written per accept",
            Unit::Kilobytes,
            Target::AtMost(48.0),
            bytes,
        ),
        line(
            "accept checkpoints",
            "moved into the file per accept, apart from the above",
            Unit::Kilobytes,
            Target::Told,
            moved,
        ),
        line(
            "accept all syncs",
            "syncs per accept, checkpoints shared out",
            Unit::Count,
            Target::Told,
            all_syncs,
        ),
    ])
}
