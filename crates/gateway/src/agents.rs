//! The agents of a node, by name.
//!
//! Flow: the parts bring the main agent and any others, each with its name, and the routes that lead
//! messages to them. The door asks the routes when a message comes in; whoever runs a turn finds the turn's
//! own agent here. An agent that is gone from the settings is not replaced silently: its turns say so.
//!
//! It does not choose: that is `core::agent`.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_agents::Backend;
use angelia_core::agent::AgentName;
use angelia_core::agent::models::Models;
use angelia_core::agent::routes::Routes;
use angelia_core::limits;
use angelia_core::time::Span;

/// Who can answer.
#[derive(Clone)]
pub struct Agents {
    all: Arc<BTreeMap<AgentName, Arc<dyn Backend>>>,
    routes: Arc<Routes>,
    models: Arc<BTreeMap<AgentName, Models>>,
    turn_times: Arc<BTreeMap<AgentName, Span>>,
}

impl Agents {
    /// One agent, which answers everything.
    pub fn only(main: Arc<dyn Backend>) -> Self {
        Self::of(main, BTreeMap::new(), Routes::default())
    }

    /// The main agent, the others, and where messages are led.
    pub fn of(
        main: Arc<dyn Backend>,
        mut others: BTreeMap<AgentName, Arc<dyn Backend>>,
        mut routes: Routes,
    ) -> Self {
        others.insert(AgentName::main(), main);
        others.keys().for_each(|name| routes.add(name.clone()));
        Self {
            all: Arc::new(others),
            routes: Arc::new(routes),
            models: Arc::default(),
            turn_times: Arc::default(),
        }
    }

    /// With the models that conversations can choose for them.
    #[must_use]
    pub fn with_models(self, models: BTreeMap<AgentName, Models>) -> Self {
        Self {
            models: Arc::new(models),
            ..self
        }
    }

    /// With how long a turn of theirs may work.
    #[must_use]
    pub fn with_turn_times(self, turn_times: BTreeMap<AgentName, Span>) -> Self {
        Self {
            turn_times: Arc::new(turn_times),
            ..self
        }
    }

    /// How long a turn of that agent may work.
    pub(crate) fn turn_time(&self, name: &AgentName) -> Span {
        let chosen = self.turn_times.get(name);
        chosen.copied().unwrap_or(limits::TURN_TIME)
    }

    /// The models of an agent, as far as they are known.
    pub fn models(&self, name: &AgentName) -> Models {
        self.models.get(name).cloned().unwrap_or_default()
    }

    /// The agent of that name.
    pub fn find(&self, name: &AgentName) -> Option<&Arc<dyn Backend>> {
        self.all.get(name)
    }

    /// The names, the main one first.
    pub fn names(&self) -> Vec<AgentName> {
        let mut names: Vec<AgentName> = self.all.keys().cloned().collect();
        names.sort_by_key(|name| !name.is_main());
        names
    }

    /// Each agent with the kind that it is, the main one first.
    pub fn kinds(&self) -> Vec<(AgentName, &'static str)> {
        let kind = |name: AgentName| {
            let kind = self.find(&name).map_or("", |backend| backend.name());
            (name, kind)
        };
        self.names().into_iter().map(kind).collect()
    }

    /// Where messages are led.
    pub(crate) fn routes(&self) -> &Arc<Routes> {
        &self.routes
    }
}
