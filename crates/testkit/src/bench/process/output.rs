//! `process-output`: a command that says 100 MB, through a holder that keeps them, against a bare reader
//! that throws them away.
//!
//! The command is `cat` of a file of lines that the system has in memory: it says all it has as fast as
//! it is taken. Both sides are timed from before the start until the end is known, ours therefore with
//! a log on disk and an exit that is synced.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Duration;

use angelia_process::exit::How;
use angelia_process::held::Outcome;
use angelia_process::spec::Spec;

use super::{Holders, bare, on_terminal, runtime};
use crate::bench::line::{Line, Target, Unit, median};
use crate::bench::{Bench, Trouble, clock};

const ROUNDS: usize = 9;
const BYTES: u64 = 100_000_000;

/// A line as programs write them, with its end.
const LINE: &[u8] =
    b"2026-03-01T12:00:00Z info: step 17 of 40 done, nothing to complain about so far\n";

pub(super) const fn bytes() -> u64 {
    BYTES
}

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let command = command(&bench.folder)?;
    let mut holders = Holders::new(bench)?;
    let runtime = runtime()?;
    let (mut pipe, mut terminal) = (Rates::default(), Rates::default());
    for round in 0..=ROUNDS {
        let (theirs, ours) = (
            bare::read_pipe(&command)?,
            runtime.block_on(held(&mut holders, &Spec::new(&command)))?,
        );
        let (their_screen, our_screen) = (
            bare::read_terminal(&command)?,
            runtime.block_on(held(&mut holders, &on_terminal(&command)))?,
        );
        // The first round brings the programs into memory.
        if round > 0 {
            pipe.note(ours, theirs)?;
            terminal.note(our_screen, their_screen)?;
        }
    }
    Ok(vec![
        pipe.line("output pipe", "100 MB through a pipe", 0.6),
        terminal.line("output terminal", "100 MB through a terminal", 0.85),
    ])
}

/// Writes the file, and says the command that shows it.
pub(super) fn command(folder: &Path) -> Result<String, Trouble> {
    let path = folder.join("words");
    let mut file = BufWriter::new(File::create(&path)?);
    let mut left = BYTES as usize;
    while left > 0 {
        let line = &LINE[..LINE.len().min(left)];
        file.write_all(line)?;
        left -= line.len();
    }
    file.into_inner()?.sync_all()?;
    Ok(format!("cat {}", path.display()))
}

async fn held(holders: &mut Holders, spec: &Spec) -> Result<(u64, Duration), Trouble> {
    let began = clock::now();
    let held = holders.start(spec).await?;
    let outcome = held.wait().await?;
    let took = began.elapsed();
    match outcome {
        Outcome::Ended(exit) if exit.how == How::Exited(0) => {
            std::fs::remove_dir_all(held.folder())?;
            Ok((exit.log_bytes, took))
        }
        other @ (Outcome::Ended(_) | Outcome::Lost) => {
            Err(format!("the command did not end well: {other:?}").into())
        }
    }
}

/// Bytes per second, round by round.
#[derive(Default)]
struct Rates {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Rates {
    fn note(&mut self, ours: (u64, Duration), theirs: (u64, Duration)) -> Result<(), Trouble> {
        if ours.0 != theirs.0 || ours.0 < BYTES {
            return Err(format!("we read {} bytes, they {}", ours.0, theirs.0).into());
        }
        self.ours.push(ours.0 as f64 / ours.1.as_secs_f64());
        self.theirs.push(theirs.0 as f64 / theirs.1.as_secs_f64());
        Ok(())
    }

    fn line(self, name: &'static str, what: &str, least: f64) -> Line {
        let words = format!(
            "{what}, kept, against a bare reader ({:.0} and {:.0} MB/s)",
            median(&self.ours) / 1e6,
            median(&self.theirs) / 1e6
        );
        let pairs = self.ours.iter().zip(&self.theirs);
        Line {
            name,
            words,
            unit: Unit::Ratio,
            target: Target::AtLeast(least),
            figures: pairs.map(|(ours, theirs)| ours / theirs).collect(),
        }
    }
}
