//! Commands whose node is killed at any moment: after the next start they have happened, once.
//!
//! Every verb takes some milliseconds before and after its commit. Each case is played with a kill at
//! each millisecond after its command was accepted; what people see in the end is always the same.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should end")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use angelia_agents::events::Events;
use angelia_agents::tools::terms::Terms;
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::about::About;
use angelia_core::access::Policy;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::InboxId;
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::profile::rules::Multiplexing;
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::turn::busy::{Mode, Steering};
use angelia_gateway::agents::Agents;
use angelia_gateway::env::Env;
use angelia_gateway::gateway::{Gateway, Parts, Settings};
use angelia_gateway::telling::Identifiers;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_store::database::Database;
use angelia_store::intake::Accepted;
use angelia_store::transcripts::{Last, Transcripts};
use angelia_store::views::{Story, Views};
use angelia_store::{Clock, Store};
use angelia_testkit::sim::dice::Dice;
use angelia_testkit::sim::faulty::{Faulty, Ice};
use angelia_testkit::sim::watch::Watch;
use angelia_testkit::sim::weather::Weather;
use async_trait::async_trait;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Milliseconds after the command at which the node may die: longer than any command takes.
const MOMENTS: u64 = 90;

/// Repeats what it hears; hangs when asked to.
struct Parrot;

#[async_trait]
impl Backend for Parrot {
    fn name(&self) -> &'static str {
        "parrot"
    }

    fn steering(&self) -> Steering {
        Steering::Impossible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        _: CancellationToken,
    ) -> Result<(), AgentError> {
        let text = &input.messages[0].text;
        assert!(!text.starts_with('/'), "the agent was given {text}");
        let gone = |_| AgentError::passing("gone");
        events.text(format!("re: {text}")).await.map_err(gone)?;
        if text == "hang" {
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}

struct House {
    store: Arc<Database>,
    clock: Clock,
    watch: Watch,
    seed: u64,
    gateway: Gateway,
    number: u32,
}

impl House {
    async fn new(seed: u64) -> Self {
        let began = Instant::now();
        let clock: Clock = Arc::new(move || {
            let passed = began.elapsed().as_millis() as i64;
            Timestamp::from_ms(1_800_000_000_000 + passed)
        });
        let store = Arc::new(Database::in_memory(clock.clone()).unwrap());
        let watch = Watch::default();
        let gateway = start(&store, &clock, &watch, seed).await;
        Self {
            store,
            clock,
            watch,
            seed,
            gateway,
            number: 0,
        }
    }

    /// The node dies, and another one starts.
    async fn dies(&mut self) {
        self.gateway.kill();
        let seed = self.seed + 1_000;
        self.gateway = start(&self.store, &self.clock, &self.watch, seed).await;
    }

    async fn send(&mut self, text: &str) -> InboxId {
        self.number += 1;
        let message = message(self.number, text);
        match self.gateway.door().accept(message, None).await.unwrap() {
            Accepted::New(place) => place.inbox,
            other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => panic!("{other:?}"),
        }
    }

    async fn settled(&self, inbox: InboxId) -> Story {
        loop {
            let story = self.store.story(inbox).await.unwrap().unwrap();
            if story.deliveries.iter().any(|one| one.sent_at.is_some()) {
                return story;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn ask(&mut self, text: &str) -> Story {
        let inbox = self.send(text).await;
        self.settled(inbox).await
    }

    /// What a model would be given in the conversation of a message.
    async fn said(&self, story: &Story) -> Vec<String> {
        let rows = self.store.conversation(story.session, Last::All).await;
        let rows = rows.unwrap().unwrap();
        rows.iter()
            .map(|row| row.entry.content.plain_text())
            .collect()
    }

    async fn sessions(&self) -> u64 {
        self.store.counts().await.unwrap().sessions
    }
}

async fn start(store: &Arc<Database>, clock: &Clock, watch: &Watch, seed: u64) -> Gateway {
    let (weather, ice) = (Weather::fair(clock.clone()), Ice::default());
    let faulty = Faulty::new(store.clone(), weather, watch.clone(), ice, Dice::new(seed));
    let wall = clock.clone();
    let env = Env::simulated(seed, move || wall());
    let parts = parts(Arc::new(faulty), env);
    Gateway::start(parts).await.unwrap()
}

/// A node with one account and a parrot.
pub(crate) fn parts(store: Arc<dyn Store>, env: Env) -> Parts {
    let adapter: Arc<dyn Adapter> = Arc::new(Pull(Platform::Api));
    Parts {
        store,
        adapters: BTreeMap::from([(AccountId::of(Platform::Api), adapter)]),
        agents: Agents::only(Arc::new(Parrot)),
        env,
        settings: Settings {
            home: "home".to_owned(),
            place: "here".to_owned(),
            version: "test".to_owned(),
            rules: Rules::default(),
            access: Policy::everyone(),
            busy: Mode::Queue.into(),
            drain: Span::seconds(10),
            display: angelia_core::display::Displays::default(),
            exchange: angelia_gateway::media::Exchange::default(),
            identifiers: Identifiers::Shown,
            instructions: Default::default(),
            target: Default::default(),
            agents: None,
            media: None,
            processes: None,
            profiles: Multiplexing::Off,
            terms: Terms::default(),
            approvals: angelia_gateway::approvals::Choice::default(),
            budget: Default::default(),
        },
    }
}

fn message(number: u32, text: &str) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat: Chat {
                id: "c".into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: "u".into(),
            name: None,
        },
        event_key: EventKey::in_chat("c", &number.to_string()),
        message_id: number.to_string(),
        text: text.into(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

/// What people see in the end.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    reply: Vec<String>,
    before: Vec<String>,
    after: Vec<String>,
    sessions: u64,
}

/// Plays a command after some words, with a kill at the given moment, and says one thing more.
async fn play(setup: &[&str], command: &str, moment: u64) -> Seen {
    let mut house = House::new(moment).await;
    let mut earlier = Vec::new();
    for text in setup {
        earlier.push(house.ask(text).await);
    }
    let inbox = house.send(command).await;
    tokio::time::sleep(Duration::from_millis(moment)).await;
    house.dies().await;
    let followed = house.settled(inbox).await;
    let after = house.ask("after").await;
    Seen {
        reply: followed
            .deliveries
            .into_iter()
            .map(|one| one.text)
            .collect(),
        before: house.said(&earlier[0]).await,
        after: house.said(&after).await,
        sessions: house.sessions().await,
    }
}

async fn is_the_same_whenever_it_dies(setup: &[&str], command: &str) -> Seen {
    let undisturbed = play(setup, command, 10_000).await;
    for moment in 0..MOMENTS {
        let seen = play(setup, command, moment).await;
        assert_eq!(seen, undisturbed, "{command}, killed after {moment} ms");
    }
    undisturbed
}

#[tokio::test(start_paused = true)]
async fn a_new_conversation_begins_once() {
    let seen = is_the_same_whenever_it_dies(&["one"], "/new Rome").await;
    assert_eq!(seen.sessions, 2);
    assert_eq!(seen.after, ["after", "re: after"]);
    assert_eq!(seen.reply.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn turns_are_taken_back_once() {
    let seen = is_the_same_whenever_it_dies(&["one", "two", "three"], "/undo").await;
    assert_eq!(
        seen.after,
        ["one", "re: one", "two", "re: two", "after", "re: after"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_question_is_asked_again_once() {
    let seen = is_the_same_whenever_it_dies(&["one", "two"], "/retry").await;
    assert_eq!(
        seen.after,
        ["one", "re: one", "two", "re: two", "after", "re: after"]
    );
    assert_eq!(seen.sessions, 1);
}

#[tokio::test(start_paused = true)]
async fn a_copy_is_made_once() {
    let seen = is_the_same_whenever_it_dies(&["one"], "/branch Two").await;
    assert_eq!(seen.sessions, 2);
    assert_eq!(seen.before, ["one", "re: one"]);
    assert_eq!(seen.after, ["one", "re: one", "after", "re: after"]);
}

#[tokio::test(start_paused = true)]
async fn an_earlier_conversation_is_resumed_once() {
    let seen = is_the_same_whenever_it_dies(&["one", "/new", "two"], "/resume 1").await;
    assert_eq!(seen.sessions, 2);
    assert_eq!(seen.after, ["one", "re: one", "after", "re: after"]);
}

#[tokio::test(start_paused = true)]
async fn a_title_and_a_model_are_set_whenever_it_dies() {
    let titled = is_the_same_whenever_it_dies(&["one"], "/title Rome").await;
    assert_eq!(titled.reply, ["This conversation is now called: Rome."]);
    let chosen = is_the_same_whenever_it_dies(&["one"], "/model big").await;
    assert!(chosen.reply[0].contains("the model big"));
}

#[tokio::test(start_paused = true)]
async fn a_call_to_stop_holds_whenever_it_dies() {
    for moment in 0..MOMENTS {
        let mut house = House::new(moment).await;
        let hanging = house.send("hang").await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let stop = house.send("/stop").await;
        tokio::time::sleep(Duration::from_millis(moment)).await;
        house.dies().await;
        let (ran, asked) = (house.settled(hanging).await, house.settled(stop).await);
        assert_eq!(ran.deliveries, asked.deliveries, "killed after {moment} ms");
        let state = ran.turn.map(|turn| turn.state);
        assert_eq!(state.as_deref(), Some("interrupted"));
    }
}
