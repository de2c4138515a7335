//! Stands in for the program around this crate: a holder of one process, and nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    angelia_process::take_role(std::env::args_os().skip(1)).unwrap_or(ExitCode::FAILURE)
}
