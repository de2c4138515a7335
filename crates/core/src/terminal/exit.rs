//! Exit codes that are no failures: some programs answer a question with theirs.
//!
//! The code of a command is that of its last program, so only that one is looked at. One behind a wrapper
//! is not: the code may be the wrapper's.

use crate::danger;

/// What an exit code means, if it is not what it seems.
#[must_use]
pub fn meaning(command: &str, code: i32) -> Option<&'static str> {
    if code == 0 {
        return None;
    }
    let last = danger::started(command).last?;
    let program = last.first()?.rsplit('/').next()?.to_lowercase();
    Some(match (program.as_str(), code) {
        ("grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack", 1) => {
            "nothing matched; this is an answer, not a failure"
        }
        ("diff" | "colordiff", 1) => "the files differ; this is an answer, not a failure",
        ("find", 1) => "some folders could not be entered; what was found elsewhere is still right",
        ("test" | "[", 1) => "the condition is false; this is an answer, not a failure",
        ("git", 1) => "often no failure: `git diff`, for one, says so that files differ",
        ("curl", 6) => "the name of the host could not be resolved",
        ("curl", 7) => "the host could not be reached",
        ("curl", 22) => "the server answered with an HTTP error",
        ("curl", 28) => "the time for the transfer was over",
        _ => return None,
    })
}
