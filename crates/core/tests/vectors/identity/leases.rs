//! Turns that want one session, with who works and who waits.
//!
//! The reference keeps its leases in memory. Ours are rows with fences: `lease::take` decides, and the
//! test plays the row and those who ask again. Where the reference lets somebody work beside the holder
//! after a time (`degraded`), ours lets them wait.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::lease::{Fence, Lease, take};
use angelia_core::time::{Span, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    steps: Vec<Step>,
    expected: Vec<Value>,
}

#[derive(Deserialize)]
struct Step {
    op: Op,
    #[serde(default)]
    name: String,
    #[serde(default)]
    session: String,
    #[serde(default)]
    seconds: f64,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Op {
    Acquire,
    Settle,
    Release,
    Rebind,
    Size,
}

#[derive(Default)]
struct House {
    rows: BTreeMap<String, Lease>,
    waiting: Vec<(String, String)>,
    held: BTreeMap<String, (String, Fence)>,
    now: Timestamp,
}

impl House {
    fn ask(&mut self, name: &str, session: &str) -> bool {
        let Some(lease) = take(self.rows.get(session), name, self.now) else {
            return false;
        };
        let held = (session.to_owned(), lease.fence);
        self.rows.insert(session.to_owned(), lease);
        self.held.insert(name.to_owned(), held);
        true
    }

    fn acquire(&mut self, step: &Step) -> bool {
        let granted = self.ask(&step.name, &step.session);
        if !granted {
            let waits = (step.name.clone(), step.session.clone());
            self.waiting.push(waits);
        }
        granted
    }

    /// Time passes: holders renew, and those who wait ask again.
    fn settle(&mut self, seconds: f64) {
        self.now = self.now + Span::ms((seconds * 1_000.0) as i64);
        for (name, (session, _)) in self.held.clone() {
            assert!(self.ask(&name, &session), "a holder may renew");
        }
        for (name, session) in std::mem::take(&mut self.waiting) {
            if !self.ask(&name, &session) {
                self.waiting.push((name, session));
            }
        }
    }

    /// Only the holder, by its fence, gives a lease back.
    fn release(&mut self, name: &str) -> bool {
        let Some((session, fence)) = self.held.remove(name) else {
            return false;
        };
        let row = self.rows.get_mut(&session);
        let row = row.filter(|lease| lease.fence == fence);
        row.map(|lease| lease.ends_at = Timestamp::default())
            .is_some()
    }

    fn holders(&self) -> BTreeSet<&str> {
        self.held.keys().map(String::as_str).collect()
    }

    fn waiters(&self) -> BTreeSet<&str> {
        self.waiting.iter().map(|(name, _)| name.as_str()).collect()
    }
}

fn names<'a>(expected: &'a Value, field: &str) -> BTreeSet<&'a str> {
    let list = expected[field].as_array();
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// What the reference shows after a while; those whom it let work unserialised wait with us, or are
/// served when the holder is done.
fn compare(house: &House, expected: &Value, id: &str) {
    let degraded = names(expected, "degraded");
    let (holders, waiters) = (house.holders(), house.waiters());
    let without = |set: &BTreeSet<_>| set.difference(&degraded).copied().collect::<BTreeSet<_>>();
    assert_eq!(without(&holders), names(expected, "holding"), "{id}");
    assert_eq!(without(&waiters), names(expected, "waiting"), "{id}");
    let ours: BTreeSet<_> = holders.union(&waiters).copied().collect();
    assert!(degraded.is_subset(&ours), "{id}");
    let sessions: BTreeSet<_> = house.held.values().map(|(session, _)| session).collect();
    assert_eq!(sessions.len(), house.held.len(), "{id}: one holder each");
}

#[test]
fn one_turn_works_at_a_time_and_nobody_is_let_in_for_waiting_long() {
    for case in cases::<Case>("sessions/turn_lease.json") {
        if case.steps.iter().any(|step| step.op == Op::Rebind) {
            continue;
        }
        let mut house = House {
            now: Timestamp::from_ms(1),
            ..House::default()
        };
        for (step, expected) in case.steps.iter().zip(&case.expected) {
            match step.op {
                Op::Acquire => assert_eq!(house.acquire(step), expected["granted"], "{}", case.id),
                Op::Release => {
                    assert_eq!(
                        house.release(&step.name),
                        expected["released"],
                        "{}",
                        case.id
                    );
                }
                Op::Settle => {
                    house.settle(step.seconds);
                    compare(&house, expected, &case.id);
                }
                // Rows stay, or their fences would begin again.
                Op::Rebind | Op::Size => {}
            }
        }
    }
}
