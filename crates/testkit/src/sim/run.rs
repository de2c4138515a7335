//! Plays one seed: starts the nodes, lets people write, kills and stops nodes, moves clocks; then the
//! trouble stops, and everything that was promised must come true.

mod rest;
mod upheavals;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use angelia_agents::tools::terms::Terms;
use angelia_core::access::{Pairing, Policy};
use angelia_core::context::instructions::Instructions;
use angelia_core::id::NodeId;
use angelia_core::outbound::Dedupe;
use angelia_core::profile::rules::Multiplexing;
use angelia_core::restart::Going;
use angelia_core::time::{Span, Timestamp};
use angelia_gateway::agents::Agents;
use angelia_gateway::approvals::Choice;
use angelia_gateway::env::Env;
use angelia_gateway::gateway::{Gateway, Parts, Settings};
use angelia_gateway::telling::Identifiers;
use angelia_platforms::Adapter;
use angelia_store::Clock;
use angelia_store::database::Database;
use tokio::time::Instant;

use crate::sim::agent::Scripted;
use crate::sim::check;
use crate::sim::dice::Dice;
use crate::sim::faulty::neighbours::Air;
use crate::sim::faulty::{Faulty, Ice};
use crate::sim::habits::{Menace, Pace};
use crate::sim::holders::{self, Holders};
use crate::sim::people::{self, People};
use crate::sim::plan::{self, Plan};
use crate::sim::platform::MadeUp;
use crate::sim::sabotage::Sabotage;
use crate::sim::strangers::Strangers;
use crate::sim::watch::Watch;
use crate::sim::weather::Weather;
use crate::sim::world::{self, KEYED, Shared, Written};
use upheavals::Upheaval;

/// When simulated time begins: some ordinary day.
const BEGINNING: Timestamp = Timestamp::from_ms(1_800_000_000_000);

/// How long everything may take after the trouble has stopped: a hung turn (30 min) behind a lapsed
/// lease, and a delivery that waits for its longest pause.
const PATIENCE: Duration = Duration::from_secs(26 * 3600);

/// A node that stands still for this long has lost everything it held.
const LEASE: Duration = Duration::from_secs(30);

/// How often people write where they write several messages at a time, and how long they take, in milliseconds.
const BURSTS_EVERY: u64 = 8_000;
const BURST_MS: u64 = 900;

/// How often something happens by itself.
const EVERY: Duration = Duration::from_secs(1);

/// By then every code that was sent has ended, in milliseconds.
const CODE_OVER: i64 = 3_700_000;

/// When a message that ended nodes was given up, in milliseconds from the beginning.
const AFTERWARDS: u64 = 15 * 60_000;

/// How a seed went.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The laws that were broken; none if all is well.
    pub broken: Vec<String>,
    /// A number that two runs of the same seed share.
    pub fingerprint: u64,
    /// What happened in the world, in order.
    pub history: Vec<String>,
    /// How many nodes were killed.
    pub kills: usize,
    /// How much simulated time passed.
    pub lasted: Duration,
}

/// Plays `seed`.
pub fn run(seed: u64, sabotage: Sabotage) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let runtime = runtime.expect("a runtime without drivers can always be built");
    // Inside, or the play would begin at some moment of the real clock.
    runtime.block_on(async { Play::new(seed, sabotage).play().await })
}

struct Play {
    dice: Dice,
    plan: Plan,
    letters: Vec<Written>,
    store: Arc<Database>,
    world: Shared,
    weather: Weather,
    watch: Watch,
    air: Air,
    began: Instant,
    skew: Arc<AtomicI64>,
    nodes: Vec<Node>,
    boots: u64,
    /// Every boot that came up.
    started: Vec<NodeId>,
    /// How often a node went in order.
    drains: usize,
    holders: Holders,
    people: People,
    strangers: Strangers,
    goes_on_at: Instant,
}

/// A machine that a gateway runs on, or does not.
struct Node {
    home: String,
    gateway: Option<Arc<Gateway>>,
    ice: Ice,
    back_at: Instant,
}

/// Something that happens at a moment.
enum Incident {
    Writes(Written),
    Kill(usize, Duration),
    Stop(usize, Duration),
    Freeze(usize, Duration),
    Jump(i64),
    Upheaval(Upheaval),
}

impl Play {
    fn new(seed: u64, sabotage: Sabotage) -> Self {
        let dice = Dice::new(seed);
        let plan = plan::draw(&dice);
        let (began, skew) = (Instant::now(), Arc::new(AtomicI64::new(0)));
        let clock: Clock = Arc::new(clock(began, skew.clone()));
        let store = Database::in_memory(clock.clone()).expect("memory can always be opened");
        let nodes = (0..plan.nodes)
            .map(|number| Node::new(number, began))
            .collect();
        let (store, world, watch) = (Arc::new(store), Shared::new(), Watch::default());
        let weather = Weather::new(plan.trouble, sabotage, clock.clone());
        let desk = Faulty::new(
            store.clone(),
            weather.clone(),
            watch.clone(),
            Ice::default(),
            dice.split("desk"),
        );
        Self {
            holders: Holders {
                store: store.clone(),
                weather: weather.clone(),
                watch: watch.clone(),
                dice: dice.split("holders"),
                said: 0,
            },
            people: People::new(world.clone(), dice.split("people")),
            strangers: Strangers::new(
                (world.clone(), weather.clone(), watch.clone()),
                Arc::new(desk),
                dice.split("strangers"),
            ),
            goes_on_at: began,
            air: Air::between(plan.nodes, &dice),
            weather,
            store,
            world,
            watch,
            letters: people::letters(&plan, &dice),
            dice,
            plan,
            began,
            skew,
            nodes,
            boots: 0,
            started: Vec::new(),
            drains: 0,
        }
    }

    async fn play(mut self) -> Outcome {
        for (at, incident) in self.incidents() {
            self.nodes_until(at).await;
            self.happens(incident).await;
        }
        self.weather.clears_up();
        let settled = self.settles().await;
        let mut broken = self.watch.broken();
        let (menace, book) = (self.menace(), self.watch.book(|book| book.clone()));
        broken.extend(check::check(&*self.store, (&self.world, &self.watch), settled).await);
        broken.extend(check::lives::check(&*self.store, &self.world, &book).await);
        broken.extend(check::found::check(&*self.store, &book).await);
        broken.extend(check::told::check(&book));
        broken.extend(check::bill(&self.world, self.plan.habits.cap));
        broken.extend(check::asked::check(&*self.store, &book).await);
        broken.extend(check::entered::check(&*self.store, &self.world, &book).await);
        broken.extend(check::restarts::check(&*self.store, &self.world, self.drains).await);
        if let Some(menace) = menace {
            broken.extend(check::menace::check(&self.world, &book, &menace));
        }
        self.nodes.iter_mut().for_each(Node::kill);
        Outcome {
            broken,
            fingerprint: self.fingerprint(),
            history: std::mem::take(&mut self.world.lock().history),
            kills: self.plan.kills,
            lasted: self.began.elapsed(),
        }
    }

    /// Everything that will happen, in order of time.
    fn incidents(&self) -> Vec<(Instant, Incident)> {
        let mut dice = self.dice.split("incidents");
        let span = self.plan.writing.as_ms().unsigned_abs();
        let list: Vec<Incident> = self.letters.iter().cloned().map(Incident::Writes).collect();
        // Numbers rise in the order of writing, so messages get their times in order.
        let at = |dice: &mut Dice| match (dice.number(0..span), self.plan.habits.pace) {
            (at, Pace::Even) => at,
            (at, Pace::Bursts) => at - at % BURSTS_EVERY + at % BURST_MS,
        };
        let mut times: Vec<u64> = list.iter().map(|_| at(&mut dice)).collect();
        times.sort_unstable();
        let mut timed: Vec<(u64, Incident)> = times.into_iter().zip(list).collect();
        timed.extend(self.disturbances(&mut dice, span));
        timed.extend(self.upheavals(span).into_iter().chain(self.afterthought()));
        timed.sort_by_key(|(at, _)| *at);
        let began = self.began;
        timed
            .into_iter()
            .map(|(at, what)| (began + Duration::from_millis(at), what))
            .collect()
    }

    /// The message that ends every node which takes it up.
    fn menace(&self) -> Option<Written> {
        let chosen = || self.letters.get(self.letters.len() / 3).cloned();
        match self.plan.habits.menace {
            Menace::None => None,
            Menace::OneMessage => chosen(),
        }
    }

    /// Where a message ended nodes, somebody writes once more when it was given up.
    fn afterthought(&self) -> Option<(u64, Incident)> {
        let menace = self.menace()?;
        let mine = self.letters.iter();
        let mine = mine.filter(|one| one.account == menace.account);
        let number = mine.map(|one| one.number).max()? + 1;
        Some((AFTERWARDS, Incident::Writes(Written { number, ..menace })))
    }

    fn disturbances(&self, dice: &mut Dice, span: u64) -> Vec<(u64, Incident)> {
        let mut list = Vec::new();
        for (count, kind) in [
            (
                self.plan.kills,
                Incident::Kill as fn(usize, Duration) -> Incident,
            ),
            (self.plan.stops, Incident::Stop),
            (self.plan.freezes, |node, away| {
                Incident::Freeze(node, LEASE + 2 * away)
            }),
        ] {
            for _ in 0..count {
                let node = dice.number(0..self.plan.nodes as u64) as usize;
                let away = Duration::from_millis(dice.number(0..20_000));
                list.push((dice.number(0..span + 5_000), kind(node, away)));
            }
        }
        for _ in 0..self.plan.jumps {
            let jump = dice.number(0..180_000) as i64 - 40_000;
            list.push((dice.number(0..span), Incident::Jump(jump)));
        }
        list
    }

    async fn happens(&mut self, incident: Incident) {
        match incident {
            Incident::Writes(written) => {
                self.world.write(written);
            }
            Incident::Kill(node, away) => {
                self.world.note(format!("kill {node}"));
                self.nodes[node].kill();
                self.nodes[node].back_at = Instant::now() + away;
            }
            Incident::Stop(node, away) => {
                self.world.note(format!("stop {node}"));
                self.leaves(node, Going::Stop).await;
                self.nodes[node].back_at = Instant::now() + away;
            }
            Incident::Freeze(node, still) => {
                self.world.note(format!("freeze {node}"));
                self.nodes[node].ice.freeze(Instant::now() + still);
            }
            Incident::Upheaval(upheaval) => self.upheaves(upheaval),
            Incident::Jump(ms) => {
                self.world.note(format!("jump {ms}"));
                self.skew.fetch_add(ms, Ordering::Relaxed);
            }
        }
    }

    /// Lets time pass until `at`, starting nodes whose time has come.
    async fn nodes_until(&mut self, at: Instant) {
        loop {
            self.start_nodes().await;
            self.world_goes_on().await;
            let away = self.nodes.iter().filter(|node| node.gateway.is_none());
            let next = away
                .map(|node| node.back_at)
                .chain([self.goes_on_at])
                .min()
                .filter(|back| *back < at);
            tokio::select! {
                biased;
                () = self.world.death() => self.bury(),
                () = tokio::time::sleep_until(next.unwrap_or(at)) => {
                    if next.is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// What happens by itself, with nodes and without.
    async fn world_goes_on(&mut self) {
        if self.goes_on_at > Instant::now() {
            return;
        }
        self.goes_on_at = Instant::now() + EVERY;
        let homes: Vec<String> = self.nodes.iter().map(|node| node.home.clone()).collect();
        self.holders.go_on(&homes).await;
        self.people.go_on();
        self.strangers.go_on().await;
        self.follow_wishes().await;
    }

    async fn leaves(&mut self, node: usize, going: Going) {
        if let Some(gateway) = self.nodes[node].gateway.take() {
            self.drains += 1;
            gateway.leave(going).await;
        }
    }

    /// Nodes go whose restart somebody wishes, and come back at once.
    async fn follow_wishes(&mut self) {
        for number in 0..self.nodes.len() {
            if self.is_wished(number).await {
                self.world.note(format!("restart {number}"));
                self.leaves(number, Going::Restart).await;
                self.nodes[number].back_at = Instant::now();
            }
        }
    }

    async fn is_wished(&self, number: usize) -> bool {
        match &self.nodes[number].gateway {
            Some(gateway) => self.is_boot_wished(gateway.ground().node).await,
            None => false,
        }
    }

    /// Nodes that a message ended are gone, and come back.
    fn bury(&mut self) {
        let dying = std::mem::take(&mut self.world.lock().dying);
        for number in dying {
            self.world.note(format!("death of {number}"));
            self.nodes[number].kill();
            self.nodes[number].back_at = Instant::now() + Duration::from_secs(2);
        }
    }

    async fn start_nodes(&mut self) {
        for number in 0..self.nodes.len() {
            let node = &self.nodes[number];
            if node.gateway.is_some() || node.back_at > Instant::now() {
                continue;
            }
            let started = Gateway::start(self.parts(number)).await;
            self.boots += 1;
            match started {
                Ok(gateway) => {
                    self.started.push(gateway.ground().node);
                    self.nodes[number].gateway = Some(Arc::new(gateway));
                }
                Err(_) => self.nodes[number].back_at = Instant::now() + Duration::from_secs(1),
            }
        }
    }

    fn parts(&self, number: usize) -> Parts {
        let dice = self.dice.split(&format!("boot {}", self.boots));
        let store = self.store.clone();
        let (weather, watch, ice) = (
            self.weather.clone(),
            self.watch.clone(),
            self.nodes[number].ice.clone(),
        );
        let faulty = Faulty::new(store, weather, watch, ice, dice.split("store"));
        let faulty = Arc::new(faulty.in_air(self.air.clone()));
        let adapters = world::accounts().into_iter().map(|account| {
            let dedupe = if account.0 == KEYED {
                Dedupe::ByKey
            } else {
                Dedupe::None
            };
            let dice = dice.split(&account.0);
            let (world, weather) = (self.world.clone(), self.weather.clone());
            let adapter = MadeUp::new(account.clone(), dedupe, world, weather, dice);
            (account, Arc::new(adapter) as Arc<dyn Adapter>)
        });
        let (world, weather) = (self.world.clone(), self.weather.clone());
        Parts {
            store: faulty.clone(),
            adapters: adapters.collect(),
            agents: Agents::only(Arc::new(Scripted {
                world,
                weather,
                dice: self.dice.split("agent"),
                watch: self.watch.clone(),
                habits: self.plan.habits.clone(),
                store: faulty,
                home: self.nodes[number].home.clone(),
                node: number,
                menace: self.menace().map(|written| written.text()),
            })),
            env: Env::simulated(
                dice.split("env").bits(),
                clock(self.began, self.skew.clone()),
            ),
            settings: Settings {
                home: self.nodes[number].home.clone(),
                place: self.nodes[number].home.clone(),
                version: "sim".to_owned(),
                rules: self.plan.habits.rules(),
                access: Policy {
                    pairing: Pairing::Direct,
                    ..Policy::default()
                },
                busy: self.plan.manners(),
                drain: Span::seconds(20),
                display: people::display(),
                exchange: angelia_gateway::media::Exchange::default(),
                identifiers: Identifiers::Shown,
                instructions: Instructions::default(),
                target: Default::default(),
                agents: None,
                media: None,
                processes: Some(holders::nowhere()),
                profiles: Multiplexing::Off,
                terms: Terms::default(),
                budget: self.plan.habits.budget(),
                approvals: Choice {
                    time: self.plan.habits.patience,
                    ..Choice::default()
                },
            },
        }
    }

    fn fingerprint(&self) -> u64 {
        let world = self.world.lock();
        let bytes = world.history.iter().flat_map(|line| line.bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

impl Node {
    fn new(number: usize, back_at: Instant) -> Self {
        Self {
            home: format!("home-{number}"),
            gateway: None,
            ice: Ice::default(),
            back_at,
        }
    }

    fn kill(&mut self) {
        if let Some(gateway) = self.gateway.take() {
            gateway.kill();
        }
    }
}

fn clock(began: Instant, skew: Arc<AtomicI64>) -> impl Fn() -> Timestamp + Send + Sync + 'static {
    move || {
        let passed = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        BEGINNING + Span::ms(passed) + Span::ms(skew.load(Ordering::Relaxed))
    }
}
