//! Every backend keeps the promises of its seam. One file for each kind: how its agent is made to act.

mod acp;
mod demo;
mod exec;
mod model;

/// What an agent says when it simply answers.
const WORDS: [&str; 3] = ["one ", "grün ", "three"];

/// A piece of a flood.
const WAVE: &str = "and so on and so forth and so on and so forth and so on and so forth ";
