//! What the `[mcp.NAME]` tables mean: servers that bring tools.
//!
//! Everything that can be checked without asking anybody is checked here. Secrets are read when the
//! gateway starts, and whether a server is there is found out when it runs.

use angelia_agents::mcp::http;
use angelia_agents::mcp::settings::{Hints, NAME_CHARS_MAX, Picks};
use angelia_core::recovery::EffectClass;
use angelia_core::time::Span;
use angelia_core::{length, limits};

use super::keys::{self, EFFECTS, Key};
use super::problem::{Place, Problem};
use super::raw::{self, PATTERNS_APART};
use super::resolve::{Effective, Layers};
use super::secret::Source;

/// The shortest and the longest time that a server may be given.
const TIME_MIN: Span = Span::seconds(1);
const TIME_MAX: Span = Span::minutes(10);

/// One server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct McpServer {
    /// Its name.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) way: McpWay,
    /// How long one call may take.
    pub(crate) time: Span,
    /// How long its start may take.
    pub(crate) start_time: Span,
    /// Which of its tools are used.
    pub(crate) picks: Picks,
    /// What its tools may do.
    pub(crate) effect: EffectClass,
    /// Whether it is believed about that.
    pub(crate) hints: Hints,
}

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum McpWay {
    /// A program, its arguments, and variables for it.
    Program(Vec<String>, Vec<(String, Source)>),
    /// An address, and headers for it.
    Address(Source, Vec<(String, Source)>),
}

impl Layers<'_> {
    /// All servers, by their names. What is wrong is noted.
    pub(super) fn mcp(&mut self) -> Vec<McpServer> {
        let names: Vec<String> = self.raw.servers.keys().cloned().collect();
        if names.len() > limits::mcp::SERVERS_MAX {
            let says = format!(
                "there are {} servers in `mcp`, and at most {} can be used",
                names.len(),
                limits::mcp::SERVERS_MAX
            );
            self.wrong_server(&names[0], says);
        }
        names.iter().filter_map(|name| self.server(name)).collect()
    }

    fn server(&mut self, name: &str) -> Option<McpServer> {
        if !is_name(name) {
            let says = format!(
                "`mcp.{name}` is no name of a server: write up to {NAME_CHARS_MAX} letters, digits, `-` and `_`"
            );
            self.wrong_server(name, says);
            return None;
        }
        let way = self.way(name);
        let time = self.of_server(name, &keys::MCP_TIMEOUT, timeout);
        let start_time = self.of_server(name, &keys::MCP_START_TIMEOUT, timeout);
        let enable = self.of_server(name, &keys::MCP_ENABLE, texts);
        let disable = self.of_server(name, &keys::MCP_DISABLE, texts);
        let effect = self.of_server(name, &keys::MCP_EFFECT, effect);
        let hints = self.of_server(name, &keys::MCP_TRUST_ANNOTATIONS, hints);
        Some(McpServer {
            name: name.to_owned(),
            way: way?,
            time: time?,
            start_time: start_time?,
            picks: Picks {
                enable: enable?,
                disable: disable?,
            },
            effect: effect?,
            hints: hints?,
        })
    }

    fn way(&mut self, name: &str) -> Option<McpWay> {
        let words = self.of_server(name, &keys::MCP_COMMAND, command);
        let variables = self.secrets(name, "env", &keys::MCP_ENV, variable);
        let url = self.url(name);
        let headers = self.secrets(name, "headers", &keys::MCP_HEADERS, header);
        let is_written = |key: &str| self.raw.written.contains_key(&path(name, key));
        let says = match (is_written("command"), is_written("url")) {
            (true, true) => "has both `command` and `url`: remove one of them",
            (false, false) => "needs `command`, or `url` for a server that is reached over HTTP",
            (true, false) if !headers.is_empty() => {
                "has `headers`, which are for servers with a `url`"
            }
            (false, true) if !variables.is_empty() => {
                "has `env`, which is for servers with a `command`"
            }
            (true, false) => return Some(McpWay::Program(words?, variables)),
            (false, true) => return Some(McpWay::Address(url?, headers)),
        };
        self.wrong_server(name, format!("`mcp.{name}` {says}"));
        None
    }

    fn url(&mut self, name: &str) -> Option<Source> {
        let path = path(name, "url");
        let source = self.secret(&path, &keys::MCP_URL)?;
        if let Source::Literal(text) = &source
            && let Err(what) = http::address(text)
        {
            self.wrong_at(&path, format!("`{path}` must be {what}"));
        }
        Some(source)
    }

    /// The entries of a table of secrets.
    fn secrets(
        &mut self,
        name: &str,
        table: &str,
        key: &Key,
        check: fn(&str, &Source) -> Result<(), String>,
    ) -> Vec<(String, Source)> {
        let above = format!("{}.", path(name, table));
        let below = |path: &String| path.strip_prefix(&above).map(str::to_owned);
        let entries: Vec<String> = self.raw.secrets.keys().filter_map(below).collect();
        let mut found = Vec::new();
        for entry in entries {
            let path = format!("{above}{entry}");
            let Some(source) = self.secret(&path, key) else {
                continue;
            };
            if let Err(why) = check(&entry, &source) {
                self.wrong_at(&path, format!("`{path}`: {why}"));
            }
            found.push((entry, source));
        }
        found
    }

    /// A secret, of which only its place is shown and which commands never see.
    pub(super) fn secret(&mut self, path: &str, key: &Key) -> Option<Source> {
        let source = self.raw.secrets.get(path).cloned()?;
        let written = self.raw.written.get(path);
        self.effective.push(Effective {
            path: path.to_owned(),
            kind: key.kind,
            text: written.map(|written| written.text.clone()),
            place: written.map(|written| Place::Line(written.line)),
        });
        self.keep_from_commands(path, Some(&source));
        Some(source)
    }

    /// What holds for one key of a server. Nothing if nothing does, or if it is wrong, which is noted.
    fn of_server<T>(
        &mut self,
        name: &str,
        key: &Key,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let path = path(name, key.name());
        let written = self.raw.written.get(&path);
        let place = written.map(|written| Place::Line(written.line));
        let text = written.map(|written| written.text.clone());
        let text = text.or_else(|| key.default.map(str::to_owned))?;
        self.effective.push(Effective {
            path: path.clone(),
            kind: key.kind,
            text: Some(text.clone()),
            place,
        });
        let read = read(&text);
        read.map_err(|says| self.wrong_at(&path, format!("`{path}` {says}")))
            .ok()
    }

    fn wrong_at(&mut self, path: &str, says: String) {
        let line = self.raw.written.get(path).map_or(1, |written| written.line);
        let place = Place::Line(line);
        self.raw.problems.push(Problem { place, says });
    }

    fn wrong_server(&mut self, name: &str, says: String) {
        let line = self.raw.servers.get(name).copied().unwrap_or(1);
        let place = Place::Line(line);
        self.raw.problems.push(Problem { place, says });
    }
}

fn path(name: &str, key: &str) -> String {
    raw::dotted(&["mcp", name, key])
}

fn is_name(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    (1..=NAME_CHARS_MAX).contains(&name.len()) && name.chars().all(fits)
}

pub(super) fn texts(text: &str) -> Result<Vec<String>, String> {
    let parts = text.split(PATTERNS_APART).filter(|part| !part.is_empty());
    Ok(parts.map(str::to_owned).collect())
}

fn command(text: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = text.split(PATTERNS_APART).map(str::to_owned).collect();
    let has_program = words
        .first()
        .is_some_and(|program| !program.trim().is_empty());
    let missing = || "must begin with the name of a program".to_owned();
    has_program.then_some(words).ok_or_else(missing)
}

fn timeout(text: &str) -> Result<Span, String> {
    let length = length::read(text).filter(|length| (TIME_MIN..=TIME_MAX).contains(length));
    length.ok_or_else(|| {
        format!("must be a length of time from \"1s\" to \"10m\" such as \"60s\"; found \"{text}\"")
    })
}

fn effect(text: &str) -> Result<EffectClass, String> {
    match text {
        "pure" => Ok(EffectClass::Pure),
        "keyed" => Ok(EffectClass::Keyed),
        "unknown" => Ok(EffectClass::Unknown),
        _ => {
            let near = raw::suggestion(text, EFFECTS);
            Err(format!(
                "must be \"pure\", \"keyed\" or \"unknown\"; found \"{text}\"{near}"
            ))
        }
    }
}

fn hints(text: &str) -> Result<Hints, String> {
    match text {
        "true" => Ok(Hints::Trusted),
        "false" => Ok(Hints::Ignored),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

fn variable(name: &str, _source: &Source) -> Result<(), String> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_one = name.chars().all(fits) && !name.starts_with(|first: char| first.is_ascii_digit());
    let not_one = || "a variable has a name of letters, digits and `_`".to_owned();
    is_one.then_some(()).ok_or_else(not_one)
}

/// A word that stands in the file is checked at once.
fn header(name: &str, source: &Source) -> Result<(), String> {
    let word = match source {
        Source::Literal(word) => word,
        Source::Variable(_) | Source::File(_) | Source::Command(_) => "",
    };
    http::header(name, word).map(|_| ())
}

#[cfg(test)]
#[path = "mcp_tests.rs"]
mod tests;
