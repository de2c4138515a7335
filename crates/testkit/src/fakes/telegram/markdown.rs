//! `MarkdownV2` as the Bot API reads it: strict, so that a bot which forgets to escape is refused.
//!
//! Entities nest and must be closed in order. Inside code only a back-tick and a backslash are special.

use serde_json::{Value, json};

use super::call::Refused;
use super::markup::{Marked, broken, units};

/// What must be escaped wherever it marks nothing.
const RESERVED: &str = "_*[]()~`>#+-=|{}.!";

struct Open {
    mark: &'static str,
    kind: &'static str,
    begin: usize,
    at: usize,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    out: String,
    open: Vec<Open>,
    entities: Vec<Value>,
}

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Marked, Refused> {
    let mut reader = Reader {
        text,
        at: 0,
        out: String::new(),
        open: Vec::new(),
        entities: Vec::new(),
    };
    while reader.at < text.len() {
        reader.step()?;
    }
    match reader.open.last() {
        Some(open) => Err(unclosed(open.kind, open.at)),
        None => Ok(Marked {
            text: reader.out,
            entities: reader.entities,
        }),
    }
}

fn unclosed(kind: &str, at: usize) -> Refused {
    let mut name = kind.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    broken(&format!(
        "Can't find end of {name} entity at byte offset {at}"
    ))
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn step(&mut self) -> Result<(), Refused> {
        let rest = self.rest();
        let Some(next) = rest.chars().next() else {
            return Ok(());
        };
        match next {
            '\\' => {
                self.escaped();
                Ok(())
            }
            '`' => self.code(),
            '_' if rest.starts_with("__") => self.toggle("__", "underline"),
            '_' => self.toggle("_", "italic"),
            '*' => self.toggle("*", "bold"),
            '~' => self.toggle("~", "strikethrough"),
            '|' if rest.starts_with("||") => self.toggle("||", "spoiler"),
            '[' => self.link_begins(),
            ']' if self.open.last().is_some_and(|open| open.mark == "[") => self.link_ends(),
            '>' if self.out.is_empty() || self.out.ends_with('\n') => {
                self.at += 1;
                Ok(())
            }
            reserved if RESERVED.contains(reserved) => Err(broken(&format!(
                "Character '{reserved}' is reserved and must be escaped with the preceding '\\'"
            ))),
            other => {
                self.out.push(other);
                self.at += other.len_utf8();
                Ok(())
            }
        }
    }

    /// Any character of the lower ASCII may be escaped; a backslash before others stands for itself.
    fn escaped(&mut self) {
        let after = self.rest().chars().nth(1);
        match after.filter(|one| ('\u{1}'..='\u{7e}').contains(one)) {
            Some(one) => {
                self.out.push(one);
                self.at += 2;
            }
            None => {
                self.out.push('\\');
                self.at += 1;
            }
        }
    }

    fn toggle(&mut self, mark: &'static str, kind: &'static str) -> Result<(), Refused> {
        let at = self.at;
        self.at += mark.len();
        if self.open.last().is_some_and(|open| open.mark == mark) {
            let open = self.open.pop();
            if let Some(open) = open {
                self.mark(open.kind, open.begin, None);
            }
            return Ok(());
        }
        if let Some(inner) = self.open.last()
            && self.open.iter().any(|open| open.mark == mark)
        {
            return Err(unclosed(inner.kind, inner.at));
        }
        self.open.push(Open {
            mark,
            kind,
            begin: units(&self.out),
            at,
        });
        Ok(())
    }

    fn mark(&mut self, kind: &str, begin: usize, url: Option<String>) {
        let length = units(&self.out) - begin;
        if length == 0 {
            return;
        }
        let mut entity = json!({ "type": kind, "offset": begin, "length": length });
        if let Some(url) = url {
            entity["url"] = json!(url);
        }
        self.entities.push(entity);
    }

    fn code(&mut self) -> Result<(), Refused> {
        let (mark, kind) = if self.rest().starts_with("```") {
            ("```", "pre")
        } else {
            ("`", "code")
        };
        let (begin, at) = (units(&self.out), self.at);
        self.at += mark.len();
        if kind == "pre" {
            self.skip_language();
        }
        loop {
            let rest = self.rest();
            let Some(next) = rest.chars().next() else {
                return Err(unclosed(kind, at));
            };
            if rest.starts_with(mark) {
                self.at += mark.len();
                self.mark(kind, begin, None);
                return Ok(());
            }
            match next {
                '\\' => self.escaped(),
                other => {
                    self.out.push(other);
                    self.at += other.len_utf8();
                }
            }
        }
    }

    /// The first line of a block is its language if it has no blank.
    fn skip_language(&mut self) {
        let line = self.rest().split_once('\n').map(|(line, _)| line);
        if let Some(line) = line.filter(|line| !line.contains([' ', '`'])) {
            self.at += line.len() + 1;
        }
    }

    fn link_begins(&mut self) -> Result<(), Refused> {
        let (begin, at) = (units(&self.out), self.at);
        self.at += 1;
        self.open.push(Open {
            mark: "[",
            kind: "text_link",
            begin,
            at,
        });
        Ok(())
    }

    fn link_ends(&mut self) -> Result<(), Refused> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        self.at += 1;
        let Some(inside) = self.rest().strip_prefix('(') else {
            return Ok(());
        };
        let Some((url, length)) = target(inside) else {
            let at = self.at;
            return Err(broken(&format!(
                "Can't find end of a URL at byte offset {at}"
            )));
        };
        self.at += length + 2;
        self.mark(open.kind, open.begin, Some(url));
        Ok(())
    }
}

/// What stands before the closing parenthesis, and how long it is as it was written.
fn target(inside: &str) -> Option<(String, usize)> {
    let mut url = String::new();
    let mut letters = inside.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            ')' => return Some((url, at)),
            '\\' => url.push(letters.next()?.1),
            other => url.push(other),
        }
    }
    None
}
