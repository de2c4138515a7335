//! Asking in the terminal, or through a pipe: questions, choices, and words that are not shown.
//!
//! Answers are lines. Their end, and Ctrl-C while something is typed unseen, leave the dialog. A terminal that
//! was told to hide what is typed is itself again whatever happens.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::errors::Failure;
use crate::output::{Output, Paint};

/// The most letters of an answer.
const ANSWER_BYTES_MAX: u64 = 16 * 1024;

/// Keys of a terminal in which letters come one by one.
const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const ERASE: [u8; 2] = [8, 127];

/// Somebody to ask.
pub(crate) struct Dialog<'a> {
    output: &'a Output,
}

/// One of several.
pub(crate) struct Choice<'a> {
    /// What is said to choose it, beside its number.
    pub(crate) name: &'a str,
    /// What it is.
    pub(crate) about: &'a str,
}

impl<'a> Dialog<'a> {
    pub(crate) fn new(output: &'a Output) -> Self {
        Self { output }
    }

    /// Says something.
    pub(crate) fn say(&self, words: &str) -> Result<(), Failure> {
        self.output.line(self.output.foreign(words))
    }

    /// Asks for a line. An empty one is what is usual, if anything is.
    pub(crate) fn ask(&self, question: &str, usual: Option<&str>) -> Result<String, Failure> {
        loop {
            let shown = usual.map_or(String::new(), |usual| format!(" [{usual}]"));
            let question = self.output.paint(Paint::Strong, question);
            self.output.piece(format_args!("{question}{shown}: "))?;
            let line = line()?;
            match (line.trim(), usual) {
                ("", Some(usual)) => return Ok(usual.to_owned()),
                ("", None) => self.say("Something has to be said here; Ctrl-C leaves.")?,
                (words, _) => return Ok(words.to_owned()),
            }
        }
    }

    /// Asks for one of several, by number or name; which one.
    pub(crate) fn choose(
        &self,
        question: &str,
        choices: &[Choice<'_>],
        usual: usize,
    ) -> Result<usize, Failure> {
        self.output.line("")?;
        self.output
            .line(self.output.paint(Paint::Strong, question))?;
        let width = choices.iter().map(|one| one.name.len()).max().unwrap_or(0);
        for (number, one) in (1..).zip(choices) {
            let name = self.output.foreign(one.name);
            self.output
                .line(format_args!("  {number:>2}  {name:<width$}  {}", one.about))?;
        }
        loop {
            let answer = self.ask("Choose", Some(&(usual + 1).to_string()))?;
            if let Some(place) = meant(&answer, choices) {
                return Ok(place);
            }
            self.say(&format!(
                "`{answer}` is none of them: say a number from 1 to {}.",
                choices.len()
            ))?;
        }
    }

    /// Asks for yes or no; the usual is no.
    pub(crate) fn agree(&self, question: &str) -> Result<bool, Failure> {
        let answer = self.ask(&format!("{question} (y/n)"), Some("n"))?;
        Ok(matches!(answer.to_ascii_lowercase().as_str(), "y" | "yes"))
    }

    /// Asks for a word that nobody sees.
    pub(crate) fn ask_unseen(&self, question: &str) -> Result<String, Failure> {
        loop {
            self.output.piece(format_args!("{question}: "))?;
            let typed = match io::stdin().is_terminal() {
                true => Unseen::begin()?.read(),
                false => line(),
            };
            self.output.line("")?;
            let typed = typed?;
            match typed.trim() {
                "" => self.say("Nothing was typed; Ctrl-C leaves.")?,
                word => return Ok(word.to_owned()),
            }
        }
    }
}

fn meant(answer: &str, choices: &[Choice<'_>]) -> Option<usize> {
    let number = answer.parse::<usize>().ok();
    let by_number = number
        .and_then(|number| number.checked_sub(1))
        .filter(|place| *place < choices.len());
    by_number.or_else(|| choices.iter().position(|one| one.name == answer))
}

/// Whoever stops answering has changed nothing.
pub(crate) fn left() -> Failure {
    Failure::new("setup was left; nothing was changed")
}

fn line() -> Result<String, Failure> {
    let mut line = String::new();
    let read = io::stdin()
        .lock()
        .take(ANSWER_BYTES_MAX)
        .read_line(&mut line);
    match read {
        Ok(0) | Err(_) => Err(left()),
        Ok(_) => Ok(line),
    }
}

/// A terminal that shows nothing of what is typed, until this is dropped.
struct Unseen {
    before: Termios,
}

impl Unseen {
    fn begin() -> Result<Self, Failure> {
        let failed =
            |error| Failure::new(format!("the terminal cannot hide what is typed: {error}"));
        let before = tcgetattr(io::stdin()).map_err(failed)?;
        let mut hidden = before.clone();
        // Also without signals: a Ctrl-C that ended us here would leave the terminal as it is now.
        hidden.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG;
        tcsetattr(io::stdin(), OptionalActions::Flush, &hidden).map_err(failed)?;
        Ok(Self { before })
    }

    fn read(self) -> Result<String, Failure> {
        let mut typed = Vec::new();
        for byte in io::stdin().lock().bytes() {
            match byte.map_err(|_| left())? {
                b'\r' | b'\n' => return String::from_utf8(typed).map_err(|_| left()),
                CTRL_C | CTRL_D => return Err(left()),
                erase if ERASE.contains(&erase) => drop(typed.pop()),
                letter => typed.push(letter),
            }
            if typed.len() as u64 > ANSWER_BYTES_MAX {
                return Err(left());
            }
        }
        Err(left())
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        // A terminal that is gone needs no mending.
        let _gone = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before).is_err();
    }
}
