//! Markup of texts as the Bot API reads it: what is marked, or why it cannot be read.
//!
//! `MarkdownV2` is in `markdown`. HTML is read here. The old `Markdown` is taken as it stands.

use serde_json::{Value, json};

use super::call::Refused;
use super::markdown;

/// A text without its markup, and what was marked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Marked {
    pub(super) text: String,
    pub(super) entities: Vec<Value>,
}

impl Marked {
    /// Its length as the server counts it.
    pub(super) fn units(&self) -> usize {
        units(&self.text)
    }
}

pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Why a markup cannot be read.
pub(super) fn broken(why: &str) -> Refused {
    Refused::bad(&format!("can't parse entities: {why}"))
}

/// Reads a text in a mode.
pub(super) fn read(text: &str, mode: &str) -> Result<Marked, Refused> {
    match mode.to_lowercase().as_str() {
        "markdownv2" => markdown::read(text),
        "html" => html(text),
        "markdown" => Ok(Marked {
            text: text.to_owned(),
            entities: Vec::new(),
        }),
        _ => Err(Refused::bad("unsupported parse_mode")),
    }
}

/// A tag that was opened.
struct Open {
    name: String,
    entity: Value,
    begin: usize,
}

fn html(text: &str) -> Result<Marked, Refused> {
    let mut out = String::new();
    let mut entities = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        match next {
            '<' => {
                let end = text[at..].find('>');
                let end =
                    end.ok_or_else(|| broken(&format!("Unclosed start tag at byte offset {at}")))?;
                let tag = &text[at + 1..at + end];
                match tag.strip_prefix('/') {
                    Some(name) => close(&mut open, &mut entities, name, &out, at)?,
                    None => open.push(opened(tag, units(&out), at)?),
                }
                at += end + 1;
            }
            '&' => {
                let (character, length) = reference(&text[at..]);
                out.push(character);
                at += length;
            }
            other => {
                out.push(other);
                at += other.len_utf8();
            }
        }
    }
    match open.last() {
        Some(tag) => Err(broken(&format!(
            "Can't find end tag corresponding to start tag \"{}\"",
            tag.name
        ))),
        None => Ok(Marked {
            text: out,
            entities,
        }),
    }
}

fn opened(tag: &str, begin: usize, at: usize) -> Result<Open, Refused> {
    let name = tag
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let kind = match name.as_str() {
        "b" | "strong" => "bold",
        "i" | "em" => "italic",
        "u" | "ins" => "underline",
        "s" | "strike" | "del" => "strikethrough",
        "tg-spoiler" | "span" => "spoiler",
        "code" => "code",
        "pre" => "pre",
        "blockquote" => "blockquote",
        "a" => "text_link",
        _ => {
            let words = format!("Unsupported start tag \"{name}\" at byte offset {at}");
            return Err(broken(&words));
        }
    };
    let mut entity = json!({ "type": kind });
    let link = tag
        .split_once("href=\"")
        .and_then(|(_, rest)| rest.split_once('"'));
    if let Some((link, _)) = link.filter(|_| kind == "text_link") {
        entity["url"] = json!(link);
    }
    Ok(Open {
        name,
        entity,
        begin,
    })
}

fn close(
    open: &mut Vec<Open>,
    entities: &mut Vec<Value>,
    name: &str,
    out: &str,
    at: usize,
) -> Result<(), Refused> {
    let Some(mut tag) = open.pop() else {
        return Err(broken(&format!("Unexpected end tag at byte offset {at}")));
    };
    if tag.name != name.trim().to_lowercase() {
        let words = format!(
            "Unmatched end tag at byte offset {at}, expected \"</{}>\", found \"</{name}>\"",
            tag.name
        );
        return Err(broken(&words));
    }
    let length = units(out) - tag.begin;
    if length > 0 {
        tag.entity["offset"] = json!(tag.begin);
        tag.entity["length"] = json!(length);
        entities.push(tag.entity);
    }
    Ok(())
}

/// A character that is written with `&`, and how long that is.
fn reference(text: &str) -> (char, usize) {
    let known = [
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&amp;", '&'),
        ("&quot;", '"'),
    ];
    let found = known.iter().find(|(name, _)| text.starts_with(name));
    found.map_or(('&', 1), |(name, character)| (*character, name.len()))
}
