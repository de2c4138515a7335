//! `registry_state`: what is forgotten, and which conversations are kept by a process.
//!
//! Who is told, and what a restart finds, is decided by rows and holders; `docs/conformance.md` names the
//! tests of those.

use angelia_core::process::retention::{Spent, to_forget};
use angelia_core::session::reset::{Mode, ResetPolicy, decide};
use angelia_core::time::{Span, Timestamp};
use angelia_core::zone::Zone;
use serde::Deserialize;

use crate::cases;

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Case {
    Prune {
        id: String,
        now: i64,
        finished: Vec<(String, i64)>,
    },
    SessionActive {
        id: String,
        now: i64,
        processes: Vec<Process>,
        session_key: String,
        max_age_s: Option<i64>,
        expect: bool,
    },
    Drain {},
    Recover {},
}

#[derive(Deserialize)]
struct Process {
    session_key: String,
    started_at: i64,
    exited: bool,
}

fn second(number: i64) -> Timestamp {
    Timestamp::from_ms(number * 1000)
}

/// Retention counts from the end, for a day, and processes that run are no part of it (H-21).
#[test]
fn nothing_is_forgotten_that_ended_just_now() {
    for case in cases::<Case>("processes/registry_state.json") {
        let Case::Prune { id, now, finished } = case else {
            continue;
        };
        let spent = |_: &(String, i64)| Spent {
            ended_at: Some(second(now)),
            bytes: 0,
        };
        let spent: Vec<Spent> = finished.iter().map(spent).collect();
        assert_eq!(to_forget(&spent, second(now)), 0, "{id}");
        let later = second(now) + Span::days(1) + Span::ms(1);
        assert_eq!(to_forget(&spent, later), finished.len(), "{id}");
    }
}

#[test]
fn a_conversation_with_a_process_that_lives_is_kept() {
    for case in cases::<Case>("processes/registry_state.json") {
        let Case::SessionActive {
            id,
            now,
            processes,
            session_key,
            max_age_s,
            expect,
        } = case
        else {
            continue;
        };
        let lives = |one: &&Process| !one.exited && one.session_key == session_key;
        let live: Vec<_> = processes
            .iter()
            .filter(lives)
            .map(|one| second(one.started_at))
            .collect();
        let policy = ResetPolicy {
            mode: Mode::Idle,
            process_max_age: max_age_s.map(Span::seconds),
            ..ResetPolicy::default()
        };
        let long_ago = second(now) - Span::days(10_000);
        let reset = decide(&policy, long_ago, second(now), &Zone::utc(), &live);
        assert_eq!(reset.is_none(), expect, "{id}");
    }
}
