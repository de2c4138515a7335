//! What a reference told an agent that went on after an interruption.
//!
//! The reference wakes an interrupted conversation with an empty message; ours goes on with the turn itself, whose message
//! is there. So an empty message is a turn that goes on, and words are a new turn of that conversation.

use angelia_core::context::resume::{self, GoesOn};
use angelia_core::recovery::{self, TurnRecovery};
use angelia_core::session::lifecycle::{self, Interrupted, Mark, Next, Standing, Work};
use angelia_core::session::reset::ResetPolicy;
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::transcript::ending::Life;
use serde::Deserialize;

use crate::cases;

const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

#[derive(Deserialize)]
struct Case {
    id: String,
    entry: Option<Entry>,
    last_row_age: Option<i64>,
    message: String,
    window: i64,
    note: String,
    reason_wording: Option<String>,
    variant: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    resume_pending: bool,
    resume_reason: Option<String>,
    mark_age: Option<i64>,
}

impl Case {
    fn mark(&self) -> Option<Mark> {
        let entry = self.entry.as_ref().filter(|one| one.resume_pending)?;
        let reason = entry.resume_reason.as_deref().unwrap_or("restart_timeout");
        Some(Mark {
            at: NOW - Span::seconds(entry.mark_age.unwrap_or(0)),
            reason: reason.parse().expect("the vectors name reasons"),
        })
    }

    fn window(&self) -> Option<Span> {
        (self.window > 0).then(|| Span::seconds(self.window))
    }

    /// What ours is told, and why.
    fn ours(&self) -> Option<(Interrupted, GoesOn)> {
        let mark = self.mark()?;
        if self.message.is_empty() {
            let decided = recovery::decide(1, Some(NOW.since(mark.at)), self.window());
            return (decided == TurnRecovery::Run).then_some((mark.reason, GoesOn::Turn));
        }
        let standing = Standing {
            life: Life::Live,
            suspended_at: None,
            mark: Some(mark),
            active_at: mark.at,
            work: Work::default(),
        };
        let rules = Rules {
            resume_window: self.window(),
            ..Rules::default()
        };
        match lifecycle::decide(&standing, &ResetPolicy::default(), &rules, NOW) {
            Next::Resume(mark) => Some((mark.reason, GoesOn::Conversation)),
            Next::Continue | Next::Anew(_) => None,
        }
    }

    fn theirs(&self) -> Option<(Interrupted, GoesOn)> {
        let reason = match self.reason_wording.as_deref()? {
            "restart" => Interrupted::RestartTimeout,
            "shutdown" => Interrupted::ShutdownTimeout,
            "interruption" => Interrupted::RestartInterrupted,
            other => panic!("{other}"),
        };
        // Nobody is asked what they want whose question is there: it is answered.
        let what = match self.variant.as_deref()? {
            "new_message" => GoesOn::Conversation,
            "ask_user" | "continue_task" => GoesOn::Turn,
            other => panic!("{other}"),
        };
        Some((reason, what))
    }

    fn is_stale(&self) -> bool {
        let mark = self.mark();
        mark.is_some_and(|mark| mark.is_stale(self.window(), NOW))
    }
}

#[test]
fn an_agent_is_told_of_an_interruption_where_the_reference_tells_of_it() {
    let all = cases::<Case>("gateway/resume_note_tree.json");
    assert!(!all.is_empty());
    for case in all {
        let (ours, theirs) = (case.ours(), case.theirs());
        match case.note.as_str() {
            // A turn leaves no tool result at the end of a conversation: it closes with what it said, or that it failed.
            "tool_tail_note" => assert_eq!(ours, None, "{}", case.id),
            // The mark alone decides whether an interruption is too long ago; then it begins anew or is given up.
            "resume_note" if case.is_stale() => assert_eq!(ours, None, "{}", case.id),
            _ => assert_eq!(ours, theirs, "{} {:?}", case.id, case.last_row_age),
        }
        if let Some((why, what)) = ours {
            assert!(resume::note(why, what).contains("do not ask for it again"));
        }
    }
}

#[derive(Deserialize)]
struct Rule {
    id: String,
    kind: String,
    #[serde(default)]
    value: serde_json::Value,
    #[serde(default)]
    now: f64,
    #[serde(default)]
    window: f64,
    #[serde(default)]
    fresh: bool,
}

/// A time that nobody knows is none, and a window of nothing or less is no limit.
#[test]
fn what_was_interrupted_is_taken_up_as_long() {
    let mut met = 0;
    let all = cases::<Rule>("gateway/resume_rules.json");
    for case in all.into_iter().filter(|case| case.kind == "fresh") {
        let seconds = |seconds: f64| Span::ms((seconds * 1000.0) as i64);
        let age = case.value.as_f64().map(|at| seconds(case.now - at));
        let window = (case.window > 0.0).then(|| seconds(case.window));
        let runs = recovery::decide(1, age, window) == TurnRecovery::Run;
        assert_eq!(runs, case.fresh, "{}", case.id);
        met += 1;
    }
    assert!(met > 0, "the file has no ages");
}
