//! `pgbench`: the program that comes with PostgreSQL, with scripts of our own.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::Trouble;
use super::super::line::median;
use crate::server::cluster::Cluster;

/// A script and how it is run.
pub(super) struct Script<'a> {
    folder: &'a Path,
    file: PathBuf,
    /// A value that every transaction sends, as ours send theirs.
    body: Option<&'a str>,
}

/// What a run came to.
pub(super) struct Run {
    /// Transactions per second, without the time to connect.
    pub(super) rate: f64,
    /// The median of a transaction, in milliseconds.
    pub(super) latency: f64,
}

impl<'a> Script<'a> {
    /// Writes the script into the folder.
    pub(super) fn new(folder: &'a Path, name: &str, sql: &str) -> Result<Self, Trouble> {
        let file = folder.join(format!("{name}.sql"));
        fs::write(&file, sql)?;
        Ok(Self {
            folder,
            file,
            body: None,
        })
    }

    /// The same with a value for `:body`.
    pub(super) fn sending(self, body: &'a str) -> Self {
        Self {
            body: Some(body),
            ..self
        }
    }

    /// Runs it: so many clients, each so many transactions.
    pub(super) fn run(
        &self,
        cluster: &Cluster,
        (clients, each): (u64, u64),
    ) -> Result<Run, Trouble> {
        let log = tempfile::tempdir_in(self.folder)?;
        let mut pgbench = cluster.client("pgbench");
        pgbench
            .args(["-n", "-M", "prepared", "-j", &clients.min(2).to_string()])
            .args(["-c", &clients.to_string(), "-t", &each.to_string()])
            .args(["-l", "--log-prefix"])
            .arg(log.path().join("log"))
            .arg("-f")
            .arg(&self.file);
        if let Some(body) = self.body {
            pgbench.arg("-D").arg(format!("body={body}"));
        }
        let ran = pgbench.output()?;
        let said = String::from_utf8_lossy(&ran.stdout);
        if !ran.status.success() {
            let why = String::from_utf8_lossy(&ran.stderr);
            return Err(format!("pgbench failed: {why}").into());
        }
        Ok(Run {
            rate: rate(&said)?,
            latency: latency(log.path())?,
        })
    }
}

/// What follows `tps = `.
fn rate(said: &str) -> Result<f64, Trouble> {
    let line = said.lines().find_map(|line| line.strip_prefix("tps = "));
    let figure = line.and_then(|line| line.split(' ').next());
    Ok(figure.ok_or("pgbench told no rate")?.parse()?)
}

/// The median over all transactions: the third word of each line of the logs, in microseconds.
fn latency(logs: &Path) -> Result<f64, Trouble> {
    let mut took = Vec::new();
    for file in fs::read_dir(logs)? {
        let log = fs::read_to_string(file?.path())?;
        let third = |line: &str| line.split(' ').nth(2)?.parse::<f64>().ok();
        took.extend(log.lines().filter_map(third));
    }
    Ok(median(&took) / 1000.0)
}
