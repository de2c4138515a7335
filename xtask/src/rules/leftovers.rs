//! Nothing unfinished on main: no notes to oneself, no stubs, no tests that are switched off.
//!
//! A thing to do belongs in the list of things to do, where someone sees it. The marks are put
//! together from pieces here, so that this file does not report itself.

use crate::problem::Problem;
use crate::tree::Tree;

/// What betrays unfinished work. Marks that are words count only as whole words.
const MARKS: [&str; 4] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("unimplemented", "!"),
    concat!("#[", "ignore"),
];

/// Finds every mark in every text.
pub(crate) fn problems(tree: &Tree) -> Vec<Problem> {
    let marked = tree.files.iter().flat_map(|file| {
        let lines = file
            .lines()
            .filter_map(|(number, line)| Some((number, mark_in(line)?)));
        lines.map(|(number, mark)| (file.path.as_str(), number, mark))
    });
    let problem = |(path, line, mark)| {
        let remedy = "finish it or remove it; what is left to do belongs in an issue";
        Problem::new(
            path,
            line,
            format!("`{mark}` marks something unfinished"),
            remedy,
        )
    };
    marked.map(problem).collect()
}

fn mark_in(line: &str) -> Option<&'static str> {
    MARKS.into_iter().find(|mark| {
        line.match_indices(mark)
            .any(|(at, _)| stands_alone(line, at, mark))
    })
}

/// Whether the mark at this place is not merely a piece of a longer word.
fn stands_alone(line: &str, at: usize, mark: &str) -> bool {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = line[..at].chars().next_back().is_some_and(in_word);
    let after = line[at + mark.len()..].chars().next().is_some_and(in_word);
    let is_word = mark.chars().all(in_word);
    !is_word || (!before && !after)
}

#[cfg(test)]
#[path = "leftovers_tests.rs"]
mod tests;
