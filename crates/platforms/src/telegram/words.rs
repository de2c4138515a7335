//! A text as Telegram takes it: with markup, or as it stands.
//!
//! A part of a reply was cut to the platform's limit as it stands. Markup makes it longer as it is sent and not as it
//! is counted, so one part stays one message; should it not, it goes out as it stands.

use angelia_core::text::render::{Dialect, render};
use angelia_core::text::{Limit, Unit};

/// More than any part can grow to: one part is one message.
const UNCUT: Limit = Limit {
    max: 64 * 1024,
    unit: Unit::Utf16,
};

/// A text and how it is to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) text: String,
    /// The markup; nothing for a text that stands for itself.
    pub(super) mode: Option<&'static str>,
}

/// The text in Telegram's markup, if it can be written so.
pub(super) fn marked(text: &str) -> Words {
    let messages = render(text, Dialect::TelegramMarkdown, UNCUT);
    match messages.as_slice() {
        [one] => Words {
            text: one.text.clone(),
            mode: Some("MarkdownV2"),
        },
        _ => plain(text),
    }
}

/// The text as it stands.
pub(super) fn plain(text: &str) -> Words {
    Words {
        text: text.to_owned(),
        mode: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_one_message_with_markup_and_escapes() {
        let words = marked("**bold** and 1.5");
        assert_eq!(words.text, "*bold* and 1\\.5");
        assert_eq!(words.mode, Some("MarkdownV2"));
        let long = marked(&"a.b ".repeat(1024));
        assert_eq!(long.mode, Some("MarkdownV2"));
    }
}
