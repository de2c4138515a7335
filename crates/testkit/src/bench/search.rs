//! `search`: what it costs to find something among 100,000 rows, and what it costs those who do not look.
//!
//! Looking is timed as a person meets it, on a file whose pages the system has at hand. Indexing is what
//! everybody pays beside it: processor time and bytes for a row, how far it is behind while a gateway
//! answers, and whether a message at the door costs any more while a loop looks for rows to index.

use std::path::Path;
use std::time::Duration;

use angelia_core::limits;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_gateway::env::Env;
use angelia_store::Change;
use angelia_store::database::Database;
use angelia_store::intake::Intake as _;
use angelia_store::search::{Query, Search as _};
use angelia_store::transcripts::{Said, Transcripts as _};
use angelia_store::views::{Range, SessionFilter, Views as _};
use rusqlite::Connection;
use tokio::runtime::Builder;
use tokio::time::MissedTickBehavior;

use super::house::House;
use super::line::{Line, Target, Unit};
use super::{Bench, Trouble, clock, message, proc, seed};
use crate::sim::dice::Dice;

const CHATS: u64 = 100;
const ROWS_PER_CHAT: u64 = 1_000;
const ROWS: f64 = (CHATS * ROWS_PER_CHAT) as f64;

/// In one row, in every row, and in none.
const RARE: &str = "unicorn";
const COMMON: &str = "the";
const SHORT: &str = "桂林";

const LOOKS: usize = 15;
const ROUNDS: usize = 7;

/// Accepts of a round: enough for two checkpoints, so that one more or less does not tip the scales.
const ACCEPTS: u64 = 300;

/// Answers during which the lag is sampled.
const ANSWERS: usize = 3_000;
const AT_ONCE: usize = 16;

pub(super) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let path = bench.folder.join("store.db");
        let store = filled(&path).await?;
        let mut lines = Vec::from(index(&store).await?);
        lines.extend(looks(&store).await?);
        lines.extend(accepts(&store).await?);
        lines.push(lag(store, &path, &bench.folder).await?);
        Ok(lines)
    })
}

/// A store with 100 conversations of 1,000 rows each.
async fn filled(path: &Path) -> Result<Database, Trouble> {
    let store = seed::open(path)?;
    seed::talk(&store, CHATS, 1).await?;
    let range = Range {
        after: None,
        limit: CHATS as usize,
    };
    let sessions = store.sessions(SessionFilter::default(), range).await?;
    let mut dice = Dice::new(1);
    for (place, session) in sessions.items.iter().enumerate() {
        let rows = (0..ROWS_PER_CHAT).map(|_| sentence(&mut dice));
        let mut rows: Vec<String> = rows.collect();
        if place == 50 {
            rows[500].push_str(RARE);
        }
        let rows = rows
            .into_iter()
            .map(|text| Said::from(Entry::new(Role::User, text)));
        match store.append(session.id, rows.collect()).await? {
            Change::Done(_) => (),
            refused @ (Change::Unknown | Change::Busy | Change::Moved) => {
                return Err(format!("a conversation took no rows: {refused:?}").into());
            }
        }
    }
    Ok(store)
}

/// Some twenty words of twenty thousand, the first of them often and the last hardly ever.
fn sentence(dice: &mut Dice) -> String {
    let words = (0..20).map(|_| {
        let bits = dice.number(1..15);
        format!("w{:x}", dice.number(0..1 << bits))
    });
    let words: Vec<String> = words.collect();
    format!("{COMMON} {} ", words.join(" "))
}

/// Indexes everything, step by step.
async fn index(store: &Database) -> Result<[Line; 3], Trouble> {
    let (cpu, bytes) = (clock::cpu(), proc::bytes_written()?);
    let mut steps = Vec::new();
    loop {
        let began = clock::now();
        let indexed = store.index_more(limits::SEARCH_BATCH_ROWS).await?;
        steps.push(milliseconds(began.elapsed()));
        if indexed.waiting == 0 {
            break;
        }
    }
    let (cpu, bytes) = (clock::cpu() - cpu, proc::bytes_written()? - bytes);
    let line = |name, words: &str, unit, figures| Line {
        name,
        words: words.to_owned(),
        unit,
        target: Target::Told,
        figures,
    };
    Ok([
        line(
            "search index step",
            "the writer's time for a step of 64 rows, commit included",
            Unit::Milliseconds,
            steps,
        ),
        line(
            "search index cpu",
            "processor time for a row",
            Unit::Milliseconds,
            vec![milliseconds(cpu) / ROWS],
        ),
        line(
            "search index bytes",
            "written for a row, merging and checkpoints included (wchar)",
            Unit::Kilobytes,
            vec![bytes as f64 / 1000.0 / ROWS],
        ),
    ])
}

async fn looks(store: &Database) -> Result<[Line; 3], Trouble> {
    Ok([
        look(store, ("search rare", RARE), Target::AtMost(2.0)).await?,
        look(store, ("search common", COMMON), Target::AtMost(80.0)).await?,
        look(store, ("search short", SHORT), Target::Told).await?,
    ])
}

async fn look(
    store: &Database,
    (name, text): (&'static str, &str),
    target: Target,
) -> Result<Line, Trouble> {
    let (mut figures, mut hits) = (Vec::new(), 0);
    for _ in 0..LOOKS {
        let query = Query {
            text: text.to_owned(),
            ..Query::default()
        };
        let began = clock::now();
        hits = store.search(query).await?.items.len();
        figures.push(milliseconds(began.elapsed()));
    }
    Ok(Line {
        name,
        words: format!("the first page for `{text}` among 100,000 rows: {hits} hits"),
        unit: Unit::Milliseconds,
        target,
        figures,
    })
}

/// Accepts while an indexer looks around, against accepts without it, round by round on one store.
async fn accepts(store: &Database) -> Result<[Line; 2], Trouble> {
    let env = Env::system();
    let (mut cpu, mut bytes) = (Vec::new(), Vec::new());
    // The first round only warms up.
    for round in 0..=ROUNDS as u64 {
        let without = cost(store, &env, 2 * round).await?;
        let with = tokio::select! {
            with = cost(store, &env, 2 * round + 1) => with?,
            stopped = look_around(store) => return Err(stopped),
        };
        if round > 0 {
            cpu.push(with.0 / without.0);
            bytes.push(with.1 / without.1);
        }
    }
    let line = |name, words: &str, most, figures| Line {
        name,
        words: words.to_owned(),
        unit: Unit::Ratio,
        target: Target::AtMost(most),
        figures,
    };
    let against = "of an accept beside the indexer against one without it";
    Ok([
        line(
            "search accept cpu",
            &format!("processor time {against}"),
            1.15,
            cpu,
        ),
        line(
            "search accept bytes",
            &format!("bytes {against}"),
            1.05,
            bytes,
        ),
    ])
}

/// What the indexer does while nothing is said.
async fn look_around(store: &Database) -> Trouble {
    let mut ticks = tokio::time::interval(limits::SEARCH_GATHER.to_std());
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = store.index_more(limits::SEARCH_BATCH_ROWS).await {
            return error.into();
        }
    }
}

/// Processor time and bytes of accepts, one after another.
async fn cost(store: &Database, env: &Env, round: u64) -> Result<(f64, f64), Trouble> {
    let (cpu, bytes) = (clock::cpu(), proc::bytes_written()?);
    for number in 0..ACCEPTS {
        let message = message::accept(env, number % CHATS, 1 + ACCEPTS * round + number);
        message::taken(&store.accept(message).await?)?;
    }
    let spent = (clock::cpu() - cpu).as_secs_f64();
    Ok((spent, (proc::bytes_written()? - bytes) as f64))
}

/// How long the newest row waits to be indexed while a gateway answers as fast as it can.
async fn lag(store: Database, path: &Path, home: &Path) -> Result<Line, Trouble> {
    let mut house = House::open(store, home, 1).await?;
    let file = Connection::open(path)?;
    let chats: Vec<u64> = (0..ANSWERS as u64)
        .map(|number| CHATS + number % 500)
        .collect();
    let mut figures = Vec::new();
    tokio::select! {
        biased;
        answered = house.answer(&chats, AT_ONCE) => answered?,
        stopped = sample(&file, &mut figures) => stopped?,
    }
    house.close().await;
    let worst = figures.iter().copied().fold(0.0, f64::max);
    Ok(Line {
        name: "search lag",
        words: format!(
            "the longest of {} waits of a new row for its index, under load",
            figures.len()
        ),
        unit: Unit::Milliseconds,
        target: Target::AtMost(1000.0),
        figures: vec![worst],
    })
}

/// Samples until it is dropped.
async fn sample(file: &Connection, figures: &mut Vec<f64>) -> Result<(), Trouble> {
    let newest = "SELECT coalesce(max(row), 0) FROM transcript";
    let indexed = "SELECT indexed FROM search_state";
    let number = |sql: &str| file.query_row(sql, [], |row| row.get::<_, i64>(0));
    loop {
        let (row, began) = (number(newest)?, clock::now());
        while number(indexed)? < row {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        figures.push(milliseconds(began.elapsed()));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
