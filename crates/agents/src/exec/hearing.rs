//! Hears the output of a command: words as they come, to its end or to its limits.
//!
//! Letters may be torn between two pieces; blanks around the whole reply are left out, so that a script may end its
//! last line as scripts do. What would move or colour the letters of a terminal is left out, and what would write over
//! a line begins another. Who listens slowly slows the reading down, not the command: its holder keeps
//! what was said.

use angelia_core::limits;
use angelia_core::time::Span;
use angelia_process::held::Held;
use angelia_process::text::Cleaner;
use tokio::time::timeout;

use super::Broken;
use crate::events::Events;

/// What was heard.
#[derive(Debug)]
pub(super) struct Heard {
    /// The whole reply.
    pub(super) words: String,
    /// Why there is no more.
    pub(super) ending: Ending,
}

/// Why nothing more is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The command said all it had to say.
    Said,
    /// It said more than a reply may hold.
    TooMuch,
    /// It said nothing for too long.
    Silent,
}

/// Hears everything from the first word on, and passes it on.
pub(super) async fn hear(held: &Held, events: &Events, silence: Span) -> Result<Heard, Broken> {
    let mut reply = Reply::default();
    let unreachable = |why: angelia_process::held::HeldError| {
        tracing::warn!(%why, "what an agent's command says cannot be read");
        Broken::failed("the agent's command cannot be heard any more; the gateway's log says why")
    };
    let mut follow = held.follow(0).await.map_err(unreachable)?;
    let ending = loop {
        let Ok(next) = timeout(silence.to_std(), follow.next()).await else {
            break Ending::Silent;
        };
        let Some(piece) = next.map_err(unreachable)? else {
            break Ending::Said;
        };
        let room = limits::COMMAND_REPLY_BYTES_MAX.saturating_sub(reply.bytes);
        let fits = piece.cut == 0 && piece.bytes.len() <= room;
        let bytes = &piece.bytes[..piece.bytes.len().min(room)];
        let more = reply.more(bytes);
        if !more.is_empty() {
            events.text(more).await?;
        }
        if !fits {
            break Ending::TooMuch;
        }
    };
    let last = reply.last();
    if !last.is_empty() {
        events.text(last).await?;
    }
    Ok(Heard {
        words: reply.words,
        ending,
    })
}

/// A reply that grows.
#[derive(Debug, Default)]
struct Reply {
    cleaner: Cleaner,
    /// How many bytes came.
    bytes: usize,
    /// What was passed on.
    words: String,
    /// Blanks behind it, which belong to the reply if more comes.
    blanks: String,
}

impl Reply {
    /// Takes bytes, and gives what is to be said now.
    fn more(&mut self, bytes: &[u8]) -> String {
        self.bytes += bytes.len();
        let text = self.cleaner.push(bytes);
        self.grow(&text)
    }

    /// What is to be said at the end.
    fn last(&mut self) -> String {
        let text = self.cleaner.finish();
        self.grow(&text)
    }

    fn grow(&mut self, text: &str) -> String {
        let mut more = std::mem::take(&mut self.blanks);
        more.push_str(text);
        if self.words.is_empty() {
            more = more.trim_start().to_owned();
        }
        let end = more.trim_end().len();
        self.blanks = more.split_off(end);
        let more = lines(&more);
        self.words.push_str(&more);
        more
    }
}

/// Lines as people read them. An escape that nothing followed is no letter either.
fn lines(text: &str) -> String {
    let text = text.replace('\u{1b}', "").replace("\r\n", "\n");
    text.replace('\r', "\n")
}

#[cfg(test)]
#[path = "hearing_tests.rs"]
mod tests;
