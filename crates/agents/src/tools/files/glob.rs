//! Patterns for the names of files: `*.rs`, `src/**/*.rs`, `{a,b}?.txt`.
//!
//! A pattern without a slash is for names in any directory; one with a slash for whole paths, and one that ends with a slash
//! for all below. `*` and `?` stop
//! at a slash, `**` as a whole name does not. Matching takes no longer than the pattern times the path.

use std::path::Path;

use angelia_core::limits;

/// Patterns that one with alternatives may stand for.
const ALTERNATIVES_MAX: usize = 64;

/// A pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob {
    /// One fits if any of these does; each name by name.
    ways: Vec<Vec<Vec<char>>>,
}

impl Glob {
    /// Reads a pattern.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        if text.len() > limits::PATH_BYTES_MAX {
            let most = limits::PATH_BYTES_MAX;
            return Err(format!("`name` has at most {most} bytes"));
        }
        let text = text.trim();
        let text = text.strip_prefix("./").unwrap_or(text);
        let below = match text.ends_with('/') {
            true => format!("{text}**"),
            false => text.to_owned(),
        };
        let anywhere = match below.contains('/') {
            true => below.trim_start_matches('/').to_owned(),
            false => format!("**/{below}"),
        };
        let ways = alternatives(&anywhere)?;
        let names = |way: String| way.split('/').map(|name| name.chars().collect()).collect();
        Ok(Self {
            ways: ways.into_iter().map(names).collect(),
        })
    }

    /// Whether a path fits.
    pub(super) fn fits(&self, path: &Path) -> bool {
        let names = path
            .components()
            .map(|one| one.as_os_str().to_string_lossy());
        let names: Vec<Vec<char>> = names.map(|name| name.chars().collect()).collect();
        self.ways.iter().any(|way| path_fits(way, &names))
    }
}

/// Writes `{a,b}` out, one pair of braces after the other.
fn alternatives(text: &str) -> Result<Vec<String>, String> {
    let mut open = vec![text.to_owned()];
    let mut done = Vec::new();
    while let Some(text) = open.pop() {
        if open.len() + done.len() >= ALTERNATIVES_MAX {
            return Err(format!(
                "`name` stands for more than {ALTERNATIVES_MAX} patterns"
            ));
        }
        let braces = text.find('{').and_then(|start| {
            let end = start + text[start..].find('}')?;
            Some((start, end))
        });
        match braces {
            None => done.push(text),
            Some((start, end)) => {
                let (before, after) = (&text[..start], &text[end + 1..]);
                let inside = text[start + 1..end].split(',');
                open.extend(inside.map(|one| format!("{before}{one}{after}")));
            }
        }
    }
    Ok(done)
}

/// Names against names, where `**` is any number of them.
fn path_fits(pattern: &[Vec<char>], path: &[Vec<char>]) -> bool {
    let is_any = |name: &Vec<char>| name.as_slice() == ['*', '*'];
    fits(pattern, path, (is_any, |one, other| name_fits(one, other)))
}

/// Letters against letters, where `*` is any number of them.
fn name_fits(pattern: &[char], name: &[char]) -> bool {
    fits(
        pattern,
        name,
        (
            |one: &char| *one == '*',
            |one: &char, other: &char| *one == '?' || one == other,
        ),
    )
}

/// Whether a row of things fits a pattern in which some stand for any number of things. The last of those
/// takes one more whenever what follows does not fit; those before it never need to.
fn fits<P, T>(
    pattern: &[P],
    things: &[T],
    (is_any, is_one): (impl Fn(&P) -> bool, impl Fn(&P, &T) -> bool),
) -> bool {
    let (mut at, mut on) = (0, 0);
    let mut last: Option<(usize, usize)> = None;
    while on < things.len() {
        match pattern.get(at) {
            Some(one) if is_any(one) => {
                last = Some((at, on));
                at += 1;
            }
            Some(one) if is_one(one, &things[on]) => (at, on) = (at + 1, on + 1),
            Some(_) | None => match last {
                None => return false,
                Some((any, taken)) => {
                    last = Some((any, taken + 1));
                    (at, on) = (any + 1, taken + 1);
                }
            },
        }
    }
    pattern[at..].iter().all(is_any)
}

#[cfg(test)]
#[path = "glob_tests.rs"]
mod tests;
