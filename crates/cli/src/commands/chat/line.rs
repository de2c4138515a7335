//! A line from a person at a terminal, letter by letter, with commands completed by Tab.
//!
//! The terminal is ours only while a line is typed: between lines, and however this ends, it is as it was.

use std::io::{self, Read as _};

use rustix::termios::{self, LocalModes, OptionalActions, Termios};

use super::typing::{Keys, Then, Typing};
use crate::errors::Failure;
use crate::output::{Output, Paint, Screen, screen};

/// What stands before a line, and the cells that it takes.
const PROMPT: &str = "> ";

/// What was typed.
pub(super) enum Line {
    /// A line.
    Typed(String),
    /// There are no more.
    Over,
}

/// A terminal whose keys come one by one. It is as it was when this is dropped.
struct Borrowed(Termios);

impl Borrowed {
    fn of_stdin() -> io::Result<Self> {
        let before = termios::tcgetattr(io::stdin())?;
        let mut ours = before.clone();
        let lines = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        ours.local_modes.remove(lines);
        termios::tcsetattr(io::stdin(), OptionalActions::Now, &ours)?;
        Ok(Self(before))
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing.
        let _gone = termios::tcsetattr(io::stdin(), OptionalActions::Now, &self.0).is_err();
    }
}

/// Reads the next line.
pub(super) fn read(output: &Output) -> Result<Line, Failure> {
    let unread = |error: io::Error| Failure::new(format!("the terminal cannot be read: {error}"));
    output.piece(output.paint(Paint::Strong, PROMPT))?;
    let _borrowed = Borrowed::of_stdin().map_err(unread)?;
    let (mut keys, mut typing) = (Keys::default(), Typing::default());
    let mut stdin = io::stdin().lock();
    let mut byte = [0];
    loop {
        match stdin.read(&mut byte) {
            Ok(0) => return Ok(Line::Over),
            Ok(_) => (),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unread(error)),
        }
        let Some(key) = keys.read(byte[0]) else {
            continue;
        };
        let before = typing.text().chars().count();
        match typing.press(key) {
            Then::Nothing => (),
            Then::More(letters) => output.piece(letters)?,
            Then::Anew => draw(output, before, typing.text())?,
            Then::Offer(names) => {
                output.line("")?;
                output.line(output.paint(Paint::Faint, &listed(&names)))?;
                draw(output, 0, typing.text())?;
            }
            Then::Typed(line) => {
                output.line("")?;
                return Ok(Line::Typed(line));
            }
            Then::Over => return Ok(Line::Over),
        }
    }
}

fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("/{name}")).collect();
    names.join("  ")
}

/// Draws the line anew over what was there, which had so many letters.
fn draw(output: &Output, before: usize, text: &str) -> Result<(), Failure> {
    let rows = match screen() {
        Screen::Terminal { columns } => (PROMPT.len() + before) / columns.max(1),
        Screen::None => 0,
    };
    let up = match rows {
        0 => String::new(),
        rows => format!("\x1b[{rows}A"),
    };
    let prompt = output.paint(Paint::Strong, PROMPT);
    output.piece(format!("{up}\r\x1b[J{prompt}{text}"))
}
