//! An answer while it comes: what is new of it each time, and how it ends.
//!
//! Drafts become what they add (`growth`), the whole answer what was still missing. After the end there is nothing more.

use super::error::Failure;
use super::growth::Growth;
use super::wait::{Answered, News, Waiter};
use crate::error::ApiError;

/// Something new of an answer.
pub(super) enum Piece {
    /// More words.
    More(String),
    /// The end: the words that were missing, if any, and all of it.
    End(Option<String>, Answered),
    /// There will be no answer.
    Failed(Failure),
}

/// Whoever hears an answer piece by piece.
pub(super) struct Pieces {
    waiter: Option<Waiter>,
    growth: Growth,
}

impl Pieces {
    /// Of the answer that `waiter` waits for.
    pub(super) fn of(waiter: Waiter) -> Self {
        Self {
            waiter: Some(waiter),
            growth: Growth::default(),
        }
    }

    /// The next piece; nothing after the end.
    pub(super) async fn next(&mut self) -> Option<Piece> {
        loop {
            let news = self.waiter.as_mut()?.next().await;
            if let Some(piece) = self.piece(news) {
                return Some(piece);
            }
        }
    }

    /// What is new in the news, if anything is.
    fn piece(&mut self, news: Result<News, ApiError>) -> Option<Piece> {
        let answered = match news {
            Ok(News::Draft(draft)) => {
                let more = self.growth.draft(&draft)?;
                return Some(Piece::More(more.to_owned()));
            }
            Ok(News::Answer(answered)) => answered,
            Err(error) => {
                self.waiter = None;
                return Some(Piece::Failed(Failure(error)));
            }
        };
        self.waiter = None;
        let rest = self.growth.finish(&answered.text).map(str::to_owned);
        Some(Piece::End(rest, answered))
    }
}
