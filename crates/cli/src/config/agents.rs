//! Who answers: `[agent]`, which is called `main`, and each `[agents.NAME]`.
//!
//! Both kinds of table have the same keys and are read by the same functions: while one is read, the keys of
//! `agent` stand for those of its table (`Layers::path`). What an agent is `for` is judged by
//! `core::agent::routes`; here its findings get their line.
//!
//! Whether a place that an agent is `for` exists is not asked: accounts and chats come and go.

use std::collections::BTreeMap;

use angelia_core::agent::AgentName;
use angelia_core::agent::routes::Routes;
use angelia_core::length;
use angelia_core::limits;
use angelia_core::time::Span;

use super::agent::Agent;
use super::keys::{self, Key};
use super::problem::{Place, Problem};
use super::raw::{PATTERNS_APART, Written, dotted};
use super::resolve::Layers;

/// The table of the main agent.
pub(super) const MAIN: &str = "agent";

/// Everybody who answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Agents {
    /// The one that answers where no other does.
    pub(crate) main: Agent,
    /// The others.
    pub(crate) named: BTreeMap<AgentName, Agent>,
    /// Which messages go to which.
    pub(crate) routes: Routes,
    /// How long a turn of each may work.
    pub(crate) turn_times: BTreeMap<AgentName, Span>,
}

impl Layers<'_> {
    /// Everybody who answers. What is wrong is noted.
    pub(super) fn agents(&mut self) -> Option<Agents> {
        let (main, turn_time) = self.answering();
        let turn_time = turn_time.map(|time| (AgentName::main(), time));
        let mut turn_times = BTreeMap::from_iter(turn_time);
        let (mut named, mut routes) = (BTreeMap::new(), Routes::default());
        let tables: Vec<(String, usize)> = self.raw.agents.clone().into_iter().collect();
        for (written, line) in tables {
            self.table = dotted(&["agents", &written]);
            let (agent, turn_time) = self.answering();
            if let Some(name) = self.called(&written, line) {
                self.leads(&name, &mut routes);
                turn_times.extend(turn_time.map(|time| (name.clone(), time)));
                named.extend(agent.map(|agent| (name, agent)));
            }
        }
        self.table = MAIN.to_owned();
        Some(Agents {
            main: main?,
            named,
            routes,
            turn_times,
        })
    }

    /// Who answers by the table that is being read, and how long a turn of it may work.
    fn answering(&mut self) -> (Option<Agent>, Option<Span>) {
        let turn_time = self.pick(&keys::TURN_TIME, turn_time);
        (self.agent(), turn_time)
    }

    /// The full name of a key: those of `agent` stand in the table that is being read.
    pub(super) fn path(&self, key: &Key) -> String {
        let below = key.path.strip_prefix(MAIN);
        match below.filter(|below| below.starts_with('.')) {
            Some(below) => format!("{}{below}", self.table),
            None => key.path.to_owned(),
        }
    }

    /// What was written for a key.
    pub(super) fn wrote(&self, key: &Key) -> Option<&Written> {
        self.raw.written.get(&self.path(key))
    }

    fn called(&mut self, written: &str, line: usize) -> Option<AgentName> {
        let says = match written.parse::<AgentName>() {
            Ok(name) if name.is_main() => {
                "`agents.main` is the table `[agent]`; write its keys there".to_owned()
            }
            Ok(name) if name.as_str() != written => {
                format!("`agents.{written}` must be in small letters: `[agents.{name}]`")
            }
            Ok(name) => return Some(name),
            Err(why) => why.to_string(),
        };
        let place = Place::Line(line);
        self.raw.problems.push(Problem { place, says });
        None
    }

    /// Leads the places of an agent's `for` to it.
    fn leads(&mut self, name: &AgentName, routes: &mut Routes) {
        let path = format!("{}.{}", self.table, keys::FOR.name());
        let Some(line) = self.raw.written.get(&path).map(|written| written.line) else {
            return;
        };
        let places = self.pick_at(&path, &keys::FOR, |text| Ok(text.to_owned()));
        for place in places.unwrap_or_default().split(PATTERNS_APART) {
            if let Err(wrong) = routes.lead(place, name) {
                let says = format!("`{path}`: {wrong}");
                let place = Place::Line(line);
                self.raw.problems.push(Problem { place, says });
            }
        }
    }
}

fn turn_time(text: &str) -> Result<Span, String> {
    let (from, to) = (limits::TURN_TIME_MIN, limits::TURN_TIME_MAX);
    let length = length::read(text).filter(|length| (from..=to).contains(length));
    length.ok_or_else(|| {
        format!("must be a length of time from \"1m\" to \"24h\" such as \"2h\"; found \"{text}\"")
    })
}

#[cfg(test)]
#[path = "agents_tests.rs"]
mod tests;
