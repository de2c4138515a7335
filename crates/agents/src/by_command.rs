//! A command that is given a file and prints what it makes of it.
//!
//! Its words are the operator's; the path of the file stands where they say so. It has a time, and what it complains
//! about is not read. Who asked says in errors what the command is for.

use std::path::Path;

use angelia_core::time::Span;
use angelia_process::command::Command;
use angelia_process::foreground::{self, Status};

/// What stands for the file among the words of a command.
pub const FILE: &str = "{file}";

/// What it prints, or why that is nothing. `which` tells people which command it is.
pub(crate) async fn printed(
    words: &[String],
    file: &Path,
    (which, time): (&str, Span),
) -> Result<String, Unprinted> {
    let path = file.display().to_string();
    let words = words.iter().map(|word| quoted(&word.replace(FILE, &path)));
    let words: Vec<String> = words.collect();
    // What it says about its work is not what it found.
    let command = Command {
        time,
        ..Command::new(format!("{} 2>/dev/null", words.join(" ")))
    };
    let failed = |how: &str| Unprinted::Failed(format!("the command that {which} {how}"));
    let finished = foreground::run(&command).await;
    let finished = finished.map_err(|_| failed("did not start"))?;
    match finished.status {
        Status::Exited(0) => Ok(finished.output),
        Status::Exited(code) => Err(failed(&format!("ended with {code}"))),
        Status::Signalled(_) => Err(failed("was killed")),
        Status::TimedOut => Err(Unprinted::Late),
    }
}

/// Why a command printed nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unprinted {
    /// Its time is over.
    Late,
    /// This went wrong.
    Failed(String),
}

/// A word as a shell reads it back.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
