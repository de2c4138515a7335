//! Platforms with few marks or none: plain text, Signal, WhatsApp.
//!
//! An address is written behind its words: who cannot follow a link can read it. Signal is told styles
//! as ranges. WhatsApp has marks and no escapes, and no language for code.

use super::document::Style;
use super::tongue::{Quote, Styles, Tongue, apart, as_it_is, no_heading, no_link};

pub(super) const TEXT: Tongue = Tongue {
    style: |style| (style != Style::Spoiler).then_some(("", "")),
    block: |_| (String::new(), String::new()),
    link: no_link,
    quote: Quote::Lines("> "),
    heading: no_heading,
    bullet: "- ",
    dot: ". ",
    escape: as_it_is,
    styles: Styles::Marks,
};

pub(super) const SIGNAL: Tongue = Tongue {
    bullet: "• ",
    styles: Styles::Ranges,
    ..TEXT
};

pub(super) const WHATSAPP: Tongue = Tongue {
    style: whatsapp_marks,
    block: |_| ("```\n".to_owned(), "\n```".to_owned()),
    escape: apart,
    ..TEXT
};

fn whatsapp_marks(style: Style) -> Option<(&'static str, &'static str)> {
    match style {
        Style::Bold => Some(("*", "*")),
        Style::Italic => Some(("_", "_")),
        Style::Strike => Some(("~", "~")),
        Style::Mono => Some(("`", "`")),
        Style::Spoiler => None,
    }
}
