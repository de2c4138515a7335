//! Which programs a command starts: the one it names, and those that one starts in turn.
//!
//! ```text
//! sudo -u bob env A=b xargs rm -r    ──▶  sudo, env, xargs, rm
//! ```
//!
//! A wrapper is a program whose arguments are another command. Its options have to be known, because
//! some take the next word as their value. A program that is not listed starts nothing.

use super::shell::{Simple, Trouble, Word};
use super::wrapper;
use crate::limits;

/// A program and what it is given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) words: &'a [Word],
    pub(super) via: Via,
    /// The command it stands in, with its redirections.
    pub(super) simple: &'a Simple,
}

/// Who starts a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Via {
    /// The shell, or a wrapper that adds nothing.
    Shell,
    /// `xargs`, which adds arguments that nobody sees here.
    Xargs,
    /// `find`, which adds the files it finds.
    Find,
    /// A program that leads it to another machine or into a container.
    Elsewhere,
}

/// The programs that a simple command starts, outermost first.
pub(super) fn calls(simple: &Simple) -> Result<Vec<Call<'_>>, Trouble> {
    let first = Call {
        words: &simple.words,
        via: Via::Shell,
        simple,
    };
    let mut calls = Vec::new();
    let mut open = vec![first];
    while let Some(call) = open.pop() {
        if call.words.is_empty() {
            continue;
        }
        if calls.len() >= limits::JUDGED_DEPTH_MAX {
            return Err(Trouble::Deep);
        }
        calls.push(call);
        open.extend(wrapper::started(&call));
    }
    Ok(calls)
}

impl<'a> Call<'a> {
    /// The name of the program: without its path, its case and what a variable might add.
    pub(super) fn program(&self) -> String {
        let text = self.words.first().map_or("", |word| &word.text);
        let bare = without_variables(text).to_lowercase();
        let name = bare.rsplit(['/', '\\']).next().unwrap_or_default();
        name.strip_suffix(".exe").unwrap_or(name).to_owned()
    }

    pub(super) fn arguments(&self) -> &'a [Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// The texts of the arguments.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.arguments().iter().map(|word| word.text.as_str())
    }

    /// The options: what begins with a dash, up to `--`.
    pub(super) fn options(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let before = self.texts().take_while(|text| *text != "--");
        before.filter(|text| text.len() > 1 && text.starts_with('-'))
    }

    /// The arguments that are no options: without a dash, or behind `--`.
    pub(super) fn operands(&self) -> Vec<&'a str> {
        let options = self.texts().take_while(|text| *text != "--");
        let plain = options.filter(|text| !text.starts_with('-') || *text == "-");
        let behind = self.texts().skip_while(|text| *text != "--").skip(1);
        plain.chain(behind).collect()
    }

    /// Whether a letter stands in a bundle of short options.
    pub(super) fn has_short(&self, letters: &str) -> bool {
        let bundles = self.options().filter(|text| !text.starts_with("--"));
        let has = |text: &str| text.chars().skip(1).any(|char| letters.contains(char));
        bundles.into_iter().any(has)
    }

    /// Whether a long option is given, perhaps shortened to no less than this.
    pub(super) fn has_long(&self, least: &str, whole: &str) -> bool {
        self.options().any(|text| {
            let name = text.split('=').next().unwrap_or_default();
            name.len() >= least.len() && whole.starts_with(&name.to_lowercase())
        })
    }

    /// The command on one line, as the operator's rules see it.
    pub(super) fn line(&self) -> String {
        let program = self.program();
        let parts = std::iter::once(program.as_str()).chain(self.texts());
        parts.collect::<Vec<_>>().join(" ")
    }
}

/// A name without the variables in it, unless nothing else is left: `r${x}m` may well be `rm`.
fn without_variables(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        bare.push_str(before);
        rest = behind_variable(behind);
    }
    bare.push_str(rest);
    if bare.is_empty() {
        text.to_owned()
    } else {
        bare
    }
}

fn behind_variable(text: &str) -> &str {
    if let Some(braces) = text.strip_prefix('{') {
        return braces.split_once('}').map_or("", |(_, behind)| behind);
    }
    let special = text.starts_with(|char: char| "@*#?-$!0123456789".contains(char));
    if special {
        return text.get(1..).unwrap_or_default();
    }
    text.trim_start_matches(|char: char| char.is_ascii_alphanumeric() || char == '_')
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod tests;
