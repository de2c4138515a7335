//! A small house to test in: one node, one pull account, and an agent given by the test.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use angelia_agents::events::Events;
use angelia_agents::tools::terms::Terms;
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::about::About;
use angelia_core::access::Policy;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::agent::AgentName;
use angelia_core::agent::routes::Routes;
use angelia_core::context::instructions::Instructions;
use angelia_core::display::Displays;
use angelia_core::id::InboxId;
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::profile::rules::Multiplexing;
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::turn::busy::Steering;
use angelia_core::turn::manners::Manners;
use angelia_gateway::agents::Agents;
use angelia_gateway::approvals::Choice;
use angelia_gateway::env::Env;
use angelia_gateway::gateway::{Gateway, Parts, Settings};
use angelia_gateway::links::AgentPlace;
use angelia_gateway::processes::Place;
use angelia_gateway::telling::Identifiers;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_store::database::Database;
use angelia_store::intake::Accepted;
use angelia_store::views::{Story, Views};
use async_trait::async_trait;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What a test's agent does with the words of a message.
#[async_trait]
pub(crate) trait Script: Send + Sync + 'static {
    async fn answer(&self, text: String, events: Events) -> Result<(), AgentError>;

    /// For those that need more than the words.
    async fn run(&self, input: Input, events: Events) -> Result<(), AgentError> {
        let last = input.messages.last();
        let text = last.map(|message| message.text.clone());
        self.answer(text.unwrap_or_default(), events).await
    }
}

struct Scripted<S>(Arc<S>);

#[async_trait]
impl<S: Script> Backend for Scripted<S> {
    fn name(&self) -> &'static str {
        "test"
    }

    fn steering(&self) -> Steering {
        Steering::Possible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        stop: CancellationToken,
    ) -> Result<(), AgentError> {
        tokio::select! {
            biased;
            () = stop.cancelled() => Ok(()),
            ended = self.0.run(input, events) => ended,
        }
    }
}

pub(crate) struct House<S> {
    pub(crate) store: Arc<Database>,
    pub(crate) script: Arc<S>,
    pub(crate) rules: Rules,
    pub(crate) profiles: Multiplexing,
    /// Agents beside the main one. All have the same script.
    pub(crate) named: Vec<AgentName>,
    pub(crate) routes: Routes,
    pub(crate) processes: Option<Place>,
    /// Where agents with processes of their own are held.
    pub(crate) held: Option<AgentPlace>,
    pub(crate) approvals: Choice,
    /// How long a turn may work, if not as long as usual.
    pub(crate) turn_time: Option<Span>,
    /// Where people write.
    pub(crate) adapter: Arc<dyn Adapter>,
    /// What they see there.
    pub(crate) displays: Displays,
    /// How much later it is by the clock of a node than by that of the rows.
    pub(crate) node_is_ahead: Span,
    clock: Arc<HandClock>,
    busy: Manners,
}

/// A clock that follows the paused time and can be set.
pub(crate) struct HandClock {
    began: Instant,
    skew_ms: AtomicI64,
    /// How much had passed when it was stopped.
    stopped_ms: OnceLock<i64>,
}

impl HandClock {
    fn now(&self) -> Timestamp {
        let passed = self.stopped_ms.get().copied();
        let passed = passed.unwrap_or_else(|| self.began.elapsed().as_millis() as i64);
        Timestamp::from_ms(1_800_000_000_000 + passed + self.skew_ms.load(Ordering::Relaxed))
    }
}

impl<S: Script> House<S> {
    pub(crate) fn new(script: S, busy: impl Into<Manners>) -> Self {
        let clock = Arc::new(HandClock {
            began: Instant::now(),
            skew_ms: AtomicI64::new(0),
            stopped_ms: OnceLock::new(),
        });
        let rows = Arc::clone(&clock);
        let store = Database::in_memory(Arc::new(move || rows.now())).unwrap();
        Self {
            store: Arc::new(store),
            script: Arc::new(script),
            rules: Rules::default(),
            profiles: Multiplexing::Off,
            named: Vec::new(),
            routes: Routes::default(),
            processes: None,
            held: None,
            approvals: Choice::default(),
            turn_time: None,
            adapter: Arc::new(Pull(Platform::Api)),
            displays: Displays::default(),
            node_is_ahead: Span::ms(0),
            clock,
            busy: busy.into(),
        }
    }

    /// Stops every clock but the steady one: from now on they only jump.
    pub(crate) fn clock_stops(&self) {
        let passed = self.clock.began.elapsed().as_millis() as i64;
        let _stopped_before = self.clock.stopped_ms.set(passed).is_err();
    }

    /// Sets every clock but the steady one.
    pub(crate) fn clock_jumps(&self, span: Span) {
        self.clock
            .skew_ms
            .fetch_add(span.as_ms(), Ordering::Relaxed);
    }

    pub(crate) async fn start(&self, seed: u64) -> Gateway {
        let scripted = Arc::new(Scripted(self.script.clone()));
        self.start_with(seed, scripted, self.processes.clone())
            .await
    }

    fn agents(&self, backend: Arc<dyn Backend>) -> Agents {
        let named = self.named.iter().cloned();
        let others = named.map(|name| (name, backend.clone())).collect();
        let turn_time = self.turn_time.map(|time| (AgentName::main(), time));
        let agents = Agents::of(backend, others, self.routes.clone());
        agents.with_turn_times(turn_time.into_iter().collect())
    }

    /// Starts a node whose agent is another, and which may hold background processes.
    pub(crate) async fn start_with(
        &self,
        seed: u64,
        backend: Arc<dyn Backend>,
        processes: Option<Place>,
    ) -> Gateway {
        let (clock, ahead) = (Arc::clone(&self.clock), self.node_is_ahead);
        let adapter = self.adapter.clone();
        let parts = Parts {
            store: self.store.clone(),
            adapters: BTreeMap::from([(AccountId::of(Platform::Api), adapter)]),
            agents: self.agents(backend),
            env: Env::simulated(seed, move || clock.now() + ahead),
            settings: Settings {
                home: "home".to_owned(),
                place: "here".to_owned(),
                version: "test".to_owned(),
                rules: self.rules.clone(),
                access: Policy::everyone(),
                busy: self.busy.clone(),
                drain: Span::seconds(10),
                display: self.displays.clone(),
                exchange: angelia_gateway::media::Exchange::default(),
                identifiers: Identifiers::Shown,
                instructions: Instructions::default(),
                target: Default::default(),
                agents: self.held.clone(),
                media: None,
                processes,
                profiles: self.profiles.clone(),
                terms: Terms::default(),
                approvals: self.approvals.clone(),
                budget: Default::default(),
            },
        };
        Gateway::start(parts).await.unwrap()
    }

    pub(crate) async fn story(&self, inbox: InboxId) -> Story {
        self.store.story(inbox).await.unwrap().unwrap()
    }

    /// Waits until the message's story is as the test wants it. Time is paused, so this costs nothing.
    pub(crate) async fn until(&self, inbox: InboxId, wanted: impl Fn(&Story) -> bool) -> Story {
        let deadline = Instant::now() + Duration::from_secs(7200);
        let mut pause = Duration::from_millis(5);
        while Instant::now() < deadline {
            let story = self.story(inbox).await;
            if wanted(&story) {
                return story;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 5 / 4).min(Duration::from_secs(5));
        }
        panic!("it never happened: {:?}", self.story(inbox).await)
    }

    pub(crate) async fn until_answered(&self, inbox: InboxId) -> Story {
        self.until(inbox, |story| {
            story.deliveries.iter().any(|one| one.sent_at.is_some())
        })
        .await
    }
}

pub(crate) fn state(story: &Story) -> &str {
    story
        .turn
        .as_ref()
        .map_or("waiting", |turn| turn.state.as_str())
}

pub(crate) async fn write(gateway: &Gateway, chat: &str, number: u32, text: &str) -> InboxId {
    let inbound = message(chat, number, text);
    match gateway.door().accept(inbound, None).await.unwrap() {
        Accepted::New(place) => place.inbox,
        other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => panic!("{other:?}"),
    }
}

pub(crate) fn message(chat: &str, number: u32, text: &str) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat: Chat {
                id: chat.into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: "u".into(),
            name: None,
        },
        event_key: EventKey::in_chat(chat, &number.to_string()),
        message_id: number.to_string(),
        text: text.into(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}
