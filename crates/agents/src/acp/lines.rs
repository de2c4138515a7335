//! Lines out of an output that comes in pieces, and from any place on.
//!
//! A line has a limit: one that is longer is passed over to its end, since nothing of it could be read. So is
//! the rest of a line whose beginning was not kept.

use angelia_process::Piece;

/// The longest line: an answer with a file in it, or a picture. What is longer is passed over.
const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Makes lines of pieces.
#[derive(Debug, Default)]
pub(super) struct Lines {
    unread: Vec<u8>,
    /// How much of `unread` is known to have no line's end in it.
    looked: usize,
    state: State,
}

/// What is to be done with the bytes up to the next line's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Read,
    PassOver,
}

impl Lines {
    /// Takes what was said next.
    pub(super) fn push(&mut self, piece: &Piece) {
        if piece.cut > 0 {
            self.pass_over();
        }
        self.unread.extend_from_slice(&piece.bytes);
    }

    /// How much there is of a line that is not whole yet.
    pub(super) fn unread(&self) -> usize {
        self.unread.len()
    }

    /// The next whole line, without its end.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let end = self.unread[self.looked..]
                .iter()
                .position(|byte| *byte == b'\n');
            let Some(end) = end.map(|end| end + self.looked) else {
                self.wait_for_more();
                return None;
            };
            let mut line: Vec<u8> = self.unread.drain(..=end).collect();
            self.looked = 0;
            line.pop();
            if std::mem::take(&mut self.state) == State::Read {
                return Some(line);
            }
        }
    }

    /// What is there is no whole line.
    fn wait_for_more(&mut self) {
        self.looked = self.unread.len();
        if self.state == State::PassOver || self.unread.len() > LINE_BYTES_MAX {
            self.pass_over();
        }
    }

    fn pass_over(&mut self) {
        self.unread = Vec::new();
        self.looked = 0;
        self.state = State::PassOver;
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
