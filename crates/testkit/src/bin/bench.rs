//! Measures the release build against its targets: `bench [NAME…] [--json]`.

use std::process::ExitCode;

use angelia_testkit::bench::{self, Arguments};
use clap::Parser;

fn main() -> ExitCode {
    bench::run(&Arguments::parse())
}
