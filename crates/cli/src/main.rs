//! The binary `angelia`: settings in, a running gateway out.
//!
//! `args` reads the command line, `config` the settings, `home` the directory; `commands` has one file
//! per command. Only `compose` knows all parts of a gateway; only `output` prints. The commands other
//! than `serve`, `config`, `setup`, `doctor` and `migrate` are clients of the HTTP interface of a running gateway.
//!
//! With a hidden first argument, which only a gateway gives, it is none of this but the holder of one
//! background process, or the bridge to one in another place.

mod args;
mod commands;
mod compose;
mod config;
mod doctor;
mod errors;
mod finding;
mod home;
mod logs;
mod output;
mod setup;

use std::process::ExitCode;

use clap::Parser as _;

use crate::config::environment::Environment;

fn main() -> ExitCode {
    // Before anything else: a holder of a background process must stay as small as it starts.
    if let Some(played) = angelia_process::take_role(std::env::args_os().skip(1)) {
        return played;
    }
    let line = args::CommandLine::parse();
    match commands::run(line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure @ (errors::Failure::ReaderGone | errors::Failure::StartAgain)) => {
            failure.exit_code()
        }
        Err(failure) => {
            output::complain(&failure, Environment::read().colour);
            failure.exit_code()
        }
    }
}
