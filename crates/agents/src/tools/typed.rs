//! What is typed into a process that runs it: a shell's input is judged like a command.
//!
//! A shell that was started with consent runs whatever is typed later, so the judgement goes along with the
//! words: they are refused, asked about or written like a command of their own. A yes is for these words to
//! this process. Whoever types to a shell types whole lines, because half a line would be judged without its
//! other half. Keys alone (an interrupt, an end of input) say nothing and pass.
//!
//! What one line does to the meaning of a later one (a variable, a function, a directory) is not followed,
//! and what an interpreter of another language is told is not judged at all: its start was asked about.

use std::path::PathBuf;

use angelia_core::danger::gate::Typing;
use angelia_core::danger::{Listener, listener};
use serde_json::{Value, json};

use super::process::Ask;
use super::terminal::Matter;
use super::{Deed, Toolbox};
use crate::background::act::{Act, Acted, Looked, Words};
use crate::events::Ended;

/// What is said of a line without its end.
const HALF: &str = "a shell runs what is typed into it, so it is typed in whole lines: use `submit`, or end \
                    the text with a line's end and no backslash before it";

/// What is said of keys among words.
const KEYS: &str = "a shell runs what is typed into it, so words and control keys are not mixed: send the \
                    words with `submit`, and the keys in a `write` of their own";

impl Toolbox<'_> {
    /// The act as something to be done, once nothing and nobody is against the words in it.
    pub(super) async fn typed(&self, call: &str, ask: Ask) -> Result<Deed, Ended> {
        let Act::Tell(id, words) = &ask.act else {
            return Ok(Deed::Act(Box::new(ask)));
        };
        let looked = self.input.background.act(Act::Poll(id.clone())).await?;
        let refused = match &looked {
            Acted::Looked(process) if listener(&process.command) == Listener::Shell => {
                self.unheard(call, process, words).await?
            }
            // Nobody knows what it runs.
            Acted::Failed(why) => Some(json!({ "status": "error", "error": why })),
            // A process that is not there or has ended says so when it is written to.
            Acted::Looked(_)
            | Acted::NotFound
            | Acted::Listed(_)
            | Acted::Lines(..)
            | Acted::Piece(..)
            | Acted::Waited(..)
            | Acted::Killed(..)
            | Acted::Told(_)
            | Acted::Closed(_)
            | Acted::Over(_) => None,
        };
        Ok(refused.map_or_else(|| Deed::Act(Box::new(ask)), Deed::Refused))
    }

    /// Why words are not written to a shell, if so.
    async fn unheard(
        &self,
        call: &str,
        process: &Looked,
        words: &Words,
    ) -> Result<Option<Value>, Ended> {
        let lines = match lines(words) {
            Ok(None) => return Ok(None),
            Ok(Some(lines)) => lines,
            Err(why) => return Ok(Some(json!({ "status": "error", "error": why }))),
        };
        let matter = Matter {
            call,
            command: &lines,
            workdir: process.workdir.as_ref().map(PathBuf::from),
            backend: format!("{}, typed into {}", self.backend(), process.id),
            typing: Typing::Never,
        };
        let objection = self.objection(&matter).await?;
        Ok(objection.map(|why| json!({ "status": "blocked", "error": why["error"] })))
    }
}

/// The lines that a shell would read; none if there are only keys.
fn lines(words: &Words) -> Result<Option<String>, &'static str> {
    let text = match words {
        Words::Raw(text) => text.clone(),
        Words::Line(text) => format!("{text}\n"),
    };
    if text.chars().all(char::is_control) {
        return Ok(None);
    }
    let text = text.replace('\r', "\n");
    if text.contains(|sign: char| sign.is_control() && sign != '\n' && sign != '\t') {
        return Err(KEYS);
    }
    let whole = text.strip_suffix('\n').ok_or(HALF)?;
    match whole.trim_end_matches('\n').ends_with('\\') {
        true => Err(HALF),
        false => Ok(Some(whole.to_owned())),
    }
}

#[cfg(test)]
#[path = "typed_tests.rs"]
mod tests;
