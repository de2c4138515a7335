//! The file as it is written: which keys, which words, on which line.
//!
//! The document is parsed with the place of every value and walked against the table of keys, so that
//! one reading finds every unknown key and every value of the wrong shape, not only the first. What
//! the words mean is not asked here; `resolve` does that.

use std::collections::BTreeMap;

use angelia_core::address::ChatKind;
use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

use super::keys::{self, KEYS, Key, Kind, LATER};
use super::problem::{Place, Problem, line_of};
use super::secret::Source;
use super::{request, suggest};

/// What the file holds.
#[derive(Debug, Default)]
pub(crate) struct Raw {
    /// The values, by the full name of their key.
    pub(crate) written: BTreeMap<String, Written>,
    /// Where secrets are, by the full name of their key. Beside it, `written` has what may be shown.
    pub(crate) secrets: BTreeMap<String, Source>,
    /// Values of any shape, with the last part of their key's name, by its full name. Beside it, `written` has them on
    /// one line.
    pub(crate) free: BTreeMap<String, (String, serde_json::Value)>,
    /// The names below `sessions.reset_for`, with their lines.
    pub(crate) places: BTreeMap<String, usize>,
    /// The tables of lists with which nothing is wrong so far, by the list and their number from one, with
    /// their lines. What stands in them is `written` below `<list>.<number>`.
    pub(crate) listed: BTreeMap<(String, usize), usize>,
    /// The names below `agent.instructions`, with their full names.
    pub(crate) instructed: BTreeMap<String, String>,
    /// The models below `prices`, with their lines.
    pub(crate) prices: BTreeMap<String, usize>,
    /// The names below `agents`, with their lines.
    pub(crate) agents: BTreeMap<String, usize>,
    /// The names below `platforms`, with their lines.
    pub(crate) accounts: BTreeMap<String, usize>,
    /// The names below `mcp`, with their lines.
    pub(crate) servers: BTreeMap<String, usize>,
    /// The names below `busy.for`, with their lines.
    pub(crate) busy_places: BTreeMap<String, usize>,
    /// The names below `tools.for`, with their lines.
    pub(crate) tool_places: BTreeMap<String, usize>,
    /// What is wrong with the rest.
    pub(crate) problems: Vec<Problem>,
}

/// One value of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// The value, without quotes.
    pub(crate) text: String,
    /// Its line, counted from one.
    pub(crate) line: usize,
}

/// Reads the text of a file.
pub(crate) fn read(text: &str) -> Raw {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut walk = Walk {
        text,
        raw: Raw::default(),
    };
    for error in &errors {
        let offset = error.span().map_or(0, |span| span.start);
        walk.problem(offset, format!("this is not TOML: {}", error.message()));
    }
    // Beside a syntax error the rest of the document may be misread, so nothing is said about it.
    if errors.is_empty() {
        walk.table(&[], document.get_ref());
    }
    walk.raw
}

struct Walk<'a> {
    text: &'a str,
    raw: Raw,
}

impl Walk<'_> {
    fn table(&mut self, above: &[&str], table: &DeTable<'_>) {
        for (name, value) in table {
            let mut path = above.to_vec();
            path.push(name.get_ref());
            self.entry(&path, name.span().start, value);
        }
    }

    fn entry(&mut self, path: &[&str], at: usize, value: &Spanned<DeValue<'_>>) {
        let full = dotted(path);
        if let Some(key) = KEYS.iter().copied().find(|key| matches(key.path, path)) {
            self.instructed(path, &full);
            if matches!(key.kind, Kind::Free { .. }) {
                return self.free(path, full, value);
            }
            return self.value(key, full, value);
        }
        if !is_table(path) {
            return self.problem(at, unknown(path));
        }
        if is_list(path) {
            return self.list(path, at, value);
        }
        match value.get_ref().as_table() {
            Some(table) => {
                self.place(path, at);
                self.table(path, table);
            }
            None => {
                let found = found(value.get_ref());
                self.problem(
                    at,
                    format!("`{full}` must be a table (`[{full}]`); found {found}"),
                );
            }
        }
    }

    /// A list of tables. The number of each stands for its name.
    fn list(&mut self, path: &[&str], at: usize, value: &Spanned<DeValue<'_>>) {
        let Some(list) = value.get_ref().as_array() else {
            let (full, found) = (dotted(path), found(value.get_ref()));
            let says = format!("`{full}` must be a list of tables (`[[{full}]]`); found {found}");
            return self.problem(at, says);
        };
        for (number, one) in (1..).zip(list.iter()) {
            self.listed(path, number, one);
        }
    }

    fn listed(&mut self, list: &[&str], number: usize, value: &Spanned<DeValue<'_>>) {
        let (at, name) = (value.span().start, number.to_string());
        let path = [list, &[&*name]].concat();
        let Some(table) = value.get_ref().as_table() else {
            let (full, found) = (dotted(&path), found(value.get_ref()));
            return self.problem(at, format!("`{full}` must be a table; found {found}"));
        };
        let before = self.raw.problems.len();
        self.table(&path, table);
        if self.raw.problems.len() == before {
            let line = line_of(self.text, at);
            self.raw.listed.insert((dotted(list), number), line);
        }
    }

    /// Notes the name of a place that has instructions of its own.
    fn instructed(&mut self, path: &[&str], full: &str) {
        if let ["agent", "instructions", name] = path {
            let full = full.to_owned();
            self.raw.instructed.insert((*name).to_owned(), full);
        }
    }

    /// Notes the name of a place that has a reset policy or tools of its own, of an account, a server, an agent, or of
    /// a model with a price.
    fn place(&mut self, path: &[&str], at: usize) {
        let line = line_of(self.text, at);
        match path {
            ["busy", "for", name] => self.raw.busy_places.insert((*name).to_owned(), line),
            ["tools", "for", name] => self.raw.tool_places.insert((*name).to_owned(), line),
            ["sessions", "reset_for", name] => self.raw.places.insert((*name).to_owned(), line),
            ["platforms", name] => self.raw.accounts.insert((*name).to_owned(), line),
            ["mcp", name] => self.raw.servers.insert((*name).to_owned(), line),
            ["prices", name] => self.raw.prices.insert((*name).to_owned(), line),
            ["agents", name] => self.raw.agents.insert((*name).to_owned(), line),
            _ => None,
        };
    }

    fn value(&mut self, key: &Key, full: String, value: &Spanned<DeValue<'_>>) {
        let at = value.span().start;
        if matches!(key.kind, Kind::Secret { .. }) {
            return self.secret(key, full, value);
        }
        let text = match (key.kind, value.get_ref()) {
            (Kind::Text { .. } | Kind::Choice(_) | Kind::Id { .. }, DeValue::String(text)) => {
                text.to_string()
            }
            (Kind::Dollars, DeValue::String(text)) => text.to_string(),
            (Kind::Dollars, DeValue::Float(number)) => number.as_str().to_owned(),
            (Kind::Dollars, DeValue::Integer(digits)) if number(digits).is_some() => {
                number(digits).unwrap_or_default().to_string()
            }
            (Kind::YesNo, DeValue::Boolean(answer)) => answer.to_string(),
            (Kind::Number { .. } | Kind::Id { .. }, DeValue::Integer(digits))
                if number(digits).is_some() =>
            {
                number(digits).unwrap_or_default().to_string()
            }
            (Kind::Names { .. }, DeValue::Array(list)) if names(list).is_some() => {
                names(list).unwrap_or_default().join(NAMES_APART)
            }
            (Kind::Patterns { .. } | Kind::Texts { .. }, DeValue::Array(list))
                if patterns(list).is_some() =>
            {
                patterns(list).unwrap_or_default().join(PATTERNS_APART)
            }
            (kind, other) => {
                let (expected, found) = (expected(kind), found(other));
                return self.problem(at, format!("`{full}` must be {expected}; found {found}"));
            }
        };
        let line = line_of(self.text, at);
        self.raw.written.insert(full, Written { text, line });
    }

    /// What was found in place of a secret may be one, so it is not repeated.
    fn secret(&mut self, key: &Key, full: String, value: &Spanned<DeValue<'_>>) {
        let at = value.span().start;
        let Some(source) = Source::of(value.get_ref()) else {
            return self.problem(at, format!("`{full}` must be {}", expected(key.kind)));
        };
        let (text, line) = (source.shown(), line_of(self.text, at));
        self.raw.secrets.insert(full.clone(), source);
        self.raw.written.insert(full, Written { text, line });
    }

    /// A value that only its reader understands.
    fn free(&mut self, path: &[&str], full: String, value: &Spanned<DeValue<'_>>) {
        let at = value.span().start;
        let Some(found) = request::value(value.get_ref()) else {
            let says = format!(
                "`{full}` holds a date or a number that no request can; write it as a string"
            );
            return self.problem(at, says);
        };
        let (text, line) = (request::shown(&found), line_of(self.text, at));
        let name = path.last().copied().unwrap_or_default().to_owned();
        self.raw.free.insert(full.clone(), (name, found));
        self.raw.written.insert(full, Written { text, line });
    }

    fn problem(&mut self, at: usize, says: String) {
        let place = Place::Line(line_of(self.text, at));
        self.raw.problems.push(Problem { place, says });
    }
}

impl Raw {
    /// The numbers of a list's tables, with their lines.
    pub(crate) fn tables_of(&self, name: &str) -> Vec<(usize, usize)> {
        let of_list = self.listed.iter().filter(|((list, _), _)| list == name);
        of_list
            .map(|((_, number), line)| (*number, *line))
            .collect()
    }
}

/// What stands between the names of a list once it is read. No name has it.
pub(crate) const NAMES_APART: &str = ", ";

/// What stands between the patterns or strings of a list once it is read. None has it.
pub(crate) const PATTERNS_APART: &str = "\n";

/// The list, if it is one of texts of one line each.
fn patterns(list: &DeArray<'_>) -> Option<Vec<String>> {
    let pattern = |one: &Spanned<DeValue<'_>>| {
        let text = one.get_ref().as_str()?;
        (!text.contains(PATTERNS_APART)).then(|| text.to_owned())
    };
    list.iter().map(pattern).collect()
}

pub(super) fn number(digits: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(digits.as_str(), digits.radix()).ok()
}

/// The list, if it is one of plain names.
fn names(list: &DeArray<'_>) -> Option<Vec<String>> {
    let name = |one: &Spanned<DeValue<'_>>| {
        let text = one.get_ref().as_str()?;
        is_plain(text).then(|| text.to_owned())
    };
    list.iter().map(name).collect()
}

fn is_plain(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    !name.is_empty() && name.chars().all(fits)
}

/// The full name as it would be written, with quotes where TOML needs them.
pub(crate) fn dotted(path: &[&str]) -> String {
    let part = |name: &&str| match is_plain(name) {
        true => (*name).to_owned(),
        false => toml::Value::from(*name).to_string(),
    };
    path.iter().map(part).collect::<Vec<_>>().join(".")
}

/// Whether the parts are those of `pattern`, in which `*` stands for any name.
fn matches(pattern: &str, path: &[&str]) -> bool {
    let parts: Vec<&str> = pattern.split('.').collect();
    parts.len() == path.len() && begins(&parts, path)
}

fn begins(parts: &[&str], path: &[&str]) -> bool {
    parts
        .iter()
        .zip(path)
        .all(|(part, name)| *part == "*" || part == name)
}

/// Whether tables of which there may be several stand here.
pub(crate) fn is_list(path: &[&str]) -> bool {
    keys::LISTS.iter().any(|list| matches(list, path))
}

/// Whether some key lies below this path.
fn is_table(path: &[&str]) -> bool {
    KEYS.iter().copied().any(|key| {
        let parts: Vec<&str> = key.path.split('.').collect();
        parts.len() > path.len() && begins(&parts, path)
    })
}

fn unknown(path: &[&str]) -> String {
    let full = dotted(path);
    if let ["sessions", "reset_for", platform, kind] | ["tools" | "busy", "for", platform, kind] =
        path
        && kind.parse::<ChatKind>().is_ok()
    {
        return format!(
            "`{full}` needs quotes: write `\"{platform}.{kind}\"` for the two together"
        );
    }
    if LATER.iter().any(|later| matches(later, path)) {
        return format!("`{full}` is not in this release yet; remove it or put a `#` before it");
    }
    let name = path.last().copied().unwrap_or_default();
    let above = &path[..path.len().saturating_sub(1)];
    match suggest::nearest(name, names_below(above)) {
        Some(near) => format!("unknown key `{full}`; did you mean `{near}`?"),
        None => match keys_named(name).as_slice() {
            [] => format!("unknown key `{full}`; here can stand {}", listed(above)),
            [elsewhere, ..] => format!("unknown key `{full}`; did you mean `{elsewhere}`?"),
        },
    }
}

/// The names that may stand in the table at `above`.
fn names_below(above: &[&str]) -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for key in KEYS.iter().copied() {
        let parts: Vec<&'static str> = key.path.split('.').collect();
        if parts.len() > above.len() && begins(&parts[..above.len()], above) {
            names.push(parts[above.len()]);
        }
    }
    names.dedup();
    names
}

/// Full names of the keys whose last part is `name`: the key was put into the wrong table.
fn keys_named(name: &str) -> Vec<&'static str> {
    let last = |key: &&Key| key.path.rsplit('.').next() == Some(name);
    KEYS.iter()
        .copied()
        .filter(last)
        .map(|key| key.path)
        .collect()
}

fn listed(above: &[&str]) -> String {
    let quoted: Vec<String> = names_below(above)
        .into_iter()
        .map(|name| format!("`{name}`"))
        .collect();
    quoted.join(", ")
}

/// The end of a sentence that offers the nearest of `known`.
pub(crate) fn suggestion<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = suggest::nearest(written, known);
    near.map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Text { example } => format!("a string such as \"{example}\""),
        Kind::Choice(words) => {
            let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            quoted.join(" or ")
        }
        Kind::YesNo => "true or false, without quotes".to_owned(),
        Kind::Number { from, to } if to > keys::MANY => format!("a whole number, at least {from}"),
        Kind::Number { from, to } => format!("a whole number from {from} to {to}"),
        Kind::Free { example } => format!("a value such as {example}"),
        Kind::Dollars => "an amount in dollars such as 2.50".to_owned(),
        Kind::Id { example } => format!("an id such as \"{example}\""),
        Kind::Texts { example } => format!("a list of strings such as [\"{example}\"]"),
        Kind::Secret { example } => format!(
            "a string, {{ env = \"{example}\" }}, {{ file = \"path\" }} or {{ command = [\"program\", \"argument\"] }}"
        ),
        Kind::Names { example } => format!("a list of names such as [\"{example}\"]"),
        Kind::Patterns { example } => {
            format!("a list of patterns of one line each such as [\"{example}\"]")
        }
    }
}

fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the string \"{text}\""),
        DeValue::Integer(number) => format!("the number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(answer) => answer.to_string(),
        DeValue::Datetime(moment) => format!("the date {moment}"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

#[cfg(test)]
#[path = "raw_tests.rs"]
mod tests;
