//! Finds files by their names, or lines by what is in them.
//!
//! A search is bounded in everything: what it looks at, what it reads, what it tells, and how long it takes.
//! Wherever it ends early it says so.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::ops::ControlFlow;

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;
use rustix::fs::{FileType, Mode, OFlags, openat};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::glob::Glob;
use super::path::Inner;
use super::read;
use super::walk::{End, Found, Walk};
use super::workspace::Workspace;
use crate::tools::form::Given;

/// What an expression may grow to, in bytes.
const EXPRESSION_BYTES_MAX: usize = 1024 * 1024;

/// What is looked for.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Hunt {
    path: Inner,
    name: Option<Glob>,
    content: Option<Regex>,
    limit: usize,
    /// What was written, which says all of the above.
    written: (Option<String>, Option<String>),
}

impl PartialEq for Hunt {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, &self.written, self.limit) == (&other.path, &other.written, other.limit)
    }
}

impl Hunt {
    /// Reads what is to be looked for.
    pub(super) fn read(path: Inner, given: &Given) -> Result<Self, String> {
        let text = |name: &str| given.text(name).filter(|text| !text.is_empty());
        let (name, content) = (text("name"), text("content"));
        if name.is_none() && content.is_none() {
            return Err("say what to look for: `name`, `content`, or both".to_owned());
        }
        let case = given.flag("ignore_case");
        let limit = given
            .whole("limit")
            .and_then(|limit| usize::try_from(limit).ok());
        Ok(Self {
            path,
            name: name.map(Glob::new).transpose()?,
            content: content
                .map(|text| expression(text, syntax::Config::new().case_insensitive(case)))
                .transpose()?,
            limit: limit
                .unwrap_or(limits::FILES_FOUND)
                .min(limits::FILES_FOUND_MAX),
            written: (name.map(str::to_owned), content.map(str::to_owned)),
        })
    }

    /// What may be wrong with a pattern that nothing fits.
    fn hint(&self) -> Option<&'static str> {
        let name = self.written.0.as_deref()?;
        name.contains('[').then_some(
            "in `name` a bracket stands for itself; for one of several letters write alternatives, such as *.{c,h}",
        )
    }
}

fn expression(text: &str, syntax: syntax::Config) -> Result<Regex, String> {
    if text.len() > limits::PATH_BYTES_MAX {
        let most = limits::PATH_BYTES_MAX;
        return Err(format!("`content` has at most {most} bytes"));
    }
    let bounded = Config::new().nfa_size_limit(Some(EXPRESSION_BYTES_MAX));
    let made = Regex::builder()
        .syntax(syntax)
        .configure(bounded)
        .build(text);
    made.map_err(|error| {
        let why = error.syntax_error().map_or_else(|| error.to_string(), ToString::to_string);
        let why: String = why.lines().last().unwrap_or_default().chars().take(200).collect();
        format!(
            "`content` is no regular expression ({why}); put a backslash before letters such as ( [ {{ . * + ? that \
             are meant as they are"
        )
    })
}

/// What was found so far.
struct Finds<'a> {
    hunt: &'a Hunt,
    masker: &'a Masker,
    output: String,
    found: usize,
    read_bytes: usize,
    end: End,
}

/// Looks, and tells what was found.
pub(super) fn found(
    workspace: &Workspace,
    hunt: &Hunt,
    masker: &Masker,
    stop: &CancellationToken,
) -> Result<Value, String> {
    let directory = workspace.open(&hunt.path, OFlags::RDONLY | OFlags::DIRECTORY);
    let mut finds = Finds {
        hunt,
        masker,
        output: String::new(),
        found: 0,
        read_bytes: 0,
        end: End::All,
    };
    let end = match (directory, hunt.content.as_ref()) {
        (Ok(directory), _) => {
            Walk::new(limits::FILES_DEPTH_MAX, stop, |one| finds.look_at(&one)).go(&directory)
        }
        (Err(_), Some(content)) => finds.look_into(workspace, content)?,
        (Err(why), None) => return Err(why),
    };
    let mut result = json!({ "output": finds.output, "found": finds.found });
    let note = match (end, finds.end) {
        (End::All, End::All) if finds.found == 0 => hunt.hint(),
        (End::All, End::All) => None,
        (End::Cut, _) | (_, End::Cut) => {
            Some("there is more than one search looks at; say a `path`, or a closer `name`")
        }
        (End::Enough, _) | (_, End::Enough) => Some("there may be more; look for something closer"),
    };
    if let Some(note) = note {
        result["note"] = note.into();
    }
    Ok(result)
}

impl Finds<'_> {
    fn look_at(&mut self, one: &Found<'_>) -> ControlFlow<()> {
        let fits = |glob: &Glob| glob.fits(&one.path);
        if one.kind != FileType::RegularFile || !self.hunt.name.as_ref().is_none_or(fits) {
            return ControlFlow::Continue(());
        }
        let shown = self
            .hunt
            .path
            .as_path()
            .join(&one.path)
            .display()
            .to_string();
        let Some(content) = &self.hunt.content else {
            return self.tell(&shown);
        };
        let Some(text) = self.text(one) else {
            return self.or_cut();
        };
        if !text.lines().any(|line| content.is_match(line)) {
            return ControlFlow::Continue(());
        }
        self.tell_lines(&shown, &text, content)
    }

    /// Looks into the one file that the path names.
    fn look_into(&mut self, workspace: &Workspace, content: &Regex) -> Result<End, String> {
        let hunt = self.hunt;
        let bytes = read::bytes(workspace, &hunt.path)?;
        let text = read::text(&hunt.path, &bytes)?;
        // Whether there is more is known by the finds.
        let _told = self.tell_lines(&hunt.path.shown(), &text, content);
        Ok(End::All)
    }

    fn tell_lines(&mut self, shown: &str, text: &str, content: &Regex) -> ControlFlow<()> {
        let masked = self.masker.shown(text, Surface::File);
        for (place, line) in masked.lines().enumerate() {
            if content.is_match(line) {
                self.tell(&format!("{shown}:{}:{}", place + 1, read::cut(line)))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn or_cut(&self) -> ControlFlow<()> {
        match self.end {
            End::Cut => ControlFlow::Break(()),
            End::All | End::Enough => ControlFlow::Continue(()),
        }
    }

    fn tell(&mut self, line: &str) -> ControlFlow<()> {
        if self.found == self.hunt.limit || self.output.len() > limits::TOOL_OUTPUT_CHARS_MAX {
            self.end = End::Enough;
            return ControlFlow::Break(());
        }
        self.found += 1;
        let _infallible = writeln!(self.output, "{line}");
        ControlFlow::Continue(())
    }

    /// The text of a file; nothing of one that is none, is too large or went away.
    fn text(&mut self, one: &Found<'_>) -> Option<String> {
        if one.bytes > limits::FILE_BYTES_MAX as u64 {
            return None;
        }
        if self.read_bytes > limits::FILES_READ_BYTES_MAX {
            self.end = End::Cut;
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = openat(one.directory, one.name(), flags, Mode::empty()).ok()?;
        let mut bytes = Vec::new();
        let most = limits::FILE_BYTES_MAX as u64;
        File::from(opened).take(most).read_to_end(&mut bytes).ok()?;
        self.read_bytes += bytes.len();
        match read::is_binary(&bytes) {
            true => None,
            false => Some(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
