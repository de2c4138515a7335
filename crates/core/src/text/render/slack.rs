//! Slack: `mrkdwn`.
//!
//! Three characters have names, and they always get them: so words of a model cannot call everybody
//! (`<!channel>`) or fake a mention. Stars and underscores cannot be escaped. A block of code has no
//! language: it would be shown as its first line.

use super::document::Style;
use super::tongue::{Letter, Quote, Styles, Tongue, apart, no_heading};

pub(super) const MRKDWN: Tongue = Tongue {
    style: marks,
    block: |_| ("```\n".to_owned(), "\n```".to_owned()),
    link: |url| Some((format!("<{}|", address(url)), ">".to_owned())),
    quote: Quote::Lines("> "),
    heading: no_heading,
    bullet: "- ",
    dot: ". ",
    escape: escape_letter,
    styles: Styles::Marks,
};

fn marks(style: Style) -> Option<(&'static str, &'static str)> {
    match style {
        Style::Bold => Some(("*", "*")),
        Style::Italic => Some(("_", "_")),
        Style::Strike => Some(("~", "~")),
        Style::Mono => Some(("`", "`")),
        Style::Spoiler => None,
    }
}

fn escape_letter(letter: &Letter<'_>, out: &mut String) {
    match letter.text {
        "&" => out.push_str("&amp;"),
        "<" => out.push_str("&lt;"),
        ">" => out.push_str("&gt;"),
        _ => apart(letter, out),
    }
}

/// An address between angle brackets: what would end it is written in percent.
fn address(url: &str) -> String {
    url.replace('<', "%3C")
        .replace('>', "%3E")
        .replace('|', "%7C")
}
