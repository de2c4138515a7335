//! What a command would start, for rules that judge no danger: every program with what it is given,
//! whether the shell goes on without waiting, whose exit code is the command's, and who would run what is
//! typed into it.
//!
//! A text that cannot be read starts nothing here; the judgement refuses it anyway.

use super::call::{Call, calls};
use super::listener::Listener;
use super::payload::{self, Runs};
use super::plain::plain;
use super::rules;
use super::shell::{self, Ends, Pipeline, Redirect, Script, Simple, Stage, Word};
use super::size;

/// What a command would start.
#[derive(Debug, Default)]
pub(crate) struct Started {
    /// Each program, by its name without a path, and its arguments.
    pub(crate) programs: Vec<Vec<String>>,
    /// The words of the last command of all, whose exit code is told; none if it is a group.
    pub(crate) last: Option<Vec<String>>,
    /// Whether something is left running.
    pub(crate) leaves: bool,
    /// Who runs what is typed into it.
    pub(crate) listener: Listener,
}

/// Reads a command.
pub(crate) fn started(command: &str) -> Started {
    let mut started = Started::default();
    if !size::is_too_large(command) {
        started.text(&plain(command), 0);
    }
    started
}

impl Started {
    fn text(&mut self, text: &str, depth: usize) {
        if let Ok(script) = shell::read(text, depth) {
            self.script(&script, depth);
            if depth == 0 {
                self.last = last(&script);
            }
        }
    }

    fn script(&mut self, script: &Script, depth: usize) {
        for pipeline in &script.pipelines {
            self.leaves |= pipeline.ends == Ends::Background;
            for stage in &pipeline.stages {
                self.stage(stage, depth);
            }
        }
    }

    fn stage(&mut self, stage: &Stage, depth: usize) {
        match stage {
            Stage::Simple(simple) => self.simple(simple, depth),
            Stage::Group(group) => {
                self.redirects(&group.redirects, depth);
                self.script(&group.body, depth);
            }
        }
    }

    fn simple(&mut self, simple: &Simple, depth: usize) {
        for word in simple.assigned.iter().chain(&simple.words) {
            self.word(word, depth);
        }
        self.redirects(&simple.redirects, depth);
        for call in calls(simple).unwrap_or_default() {
            self.call(&call, depth);
        }
    }

    fn call(&mut self, call: &Call<'_>, depth: usize) {
        let arguments = call.texts().map(str::to_owned);
        let words = std::iter::once(call.program()).chain(arguments);
        self.programs.push(words.collect());
        self.listener = self.listener.max(rules::listener(call));
        for payload in payload::payloads(call) {
            match payload.runs {
                Runs::Here => self.text(&payload.text, depth + 1),
                Runs::Elsewhere => self.elsewhere(&payload.text, depth + 1),
            }
        }
    }

    /// What is started elsewhere is not started here, but what is typed here may reach it.
    fn elsewhere(&mut self, text: &str, depth: usize) {
        let mut there = Self::default();
        there.text(text, depth);
        self.listener = self.listener.max(there.listener);
    }

    fn redirects(&mut self, redirects: &[Redirect], depth: usize) {
        for redirect in redirects {
            match redirect {
                Redirect::From(word) | Redirect::To(word) => self.word(word, depth),
                Redirect::Text(text) => text
                    .get()
                    .into_iter()
                    .for_each(|word| self.word(word, depth)),
            }
        }
    }

    fn word(&mut self, word: &Word, depth: usize) {
        for inner in &word.inner {
            self.script(inner, depth);
        }
    }
}

fn last(script: &Script) -> Option<Vec<String>> {
    let stage = script
        .pipelines
        .last()
        .and_then(|Pipeline { stages, .. }| stages.last())?;
    match stage {
        Stage::Simple(simple) => {
            let words = simple.words.iter().map(|word| word.text.clone());
            Some(words.collect())
        }
        Stage::Group(_) => None,
    }
}
