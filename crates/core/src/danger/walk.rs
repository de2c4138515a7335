//! Goes through everything that a text would run, and asks the rules about each of it.
//!
//! A shell reads some texts twice: what is given to `sh -c`, to `eval`, to another machine, or is piped
//! into a shell. So does the walk, one level deeper. What it reads in all is counted, so that no text can
//! make it read without end.

use super::call::{Call, Via, calls};
use super::findings::Findings;
use super::payload::{self, Runs};
use super::places::Places;
use super::reason::Reason;
use super::rules;
use super::shell::{self, Ends, Group, Pipeline, Redirect, Script, Simple, Stage, Trouble, Word};
use crate::limits;

/// Reads a text that stands so many levels inside another, and notes what is found in it.
pub(super) fn text(text: &str, depth: usize, found: &mut Findings) {
    if found.spend(text.chars().count()) > limits::JUDGED_WORK_CHARS_MAX {
        return found.refuse(Reason::TooLarge);
    }
    match shell::read(text, depth) {
        Ok(read) => script(&read, depth, found),
        Err(trouble) => note(trouble, found),
    }
}

fn note(trouble: Trouble, found: &mut Findings) {
    found.refuse(match trouble {
        Trouble::Deep => Reason::TooLarge,
        Trouble::Unclosed => Reason::Malformed,
    });
}

fn script(script: &Script, depth: usize, found: &mut Findings) {
    let mut chain = found.places().clone();
    for line in &script.pipelines {
        pipeline(line, depth, found);
        if line.ends != Ends::Needed {
            // What comes now also comes if something in the chain failed.
            found.places().came_from(&chain);
            chain.clone_from(found.places());
        }
    }
    rules::sequence(script, found);
}

fn pipeline(line: &Pipeline, depth: usize, found: &mut Findings) {
    let before = found.places().clone();
    for stage in &line.stages {
        match stage {
            Stage::Simple(command) => simple(command, line.ends, depth, found),
            Stage::Group(group) => grouped(group, depth, found),
        }
    }
    for fed in rules::pipeline(line, found) {
        text(&fed, depth + 1, found);
    }
    moves(line, &before, found);
}

/// Where the commands behind a pipeline may be: where it began, and where a `cd` in it leads.
fn moves(line: &Pipeline, before: &Places, found: &mut Findings) {
    let to = line.stages.first().and_then(destination);
    if let Some(to) = to {
        *found.places() = before.moved(to);
    }
    let is_certain = to.is_some() && line.ends == Ends::Needed && line.stages.len() == 1;
    if !is_certain {
        found.places().came_from(before);
    }
}

/// Where a stage goes, if that is all it does and it is written out.
fn destination(stage: &Stage) -> Option<&str> {
    let Stage::Simple(command) = stage else {
        return None;
    };
    let mut words = command
        .words
        .iter()
        .skip_while(|word| is_prefix(&word.text));
    let mover = words.next().map(|word| word.text.as_str());
    if !matches!(mover, Some("cd" | "pushd" | "chdir")) {
        return None;
    }
    let mut operands = words.filter(|word| !word.text.starts_with('-'));
    match operands.next() {
        None => Some("~"),
        Some(word) => (word.inner.is_empty() && !is_hidden(&word.text)).then_some(&word.text),
    }
}

fn is_prefix(word: &str) -> bool {
    matches!(word, "command" | "builtin")
}

/// Whether a variable other than the home says where it leads.
fn is_hidden(text: &str) -> bool {
    let is_home = text.starts_with("$HOME") || text.starts_with("${HOME}");
    text.contains('$') && !(is_home && text.matches('$').count() == 1)
}

fn grouped(group: &Group, depth: usize, found: &mut Findings) {
    rules::group(group, found);
    redirects(&group.redirects, depth, found);
    script(&group.body, depth, found);
}

fn simple(command: &Simple, ends: Ends, depth: usize, found: &mut Findings) {
    for word in command.assigned.iter().chain(&command.words) {
        inside(word, depth, found);
    }
    redirects(&command.redirects, depth, found);
    match calls(command) {
        Ok(calls) => calls
            .iter()
            .for_each(|call| called(call, ends, depth, found)),
        Err(trouble) => note(trouble, found),
    }
}

fn redirects(redirects: &[Redirect], depth: usize, found: &mut Findings) {
    for redirect in redirects {
        match redirect {
            Redirect::From(word) => {
                rules::read(&word.text, found);
                inside(word, depth, found);
            }
            Redirect::To(word) => {
                rules::written(&word.text, found);
                inside(word, depth, found);
            }
            Redirect::Text(cell) => cell
                .get()
                .into_iter()
                .for_each(|word| inside(word, depth, found)),
        }
    }
}

/// What runs to make a word.
fn inside(word: &Word, depth: usize, found: &mut Findings) {
    for inner in &word.inner {
        script(inner, depth, found);
    }
}

/// What happens elsewhere is found apart, because it weighs less.
fn called(call: &Call<'_>, ends: Ends, depth: usize, found: &mut Findings) {
    found.say(call.line());
    if call.via != Via::Elsewhere {
        return judged(call, ends, depth, found);
    }
    let mut there = found.elsewhere();
    judged(call, ends, depth, &mut there);
    found.adopt(there);
}

fn judged(call: &Call<'_>, ends: Ends, depth: usize, found: &mut Findings) {
    rules::call(call, ends, found);
    for payload in payload::payloads(call) {
        match payload.runs {
            Runs::Here => text(&payload.text, depth + 1, found),
            Runs::Elsewhere => {
                let mut there = found.elsewhere();
                text(&payload.text, depth + 1, &mut there);
                found.adopt(there);
            }
        }
    }
}
