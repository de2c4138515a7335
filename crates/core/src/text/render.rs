//! Markdown in the writing of each platform, in messages that it takes.
//!
//! Flow: Markdown → [`Document`] (`parse`) → one row of atoms in the platform's writing (`flow`) →
//! messages (`pour`). An atom is never parted, and what is open at a cut is closed and opened again, so
//! each message is valid alone. Platforms differ only in a small table each (`tongue`): `telegram`,
//! `slack`, `discord`, and `plain` for plain text, Signal and WhatsApp. [`matrix`] writes HTML.
//!
//! If a limit is too small for the marks of a text, the text is written without them. If a platform
//! refuses a message all the same, [`Dialect::Plain`] of the same Markdown has all of its words.
//!
//! Not here: which platform speaks which dialect (data of its adapter), and sending.

mod discord;
mod document;
mod flow;
mod html;
mod ink;
pub mod matrix;
mod parse;
mod plain;
mod pour;
mod slack;
pub mod telegram;
mod tongue;

#[cfg(test)]
mod reading;

pub use document::{Document, Style};

use crate::text::Limit;
use ink::{Dress, Flow};
use tongue::Tongue;

/// How a platform writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Text without marks.
    Plain,
    /// Telegram's `MarkdownV2`.
    TelegramMarkdown,
    /// Telegram's HTML.
    TelegramHtml,
    /// Slack's `mrkdwn`.
    Slack,
    /// Discord's Markdown.
    Discord,
    /// Plain text with ranges of styles.
    Signal,
    /// WhatsApp's marks.
    WhatsApp,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Plain,
        Self::TelegramMarkdown,
        Self::TelegramHtml,
        Self::Slack,
        Self::Discord,
        Self::Signal,
        Self::WhatsApp,
    ];

    fn tongue(self) -> &'static Tongue {
        match self {
            Self::Plain => &plain::TEXT,
            Self::TelegramMarkdown => &telegram::MARKDOWN,
            Self::TelegramHtml => &telegram::HTML,
            Self::Slack => &slack::MRKDWN,
            Self::Discord => &discord::MARKDOWN,
            Self::Signal => &plain::SIGNAL,
            Self::WhatsApp => &plain::WHATSAPP,
        }
    }
}

/// A message as a platform takes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The words, with marks where the platform has them.
    pub text: String,
    /// The styles of a platform that is told them beside the words; in order.
    pub ranges: Vec<Range>,
}

impl Message {
    /// Words without ranges.
    #[must_use]
    pub fn bare(text: String) -> Self {
        let ranges = Vec::new();
        Self { text, ranges }
    }
}

/// A stretch of words in a style, in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Where it begins.
    pub start: usize,
    /// How long it is.
    pub len: usize,
    /// How it stands out.
    pub style: Style,
}

/// The messages for a text, each within the limit and valid alone; none for a text without words.
#[must_use]
pub fn render(markdown: &str, dialect: Dialect, limit: Limit) -> Vec<Message> {
    let messages = written(&Document::read(markdown), dialect, limit);
    if messages.is_empty() {
        // What only means something to Markdown, such as the target of a link, is shown as it is.
        return written(&Document::literal(markdown), dialect, limit);
    }
    messages
}

fn written(document: &Document, dialect: Dialect, limit: Limit) -> Vec<Message> {
    let tongue = dialect.tongue();
    let poured = |dress| {
        let flow = Flow::of(document, tongue, limit, dress);
        pour::pour(&flow, limit, tongue.styles)
    };
    let marked = poured(Dress::Marked);
    marked.or_else(|| poured(Dress::Bare)).unwrap_or_default()
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
