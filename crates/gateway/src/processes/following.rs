//! The output of a process as it comes.
//!
//! In the plain form a line is shown when it is whole, so that no secret in it is torn, and a line that
//! stays open for a moment up to its last word: it is a question. Bytes that are held back are not yet
//! shown, also by their place: whoever asks again with the `next` of the last page misses nothing.

use std::mem;

use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::mask::pieces::{Patience, Pieces, ready};
use angelia_core::process::State;
use angelia_core::process::errand::{Beginning, Form};
use angelia_process::Piece;
use angelia_process::held::Follow;
use angelia_process::text::{Cleaner, Decoder};

use super::log::LogPage;
use super::{Processes, Unreached};

/// Someone who reads along.
pub struct Following(Source);

/// Where the words come from.
enum Source {
    Held { follow: Follow, words: Words },
    Far(Box<Far>),
}

/// A process on another node: it is asked for a page from time to time.
struct Far {
    processes: Processes,
    id: ProcessId,
    at: u64,
    form: Form,
}

impl Far {
    async fn next(&mut self) -> Result<Option<LogPage>, Unreached> {
        loop {
            // Read first: what is said after the end was seen is nothing.
            let found = self.processes.ground.store.process(self.id).await?;
            let is_over = found.is_none_or(|process| matches!(process.state, State::Ended(_)));
            let said = self
                .processes
                .have_said(self.id, Beginning::At(self.at), self.form);
            let page = LogPage::from(said.await?);
            self.at = page.next;
            if !page.text.is_empty() || page.cut > 0 {
                return Ok(Some(page));
            }
            if is_over {
                return Ok(None);
            }
            tokio::time::sleep(limits::ERRAND_LOOK.to_std()).await;
        }
    }
}

enum Words {
    Plain(Box<Plain>),
    Terminal { decoder: Decoder, at: u64 },
}

impl Following {
    pub(super) fn plain(follow: Follow, pieces: Pieces) -> Self {
        let words = Words::Plain(Box::new(Plain::new(pieces)));
        Self(Source::Held { follow, words })
    }

    pub(super) fn raw(follow: Follow) -> Self {
        let decoder = Decoder::default();
        let words = Words::Terminal { decoder, at: 0 };
        Self(Source::Held { follow, words })
    }

    /// Reads what a process on another node says from this place on.
    pub(super) fn far(processes: Processes, (id, at, form): (ProcessId, u64, Form)) -> Self {
        Self(Source::Far(Box::new(Far {
            processes,
            id,
            at,
            form,
        })))
    }

    /// What comes next; nothing after the end of the process. Nothing is missed if this is dropped.
    pub async fn next(&mut self) -> Result<Option<LogPage>, Unreached> {
        match &mut self.0 {
            Source::Held { follow, words } => words.next(follow).await,
            Source::Far(far) => far.next().await,
        }
    }
}

impl Words {
    async fn next(&mut self, follow: &mut Follow) -> Result<Option<LogPage>, Unreached> {
        match self {
            Self::Plain(plain) => plain.next(follow).await,
            Self::Terminal { decoder, at } => Ok(match follow.next().await? {
                Some(piece) => {
                    *at = piece.next();
                    Some(page(&piece, decoder.push(&piece.bytes)))
                }
                None => rest(*at, decoder.finish().to_owned()),
            }),
        }
    }
}

fn page(piece: &Piece, text: String) -> LogPage {
    LogPage {
        from: piece.from,
        next: piece.next(),
        cut: piece.cut,
        text,
    }
}

/// What never became whole.
fn rest(at: u64, text: String) -> Option<LogPage> {
    let (from, next, cut) = (at, at, 0);
    let page = LogPage {
        from,
        next,
        cut,
        text,
    };
    (!page.text.is_empty()).then_some(page)
}

/// Plain text on its way.
struct Plain {
    pieces: Pieces,
    cleaner: Cleaner,
    /// What was said and not shown yet.
    held: Piece,
    /// What comes after something that was left out: what is held goes first.
    later: Option<Piece>,
}

impl Plain {
    fn new(pieces: Pieces) -> Self {
        Self {
            pieces,
            cleaner: Cleaner::default(),
            held: Piece::default(),
            later: None,
        }
    }

    async fn next(&mut self, follow: &mut Follow) -> Result<Option<LogPage>, Unreached> {
        loop {
            let patience = self.more(follow).await?;
            let page = self.show(patience);
            if !page.text.is_empty() || page.cut > 0 {
                return Ok(Some(page));
            }
            if patience == Patience::None && self.later.is_none() {
                let text = self.pieces.shown(&self.cleaner.finish());
                return Ok(rest(self.held.from, text));
            }
        }
    }

    /// Takes what comes; tells how long the rest of that is to be waited for.
    async fn more(&mut self, follow: &mut Follow) -> Result<Patience, Unreached> {
        if let Some(later) = self.later.take() {
            self.held = later;
            return Ok(Patience::Line);
        }
        let next = if ready(&self.held.bytes, Patience::Word) == 0 {
            follow.next().await?
        } else {
            match tokio::time::timeout(limits::MASK_QUIET.to_std(), follow.next()).await {
                Ok(next) => next?,
                Err(_) => return Ok(Patience::Word),
            }
        };
        Ok(match next {
            None => Patience::None,
            Some(piece) if self.held.bytes.is_empty() => {
                self.held = piece;
                Patience::Line
            }
            Some(piece) if piece.cut > 0 => {
                self.later = Some(piece);
                Patience::None
            }
            Some(piece) => {
                self.held.bytes.extend(piece.bytes);
                Patience::Line
            }
        })
    }

    /// Shows as much as is ready.
    fn show(&mut self, patience: Patience) -> LogPage {
        let bytes = ready(&self.held.bytes, patience);
        let rest = self.held.bytes.split_off(bytes);
        let piece = Piece {
            bytes: mem::replace(&mut self.held.bytes, rest),
            ..self.held
        };
        self.held.from = piece.next();
        self.held.cut = 0;
        let text = self.cleaner.push(&piece.bytes);
        page(&piece, self.pieces.shown(&text))
    }
}

#[cfg(test)]
#[path = "following_tests.rs"]
mod tests;
