//! The gateway: its parts in, a running node out.
//!
//! Starting is the only way to begin: there is no recovery mode. Stopping is three steps: take nothing
//! new and let turns end (`Draining`), deliver what is due, end everything (`Stopping`). Being killed
//! instead is the normal case; the next start sees the same rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use angelia_agents::mcp::Servers;
use angelia_agents::tools::terms::Terms;
use angelia_core::access::Policy;
use angelia_core::address::AccountId;
use angelia_core::context::instructions::Instructions;
use angelia_core::display::Displays;
use angelia_core::limits;
use angelia_core::profile::rules::Multiplexing;
use angelia_core::restart::Going;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_core::turn::manners::Manners;
use angelia_platforms::Adapter;
use angelia_process::target::Target;
use angelia_store::leases::Boot;
use angelia_store::{Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::account::Account;
use crate::agents::Agents;
use crate::approvals::Choice;
use crate::bells::Bells;
use crate::commands::Commands;
use crate::connections::{self, Connection};
use crate::dispatcher::Dispatcher;
use crate::door::Door;
use crate::env::Env;
use crate::far;
use crate::feed::Feed;
use crate::glimpses::{self, Glimpses, look::Looking};
use crate::ground::Ground;
use crate::indexer;
use crate::janitor::{self, Charges};
use crate::leases::{self, Holdings};
use crate::links::AgentPlace;
use crate::media::{Exchange, Media};
use crate::opening::Opening;
use crate::phase::{Phase, PhaseView};
use crate::processes::{Place, Processes, errands, keep};
use crate::pulse::Pulse;
use crate::pushes::{self, Request, Unpushed};
use crate::restarts;
use crate::settle::Closing;
use crate::sketches::Sketches;
use crate::spending::Budget;
use crate::tasks::{Fault, Tasks};
use crate::telling::{Identifiers, Telling};
use crate::turn::Runner;
use crate::watched::Watched;

/// What a gateway is made of.
pub struct Parts {
    /// The rows.
    pub store: Arc<dyn Store>,
    /// The accounts and their platforms.
    pub adapters: BTreeMap<AccountId, Arc<dyn Adapter>>,
    /// Who answers.
    pub agents: Agents,
    /// Clock, ids, dice.
    pub env: Env,
    /// What the operator chose.
    pub settings: Settings,
}

/// What the operator chose.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What the data directory is known by: a name that only its own boots share.
    pub home: String,
    /// Where that is, in words for people.
    pub place: String,
    /// The release.
    pub version: String,
    /// Who shares a conversation, and when one begins anew.
    pub rules: Rules,
    /// Who may speak.
    pub access: Policy,
    /// What a message does while its conversation is being answered.
    pub busy: Manners,
    /// How long a stopping node lets its turns run on.
    pub drain: Span,
    /// How identifiers are shown to agents.
    pub identifiers: Identifiers,
    /// What the operator wants of agents in which place.
    pub instructions: Instructions,
    /// Where commands run.
    pub target: Target,
    /// Where agents with processes of their own are held, if there are such.
    pub agents: Option<AgentPlace>,
    /// Where pictures are kept; without it there are none.
    pub media: Option<PathBuf>,
    /// Where background processes are held; without it there are none.
    pub processes: Option<Place>,
    /// Which messages go to which profile.
    pub profiles: Multiplexing,
    /// What holds for tools; its masker knows the secrets of this install, which nothing may show.
    pub terms: Terms,
    /// How people are asked about dangerous commands.
    pub approvals: Choice,
    /// How much may be spent, and what models cost.
    pub budget: Budget,
    /// What people want to see where.
    pub display: Displays,
    /// Files that come and go.
    pub exchange: Exchange,
}

/// A running node.
pub struct Gateway {
    ground: Ground,
    door: Door,
    phase: Watched<Phase>,
    beating: CancellationToken,
    holdings: Holdings,
    drain: Span,
    home: Arc<str>,
    agent_place: Option<AgentPlace>,
    processes: Option<Processes>,
    servers: Servers,
    agents: Agents,
    adapters: Arc<BTreeMap<AccountId, Arc<dyn Adapter>>>,
    budget: Budget,
}

impl Gateway {
    /// Registers the boot and starts the loops. When this returns, messages are answered.
    ///
    /// # Errors
    /// The store could not register the boot.
    pub async fn start(parts: Parts) -> Result<Self, StoreError> {
        let (phase, boot) = (Watched::new(Phase::Running), boot(&parts));
        let Settings {
            home,
            place: _,
            version,
            rules,
            access,
            busy,
            drain,
            identifiers,
            instructions,
            target,
            agents,
            media,
            processes,
            profiles,
            terms,
            approvals,
            budget,
            display,
            exchange,
        } = parts.settings;
        let kept = Media::new(media, &boot.node.to_string(), parts.store.clone());
        let ground = Ground {
            node: boot.node,
            media: kept.exchanging(exchange),
            store: parts.store,
            bells: Bells::new(parts.adapters.keys()),
            env: parts.env,
            feed: Feed::default(),
            sketches: Sketches::default(),
            glimpses: Glimpses::default(),
            displays: Arc::new(display),
            phase: PhaseView::new(phase.clone()),
            tasks: Tasks::default(),
            pulse: Pulse::default(),
            rules: Arc::new(rules),
            masker: terms.masker.clone(),
        };
        ground.store.start_node(boot).await?;
        let door = Door::new(ground.clone(), access, profiles, &parts.agents, busy);
        let held = processes.map(|at| Processes::new(ground.clone(), at, target.clone(), &home));
        let gateway = Self {
            ground,
            door,
            phase,
            beating: CancellationToken::new(),
            holdings: Holdings::default(),
            drain,
            home: home.into(),
            agent_place: agents,
            processes: held,
            servers: terms.servers.clone(),
            agents: parts.agents,
            adapters: Arc::new(parts.adapters),
            budget,
        };
        gateway.come_back(version);
        let telling = Arc::new(Telling {
            rules: gateway.ground.rules.clone(),
            connected: connected(&gateway.adapters),
            identifiers,
            instructions,
            terms,
            target,
        });
        gateway.start_loops(approvals, telling);
        Ok(gateway)
    }

    fn start_loops(&self, approvals: Choice, telling: Arc<Telling>) {
        let (ground, holdings) = (&self.ground, self.holdings.clone());
        let tasks = &ground.tasks;
        let heartbeat = leases::heartbeat(ground.clone(), holdings.clone(), self.beating.clone());
        tasks.spawn("heartbeat", heartbeat);
        for (account, adapter) in self.adapters.iter() {
            let account = Account {
                ground: ground.clone(),
                account: account.clone(),
                adapter: adapter.clone(),
                door: self.door.clone(),
                holdings: holdings.clone(),
            };
            tasks.spawn(format!("account {}", account.account), account.run());
        }
        let closing = Closing {
            ground: ground.clone(),
            adapters: Arc::clone(&self.adapters),
            agents: self.agents.clone(),
        };
        let looking = Looking {
            ground: ground.clone(),
            closing: closing.clone(),
            holdings: holdings.clone(),
        };
        let commands = Commands {
            ground: ground.clone(),
            closing: closing.clone(),
            door: self.door.clone(),
            agents: self.agents.clone(),
            budget: self.budget.clone(),
            drain: self.drain,
            holdings: holdings.clone(),
        };
        let runner = Runner {
            ground: ground.clone(),
            agents: self.agents.clone(),
            holdings,
            manners: self.door.manners(),
            closing,
            telling,
            commands,
            standing: self.door.standing().clone(),
            opening: Opening {
                ground: ground.clone(),
                adapters: Arc::clone(&self.adapters),
                budget: self.budget.clone(),
            },
            approvals,
            processes: self.processes.clone(),
            home: self.home.clone(),
        };
        tasks.spawn("other nodes", far::run(ground.clone()));
        tasks.spawn("glimpses", glimpses::leave(ground.clone()));
        tasks.spawn("other nodes' replies", looking.run());
        tasks.spawn("dispatcher", Dispatcher::new(ground.clone(), runner).run());
        tasks.spawn("indexer", indexer::run(ground.clone()));
        if let Some(processes) = self.processes.clone() {
            tasks.spawn("errands", errands::run(processes.clone()));
            tasks.spawn("processes", keep::run(processes, self.door.clone()));
        }
        tasks.spawn("janitor", janitor::run(ground.clone(), self.charges()));
    }

    fn charges(&self) -> Charges {
        let agents = self.agent_place.clone();
        Charges {
            processes: self.processes.clone(),
            agents: agents.map(|place| (self.home.to_string(), place)),
        }
    }

    /// Starts its servers, and tells those who wished for it that it has begun anew.
    fn come_back(&self, version: String) {
        self.keep_servers();
        let back = restarts::come_back(self.ground.clone(), version);
        self.ground.tasks.spawn("coming back", back);
    }

    /// Each server has a loop of its own, and ends with the node. Nothing waits for them.
    fn keep_servers(&self) {
        for server in self.servers.iter() {
            let name = format!("mcp {}", server.report().name);
            let keeping = server.clone().keep(self.beating.clone());
            self.ground.tasks.spawn(name, keeping);
        }
    }

    /// The MCP servers that bring tools.
    pub fn servers(&self) -> &Servers {
        &self.servers
    }

    /// The accounts, and how their connections are.
    pub fn connections(&self) -> Vec<Connection> {
        connections::of(
            &self.adapters,
            &self.holdings.elsewhere(),
            self.ground.env.now(),
        )
    }

    /// Takes a request that a platform made to us.
    ///
    /// # Errors
    /// What its sender should do about it.
    pub async fn pushed(&self, request: Request<'_>) -> Result<(), Unpushed> {
        let account = AccountId(request.account.to_owned());
        pushes::take(self.adapters.get(&account), &self.door, request).await
    }

    /// What the HTTP interface stands on.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The in-door.
    pub fn door(&self) -> &Door {
        &self.door
    }

    /// Who answers.
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// What may be spent, and what models cost.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Its background processes, if it may have any.
    pub fn processes(&self) -> Option<&Processes> {
        self.processes.as_ref()
    }

    /// Waits until the node cannot go on.
    pub async fn fault(&self) -> Fault {
        self.ground.tasks.fault().await
    }

    /// Goes, to stay away until somebody starts it.
    pub async fn stop(&self) {
        self.leave(Going::Stop).await;
    }

    /// Takes nothing new, lets turns end within the drain time, delivers what is due, and ends. It
    /// takes no longer than the drain time and a few seconds, whatever the store does.
    pub async fn leave(&self, going: Going) {
        let until = self.ground.env.steady() + self.drain.to_std();
        self.phase
            .change(|phase| *phase = Phase::Draining { until, going });
        let late = until + 2 * limits::STOP_TIME.to_std();
        let _undecided = tokio::time::timeout_at(late, self.turns_ended())
            .await
            .is_err();
        let flushed = tokio::time::timeout(limits::DRAIN_DELIVERY_TIME.to_std(), self.delivered());
        let _undelivered = flushed.await.is_err();
        self.phase.change(|phase| *phase = Phase::Stopping);
        self.beating.cancel();
        let joined =
            tokio::time::timeout(2 * limits::STOP_TIME.to_std(), self.ground.tasks.joined());
        if joined.await.is_err() {
            tracing::warn!(
                "some tasks did not end in time; what they left is found by the next start"
            );
            self.ground.tasks.abort();
        }
        let stopped = self.ground.store.stop_node(self.ground.node);
        let _late = tokio::time::timeout(limits::STOP_TIME.to_std(), stopped)
            .await
            .is_err();
    }

    /// Ends everything at its next await, as a kill would.
    pub fn kill(&self) {
        self.ground.tasks.abort();
    }

    /// Turns end by themselves, or let go when patience runs out.
    async fn turns_ended(&self) {
        self.ground.tasks.ended("turn ").await;
    }

    /// Waits until nothing is due on any account of this node.
    async fn delivered(&self) {
        while self.has_due().await {
            tokio::time::sleep(Span::ms(20).to_std()).await;
        }
    }

    async fn has_due(&self) -> bool {
        for account in self.adapters.keys() {
            let due = self.ground.store.next_due(account).await;
            if due.is_err() || due.is_ok_and(|due| due == Some(Span::ms(0))) {
                return true;
            }
        }
        false
    }
}

/// The boot of these parts.
fn boot(parts: &Parts) -> Boot {
    Boot {
        node: parts.env.node_id(),
        home: parts.settings.home.clone(),
        place: parts.settings.place.clone(),
        version: parts.settings.version.clone(),
    }
}

/// The platforms that are connected, each once.
fn connected(adapters: &BTreeMap<AccountId, Arc<dyn Adapter>>) -> Vec<&'static str> {
    let names = adapters.values().map(|adapter| adapter.platform().name());
    BTreeSet::from_iter(names).into_iter().collect()
}
