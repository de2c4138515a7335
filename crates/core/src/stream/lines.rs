//! Lines about calls as messages: one that grows until words come between, or one for each call.

use serde_json::Value;

use super::progress::{Call, Progress};
use crate::display::{Display, Grouping};
use crate::turn::shown::Shown;

/// What a call is about is told by the first of these of its arguments.
const TELLING: [&str; 8] = [
    "command", "path", "query", "url", "pattern", "question", "name", "action",
];

/// The lines so far, in as many messages as there were words between them.
#[derive(Clone, Debug)]
pub struct Lines {
    display: Display,
    messages: Vec<Progress>,
    /// Calls that were told of: a call is told again when more is known of it.
    known: Vec<String>,
}

impl Lines {
    /// None yet, as a place wants them.
    #[must_use]
    pub fn new(display: &Display) -> Self {
        Self {
            display: *display,
            messages: Vec::new(),
            known: Vec::new(),
        }
    }

    /// How many calls were told of.
    #[must_use]
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Words were said: the next line begins another message.
    pub fn part(&mut self) {
        let last = self.messages.last();
        if last.is_some_and(|last| !last.text().is_empty()) {
            self.messages.push(self.none());
        }
    }

    fn none(&self) -> Progress {
        Progress::new(self.display.tool_progress, self.display.tool_preview_length)
    }

    /// A call began.
    pub fn tell(&mut self, shown: &Shown) {
        if self.known.contains(&shown.id) {
            return;
        }
        self.known.push(shown.id.clone());
        if self.display.tool_progress_grouping == Grouping::Separate {
            self.part();
        }
        let none = self.none();
        if self.messages.is_empty() {
            self.messages.push(none);
        }
        let arguments = shown.input.as_ref().unwrap_or(&Value::Null);
        let call = Call {
            tool: shown.title.as_deref().unwrap_or("tool"),
            about: about(arguments),
            arguments,
        };
        if let Some(last) = self.messages.last_mut() {
            last.begin(&call);
        }
    }

    /// All lines, and where the messages end.
    #[must_use]
    pub fn text(&self) -> (String, Vec<usize>) {
        let (mut text, mut breaks) = (String::new(), Vec::new());
        for message in &self.messages {
            if !text.is_empty() {
                breaks.push(text.len());
            }
            text.push_str(&message.text());
        }
        (text, breaks)
    }
}

/// What a call is about, in one line.
fn about(arguments: &Value) -> &str {
    let told = TELLING.iter().find_map(|name| arguments[*name].as_str());
    let first = || arguments.as_object()?.values().find_map(Value::as_str);
    let text = told.or_else(first).unwrap_or_default().trim();
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
