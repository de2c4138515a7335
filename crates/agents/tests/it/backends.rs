//! Every backend keeps the promises of its seam. One file for each kind: how its agent is made to act.

mod acp;
mod demo;
mod exec;
mod model;

use std::fs;
use std::path::Path;

/// What an agent says when it simply answers.
const WORDS: [&str; 3] = ["one ", "grün ", "three"];

/// A piece of a flood.
const WAVE: &str = "and so on and so forth and so on and so forth and so on and so forth ";

/// How many lines a file has; none if it is not there.
fn lines(file: &Path) -> usize {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().count()
}
