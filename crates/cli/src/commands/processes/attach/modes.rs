//! What a program switched on in the window that showed it, and how to switch it off again.
//!
//! A program tidies up when it ends; one that is left in the middle does not. The other screen, the
//! mouse, a hidden cursor and the like would stay behind in a window that belongs to the next command.
//! Only what was seen to be switched on is switched off: some of it moves the cursor.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The cursor: on unless switched off.
const CURSOR: u16 = 25;

/// What may be left behind: application cursor keys, reversed colours, the mouse in its ways, focus
/// reports, the other screen, bracketed paste, held-back drawing.
const LEFT: [u16; 16] = [
    1, 5, 9, 47, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1048, 1049, 2004, 2026,
];

/// The switches of a window, as its output set them.
#[derive(Debug, Default)]
pub(super) struct Modes {
    on: BTreeSet<u16>,
    cursor: Cursor,
    reading: Reading,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Cursor {
    #[default]
    Shown,
    Hidden,
}

/// How far into `ESC [ ? n ; n h` the last letters were.
#[derive(Debug, Default)]
enum Reading {
    #[default]
    Text,
    Escape,
    Bracket,
    Numbers(Vec<u16>),
}

impl Modes {
    /// Reads along.
    pub(super) fn read(&mut self, text: &str) {
        for letter in text.chars() {
            self.letter(letter);
        }
    }

    fn letter(&mut self, letter: char) {
        self.reading = match (std::mem::take(&mut self.reading), letter) {
            (_, '\x1b') => Reading::Escape,
            (Reading::Escape, '[') => Reading::Bracket,
            (Reading::Bracket, '?') => Reading::Numbers(vec![0]),
            (Reading::Numbers(mut numbers), ';') if numbers.len() < 16 => {
                numbers.push(0);
                Reading::Numbers(numbers)
            }
            (Reading::Numbers(mut numbers), '0'..='9') => {
                let digit = letter as u16 - '0' as u16;
                if let Some(last) = numbers.last_mut() {
                    *last = last.saturating_mul(10).saturating_add(digit);
                }
                Reading::Numbers(numbers)
            }
            (Reading::Numbers(numbers), 'h') => self.switched_on(&numbers),
            (Reading::Numbers(numbers), 'l') => self.switched_off(&numbers),
            _ => Reading::Text,
        };
    }

    fn switched_on(&mut self, numbers: &[u16]) -> Reading {
        self.on
            .extend(numbers.iter().filter(|one| LEFT.contains(one)));
        if numbers.contains(&CURSOR) {
            self.cursor = Cursor::Shown;
        }
        Reading::Text
    }

    fn switched_off(&mut self, numbers: &[u16]) -> Reading {
        self.on.retain(|one| !numbers.contains(one));
        if numbers.contains(&CURSOR) {
            self.cursor = Cursor::Hidden;
        }
        Reading::Text
    }

    /// What to say to the window so that it is as before. Colours are always taken back.
    pub(super) fn undo(&self) -> String {
        let mut said = "\x1b[0m".to_owned();
        for mode in &self.on {
            // Writing to a string cannot fail.
            let _written = write!(said, "\x1b[?{mode}l").is_ok();
        }
        if self.cursor == Cursor::Hidden {
            said.push_str("\x1b[?25h");
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(pieces: &[&str]) -> String {
        let mut modes = Modes::default();
        for piece in pieces {
            modes.read(piece);
        }
        modes.undo()
    }

    #[test]
    fn what_was_left_on_is_switched_off_and_nothing_else() {
        assert_eq!(after(&["plain \x1b[31mred"]), "\x1b[0m");
        assert_eq!(
            after(&["\x1b[?1049h\x1b[?25l"]),
            "\x1b[0m\x1b[?1049l\x1b[?25h"
        );
        assert_eq!(
            after(&["\x1b[?1049h", "\x1b[?1049l\x1b[?25l\x1b[?25h"]),
            "\x1b[0m"
        );
        assert_eq!(
            after(&["\x1b[?1000;1006h"]),
            "\x1b[0m\x1b[?1000l\x1b[?1006l"
        );
        assert_eq!(after(&["\x1b[?7h\x1b[4h"]), "\x1b[0m", "not ours to undo");
    }

    #[test]
    fn an_escape_may_come_in_pieces() {
        assert_eq!(
            after(&["\x1b", "[", "?20", "04", "h"]),
            "\x1b[0m\x1b[?2004l"
        );
        assert_eq!(
            after(&["\x1b[?99999999h", "\x1b[\x1b[?5h"]),
            "\x1b[0m\x1b[?5l"
        );
    }
}
