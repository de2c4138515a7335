//! What the settings mean: flag over environment over file over default, every error collected.
//!
//! All layers speak the same words, so each key has one reading of them whichever layer they come
//! from. The result is made of the types that the parts consume; nothing below knows of a file.

use std::net::SocketAddr;
use std::time::Duration;

use angelia_core::session::key::{Isolation, Sharing};
use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;

use super::keys::{self, BACKENDS_LATER, Key, Kind};
use super::problem::{Place, Problem};
use super::raw::{self, Raw};

/// The longest a stopping gateway may wait for its turns.
const DRAIN_MAX: Span = Span::hours(1);

/// What the operator chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Where the HTTP interface listens.
    pub(crate) listen: SocketAddr,
    /// Where everything is kept.
    pub(crate) database: Database,
    /// The zone in which times are shown; the machine's if none.
    pub(crate) time_zone: Option<String>,
    /// Who answers.
    pub(crate) agent: Agent,
    /// How groups are divided into conversations.
    pub(crate) isolation: Isolation,
    /// What a message does while a turn runs.
    pub(crate) busy: Mode,
    /// How long a stopping gateway lets its turns run on.
    pub(crate) drain: Span,
}

/// Where everything is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Database {
    /// A file in the home.
    Sqlite,
}

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agent {
    /// The built-in agent, and whether someone asked for it.
    Demo(Wish),
}

/// Whether a value was asked for or merely is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Someone wrote it.
    Asked,
    /// Nobody wrote anything.
    Default,
}

/// What stands above the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides {
    /// `--listen`.
    pub(crate) listen: Option<String>,
    /// `ANGELIA_DATABASE`.
    pub(crate) database: Option<String>,
}

/// One setting as it holds, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effective {
    /// The full name of its key.
    pub(crate) path: &'static str,
    /// The shape of its value.
    pub(crate) kind: Kind,
    /// Its value; none where nothing is set and nothing fixed holds.
    pub(crate) text: Option<String>,
    /// Where it was written; nowhere if it is the default.
    pub(crate) place: Option<Place>,
}

/// The settings, and how each came to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// What the parts consume.
    pub(crate) settings: Settings,
    /// The same for people, in the order of the table.
    pub(crate) effective: Vec<Effective>,
}

/// Resolves the layers, or tells everything that is wrong, in the order of the file.
pub(crate) fn resolve(raw: Raw, overrides: &Overrides) -> Result<Resolved, Vec<Problem>> {
    let mut layers = Layers {
        raw,
        listen: &overrides.listen,
        database: &overrides.database,
        effective: vec![],
    };
    let listen = layers.pick(&keys::LISTEN, address);
    let database = layers.pick(&keys::DATABASE, database);
    let time_zone = layers.pick(&keys::TIME_ZONE, zone);
    let agent = layers.pick(&keys::BACKEND, backend);
    let groups = layers.pick(&keys::PER_USER_IN_GROUPS, sharing);
    let threads = layers.pick(&keys::PER_USER_IN_THREADS, sharing);
    let busy = layers.pick(&keys::BUSY_MODE, busy);
    let drain = layers.pick(&keys::DRAIN_TIMEOUT, length);
    layers.check_accounts();
    let settings = || {
        let isolation = Isolation {
            groups: groups?,
            threads: threads?,
        };
        Some(Settings {
            listen: listen?,
            database: database?,
            time_zone,
            agent: agent?,
            isolation,
            busy: busy?,
            drain: drain?,
        })
    };
    let Layers { raw, effective, .. } = layers;
    let mut problems = raw.problems;
    problems.sort();
    match settings().filter(|_| problems.is_empty()) {
        Some(settings) => Ok(Resolved {
            settings: asked(settings, &effective),
            effective,
        }),
        None => Err(problems),
    }
}

/// Notes whether the demo agent answers because someone wants it to.
fn asked(mut settings: Settings, effective: &[Effective]) -> Settings {
    let backend = effective.iter().find(|one| one.path == keys::BACKEND.path);
    if backend.is_some_and(|backend| backend.place.is_some()) {
        settings.agent = Agent::Demo(Wish::Asked);
    }
    settings
}

struct Layers<'a> {
    raw: Raw,
    listen: &'a Option<String>,
    database: &'a Option<String>,
    effective: Vec<Effective>,
}

impl Layers<'_> {
    /// The value of a key from the uppermost layer that has one. Nothing if there is none, or if it
    /// cannot be read, which is then noted.
    fn pick<T>(&mut self, key: &Key, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        let (text, place) = self.uppermost(key);
        self.effective.push(Effective {
            path: key.path,
            kind: key.kind,
            text: text.clone(),
            place: place.clone(),
        });
        match read(&text?) {
            Ok(value) => Some(value),
            Err(says) => {
                let says = format!("`{}` {says}", key.path);
                let place = place.unwrap_or(Place::Flag("the default"));
                self.raw.problems.push(Problem { place, says });
                None
            }
        }
    }

    fn uppermost(&self, key: &Key) -> (Option<String>, Option<Place>) {
        let above = match key.path {
            "listen" => self
                .listen
                .clone()
                .map(|text| (text, Place::Flag("--listen"))),
            "database" => self
                .database
                .clone()
                .map(|text| (text, Place::Variable("ANGELIA_DATABASE"))),
            _ => None,
        };
        let written = || {
            let written = self.raw.written.get(key.path)?;
            Some((written.text.clone(), Place::Line(written.line)))
        };
        match above.or_else(written) {
            Some((text, place)) => (Some(text), Some(place)),
            None => (key.default.map(str::to_owned), None),
        }
    }

    /// The accounts of the house are their platforms: another platform below their name is an error.
    fn check_accounts(&mut self) {
        let written = self.raw.written.iter();
        let wrong = written.filter_map(|(path, written)| {
            let name = path.strip_prefix("platforms.")?.strip_suffix(".platform")?;
            let says = format!(
                "`{path}` must be \"{name}\" or absent; found \"{}\"",
                written.text
            );
            let place = Place::Line(written.line);
            (written.text != name).then_some(Problem { place, says })
        });
        let wrong: Vec<Problem> = wrong.collect();
        self.raw.problems.extend(wrong);
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let expected =
        || format!("must be an IP address and a port such as \"127.0.0.1:8787\"; found \"{text}\"");
    text.parse().map_err(|_| expected())
}

fn database(text: &str) -> Result<Database, String> {
    match text {
        "sqlite" => Ok(Database::Sqlite),
        _ if text.starts_with("postgres://") || text.starts_with("postgresql://") => {
            // The address may hold a password, so it is not repeated.
            Err("names PostgreSQL, which is not in this release yet; write \"sqlite\"".to_owned())
        }
        _ => Err("must be \"sqlite\"".to_owned()),
    }
}

fn zone(text: &str) -> Result<String, String> {
    let known = jiff::tz::TimeZone::get(text).is_ok();
    let expected =
        || format!("must be the name of a time zone such as \"Europe/Berlin\"; found \"{text}\"");
    known.then(|| text.to_owned()).ok_or_else(expected)
}

fn backend(text: &str) -> Result<Agent, String> {
    match text {
        "demo" => Ok(Agent::Demo(Wish::Default)),
        _ if BACKENDS_LATER.contains(&text) => Err(format!(
            "is \"{text}\", which is not in this release yet; it has only \"demo\""
        )),
        _ => {
            let near = raw::suggestion(text, ["demo"]);
            Err(format!("must be \"demo\"; found \"{text}\"{near}"))
        }
    }
}

fn sharing(text: &str) -> Result<Sharing, String> {
    match text {
        "true" => Ok(Sharing::PerPerson),
        "false" => Ok(Sharing::Shared),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

fn busy(text: &str) -> Result<Mode, String> {
    match text {
        "queue" => Ok(Mode::Queue),
        "steer" => Ok(Mode::Steer),
        "interrupt" => Ok(Mode::Interrupt),
        _ => {
            let near = raw::suggestion(text, ["queue", "steer", "interrupt"]);
            Err(format!(
                "must be \"queue\", \"steer\" or \"interrupt\"; found \"{text}\"{near}"
            ))
        }
    }
}

fn length(text: &str) -> Result<Span, String> {
    let expected =
        || format!("must be a length of time such as \"60s\" or \"5m\"; found \"{text}\"");
    let parsed = text.parse::<jiff::SignedDuration>().ok();
    let length = parsed
        .and_then(|length| Duration::try_from(length).ok())
        .ok_or_else(expected)?;
    let span = Span::ms(i64::try_from(length.as_millis()).unwrap_or(i64::MAX));
    let too_long = || format!("is at most one hour; found \"{text}\"");
    (span <= DRAIN_MAX).then_some(span).ok_or_else(too_long)
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
