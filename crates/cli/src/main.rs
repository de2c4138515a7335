//! The binary `angelia`: settings in, a running gateway out.
//!
//! `args` reads the command line, `config` the settings, `home` the directory; `commands` has one file
//! per command. Only `compose` knows all parts of a gateway; only `output` prints. The commands other
//! than `serve` and `config` are clients of the HTTP interface of a running gateway.

mod args;
mod commands;
mod compose;
mod config;
mod errors;
mod finding;
mod home;
mod logs;
mod output;

use std::process::ExitCode;

use clap::Parser as _;

use crate::config::environment::Environment;

fn main() -> ExitCode {
    let line = args::CommandLine::parse();
    match commands::run(line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure @ errors::Failure::ReaderGone) => failure.exit_code(),
        Err(failure) => {
            output::complain(&failure, Environment::read().colour);
            failure.exit_code()
        }
    }
}
