//! What the settings mean: flag over environment over file over default, every error collected.
//!
//! All layers speak the same words, so each key has one reading of them whichever layer they come
//! from. The result is made of the types that the parts consume; nothing below knows of a file.

use std::net::SocketAddr;

use angelia_core::access::Policy;
use angelia_core::context::instructions::Instructions;
use angelia_core::context::names::Privacy;
use angelia_core::length;
use angelia_core::profile::rules::Multiplexing;
use angelia_core::session::key::{Isolation, Sharing};
use angelia_core::session::reset::ResetPolicies;
use angelia_core::time::Span;
use angelia_core::turn::manners::Manners;
use angelia_core::zone::Zone;
use angelia_gateway::approvals::Choice;
use angelia_process::target::Target;

use super::agents::{self, Agents};
use super::costs::Costs;
use super::database::{self, Database};
use super::keys::{self, Key, Kind};
use super::mcp::McpServer;
use super::platforms::Account;
use super::problem::{Place, Problem};
use super::processes::Processes;
use super::raw::Raw;
use super::speech::Speech;
use super::stickers::Stickers;
use super::terminal::Terminal;
use super::tools::Tools;
use super::transcription::Transcription;
use super::{sessions, zone};

/// The longest a stopping gateway may wait for its turns.
const DRAIN_MAX: Span = Span::hours(1);

/// What the operator chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Where the HTTP interface listens.
    pub(crate) listen: SocketAddr,
    /// Where everything is kept.
    pub(crate) database: Database,
    /// The zone of the hours that are set and of the times that are shown.
    pub(crate) time_zone: Zone,
    /// Who answers.
    pub(crate) agents: Agents,
    /// What it is told in which place.
    pub(crate) instructions: Instructions,
    /// What conversations are.
    pub(crate) sessions: Sessions,
    /// What a message does while a turn runs.
    pub(crate) busy: Manners,
    /// How long a stopping gateway lets its turns run on.
    pub(crate) drain: Span,
    /// Who starts the gateway again.
    pub(crate) restart: RestartBy,
    /// What holds for the commands of agents.
    pub(crate) terminal: Terminal,
    /// What holds for tools.
    pub(crate) tools: Tools,
    /// Where the agent's commands run.
    pub(crate) target: Target,
    /// Who may speak.
    pub(crate) access: Policy,
    /// Where people write, besides the platforms of the house.
    pub(crate) accounts: Vec<Account>,
    /// What agents are told of people's ids.
    pub(crate) privacy: Privacy,
    /// What holds for background processes.
    pub(crate) processes: Processes,
    /// Which messages go to which profile.
    pub(crate) profiles: Multiplexing,
    /// How people are asked about dangerous commands.
    pub(crate) approvals: Choice,
    /// What writes down what people say, if anything does.
    pub(crate) transcription: Option<Transcription>,
    /// What says what stickers show, if anything does.
    pub(crate) stickers: Option<Stickers>,
    /// What speaks answers, if anything does.
    pub(crate) speech: Option<Speech>,
    /// How much may be spent, and what models cost.
    pub(crate) costs: Costs,
    /// Servers that bring tools.
    pub(crate) mcp: Vec<McpServer>,
}

/// What conversations are, and how long they live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sessions {
    /// How groups are divided into conversations.
    pub(crate) isolation: Isolation,
    /// When they begin anew by themselves.
    pub(crate) resets: ResetPolicies,
    /// How long an interrupted one goes on by itself; nothing: always.
    pub(crate) resume_window: Option<Span>,
    /// How long an ended one is kept; nothing: always.
    pub(crate) forget_after: Option<Span>,
}

/// What stands above the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides {
    /// `--listen`.
    pub(crate) listen: Option<String>,
    /// `ANGELIA_DATABASE`.
    pub(crate) database: Option<String>,
    /// The zone of this machine. It stands below the file.
    pub(crate) machine_zone: Option<String>,
}

/// One setting as it holds, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effective {
    /// The full name of its key.
    pub(crate) path: String,
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
        overrides,
        effective: vec![],
        table: agents::MAIN.to_owned(),
    };
    let settings = layers.settings();
    let Layers { raw, effective, .. } = layers;
    let mut problems = raw.problems;
    problems.sort();
    match settings.filter(|_| problems.is_empty()) {
        Some(settings) => Ok(Resolved {
            settings,
            effective,
        }),
        None => Err(problems),
    }
}

/// The layers, and what was found in them so far.
pub(super) struct Layers<'a> {
    pub(super) raw: Raw,
    overrides: &'a Overrides,
    pub(super) effective: Vec<Effective>,
    /// The table of the agent that is being read.
    pub(super) table: String,
}

impl Layers<'_> {
    /// All settings, in the order of the table. Every key is looked at, also behind a wrong one.
    fn settings(&mut self) -> Option<Settings> {
        let listen = self.pick(&keys::LISTEN, address);
        let database = self.pick(&keys::DATABASE, database::read);
        let time_zone = self.pick(&keys::TIME_ZONE, zone::read);
        let agents = self.agents();
        let instructions = self.instructions();
        let sessions = self.sessions();
        let busy = self.busy();
        let drain = self.pick(&keys::DRAIN_TIMEOUT, drain);
        let restart = self.pick(&keys::RESTART_BY, restart_by);
        let terminal = self.terminal();
        let target = self.target();
        let approvals = self.approvals();
        let mcp = self.mcp();
        let tools = self.tools();
        let access = self.access();
        let accounts = self.accounts();
        let privacy = self.pick(&keys::HIDE_IDS, privacy);
        let processes = self.processes();
        let profiles = self.profiles();
        let transcription = self.transcription();
        let stickers = self.stickers();
        let speech = self.speech();
        let costs = self.costs();
        Some(Settings {
            listen: listen?,
            database: database?,
            time_zone: time_zone?,
            agents: agents?,
            instructions: instructions?,
            sessions: sessions?,
            busy: busy?,
            drain: drain?,
            restart: restart?,
            terminal: terminal?,
            tools: tools?,
            target: target?,
            access: access?,
            accounts,
            privacy: privacy?,
            processes: processes?,
            profiles: profiles?,
            approvals: approvals?,
            transcription: transcription?,
            stickers: stickers?,
            speech: speech?,
            costs: costs?,
            mcp,
        })
    }

    fn sessions(&mut self) -> Option<Sessions> {
        let groups = self.pick(&keys::PER_USER_IN_GROUPS, sharing);
        let threads = self.pick(&keys::PER_USER_IN_THREADS, sharing);
        let resume_window = self.pick(&keys::RESUME_WINDOW, sessions::resume_window);
        let forget_after = self.pick(&keys::FORGET_AFTER, sessions::forget_after);
        let resets = self.resets();
        Some(Sessions {
            isolation: Isolation {
                groups: groups?,
                threads: threads?,
            },
            resets: resets?,
            resume_window: resume_window?,
            forget_after: forget_after?,
        })
    }

    /// The value of a key from the uppermost layer that has one. Nothing if there is none, or if it
    /// cannot be read, which is then noted.
    pub(super) fn pick<T>(
        &mut self,
        key: &Key,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.pick_at(&self.path(key), key, read)
    }

    /// The same for a key that stands at `path`, because it is one of several tables of its kind.
    pub(super) fn pick_at<T>(
        &mut self,
        path: &str,
        key: &Key,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let (text, place) = self.uppermost(path, key);
        self.effective.push(Effective {
            path: path.to_owned(),
            kind: key.kind,
            text: text.as_deref().map(|text| shown(key, text)),
            place: place.clone(),
        });
        match read(&text?) {
            Ok(value) => Some(value),
            Err(says) => {
                let says = format!("`{path}` {says}");
                let place = place.unwrap_or(Place::Flag("the default"));
                self.raw.problems.push(Problem { place, says });
                None
            }
        }
    }

    /// The value of a key, if it was written.
    pub(super) fn written<T>(
        &mut self,
        key: &Key,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.wrote(key)?;
        self.pick(key, read)
    }

    fn uppermost(&self, path: &str, key: &Key) -> (Option<String>, Option<Place>) {
        let overrides = self.overrides;
        let said = |text: &Option<String>, place| text.clone().map(|text| (text, place));
        let (above, below) = match path {
            "listen" => (said(&overrides.listen, Place::Flag("--listen")), None),
            "database" => {
                let variable = Place::Variable("ANGELIA_DATABASE");
                (said(&overrides.database, variable), None)
            }
            "time_zone" => (None, said(&overrides.machine_zone, Place::Machine)),
            _ => (None, None),
        };
        let written = || {
            let written = self.raw.written.get(path)?;
            Some((written.text.clone(), Place::Line(written.line)))
        };
        match above.or_else(written).or(below) {
            Some((text, place)) => (Some(text), Some(place)),
            None => (key.default.map(str::to_owned), None),
        }
    }
}

/// What may be shown of a value.
fn shown(key: &Key, text: &str) -> String {
    match key.path {
        "database" => database::shown(text),
        _ => text.to_owned(),
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let expected =
        || format!("must be an IP address and a port such as \"127.0.0.1:8787\"; found \"{text}\"");
    text.parse().map_err(|_| expected())
}

fn sharing(text: &str) -> Result<Sharing, String> {
    match text {
        "true" => Ok(Sharing::PerPerson),
        "false" => Ok(Sharing::Shared),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

fn privacy(text: &str) -> Result<Privacy, String> {
    match text {
        "true" => Ok(Privacy::Hidden),
        "false" => Ok(Privacy::Open),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

/// Who starts the gateway again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RestartBy {
    /// The gateway.
    Itself,
    /// Whoever watches it.
    Supervisor,
}

fn restart_by(text: &str) -> Result<RestartBy, String> {
    match text {
        "itself" => Ok(RestartBy::Itself),
        "supervisor" => Ok(RestartBy::Supervisor),
        _ => Err(format!("must be itself or supervisor; found {text}")),
    }
}

fn drain(text: &str) -> Result<Span, String> {
    let expected =
        || format!("must be a length of time such as \"60s\" or \"5m\"; found \"{text}\"");
    let length = length::read(text).ok_or_else(expected)?;
    let too_long = || format!("is at most one hour; found \"{text}\"");
    (length <= DRAIN_MAX).then_some(length).ok_or_else(too_long)
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
