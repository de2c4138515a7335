//! What a reference did with messages that came while a turn ran: to the turn, and when their senders were told.
//!
//! Ours is a row that says what it does (`command::opened`) and a time from which on somebody is told again
//! (`turn::ack`); what is answered together is `turn::gather`. What the reference kept in memory and lost is
//! judged by the laws that ours keeps.

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::command::opened;
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::limits;
use angelia_core::media::{Kind, MediaId, Picture};
use angelia_core::time::{Span, Timestamp};
use angelia_core::turn::ack;
use angelia_core::turn::busy::Mode;
use angelia_core::turn::gather::{self, Item};
use angelia_core::turn::manners::{Acks, Gathering, Manner};
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

fn inbound(person: &str, text: &str, pictures: usize) -> Inbound {
    let picture = Picture {
        id: MediaId::of(b"x"),
        kind: Kind::Png,
        bytes: 1,
        size: None,
        name: None,
    };
    Inbound {
        address: Address {
            platform: Platform::Telegram,
            account: AccountId::of(Platform::Telegram),
            chat: Chat {
                id: "c".to_owned(),
                kind: ChatKind::Group,
            },
            thread: None,
        },
        person: Person {
            id: person.to_owned(),
            name: None,
        },
        event_key: EventKey::in_chat("c", text),
        message_id: text.to_owned(),
        text: text.to_owned(),
        pictures: vec![picture; pictures],
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the vectors have it so")]
struct Busy {
    id: String,
    tag: String,
    mode: Mode,
    text_mode: String,
    agent: String,
    authorized: bool,
    draining: bool,
    subagents: bool,
    compressing: bool,
    approval_waiting: bool,
    ack_enabled: bool,
    events: Vec<Event>,
    results: Vec<Outcome>,
    agent_calls: Vec<Value>,
}

#[derive(Deserialize)]
struct Event {
    text: String,
    #[serde(default)]
    media: Vec<String>,
    #[serde(default)]
    at: f64,
}

#[derive(Deserialize)]
struct Outcome {
    replied: bool,
}

impl Busy {
    /// Whether the case is about what ours decides here. Strangers, a stopping gateway, questions, what the
    /// gateway tells itself, messages without words and a second setting for texts are met elsewhere.
    fn is_ours(&self) -> bool {
        let is_said = self.events.iter().all(|one| !one.text.is_empty());
        self.authorized
            && !self.draining
            && !self.approval_waiting
            && self.text_mode != "queue"
            && self.tag != "internal"
            && is_said
    }

    fn called(&self, what: &str, text: &str) -> bool {
        self.agent_calls.iter().any(|call| call[what] == text)
    }
}

fn busy() -> Vec<Busy> {
    let all = cases::<Busy>("gateway/busy_session.json");
    let ours: Vec<Busy> = all.into_iter().filter(Busy::is_ours).collect();
    assert!(ours.len() > 10, "the file has little of ours");
    ours
}

#[test]
fn a_message_does_to_the_turn_what_the_mode_says() {
    for case in busy() {
        let manner = Manner {
            mode: case.mode,
            acks: Acks::Told,
            gathering: Gathering::Apart,
        };
        // What is in the row holds whether a turn runs or not; the reference acts only if one does, and
        // interrupts neither a summing up nor an agent's helpers.
        let runs = case.agent == "running";
        let is_let_be = case.subagents || case.compressing;
        for event in &case.events {
            let said = opened(inbound("u", &event.text, event.media.len()), manner);
            let does = said.about.busy.filter(|_| runs);
            let interrupts = does == Some(Mode::Interrupt) && !is_let_be;
            assert_eq!(
                interrupts,
                case.called("interrupt", &event.text),
                "{}",
                case.id
            );
            match event.media.is_empty() {
                true => {
                    let steers = does == Some(Mode::Steer);
                    assert_eq!(steers, case.called("steer", &event.text), "{}", case.id);
                }
                // D-9: the reference steers the words and loses the picture.
                false => assert_ne!(said.about.busy, Some(Mode::Steer), "{}", case.id),
            }
        }
    }
}

#[test]
fn senders_are_told_as_often() {
    for case in busy().iter().filter(|case| case.ack_enabled) {
        let mut told_at = None;
        for (event, outcome) in case.events.iter().zip(&case.results) {
            let now = NOW + Span::ms((event.at * 1_000.0) as i64);
            let is_due = ack::is_due(told_at, now);
            assert_eq!(is_due, outcome.replied, "{}", case.id);
            told_at = if is_due { Some(now) } else { told_at };
        }
    }
}

#[derive(Deserialize)]
struct Debounce {
    id: String,
    window: f64,
    ops: Vec<Op>,
    after_each: Vec<After>,
}

#[derive(Deserialize)]
struct Op {
    op: String,
    t: f64,
    text: Option<String>,
    from: Option<String>,
}

#[derive(Deserialize)]
struct After {
    slot: Option<String>,
    waiting: Option<String>,
    flush_at: Option<f64>,
}

fn at(seconds: f64) -> Timestamp {
    NOW + Span::ms((seconds * 1_000.0).round() as i64)
}

/// What somebody said, in order, as messages that are answered together.
fn groups(case: &Debounce) -> Vec<String> {
    let texts = case.ops.iter().filter(|op| op.op == "text");
    let said: Vec<(Inbound, Timestamp)> = texts
        .map(|op| {
            // D-5: a message without a sender is not taken; each is somebody of its own here.
            let text = op.text.clone().unwrap_or_default();
            let from = op.from.clone().unwrap_or_else(|| format!("nobody {text}"));
            (inbound(&from, &text, 0), at(op.t))
        })
        .collect();
    let items: Vec<Item<'_>> = said
        .iter()
        .map(|(inbound, received_at)| Item {
            inbound,
            received_at: *received_at,
            due_at: Some(*received_at + limits::GATHER_TIME),
        })
        .collect();
    let (mut groups, mut rest) = (Vec::new(), items.as_slice());
    while !rest.is_empty() {
        let (group, behind) = rest.split_at(gather::together(rest));
        let texts: Vec<&str> = group.iter().map(|one| one.inbound.text.as_str()).collect();
        groups.push(texts.join("\n"));
        rest = behind;
    }
    groups
}

#[test]
fn one_person_is_answered_together_and_nobody_is_lost() {
    for case in cases::<Debounce>("gateway/text_debounce.json") {
        let groups = groups(&case);
        let said: Vec<&str> = case
            .ops
            .iter()
            .filter_map(|op| op.text.as_deref())
            .collect();
        assert_eq!(groups.join("\n"), said.join("\n"), "{}: D-11", case.id);
        // The first slot of the reference is our first turn, unless somebody came in between.
        let mut slots = case
            .after_each
            .iter()
            .filter_map(|after| after.slot.as_ref());
        let first = slots.rfind(|slot| groups[0].starts_with(slot.as_str()));
        assert_eq!(first.or(Some(&groups[0])), Some(&groups[0]), "{}", case.id);
    }
}

#[test]
fn a_turn_waits_as_long_for_more() {
    let all = cases::<Debounce>("gateway/text_debounce.json").into_iter();
    let same = all.filter(|case| at(case.window) == NOW + limits::GATHER_TIME);
    for case in same {
        let mut came: Vec<(Option<String>, Timestamp)> = Vec::new();
        for (op, after) in case.ops.iter().zip(&case.after_each) {
            let (Some(text), Some(waiting)) = (&op.text, &after.waiting) else {
                continue;
            };
            if !waiting.ends_with(text.as_str()) {
                // D-11: the reference has just lost it.
                continue;
            }
            came.push((op.from.clone(), at(op.t)));
            // The reference holds what came since its last flush; ours begins a go anew after a pause.
            let count = waiting.split('\n').count().min(came.len());
            let held: Vec<Timestamp> = came[came.len() - count..].iter().map(|one| one.1).collect();
            let due = gather::due_at(&held);
            assert_eq!(due, after.flush_at.map(at), "{}", case.id);
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Merge {
    Slot(Slot),
    /// Captions that are compared with each other: ours stay with their pictures.
    Captions {
        #[serde(rename = "caption_new")]
        _new: Value,
        #[serde(rename = "merged")]
        _merged: Value,
    },
}

#[derive(Deserialize)]
struct Slot {
    id: String,
    events: Vec<Waiting>,
    pending: Waiting,
}

#[derive(Deserialize)]
struct Waiting {
    text: String,
    media: Vec<String>,
}

/// Messages of one person that wait are rows beside each other, and one turn answers all of them.
#[test]
fn whatever_waits_is_answered_together_and_nothing_takes_the_place_of_anything() {
    let (mut same, mut replaced, mut captions) = (0, 0, 0);
    for case in cases::<Merge>("gateway/pending_merge.json") {
        let Merge::Slot(slot) = case else {
            captions += 1;
            continue;
        };
        let rows = slot.events.iter().enumerate();
        let rows: Vec<Inbound> = rows
            .map(|(place, one)| Inbound {
                message_id: place.to_string(),
                ..inbound("u", &one.text, one.media.len())
            })
            .collect();
        let items: Vec<Item<'_>> = rows
            .iter()
            .map(|inbound| Item {
                inbound,
                received_at: NOW,
                due_at: Some(NOW),
            })
            .collect();
        assert_eq!(gather::together(&items), rows.len(), "{}", slot.id);
        // What the reference keeps is among what ours answers.
        let said = |line: &str| slot.events.iter().any(|one| one.text.contains(line));
        assert!(slot.pending.text.lines().all(said), "{}", slot.id);
        let pictures: usize = slot.events.iter().map(|one| one.media.len()).sum();
        assert!(slot.pending.media.len() <= pictures, "{}", slot.id);
        let is_kept = |one: &Waiting| slot.pending.text.contains(&one.text);
        match slot.events.iter().all(is_kept) && slot.pending.media.len() == pictures {
            true => same += 1,
            false => replaced += 1,
        }
    }
    eprintln!("pending_merge: {same} the same, {replaced} lost there, {captions} of captions");
    assert!(same > 0);
}
