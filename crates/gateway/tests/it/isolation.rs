//! Nothing crosses: many conversations that could be taken for each other, all at the same time.
//!
//! Every conversation has a mark of its own, in every message, name and topic. The agent writes down
//! all that it is given (the prompt, the words, what was said before), starts a real process that tells
//! its environment, and answers with what the process said. Afterwards everything that belongs to one
//! conversation is searched for the marks of all others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use angelia_agents::events::Events;
use angelia_agents::tools::terms::Terms;
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::about::About;
use angelia_core::access::Policy;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::context::instructions::Instructions;
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::outbound::Delivery;
use angelia_core::profile::rules::Multiplexing;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_core::turn::busy::{Mode, Steering};
use angelia_gateway::agents::Agents;
use angelia_gateway::env::{self, Env};
use angelia_gateway::gateway::{Gateway, Parts, Settings};
use angelia_gateway::telling::Identifiers;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_process::command::Command;
use angelia_process::foreground;
use angelia_store::database::Database;
use angelia_store::intake::{Accepted, Place};
use angelia_store::views::{Order, Range, Views};
use async_trait::async_trait;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Messages in each conversation.
const MESSAGES: u32 = 200;

/// Every so many-th message starts a process.
const PROCESS_EVERY: usize = 4;

/// How long to wait before looking again.
const A_MOMENT: Duration = Duration::from_millis(5);

/// One person in one place, and the mark by which everything of theirs is known.
#[derive(Debug, Clone)]
struct Voice {
    mark: &'static str,
    address: Address,
    person: Person,
    about: About,
}

impl Voice {
    fn says(&self, number: u32) -> Inbound {
        Inbound {
            address: self.address.clone(),
            person: self.person.clone(),
            event_key: EventKey::of_update(&format!("{}-{number}", self.mark)),
            message_id: format!("{}-{number}", self.mark),
            text: format!("{} says {number}", self.mark),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: self.about.clone(),
        }
    }
}

/// Who has an own conversation, in pairs that differ in one thing each.
fn voices() -> Vec<Voice> {
    use ChatKind::{Dm, Group};
    use Platform::{Discord, Telegram};
    vec![
        // Two people in one group.
        voice("markann", (Telegram, Group, "-100"), None, "ann"),
        voice("markbob", (Telegram, Group, "-100"), None, "bob"),
        // Two threads of one group, the same person in both.
        voice("markred", (Telegram, Group, "-200"), Some("red"), "cat"),
        voice("markblue", (Telegram, Group, "-200"), Some("blue"), "cat"),
        // Two profiles, the same person in the same private chat.
        profiled(voice("markwork", (Telegram, Dm, "7"), None, "dan"), "work"),
        profiled(voice("markhome", (Telegram, Dm, "7"), None, "dan"), "home"),
        // One person on two platforms, with the same ids on both.
        voice("marktele", (Telegram, Dm, "9"), None, "eve"),
        voice("markdisc", (Discord, Dm, "9"), None, "eve"),
    ]
}

fn voice(
    mark: &'static str,
    (platform, kind, chat): (Platform, ChatKind, &str),
    thread: Option<&str>,
    person: &str,
) -> Voice {
    Voice {
        mark,
        address: Address {
            platform,
            account: AccountId::of(platform),
            chat: Chat {
                id: chat.to_owned(),
                kind,
            },
            thread: thread.map(str::to_owned),
        },
        person: Person {
            id: person.to_owned(),
            name: Some(format!("{mark}-name")),
        },
        about: About {
            chat_name: Some(format!("{mark}-chat")),
            chat_topic: Some(format!("{mark}-topic")),
            ..About::default()
        },
    }
}

fn profiled(mut voice: Voice, profile: &str) -> Voice {
    voice.about.profile = Some(profile.parse().unwrap());
    voice
}

/// An agent that writes down all it is given.
#[derive(Default)]
struct Witness {
    seen: Mutex<BTreeMap<String, Vec<String>>>,
}

#[async_trait]
impl Backend for Witness {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn steering(&self) -> Steering {
        Steering::Impossible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        _stop: CancellationToken,
    ) -> Result<(), AgentError> {
        let past = input.past.conversation().await?;
        let environment = match self.note(&input, &format!("{past:?}")) % PROCESS_EVERY {
            0 => environment_of_a_child(&input).await?,
            _ => String::new(),
        };
        let words = input.context.said.join("\n");
        let _ended = events.text(format!("{words}\n{environment}")).await;
        Ok(())
    }
}

impl Witness {
    /// Writes it down; returns how many were before.
    fn note(&self, input: &Input, past: &str) -> usize {
        let mark = mark_of(&input.messages.last().unwrap().text).to_owned();
        let all = format!("{input:?} {} {past}", input.context.prompt);
        let mut seen = self.seen.lock().unwrap();
        let seen = seen.entry(mark).or_default();
        seen.push(all);
        seen.len() - 1
    }
}

/// What a real process sees; it goes into the reply, and so into the transcript.
async fn environment_of_a_child(input: &Input) -> Result<String, AgentError> {
    let command = Command {
        environment: input.context.environment(&input.terms.passed),
        ..Command::new("env")
    };
    let finished = foreground::run(&command).await;
    let told = finished.map_err(|error| AgentError::passing(error.to_string()))?;
    assert!(told.output.contains("ANGELIA_SESSION_ID=ses_"));
    Ok(told.output)
}

fn mark_of(text: &str) -> &str {
    text.split(' ').next().unwrap()
}

async fn gateway(folder: &std::path::Path, witness: Arc<Witness>) -> (Arc<Database>, Gateway) {
    let store = Database::open(&folder.join("angelia.db"), Arc::new(env::system_now)).unwrap();
    let store = Arc::new(store);
    let account = |platform| {
        (
            AccountId::of(platform),
            Arc::new(Pull(platform)) as Arc<dyn Adapter>,
        )
    };
    let parts = Parts {
        store: store.clone(),
        adapters: BTreeMap::from([Platform::Telegram, Platform::Discord].map(account)),
        agents: Agents::only(witness),
        env: Env::system(),
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
            instructions: Instructions::default(),
            target: Default::default(),
            agents: None,
            media: None,
            processes: None,
            terms: Terms::default(),
            profiles: Multiplexing::On {
                rules: Default::default(),
                active: None,
            },
            approvals: angelia_gateway::approvals::Choice::default(),
            budget: Default::default(),
        },
    };
    (store, Gateway::start(parts).await.unwrap())
}

/// Says everything, waiting whenever the conversation is full.
async fn speak(gateway: Arc<Gateway>, voice: Voice) -> Place {
    let mut place = None;
    for number in 1..=MESSAGES {
        place = Some(loop {
            match gateway
                .door()
                .accept(voice.says(number), None)
                .await
                .unwrap()
            {
                Accepted::New(place) => break place,
                Accepted::Duplicate(place) => panic!("{place:?} came twice"),
                Accepted::Refused(_) => tokio::time::sleep(A_MOMENT).await,
            }
        });
    }
    place.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn torture_of_alike_conversations_crosses_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let witness = Arc::new(Witness::default());
    let (store, gateway) = gateway(folder.path(), witness.clone()).await;
    let gateway = Arc::new(gateway);
    let mut speaking = JoinSet::new();
    for voice in voices() {
        let gateway = Arc::clone(&gateway);
        speaking.spawn(async move { (voice.clone(), speak(gateway, voice).await) });
    }
    let spoken = speaking.join_all().await;
    all_answered(&store).await;
    let keys: BTreeSet<_> = spoken.iter().map(|(_, place)| &place.key).collect();
    assert_eq!(keys.len(), spoken.len(), "{keys:?}");
    for (voice, place) in &spoken {
        let said = transcript(&store, place).await;
        only(voice, &said);
        let sent = sent(&store, voice, place).await;
        let replies: Vec<String> = sent.iter().map(|one| one.text.clone()).collect();
        only(voice, &replies);
        assert_eq!(said.len(), MESSAGES as usize + sent.len(), "{}", voice.mark);
        each_is_answered_once(voice, &sent);
        let seen = &witness.seen.lock().unwrap()[voice.mark];
        assert_eq!(seen.len(), sent.len(), "one reply to a turn");
        only(voice, seen);
    }
}

async fn all_answered(store: &Database) {
    loop {
        let counts = store.counts().await.unwrap();
        if counts.waiting + counts.running + counts.due == 0 {
            return;
        }
        tokio::time::sleep(A_MOMENT).await;
    }
}

/// Several messages may be answered together: each stands in the batch of one turn, and its words are in what that
/// turn's agent was given, which is what it replied.
fn each_is_answered_once(voice: &Voice, sent: &[Delivery]) {
    let answered: Vec<_> = sent.iter().flat_map(|one| &one.inbox_ids).collect();
    let distinct: BTreeSet<_> = answered.iter().collect();
    assert_eq!(
        (answered.len(), distinct.len()),
        (MESSAGES as usize, MESSAGES as usize),
        "{answered:?}"
    );
    for number in 1..=MESSAGES {
        let words = voice.says(number).text;
        let lines = sent.iter().flat_map(|one| one.text.lines());
        // Where several people may speak, their names stand before their words.
        let said = lines.filter(|line| line.ends_with(&words));
        assert_eq!(said.count(), 1, "{words}");
    }
}

/// Each text has the mark of its own voice, and none of another's.
fn only(voice: &Voice, texts: &[String]) {
    for text in texts {
        assert!(text.contains(voice.mark), "{}: {text}", voice.mark);
        for other in voices().iter().filter(|other| other.mark != voice.mark) {
            let foreign = other.mark;
            assert!(
                !text.contains(foreign),
                "{foreign} in {}: {text}",
                voice.mark
            );
        }
    }
}

async fn transcript(store: &Database, place: &Place) -> Vec<String> {
    let mut said = Vec::new();
    let mut range = Range::default();
    loop {
        let page = store
            .transcript(place.session, Order::Ascending.into(), range)
            .await;
        let page = page.unwrap().unwrap();
        said.extend(page.items.into_iter().map(|entry| entry.text));
        match page.next {
            None => return said,
            after => range = Range { after, limit: 0 },
        }
    }
}

/// What was sent to the voice's chat from its own conversation.
async fn sent(store: &Database, voice: &Voice, place: &Place) -> Vec<Delivery> {
    let Address { account, chat, .. } = &voice.address;
    let mut sent = Vec::new();
    let mut range = Range::default();
    loop {
        let page = store.sent_to(account, &chat.id, range).await.unwrap();
        let own = page
            .items
            .into_iter()
            .filter(|one| one.session == Some(place.session));
        sent.extend(own);
        match page.next {
            None => return sent,
            after => range = Range { after, limit: 0 },
        }
    }
}
