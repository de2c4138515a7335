//! `start`: from exec to ready, with nothing stored and with 10,000 conversations.

use std::time::Duration;

use tokio::runtime::Builder;

use super::line::{Line, Target, Unit};
use super::server::{self, Server};
use super::{Bench, Trouble, proc, seed};

const ROUNDS: usize = 9;
const CHATS: u64 = 10_000;

/// How long a server is left alone before its memory is read.
const IDLE: Duration = Duration::from_millis(200);

pub(super) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(against_targets(bench))
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let full = bench.folder.join("full");
    std::fs::create_dir_all(&full)?;
    seed::talk(&seed::open(&full.join("angelia.db"))?, CHATS, 1).await?;
    let (mut empty_ms, mut full_ms) = (Vec::new(), Vec::new());
    let (mut empty_mb, mut full_mb) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let empty = bench.folder.join(format!("empty-{round}"));
        let (ms, mb) = once(bench, &empty).await?;
        empty_ms.push(ms);
        empty_mb.push(mb);
        let (ms, mb) = once(bench, &full).await?;
        full_ms.push(ms);
        full_mb.push(mb);
    }
    let size = std::fs::metadata(server::binary(bench)?)?.len() as f64 / 1e6;
    let line = |name, words: &str, unit, most, figures| Line {
        name,
        words: words.to_owned(),
        unit,
        target: Target::AtMost(most),
        figures,
    };
    Ok(vec![
        line(
            "start empty",
            "from exec to ready, a new home",
            Unit::Milliseconds,
            50.0,
            empty_ms,
        ),
        line(
            "start full",
            "from exec to ready, 10,000 conversations",
            Unit::Milliseconds,
            50.0,
            full_ms,
        ),
        line(
            "start memory empty",
            "idle resident memory, a new home",
            Unit::Megabytes,
            20.0,
            empty_mb,
        ),
        line(
            "start memory full",
            "idle resident memory, 10,000 conversations",
            Unit::Megabytes,
            20.0,
            full_mb,
        ),
        line(
            "start binary",
            "the stripped binary",
            Unit::Megabytes,
            30.0,
            vec![size],
        ),
    ])
}

/// Milliseconds to ready, and megabytes when idle.
async fn once(bench: &Bench, home: &std::path::Path) -> Result<(f64, f64), Trouble> {
    let (server, took) = Server::start(bench, home).await?;
    tokio::time::sleep(IDLE).await;
    let resident = proc::resident(server.pid())?;
    Ok((took.as_secs_f64() * 1000.0, resident as f64 / 1e6))
}
