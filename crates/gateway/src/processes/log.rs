//! The output of a process as text, by place.
//!
//! A place is a number of raw bytes, and stays true for ever. A page ends where a letter ends, and at the
//! end of a line if more is there already, so that neither a letter nor an escape is torn between pages.
//! A follower keeps what is not whole until the rest comes.

use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_process::Piece;
use angelia_process::held::Follow;
use angelia_process::text::{Cleaner, Decoder, strip};
use angelia_store::processes::Process;

use super::{Processes, Unreached};

/// How an output is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Without escapes.
    #[default]
    Plain,
    /// As it was said, for something that is a terminal.
    Terminal,
}

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
        let process = self.reached(id).await?;
        let piece = self.held(id).read(after, limits::LOG_PAGE_BYTES)?;
        Ok((process, page(piece, form)))
    }

    /// Reads the output from the place `after` on as it comes.
    pub async fn follow(
        &self,
        id: ProcessId,
        after: u64,
        form: Form,
    ) -> Result<Following, Unreached> {
        self.reached(id).await?;
        let follow = self.held(id).follow(after).await?;
        Ok(Following::new(follow, form))
    }
}

/// Someone who reads along.
pub struct Following {
    follow: Follow,
    words: Words,
    at: u64,
}

enum Words {
    Plain(Cleaner),
    Terminal(Decoder),
}

impl Following {
    fn new(follow: Follow, form: Form) -> Self {
        let words = match form {
            Form::Plain => Words::Plain(Cleaner::default()),
            Form::Terminal => Words::Terminal(Decoder::default()),
        };
        let at = 0;
        Self { follow, words, at }
    }

    /// What comes next; nothing after the end of the process. Nothing is missed if this is dropped.
    pub async fn next(&mut self) -> Result<Option<LogPage>, Unreached> {
        let Some(piece) = self.follow.next().await? else {
            return Ok(self.rest());
        };
        self.at = piece.next();
        Ok(Some(LogPage {
            from: piece.from,
            next: piece.next(),
            cut: piece.cut,
            text: match &mut self.words {
                Words::Plain(cleaner) => cleaner.push(&piece.bytes),
                Words::Terminal(decoder) => decoder.push(&piece.bytes),
            },
        }))
    }

    /// What never became whole.
    fn rest(&mut self) -> Option<LogPage> {
        let text = match &mut self.words {
            Words::Plain(cleaner) => cleaner.finish(),
            Words::Terminal(decoder) => decoder.finish().to_owned(),
        };
        (!text.is_empty()).then_some(LogPage {
            from: self.at,
            next: self.at,
            cut: 0,
            text,
        })
    }
}

fn page(mut piece: Piece, form: Form) -> LogPage {
    let whole = whole_bytes(&piece.bytes);
    piece.bytes.truncate(whole);
    let text = String::from_utf8_lossy(&piece.bytes);
    LogPage {
        from: piece.from,
        next: piece.next(),
        cut: piece.cut,
        text: match form {
            Form::Plain => strip(&text),
            Form::Terminal => text.into_owned(),
        },
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
