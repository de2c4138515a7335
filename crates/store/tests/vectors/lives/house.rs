//! A store in a file, a clock moved by hand, and the sessions of a trace by their names.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::{InboxId, NodeId, SessionId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::intake;
use angelia_core::session::key::{Isolation, Scope, Sharing};
use angelia_core::session::reset::choose::ResetPolicies;
use angelia_core::session::reset::policy::Written;
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::transcript::ending::Reason;
use angelia_core::turn::outcome::{Outcome, Repeating};
use angelia_core::whatsapp::aliases::Aliases;
use angelia_store::database::Database;
use angelia_store::intake::{Accept, Accepted, Intake as _};
use angelia_store::sessions::{Anew, At, Authority, Record, Sessions as _};
use angelia_store::turns::{Settle, Turns as _};
use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

/// Where a message comes from.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Source {
    pub(super) platform: String,
    pub(super) chat_id: Option<String>,
    #[serde(default = "private")]
    pub(super) chat_type: String,
    pub(super) user_id: Option<String>,
    pub(super) thread_id: Option<String>,
    pub(super) user_name: Option<String>,
    pub(super) chat_name: Option<String>,
    pub(super) profile: Option<String>,
}

fn private() -> String {
    "dm".to_owned()
}

/// What the operator of a trace chose.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Config {
    group_sessions_per_user: Option<bool>,
    thread_sessions_per_user: Option<bool>,
    resume_freshness_seconds: Option<i64>,
    multiplex_profiles: Option<bool>,
    reset_policy: Value,
    reset_by_type: BTreeMap<String, Value>,
    reset_by_platform: BTreeMap<String, Value>,
}

impl Config {
    /// The rules, and whether messages go to profiles.
    fn rules(&self) -> Rules {
        let sharing = |apart: Option<bool>, default: bool| match apart.unwrap_or(default) {
            true => Sharing::PerPerson,
            false => Sharing::Shared,
        };
        let written = |value: &Value| serde_json::from_value::<Written>(value.clone());
        let everywhere = written(&self.reset_policy).unwrap_or_default();
        let entries = self.reset_by_type.iter().chain(&self.reset_by_platform);
        let entries = entries.map(|(name, value)| (name.clone(), written(value).unwrap()));
        let platforms = Platform::ALL.map(Platform::name);
        let window = self.resume_freshness_seconds.unwrap_or(3_600);
        Rules {
            isolation: Isolation {
                groups: sharing(self.group_sessions_per_user, true),
                threads: sharing(self.thread_sessions_per_user, false),
            },
            resets: ResetPolicies::read(&everywhere, &entries.collect(), &platforms).value,
            resume_window: (window > 0).then(|| Span::seconds(window)),
            ..Rules::default()
        }
    }
}

/// A store that nobody else uses.
pub(super) struct House {
    pub(super) store: Database,
    pub(super) rules: Arc<Rules>,
    pub(super) sources: BTreeMap<String, Source>,
    profiles: bool,
    clock: Arc<AtomicI64>,
    home: Option<TempDir>,
    made: u128,
}

/// Where a store is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Where it survives a restart.
    InFile,
    /// Where it is fast.
    InMemory,
}

fn opened(home: Option<&TempDir>, clock: &Arc<AtomicI64>) -> Database {
    let clock = Arc::clone(clock);
    let clock = Arc::new(move || Timestamp::from_ms(clock.load(Ordering::SeqCst)));
    match home {
        Some(home) => Database::open(&home.path().join("store.db"), clock).unwrap(),
        None => Database::in_memory(clock).unwrap(),
    }
}

impl House {
    pub(super) fn new(config: &Config, kept: Kept) -> Self {
        let clock = Arc::new(AtomicI64::new(0));
        let home = (kept == Kept::InFile).then(|| tempfile::tempdir().unwrap());
        Self {
            store: opened(home.as_ref(), &clock),
            rules: Arc::new(config.rules()),
            profiles: config.multiplex_profiles.unwrap_or(false),
            sources: BTreeMap::new(),
            clock,
            home,
            made: 0,
        }
    }

    pub(super) fn configure(&mut self, config: &Config) {
        self.rules = Arc::new(config.rules());
        self.profiles = config.multiplex_profiles.unwrap_or(false);
    }

    /// Closes the store and opens it again.
    pub(super) fn restart(&mut self) {
        assert!(self.home.is_some(), "only a file survives a restart");
        drop(std::mem::replace(
            &mut self.store,
            opened(None, &self.clock),
        ));
        self.store = opened(self.home.as_ref(), &self.clock);
    }

    pub(super) fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.clock.load(Ordering::SeqCst))
    }

    pub(super) fn set_clock(&self, at: Timestamp) {
        self.clock.store(at.ms(), Ordering::SeqCst);
    }

    pub(super) fn number(&mut self) -> u128 {
        self.made += 1;
        self.made
    }

    pub(super) fn session_id(&mut self) -> SessionId {
        SessionId::from_bits(self.number())
    }

    /// A message from this source. One that is a command leaves no trace in what was said.
    pub(super) fn message(&mut self, source: &Source, text: &str) -> Inbound {
        let platform: Platform = source.platform.parse().unwrap();
        let message_id = format!("m{}", self.number());
        let profile = source.profile.as_deref().filter(|_| self.profiles);
        Inbound {
            address: Address {
                platform,
                account: AccountId::of(platform),
                chat: Chat {
                    id: source.chat_id.clone().unwrap_or_default(),
                    kind: kind(&source.chat_type),
                },
                thread: source.thread_id.clone(),
            },
            person: Person {
                id: source.user_id.clone().unwrap_or_default(),
                name: source.user_name.clone(),
            },
            event_key: EventKey::in_chat("c", &message_id),
            message_id,
            text: text.to_owned(),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About {
                chat_name: source.chat_name.clone(),
                profile: profile.map(|name| name.parse().unwrap()),
                ..About::default()
            },
        }
    }

    /// Takes a message and closes its turn without an answer, so that nothing but the lookup happens.
    pub(super) async fn look_up(&mut self, inbound: Inbound) -> SessionId {
        let accept = Accept {
            inbound,
            inbox: InboxId::from_bits(self.number()),
            session: self.session_id(),
            rules: Arc::clone(&self.rules),
            cursor: None,
        };
        let accepted = self.store.accept(accept).await.unwrap();
        let Accepted::New(place) = accepted else {
            panic!("a new message is taken, not {accepted:?}")
        };
        let turn = TurnId::from_bits(self.number());
        let claimed = self.store.claim_turn(NodeId::from_bits(1), turn).await;
        let claimed = claimed.unwrap().expect("the message waits");
        assert_eq!(claimed.session, place.session, "nothing else waits");
        let settle = Settle {
            turn,
            fence: claimed.fence,
            outcome: Outcome::Failed {
                text: String::new(),
                why: "a lookup answers nothing".to_owned(),
                repeating: Repeating::Helps,
            },
            entries: Vec::new(),
            compacted: None,
            deliveries: Vec::new(),
            files: Vec::new(),
            quotes: None,
        };
        let settled = self.store.settle_turn(settle).await.unwrap();
        assert_eq!(settled, angelia_store::Fenced::Done(()));
        place.session
    }

    /// The same in a conversation of its own, after whatever the place spoke in.
    pub(super) async fn look_up_anew(&mut self, inbound: Inbound) -> SessionId {
        let scope = intake::check(&inbound, self.rules.isolation, &Aliases::default())
            .unwrap()
            .scope;
        let anew = Anew {
            at: At::Scope(scope),
            session: self.session_id(),
            why: Reason::NewSession,
            label: None,
            by: Authority::Place,
        };
        self.store.begin_anew(anew).await.unwrap();
        self.look_up(inbound).await
    }

    /// Makes a conversation one of which nobody knows who began it, as only an import can.
    pub(super) fn forget_person(&self, session: SessionId) {
        let home = self
            .home
            .as_ref()
            .expect("only a file can be written by others");
        let file = rusqlite::Connection::open(home.path().join("store.db")).unwrap();
        let sql = "UPDATE sessions SET person = NULL WHERE id = ?1";
        let forgotten = file.execute(sql, [session.to_string()]).unwrap();
        assert_eq!(forgotten, 1);
    }

    /// The place of a source.
    pub(super) fn scope(&mut self, name: &str) -> Scope {
        let source = self.sources[name].clone();
        let inbound = self.message(&source, "x");
        intake::check(&inbound, self.rules.isolation, &Aliases::default())
            .unwrap()
            .scope
    }

    /// The conversation that a source speaks in.
    pub(super) async fn spoken(&mut self, name: &str) -> Option<Record> {
        let scope = self.scope(name);
        let session = self.store.peek(&scope).await.unwrap()?;
        Some(self.record(session).await)
    }

    pub(super) async fn record(&self, session: SessionId) -> Record {
        let found = self.store.lookup(session).await.unwrap();
        found.expect("a session that was named is stored")
    }
}

fn kind(name: &str) -> ChatKind {
    match name {
        "dm" => ChatKind::Dm,
        "channel" => ChatKind::Channel,
        "thread" => ChatKind::Thread,
        _ => ChatKind::Group,
    }
}
