//! A file holds one idea: 500 lines at most, tests apart.
//!
//! Counted are Rust files, and the scripts and styles under `web/`. Unit tests in `…_tests.rs` may be
//! as long as they need. Lists may be longer when `exceptions.rs` says why; an exception that is no
//! longer needed is reported too, so that the list never outlives its reasons.

use crate::exceptions::Exception;
use crate::problem::Problem;
use crate::tree::{SourceFile, Tree};

/// A reader holds about this much of one idea; also STYLE's cap, taken from the tails that hurt.
const LINES_MAX: usize = 500;

/// Finds files over the cap, and exceptions that nobody needs.
pub(crate) fn problems(tree: &Tree, exceptions: &[Exception]) -> Vec<Problem> {
    let excepted = |file: &SourceFile| exceptions.iter().any(|it| it.path == file.path);
    let too_long = tree
        .files
        .iter()
        .filter(|file| is_over(file) && !excepted(file));
    let mut found: Vec<_> = too_long.map(over_the_cap).collect();
    found.extend(exceptions.iter().filter_map(|it| idle_exception(tree, it)));
    found
}

fn is_over(file: &SourceFile) -> bool {
    is_counted(file) && file.lines().count() > LINES_MAX
}

fn is_counted(file: &SourceFile) -> bool {
    let script = file.path.starts_with("web/") && file.ends_in(&["js", "css"]);
    script || (file.ends_in(&["rs"]) && !file.holds_unit_tests())
}

fn over_the_cap(file: &SourceFile) -> Problem {
    let what = format!("{} lines, and the cap is {LINES_MAX}", file.lines().count());
    let remedy = "split it by idea; for a list, add it to xtask/src/exceptions.rs with the reason";
    Problem::new(&file.path, LINES_MAX + 1, what, remedy)
}

fn idle_exception(tree: &Tree, exception: &Exception) -> Option<Problem> {
    let needed = tree.file(exception.path).is_some_and(is_over);
    let reasoned = !exception.reason.trim().is_empty();
    if needed && reasoned {
        return None;
    }
    let (what, remedy) = match needed {
        true => ("has no reason", "say why the file is better whole"),
        false => ("is not needed", "take it off the list"),
    };
    let what = format!("the exception for {} {what}", exception.path);
    Some(Problem::new("xtask/src/exceptions.rs", 1, what, remedy))
}

#[cfg(test)]
#[path = "size_tests.rs"]
mod tests;
