//! `transcript`: what it costs to read a conversation, and to undo it.
//!
//! A whole conversation is read for a model before it answers, so reading is held against the least that
//! any program must do: walk the same rows with one bare statement and take their texts. The last rows must
//! cost the same however long the conversation is, and an undo is one commit whatever its depth.

use std::path::Path;

use angelia_core::id::SessionId;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_store::Change;
use angelia_store::database::Database;
use angelia_store::transcripts::{By, Hide, Last, Said, Seen, Transcripts as _};
use angelia_store::views::{Range, SessionFilter, Views as _};
use rusqlite::Connection;
use tokio::runtime::Builder;

use super::line::{Line, Target, Unit};
use super::{Bench, Trouble, clock, seed};

const LONG: usize = 100_000;
const SHORT: usize = 1_000;
const LAST: usize = 200;
const ROUNDS: usize = 9;
const READS: usize = 50;
const WORDS: &str = "Nothing in the last release changes how you back up: copy the one file.";

pub(super) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let path = bench.folder.join("transcript.db");
        let store = seed::open(&path)?;
        seed::talk(&store, 2, 1).await?;
        let [long, short] = filled(&store).await?;
        Ok(vec![
            whole(&store, long, &path).await?,
            last(&store, long, short).await?,
            undo(&store, long).await?,
        ])
    })
}

/// Two conversations, one of them long.
async fn filled(store: &Database) -> Result<[SessionId; 2], Trouble> {
    let listed = store
        .sessions(SessionFilter::default(), Range::default())
        .await?;
    let ids: Vec<SessionId> = listed.items.iter().map(|row| row.id).collect();
    let [long, short] = ids[..] else {
        return Err("there should be two conversations".into());
    };
    for (session, rows) in [(long, LONG), (short, SHORT)] {
        let said = |place: usize| {
            let role = [Role::User, Role::Assistant][place % 2].clone();
            Said::from(Entry::new(role, WORDS))
        };
        let rows = (0..rows).map(said).collect();
        stood(store.append(session, rows).await?)?;
    }
    Ok([long, short])
}

fn stood<T>(change: Change<T>) -> Result<T, Trouble> {
    match change {
        Change::Done(value) => Ok(value),
        Change::Unknown | Change::Busy | Change::Moved => Err("a change was refused".into()),
    }
}

/// All rows, against a bare walk over them.
async fn whole(store: &Database, session: SessionId, path: &Path) -> Result<Line, Trouble> {
    let file = Connection::open(path)?;
    let mut figures = Vec::new();
    // The first round only warms up.
    for round in 0..=ROUNDS {
        let began = clock::cpu();
        let rows = store.conversation(session, Last::All).await?;
        let ours = clock::cpu() - began;
        let count = rows.map_or(0, |rows| rows.len());
        let began = clock::cpu();
        let bare = walk(&file, session)?;
        let theirs = clock::cpu() - began;
        if bare != count {
            return Err("the two do not read the same rows".into());
        }
        if round > 0 {
            figures.push(ours.as_secs_f64() / theirs.as_secs_f64());
        }
    }
    Ok(Line {
        name: "transcript load",
        words: format!("processor time of reading {LONG} rows against a bare walk over them"),
        unit: Unit::Ratio,
        target: Target::AtMost(2.0),
        figures,
    })
}

/// Takes the columns that a conversation is made of, and makes nothing of them.
fn walk(file: &Connection, session: SessionId) -> Result<usize, Trouble> {
    let mut statement = file.prepare(
        "SELECT seq, at, role, attention, visibility, name, text, body FROM transcript \
         WHERE session = (SELECT seq FROM sessions WHERE id = ?1) AND visibility = 'visible' \
         ORDER BY seq",
    )?;
    let mut rows = statement.query([session.to_string()])?;
    let mut texts: Vec<String> = Vec::new();
    while let Some(row) = rows.next()? {
        texts.push(row.get(6)?);
    }
    Ok(texts.len())
}

/// The last rows of a long conversation, against those of a short one.
async fn last(store: &Database, long: SessionId, short: SessionId) -> Result<Line, Trouble> {
    let mut figures = Vec::new();
    for round in 0..=ROUNDS {
        let (ours, theirs) = (reads(store, long).await?, reads(store, short).await?);
        if round > 0 {
            figures.push(ours / theirs);
        }
    }
    Ok(Line {
        name: "transcript last",
        words: format!("the last {LAST} rows of {LONG} against those of {SHORT}"),
        unit: Unit::Ratio,
        target: Target::AtMost(1.5),
        figures,
    })
}

async fn reads(store: &Database, session: SessionId) -> Result<f64, Trouble> {
    let began = clock::cpu();
    for _ in 0..READS {
        let rows = store.conversation(session, Last::Rows(LAST)).await?;
        if rows.is_none_or(|rows| rows.len() != LAST) {
            return Err("there should be more rows".into());
        }
    }
    Ok((clock::cpu() - began).as_secs_f64())
}

/// Undoes half of the long conversation, and then all of it.
async fn undo(store: &Database, session: SessionId) -> Result<Line, Trouble> {
    let mut figures = Vec::new();
    for turns in [1, LONG as u32 / 4, LONG as u32] {
        let before = store.stats().commits;
        let plan = store.rewind_plan(session, turns).await?;
        let plan = plan.ok_or("there should be a turn")?;
        let hide = Hide {
            session,
            by: By::Anyone,
            from: plan.from,
            seen: Seen::UpTo(plan.last),
        };
        stood(store.hide_from(hide).await?)?;
        figures.push((store.stats().commits - before) as f64);
    }
    Ok(Line {
        name: "transcript rewind",
        words: format!(
            "commits of an undo of one turn, of a quarter of {LONG} rows and of the rest"
        ),
        unit: Unit::Count,
        target: Target::AtMost(3.0),
        figures,
    })
}
