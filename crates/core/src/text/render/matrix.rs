//! Matrix: HTML of the kind its clients show, beside the plain text.
//!
//! Here the document's own shape is written, tables included: clients lay it out themselves. A text too
//! long for one event is parted as Markdown first, so that each part is a document of its own.

use super::document::{Block, Document, Inline, Item, Kind, Row, Style};
use super::{Dialect, html, render};
use crate::text::{Limit, Unit, split};

/// A message with both its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// For clients that show no HTML.
    pub plain: String,
    /// For all others.
    pub html: String,
}

/// The messages for a text; neither text of any is longer than so many bytes.
#[must_use]
pub fn messages(markdown: &str, bytes_max: usize) -> Vec<Formatted> {
    let mut max = bytes_max;
    loop {
        let parts = split(
            markdown,
            Limit {
                max,
                unit: Unit::Bytes,
            },
        );
        let made: Vec<Formatted> = parts.iter().map(|part| formatted(part)).collect();
        let fits = |it: &Formatted| it.html.len().max(it.plain.len()) <= bytes_max;
        // Escapes and tags can only lengthen a text so far; a part of few letters is as short as it gets.
        if made.iter().all(fits) || max < 64 {
            return made.into_iter().filter(|it| !it.html.is_empty()).collect();
        }
        max /= 2;
    }
}

fn formatted(markdown: &str) -> Formatted {
    let whole = Limit {
        max: usize::MAX,
        unit: Unit::Bytes,
    };
    let plain = render(markdown, Dialect::Plain, whole);
    let mut html = String::new();
    blocks(&Document::read(markdown).blocks, &mut html);
    Formatted {
        plain: plain.into_iter().map(|message| message.text).collect(),
        html,
    }
}

fn blocks(blocks: &[Block], out: &mut String) {
    for block in blocks {
        self::block(&block.kind, out);
    }
}

fn block(kind: &Kind, out: &mut String) {
    match kind {
        Kind::Paragraph(inner) => tagged("p", out, |out| words(inner, out)),
        Kind::Heading {
            level,
            words: inner,
        } => {
            tagged(&format!("h{level}"), out, |out| words(inner, out));
        }
        Kind::Code { language, text } => code(language, text, out),
        Kind::Quote(inner) => tagged("blockquote", out, |out| blocks(inner, out)),
        Kind::List { first, items } => list(*first, items, out),
        Kind::Table { head, rows } => tagged("table", out, |out| table(head, rows, out)),
        Kind::Rule => out.push_str("<hr>"),
    }
}

fn tagged(tag: &str, out: &mut String, inner: impl FnOnce(&mut String)) {
    out.push_str(&format!("<{tag}>"));
    inner(out);
    out.push_str(&format!("</{tag}>"));
}

fn code(language: &str, text: &str, out: &mut String) {
    let class = match language {
        "" => String::new(),
        known => format!(" class=\"language-{}\"", html::escaped(known)),
    };
    out.push_str(&format!("<pre><code{class}>"));
    html::push(text, out);
    out.push_str("</code></pre>");
}

fn list(first: Option<u64>, items: &[Item], out: &mut String) {
    let (open, close) = match first {
        None => ("<ul>".to_owned(), "</ul>"),
        Some(1) => ("<ol>".to_owned(), "</ol>"),
        Some(first) => (format!("<ol start=\"{first}\">"), "</ol>"),
    };
    out.push_str(&open);
    for item in items {
        tagged("li", out, |out| entry(&item.blocks, out));
    }
    out.push_str(close);
}

/// An entry of one paragraph needs none around it.
fn entry(inner: &[Block], out: &mut String) {
    match inner {
        [
            Block {
                kind: Kind::Paragraph(first),
                ..
            },
            rest @ ..,
        ] => {
            words(first, out);
            blocks(rest, out);
        }
        all => blocks(all, out),
    }
}

fn table(head: &Row, rows: &[Row], out: &mut String) {
    tagged("thead", out, |out| row("th", head, out));
    tagged("tbody", out, |out| {
        for cells in rows {
            row("td", cells, out);
        }
    });
}

fn row(tag: &str, cells: &Row, out: &mut String) {
    tagged("tr", out, |out| {
        for cell in cells {
            tagged(tag, out, |out| words(cell, out));
        }
    });
}

fn words(inner: &[Inline], out: &mut String) {
    for word in inner {
        match word {
            Inline::Text(text) => html::push(text, out),
            Inline::Break => out.push_str("<br>"),
            Inline::Code(code) => tagged("code", out, |out| html::push(code, out)),
            Inline::Styled(Style::Spoiler, inner) => {
                out.push_str("<span data-mx-spoiler>");
                words(inner, out);
                out.push_str("</span>");
            }
            Inline::Styled(style, inner) => tagged(tag(*style), out, |out| words(inner, out)),
            Inline::Link { url, words: inner } => {
                out.push_str(&format!("<a href=\"{}\">", html::escaped(url)));
                words(inner, out);
                out.push_str("</a>");
            }
        }
    }
}

fn tag(style: Style) -> &'static str {
    match style {
        Style::Bold => "strong",
        Style::Italic => "em",
        Style::Strike => "del",
        Style::Spoiler => "span",
        Style::Mono => "code",
    }
}

#[cfg(test)]
#[path = "matrix_tests.rs"]
mod tests;
