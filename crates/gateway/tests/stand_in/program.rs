//! Stands in for the program around this crate: a holder of one process, and nothing else.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    match &arguments[..] {
        [_, first, folder] if first == angelia_process::ARGUMENT => {
            angelia_process::hold(Path::new(folder))
        }
        _ => ExitCode::FAILURE,
    }
}
