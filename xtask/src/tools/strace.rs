//! `strace`, for the benchmarks that count what reaches the disk.

use anyhow::{Context, Result};

use super::debian;

/// Finds the tracer on the search path, or puts Debian's there.
pub(crate) fn obtain() -> Result<()> {
    if debian::on_path(&["strace"]).is_none() {
        debian::install("strace").context("the benchmarks count system calls with strace")?;
    }
    Ok(())
}
