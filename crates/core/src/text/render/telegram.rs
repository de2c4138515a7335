//! Telegram: `MarkdownV2`, and its HTML.
//!
//! In `MarkdownV2` every character with a meaning is escaped, so a text is either read as it was meant
//! or refused; nothing is guessed. Quoted lines have no blank behind their mark: it would be shown.

use super::document::Style;
use super::html;
use super::tongue::{Inside, Letter, Quote, Styles, Tongue, no_heading};

/// Whether it has a meaning outside of code.
const fn is_special(char: char) -> bool {
    matches!(
        char,
        '_' | '*'
            | '['
            | ']'
            | '('
            | ')'
            | '~'
            | '`'
            | '>'
            | '#'
            | '+'
            | '-'
            | '='
            | '|'
            | '{'
            | '}'
            | '.'
            | '!'
            | '\\'
    )
}

pub(super) const MARKDOWN: Tongue = Tongue {
    style: marks,
    block: |language| (format!("```{language}\n"), "\n```".to_owned()),
    link: |url| Some(("[".to_owned(), format!("]({})", address(url)))),
    quote: Quote::Lines(">"),
    heading: no_heading,
    bullet: "\\- ",
    dot: "\\. ",
    escape: escape_letter,
    styles: Styles::Marks,
};

pub(super) const HTML: Tongue = Tongue {
    style: tags,
    block: html_block,
    link: |url| {
        Some((
            format!("<a href=\"{}\">", html::escaped(url)),
            "</a>".to_owned(),
        ))
    },
    quote: Quote::Around("<blockquote>", "</blockquote>"),
    heading: no_heading,
    bullet: "- ",
    dot: ". ",
    escape: html::escape,
    styles: Styles::Marks,
};

/// Any text so that `MarkdownV2` shows it as it is.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if is_special(char) {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

fn marks(style: Style) -> Option<(&'static str, &'static str)> {
    Some(match style {
        Style::Bold => ("*", "*"),
        Style::Italic => ("_", "_"),
        Style::Strike => ("~", "~"),
        Style::Spoiler => ("||", "||"),
        Style::Mono => ("`", "`"),
    })
}

fn tags(style: Style) -> Option<(&'static str, &'static str)> {
    Some(match style {
        Style::Bold => ("<b>", "</b>"),
        Style::Italic => ("<i>", "</i>"),
        Style::Strike => ("<s>", "</s>"),
        Style::Spoiler => ("<tg-spoiler>", "</tg-spoiler>"),
        Style::Mono => ("<code>", "</code>"),
    })
}

fn html_block(language: &str) -> (String, String) {
    if language.is_empty() {
        return ("<pre>".to_owned(), "</pre>".to_owned());
    }
    let open = format!("<pre><code class=\"language-{}\">", html::escaped(language));
    (open, "</code></pre>".to_owned())
}

fn escape_letter(letter: &Letter<'_>, out: &mut String) {
    for char in letter.text.chars() {
        let special = match letter.inside {
            Inside::Text | Inside::Address => is_special(char),
            Inside::Code => matches!(char, '`' | '\\'),
        };
        if special {
            out.push('\\');
        }
        out.push(char);
    }
}

/// An address between round brackets.
fn address(url: &str) -> String {
    let mut escaped = String::with_capacity(url.len());
    for char in url.chars() {
        if matches!(char, '(' | ')' | '\\') {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

#[cfg(test)]
#[path = "telegram_tests.rs"]
mod tests;
