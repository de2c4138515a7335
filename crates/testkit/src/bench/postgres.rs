//! Benchmarks on a PostgreSQL server: beside `pgbench`, and one node beside two.
//!
//! The server is this run's own, with the settings that a new cluster has: commits are synced. Its files are on
//! the disk that holds the build. The reference is somebody else's program, `pgbench`, with scripts of one
//! statement, prepared, over the same loopback connections.

pub(super) mod accept;
pub(super) mod claim;
mod distance;
pub(super) mod nodes;
mod pgbench;

use angelia_store::database::Database;

use super::line::median;
use super::{Bench, Trouble};
use crate::server::cluster::Cluster;

/// Starts a server whose commits are durable.
fn start(bench: &Bench) -> Result<Cluster, Trouble> {
    let beside = bench
        .program
        .parent()
        .ok_or("this program is in no folder")?;
    Cluster::durable_in(beside).ok_or_else(|| {
        "there is no `initdb`; `cargo xtask bench` installs PostgreSQL where that is allowed".into()
    })
}

/// Opens the store on the server, by the server's clock.
fn open(cluster: &Cluster) -> Result<Database, Trouble> {
    let address = cluster.address(cluster.port);
    Ok(angelia_store::postgres::open(&address)?)
}

/// What a server in use has by itself: knowledge of how full its tables are.
fn analyse(cluster: &Cluster) -> Result<(), Trouble> {
    cluster.query("ANALYZE").map(drop)
}

/// The figures of each round, ours by theirs.
fn ratios(ours: &[f64], theirs: &[f64]) -> Vec<f64> {
    ours.iter()
        .zip(theirs)
        .map(|(our, their)| our / their)
        .collect()
}

/// The two medians for the words of a line.
fn medians(ours: &[f64], theirs: &[f64]) -> (f64, f64) {
    (median(ours), median(theirs))
}
