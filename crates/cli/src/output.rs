//! Everything that is printed, for people or as JSON. No other file prints.
//!
//! On a terminal there may be colour, and lines are cut to its width; elsewhere the output is plain and
//! whole, so that scripts can rely on it. Text that came from someone else is freed of control
//! characters before it reaches a terminal, which would otherwise obey them. A reader that leaves early
//! (`| head`) ends the command quietly.

pub(crate) mod progress;
pub(crate) mod table;
pub(crate) mod time;

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;

use crate::config::environment::Colour;
use crate::errors::Failure;

/// Where output goes and in which form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    /// For people, or for programs.
    pub(crate) form: Form,
    screen: Screen,
    colour: Colour,
}

/// For whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Tables and sentences.
    People,
    /// The JSON of the HTTP interface.
    Json,
}

/// What the output appears on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Screen {
    /// A terminal of this many columns.
    Terminal {
        /// How many letters fit in a line.
        columns: usize,
    },
    /// A file or a pipe.
    None,
}

/// How words are painted, where colour is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// As they are.
    Plain,
    /// Headings and names.
    Strong,
    /// What matters less.
    Faint,
    /// All is well.
    Good,
    /// In motion, or worth a look.
    Busy,
    /// Wrong.
    Bad,
}

impl Output {
    /// Output in this form on whatever standard output is.
    pub(crate) fn new(form: Form, colour: Colour) -> Self {
        Self {
            form,
            screen: screen(),
            colour,
        }
    }

    /// What the output appears on.
    pub(crate) fn screen(&self) -> Screen {
        self.screen
    }

    /// Prints a line.
    pub(crate) fn line(&self, text: impl Display) -> Result<(), Failure> {
        self.piece(format_args!("{text}\n"))
    }

    /// Prints words without ending the line; they are seen at once.
    pub(crate) fn piece(&self, text: impl Display) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let printed = write!(out, "{text}").and_then(|()| out.flush());
        printed.map_err(lost)
    }

    /// Prints a value as JSON: spread out on a terminal, one line elsewhere.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let text = match self.screen {
            Screen::Terminal { .. } => serde_json::to_string_pretty(value),
            Screen::None => serde_json::to_string(value),
        };
        let unsayable = |error| Failure::new(format!("the answer cannot be written: {error}"));
        self.line(text.map_err(unsayable)?)
    }

    /// Someone else's words, as they may be shown here.
    pub(crate) fn foreign(&self, text: &str) -> String {
        match self.screen {
            Screen::Terminal { .. } => harmless(text),
            Screen::None => text.to_owned(),
        }
    }

    /// The words in colour, where there is colour.
    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Plain => "",
            Paint::Strong => "1",
            Paint::Faint => "2",
            Paint::Good => "32",
            Paint::Busy => "33",
            Paint::Bad => "31",
        };
        match (self.screen, self.colour) {
            (Screen::Terminal { .. }, Colour::Wanted) if !code.is_empty() => {
                format!("\x1b[{code}m{text}\x1b[0m")
            }
            (Screen::Terminal { .. } | Screen::None, _) => text.to_owned(),
        }
    }
}

/// Says something beside the output: progress, or why the command ends. A closed stderr is nobody's
/// loss.
pub(crate) fn aside(text: impl Display) {
    let _nobody_listens = writeln!(io::stderr().lock(), "{text}").is_err();
}

/// Writes words over those that were last written so, on a terminal beside the output.
pub(crate) fn aside_again(text: impl Display) {
    let mut beside = io::stderr().lock();
    let written = write!(beside, "\r{text}\x1b[K").and_then(|()| beside.flush());
    let _nobody_looks = written.is_err();
}

/// How many letters fit in a line beside the output; nothing if that is no terminal.
pub(crate) fn columns_aside() -> Option<usize> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok();
    let columns = size.map(|size| usize::from(size.ws_col));
    Some(columns.filter(|columns| *columns > 0).unwrap_or(80))
}

/// Says why the command ends.
pub(crate) fn complain(failure: &Failure, colour: Colour) {
    let text = failure.to_string();
    if colour == Colour::Unwanted || !io::stderr().is_terminal() {
        return aside(text);
    }
    let text = text.replacen("error:", "\x1b[1;31merror:\x1b[0m", 1);
    aside(text.replacen("\nhint:", "\n\x1b[1mhint:\x1b[0m", 1));
}

/// Whether what is typed comes from a person.
pub(crate) fn is_typed() -> bool {
    io::stdin().is_terminal()
}

/// What standard output is now. A terminal that was closed is none any more.
pub(crate) fn screen() -> Screen {
    if !io::stdout().is_terminal() {
        return Screen::None;
    }
    let size = rustix::termios::tcgetwinsize(io::stdout());
    let columns = size
        .ok()
        .map(|size| usize::from(size.ws_col))
        .filter(|columns| *columns > 0);
    Screen::Terminal {
        columns: columns.unwrap_or(80),
    }
}

fn lost(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::ReaderGone;
    }
    Failure::new(format!("standard output cannot be written: {error}"))
}

/// The text without characters that move the cursor, change colours or do worse.
fn harmless(text: &str) -> String {
    let kept = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t');
    text.chars().filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_cannot_command_a_terminal() {
        assert_eq!(harmless("a\x1b[2Jb\x07\u{9b}c\r\nd\te"), "a[2Jbc\nd\te");
    }

    #[test]
    fn colour_is_only_for_terminals_and_only_if_wanted() {
        let on = |screen, colour| Output {
            form: Form::People,
            screen,
            colour,
        };
        let terminal = Screen::Terminal { columns: 80 };
        let painted = on(terminal, Colour::Wanted).paint(Paint::Good, "ok");
        assert_eq!(painted, "\x1b[32mok\x1b[0m");
        assert_eq!(on(terminal, Colour::Wanted).paint(Paint::Plain, "ok"), "ok");
        assert_eq!(
            on(terminal, Colour::Unwanted).paint(Paint::Good, "ok"),
            "ok"
        );
        assert_eq!(
            on(Screen::None, Colour::Wanted).paint(Paint::Good, "ok"),
            "ok"
        );
    }
}
