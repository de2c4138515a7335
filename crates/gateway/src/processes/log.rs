//! The output of a process as text, by place.
//!
//! A place is a number of raw bytes, and stays true for ever. A page ends where a letter ends, and at the
//! end of a line if more is there already, so that neither a letter nor an escape is torn between pages.
//! `following` reads along.
//!
//! In the plain form secrets are hidden, and a page ends so that none is torn: a word that is still being
//! said is on the next one. A page that begins inside a line is judged with what went before it. The form
//! for a terminal is raw: it is for the operator's own terminal, whose programs draw with what they say,
//! and whoever may ask for it may run a command that prints the same.

use std::io;

use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::mask::pieces::{Patience, Pieces, ready};
use angelia_core::mask::surface_of;
use angelia_core::process::State;
use angelia_process::Piece;
use angelia_process::held::Held;
use angelia_process::text::strip;
use angelia_store::processes::Process;

pub use super::following::Following;
use super::{Processes, Unreached, Whose};
use angelia_core::process::errand::Beginning;
pub use angelia_core::process::errand::Form;

/// Some of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPage {
    /// The place of its first byte.
    pub from: u64,
    /// The place to ask for next.
    pub next: u64,
    /// How many bytes before it were left out, since only the beginning and the end are kept.
    pub cut: u64,
    /// The words.
    pub text: String,
}

impl Processes {
    /// The process and the output from the place `after` on, as far as one page goes.
    pub async fn log(
        &self,
        id: ProcessId,
        after: u64,
        form: Form,
    ) -> Result<(Process, LogPage), Unreached> {
        let (process, whose) = self.found(id).await?;
        if whose == Whose::Another {
            let said = self.have_said(id, Beginning::At(after), form).await?;
            return Ok((process, said.into()));
        }
        let (piece, more) = read(&self.held(id), after)?;
        let page = match form {
            Form::Terminal => page(piece, whole_bytes),
            Form::Plain => self.plain(&process, piece, more)?,
        };
        Ok((process, page))
    }

    /// Reads the output from the place `after` on as it comes.
    pub async fn follow(
        &self,
        id: ProcessId,
        after: u64,
        form: Form,
    ) -> Result<Following, Unreached> {
        let (process, whose) = self.found(id).await?;
        if whose == Whose::Another {
            return Ok(Following::far(self.clone(), (id, after, form)));
        }
        let follow = self.held(id).follow(after).await?;
        Ok(match form {
            Form::Terminal => Following::raw(follow),
            Form::Plain => Following::plain(follow, self.pieces(&process, after)?),
        })
    }

    fn plain(&self, process: &Process, piece: Piece, more: More) -> io::Result<LogPage> {
        let patience = match (more, &process.state) {
            (More::There, _) => Patience::Line,
            (More::Cut, _) | (More::NotYet, State::Ended(_)) => Patience::None,
            (More::NotYet, State::Starting | State::Running) => Patience::Word,
        };
        let mut pieces = self.pieces(process, piece.from)?;
        let mut page = page(piece, |bytes| match ready(bytes, patience) {
            ready if ready == bytes.len() => whole_bytes(bytes),
            ready => ready,
        });
        page.text = pieces.shown(&strip(&page.text));
        Ok(page)
    }

    /// Hides the secrets of what a process says from the place `after` on.
    pub(super) fn pieces(&self, process: &Process, after: u64) -> io::Result<Pieces> {
        let masker = self.ground.masker.clone();
        let pieces = Pieces::new(masker, surface_of(&process.command));
        let from = after.saturating_sub(limits::MASK_HELD_BYTES as u64);
        let bytes = usize::try_from(after - from).unwrap_or(limits::MASK_HELD_BYTES);
        let before = self.held(process.id).read(from, bytes)?;
        // What stands further on, since this was left out, did not go before it.
        let before = if before.next() == after {
            before.bytes
        } else {
            Vec::new()
        };
        Ok(pieces.after(&strip(&String::from_utf8_lossy(&before))))
    }
}

/// Whether more follows on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum More {
    /// It is there already.
    There,
    /// Something is there, but not what comes next: that was left out.
    Cut,
    /// Not until now.
    NotYet,
}

/// Reads a page, over the ends of the files it is in.
fn read(held: &Held, after: u64) -> io::Result<(Piece, More)> {
    let mut piece = held.read(after, limits::LOG_PAGE_BYTES)?;
    while piece.bytes.len() < limits::LOG_PAGE_BYTES {
        let next = held.read(piece.next(), limits::LOG_PAGE_BYTES - piece.bytes.len())?;
        match next.cut {
            _ if next.bytes.is_empty() => return Ok((piece, More::NotYet)),
            0 => piece.bytes.extend(next.bytes),
            _ => return Ok((piece, More::Cut)),
        }
    }
    Ok((piece, More::There))
}

fn page(mut piece: Piece, shown: impl FnOnce(&[u8]) -> usize) -> LogPage {
    let bytes = shown(&piece.bytes);
    piece.bytes.truncate(bytes);
    LogPage {
        from: piece.from,
        next: piece.next(),
        cut: piece.cut,
        text: String::from_utf8_lossy(&piece.bytes).into_owned(),
    }
}

/// How many bytes of a page are shown: up to the last line's end if the page is full, and no part of a
/// letter. A page always shows something, or whoever asks again would ask for ever.
fn whole_bytes(bytes: &[u8]) -> usize {
    if bytes.len() >= limits::LOG_PAGE_BYTES
        && let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n')
    {
        return end + 1;
    }
    let last = &bytes[bytes.len().saturating_sub(3)..];
    let begun = last.iter().rposition(|byte| *byte >= 0xc0);
    match begun {
        Some(at) if is_begun(&last[at..]) && bytes.len() > last.len() - at => {
            bytes.len() - (last.len() - at)
        }
        Some(_) | None => bytes.len(),
    }
}

/// Whether these bytes are the beginning of a letter and not all of it.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
