//! The laws of the life of conversations, for random sequences of what can happen to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::{InboxId, NodeId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::intake;
use angelia_core::session::lifecycle::Mark;
use angelia_core::session::news::News;
use angelia_core::session::reset::{ResetPolicies, policy};
use angelia_core::transcript::ending::Life;
use angelia_core::turn::outcome::Outcome;
use angelia_core::whatsapp::aliases::Aliases;
use proptest::prelude::*;

use super::*;
use crate::Fenced;
use crate::intake::{Accept, Accepted, Intake as _};
use crate::turns::{Settle, Turns as _};
use crate::verbs::given;

/// Something that happens in one of three places.
#[derive(Debug, Clone, Copy)]
enum Event {
    Speak(usize),
    Suspend(usize),
    Mark(usize),
    Clear(usize),
    Ask(usize),
    SwitchTo(usize, usize),
    Compact(usize),
    End(usize, Reason),
    Work(usize),
    Wait(i64),
    Prune(i64),
    Expire,
}

fn event() -> impl Strategy<Value = Event> {
    let reasons = [Reason::AgentClose, Reason::SessionReset, Reason::CliClose];
    prop_oneof![
        6 => (0..3_usize).prop_map(Event::Speak),
        1 => (0..3_usize).prop_map(Event::Suspend),
        1 => (0..3_usize).prop_map(Event::Mark),
        1 => (0..3_usize).prop_map(Event::Clear),
        1 => (0..3_usize).prop_map(Event::Ask),
        1 => (0..3_usize, 0..9_usize).prop_map(|(place, target)| Event::SwitchTo(place, target)),
        1 => (0..3_usize).prop_map(Event::Compact),
        1 => (0..3_usize, prop::sample::select(reasons.to_vec()))
            .prop_map(|(place, reason)| Event::End(place, reason)),
        1 => (0..3_usize).prop_map(Event::Work),
        2 => (1_i64..200).prop_map(Event::Wait),
        1 => (1_i64..400).prop_map(Event::Prune),
        1 => Just(Event::Expire),
    ]
}

struct House {
    store: Database,
    rules: Arc<Rules>,
    clock: Arc<AtomicI64>,
    made: u128,
    /// Every conversation that was ever seen, and how it had ended for good.
    seen: BTreeMap<SessionId, Option<Reason>>,
}

impl House {
    fn new() -> Self {
        let clock = Arc::new(AtomicI64::new(1_700_000_000_000));
        let shown = Arc::clone(&clock);
        let shown = Arc::new(move || Timestamp::from_ms(shown.load(Ordering::SeqCst)));
        let idle = policy::Written {
            mode: Some("idle".to_owned()),
            idle_minutes: Some(90),
            ..policy::Written::default()
        };
        let resets = ResetPolicies::read(&idle, &BTreeMap::new(), &[]).value;
        Self {
            store: Database::in_memory(shown).expect("there is memory"),
            rules: Arc::new(Rules {
                resets,
                ..Rules::default()
            }),
            clock,
            made: 0,
            seen: BTreeMap::new(),
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.clock.load(Ordering::SeqCst))
    }

    fn number(&mut self) -> u128 {
        self.made += 1;
        self.made
    }

    fn inbound(&mut self, place: usize) -> Inbound {
        let message_id = format!("m{}", self.number());
        Inbound {
            address: Address {
                platform: Platform::Telegram,
                account: AccountId("a".to_owned()),
                chat: Chat {
                    id: format!("c{place}"),
                    kind: ChatKind::Dm,
                },
                thread: None,
            },
            person: Person {
                id: format!("u{}", place % 2),
                name: None,
            },
            event_key: EventKey::in_chat("c", &message_id),
            message_id,
            text: "hello".to_owned(),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About::default(),
        }
    }

    fn scope(&mut self, place: usize) -> Scope {
        let inbound = self.inbound(place);
        let route = intake::check(&inbound, self.rules.isolation, &Aliases::default());
        route.expect("a private chat has a place").scope
    }

    async fn spoken(&mut self, place: usize) -> Option<Record> {
        let scope = self.scope(place);
        let session = self.store.peek(&scope).await.unwrap()?;
        self.store.lookup(session).await.unwrap()
    }

    /// Takes a message and leaves it without an answer, so that marks stay.
    async fn speak(&mut self, place: usize) -> (SessionId, Option<News>) {
        let accept = Accept {
            inbound: self.inbound(place),
            inbox: InboxId::from_bits(self.number()),
            session: SessionId::from_bits(self.number()),
            rules: Arc::clone(&self.rules),
            cursor: None,
        };
        let Accepted::New(taken) = self.store.accept(accept).await.unwrap() else {
            panic!("a new message is taken")
        };
        let turn = TurnId::from_bits(self.number());
        let claimed = self.store.claim_turn(NodeId::from_bits(1), turn).await;
        let claimed = claimed.unwrap().expect("the message waits");
        let settle = Settle {
            turn,
            fence: claimed.fence,
            outcome: Outcome::Interrupted {
                text: String::new(),
                by: angelia_core::turn::outcome::Interruption::NewerMessage,
            },
            entries: Vec::new(),
            compacted: None,
            deliveries: Vec::new(),
            files: Vec::new(),
            quotes: None,
        };
        let settled = self.store.settle_turn(settle).await.unwrap();
        assert_eq!(settled, Fenced::Done(()));
        (taken.session, claimed.news)
    }

    /// L1 to L5 and L10: what a message finds follows from how the conversation stood.
    async fn speaks(&mut self, place: usize) {
        let before = self.spoken(place).await;
        let (session, news) = self.speak(place).await;
        let after = self.spoken(place).await.expect("L1: it speaks somewhere");
        assert_eq!(after.id, session);
        assert_eq!(after.standing.life, Life::Live, "L1");
        assert_eq!(after.standing.active_at, self.now(), "L1");
        let Some(before) = before else {
            assert_eq!(news, None, "L4: nothing was before");
            return;
        };
        let standing = &before.standing;
        let ended = matches!(standing.life, Life::Ended(why) if !why.is_accident());
        let stale = |mark: Mark| mark.is_stale(self.rules.resume_window, self.now());
        let is_new = session != before.id;
        if ended || standing.suspended_at.is_some() {
            assert!(is_new, "L3, L10");
        } else if !is_new {
            assert_eq!(after.standing.mark, standing.mark, "L5");
            assert!(!standing.mark.is_some_and(stale), "L5");
        }
        let idle = self.now().since(standing.active_at) > Span::minutes(90);
        if !ended && standing.suspended_at.is_none() && !idle {
            assert_eq!(is_new, standing.mark.is_some_and(stale), "L2");
        }
        if matches!(news, Some(News::ByItself { .. })) {
            assert!(before.news.is_some() || is_new, "L4");
        }
        assert_ne!(
            after.news,
            news.or(Some(News::Asked { earlier: session })),
            "told once"
        );
    }

    async fn happens(&mut self, event: Event) {
        let spoken = match event {
            Event::Speak(place)
            | Event::Suspend(place)
            | Event::Mark(place)
            | Event::Clear(place)
            | Event::Ask(place)
            | Event::SwitchTo(place, _)
            | Event::Compact(place)
            | Event::End(place, _)
            | Event::Work(place) => self.spoken(place).await,
            Event::Wait(_) | Event::Prune(_) | Event::Expire => None,
        };
        match (event, spoken) {
            (Event::Speak(place), _) => self.speaks(place).await,
            (Event::Wait(minutes), _) => {
                let minutes = Span::minutes(minutes).as_ms();
                self.clock.fetch_add(minutes, Ordering::SeqCst);
            }
            (Event::Prune(minutes), _) => self.prunes(Span::minutes(minutes)).await,
            (Event::Expire, _) => self.expires().await,
            (_, None) => (),
            (Event::Ask(place), Some(before)) => self.asks(place, &before).await,
            (Event::SwitchTo(place, target), Some(before)) => {
                self.switches(place, target, &before).await;
            }
            (event, Some(before)) => self.changes(event, &before).await,
        }
    }

    async fn changes(&mut self, event: Event, before: &Record) {
        let (store, session) = (&self.store, before.id);
        match event {
            Event::Suspend(_) => drop(store.suspend(session).await.unwrap()),
            Event::Mark(_) => {
                let marked = store.mark_resume(session, Interrupted::RestartTimeout);
                let suspended = before.standing.suspended_at.is_some();
                assert_eq!(marked.await.unwrap() == Change::Done, !suspended, "L11");
            }
            Event::Clear(_) => {
                let cleared = store.clear_resume(session).await.unwrap();
                let marked = before.standing.mark.is_some();
                assert_eq!(cleared == Change::Done, marked);
            }
            Event::Work(_) => drop(store.set_work(session, Some(self.now())).await.unwrap()),
            Event::End(_, why) => {
                let live = before.standing.life == Life::Live;
                let ended = store.end(session, why, Force::Plain).await.unwrap();
                assert_eq!(ended == Change::Done, live, "D1: the first reason wins");
            }
            Event::Compact(_) => {
                let child = SessionId::from_bits(self.number());
                let done = self.store.compact_into(session, child).await.unwrap();
                if done == Compacted::Done {
                    let after = self.store.lookup(child).await.unwrap().unwrap();
                    let (mut was, is) = (before.standing, after.standing);
                    was.life = Life::Live;
                    assert_eq!(was, is, "hazard 9: it stands as it stood");
                }
            }
            Event::Speak(_)
            | Event::Ask(_)
            | Event::SwitchTo(..)
            | Event::Wait(_)
            | Event::Prune(_)
            | Event::Expire => unreachable!("these have their own laws"),
        }
    }

    /// L6: whoever asks has another conversation, and the old one does not go on.
    async fn asks(&mut self, place: usize, before: &Record) {
        let anew = Anew {
            at: At::Scope(self.scope(place)),
            session: SessionId::from_bits(self.number()),
            why: Reason::SessionReset,
            label: None,
            by: Authority::Place,
        };
        let begun = self.store.begin_anew(anew.clone()).await.unwrap();
        assert_eq!(begun, Begun::Anew { earlier: before.id });
        let after = self.spoken(place).await.expect("it speaks somewhere");
        assert_eq!(after.id, anew.session);
        assert_eq!(after.model_override, None);
        assert_eq!(after.news, Some(News::Asked { earlier: before.id }));
        let old = self.store.lookup(before.id).await.unwrap().unwrap();
        let shared = self.is_spoken_in(before.id).await;
        let over = matches!(old.standing.life, Life::Ended(why) if !why.is_accident());
        assert!(over || shared, "L6");
    }

    /// L7: the place is where it was led to, and being led there again changes nothing.
    async fn switches(&mut self, place: usize, target: usize, before: &Record) {
        let Some(target) = self.seen.keys().copied().nth(target) else {
            return;
        };
        let at = At::Scope(self.scope(place));
        let operator = Authority::Operator;
        let switched = self
            .store
            .switch(at.clone(), target, operator)
            .await
            .unwrap();
        let again = self.store.switch(at, target, operator).await.unwrap();
        assert_eq!(again, Switched::Same, "L7");
        assert_eq!(switched == Switched::Same, target == before.id);
        if switched != Switched::Same {
            let after = self.spoken(place).await.expect("it speaks somewhere");
            assert_eq!((after.id, after.standing.life), (target, Life::Live), "L7");
            self.seen.insert(target, None);
        }
    }

    /// L12: what is stopped or at work stays, and nothing is lost from the count.
    async fn prunes(&mut self, age: Span) {
        let before = self.routed().await;
        let pruned = self.store.prune(age).await.unwrap();
        let after = self.routed().await;
        assert_eq!(after.len() + pruned, before.len(), "L12");
        for gone in before.difference(&after) {
            let record = self.store.lookup(*gone).await.unwrap().unwrap();
            assert_eq!(record.standing.suspended_at, None, "L12");
            assert_eq!(record.standing.work.since, None, "L12");
            assert!(record.standing.active_at < self.now() - age, "L12");
        }
    }

    /// Each expiry is told once.
    async fn expires(&mut self) {
        for expired in self.store.expire(self.rules.clone(), 100).await.unwrap() {
            let record = self.store.lookup(expired.session).await.unwrap().unwrap();
            assert_eq!(record.standing.life, Life::Ended(Reason::Idle));
        }
        let again = self.store.expire(self.rules.clone(), 100).await.unwrap();
        assert_eq!(again, []);
    }

    async fn routed(&mut self) -> BTreeSet<SessionId> {
        let mut found = BTreeSet::new();
        for place in 0..3 {
            found.extend(self.spoken(place).await.map(|record| record.id));
        }
        found
    }

    async fn is_spoken_in(&mut self, session: SessionId) -> bool {
        self.routed().await.contains(&session)
    }

    /// L9 and L10: no conversation disappears, and an end for good stays unless somebody leads a place
    /// back to it.
    async fn remembers(&mut self) {
        for place in 0..3 {
            if let Some(record) = self.spoken(place).await {
                self.seen.entry(record.id).or_insert(None);
            }
        }
        for (session, ended) in &mut self.seen {
            let record = self.store.lookup(*session).await.unwrap().expect("L9");
            let now = match record.standing.life {
                Life::Ended(why) if !why.is_accident() => Some(why),
                Life::Ended(_) | Life::Live => None,
            };
            assert!(
                ended.is_none() || *ended == now,
                "L10: {ended:?} became {now:?}"
            );
            *ended = now;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_laws_of_a_conversation_s_life_hold_whatever_happens(
        events in prop::collection::vec(event(), 1..40)
    ) {
        given::runtime().block_on(async {
            let mut house = House::new();
            for event in events {
                house.happens(event).await;
                house.remembers().await;
            }
        });
    }
}
