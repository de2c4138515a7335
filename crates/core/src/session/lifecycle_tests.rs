use std::num::NonZeroU32;

use proptest::prelude::*;

use super::*;
use crate::session::reset::Mode;

const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

fn idle(minutes: u32) -> ResetPolicy {
    ResetPolicy {
        mode: Mode::Idle,
        idle_minutes: NonZeroU32::new(minutes).unwrap(),
        ..ResetPolicy::default()
    }
}

fn resting() -> Standing {
    Standing {
        life: Life::Live,
        suspended_at: None,
        mark: None,
        active_at: NOW,
        work: Work::default(),
    }
}

fn marked(ago: Span) -> Mark {
    Mark {
        at: NOW - ago,
        reason: Interrupted::RestartInterrupted,
    }
}

fn next(standing: &Standing, policy: &ResetPolicy) -> Next {
    decide(standing, policy, &Rules::default(), NOW)
}

const STOPPED: Next = Next::Anew(Because::Itself(Cause::Stopped));
const EXPIRED: Next = Next::Anew(Because::Itself(Cause::ResumeExpired));
const IDLE: Next = Next::Anew(Because::Itself(Cause::Policy(reset::Reason::Idle)));

#[test]
fn a_conversation_goes_on_unless_something_speaks_against_it() {
    assert_eq!(next(&resting(), &ResetPolicy::default()), Next::Continue);
}

#[test]
fn the_first_that_holds_decides() {
    let mut standing = Standing {
        life: Life::Ended(Reason::SessionReset),
        suspended_at: Some(NOW),
        mark: Some(marked(Span::hours(2))),
        active_at: NOW - Span::hours(3),
        work: Work::default(),
    };
    let reset = Next::Anew(Because::Ended(Reason::SessionReset));
    assert_eq!(next(&standing, &idle(60)), reset);
    standing.life = Life::Live;
    assert_eq!(next(&standing, &idle(60)), STOPPED);
    standing.suspended_at = None;
    assert_eq!(next(&standing, &idle(60)), IDLE);
    standing.active_at = NOW;
    assert_eq!(next(&standing, &idle(60)), EXPIRED);
    standing.mark = Some(marked(Span::hours(1)));
    assert_eq!(
        next(&standing, &idle(60)),
        Next::Resume(marked(Span::hours(1))),
        "at the very end of the window it is still fresh"
    );
    standing.mark = None;
    assert_eq!(next(&standing, &idle(60)), Next::Continue);
}

#[test]
fn a_running_command_holds_back_the_policy_and_waiting_people_everything() {
    let unanswered = Work {
        unanswered: Unanswered::Something,
        since: None,
    };
    let command = Work {
        unanswered: Unanswered::Nothing,
        since: Some(NOW - Span::hours(2)),
    };
    let taken_up = Next::Resume(marked(Span::hours(2)));
    let cases = [
        (unanswered, taken_up, taken_up),
        (command, EXPIRED, STOPPED),
    ];
    for (work, stale, stopped) in cases {
        let mut standing = Standing {
            active_at: NOW - Span::hours(5),
            work,
            ..resting()
        };
        assert_eq!(next(&standing, &idle(60)), Next::Continue);
        standing.mark = Some(marked(Span::hours(2)));
        assert_eq!(next(&standing, &idle(60)), stale);
        standing.suspended_at = Some(NOW);
        assert_eq!(next(&standing, &idle(60)), stopped);
    }
}

#[test]
fn a_command_that_runs_for_too_long_keeps_nothing() {
    let standing = Standing {
        active_at: NOW - Span::hours(30),
        work: Work {
            unanswered: Unanswered::Nothing,
            since: Some(NOW - Span::hours(24)),
        },
        ..resting()
    };
    assert_eq!(next(&standing, &idle(60)), IDLE);
}

#[test]
fn an_accidental_end_counts_as_none() {
    for accident in [Reason::AgentClose, Reason::WsOrphanReap] {
        let mut standing = Standing {
            life: Life::Ended(accident),
            ..resting()
        };
        assert_eq!(next(&standing, &idle(60)), Next::Continue);
        standing.suspended_at = Some(NOW);
        assert_eq!(next(&standing, &idle(60)), STOPPED);
    }
}

#[test]
fn an_end_by_itself_is_told_however_late_the_message_comes() {
    for (end, expected) in [
        (Reason::Idle, IDLE),
        (Reason::Suspended, STOPPED),
        (Reason::ResumePendingExpired, EXPIRED),
    ] {
        let standing = Standing {
            life: Life::Ended(end),
            ..resting()
        };
        assert_eq!(next(&standing, &ResetPolicy::default()), expected);
    }
}

#[test]
fn without_a_window_an_interruption_is_never_too_long_ago() {
    let standing = Standing {
        mark: Some(marked(Span::days(100))),
        ..resting()
    };
    let rules = Rules {
        resume_window: None,
        ..Rules::default()
    };
    let next = decide(&standing, &ResetPolicy::default(), &rules, NOW);
    assert_eq!(next, Next::Resume(marked(Span::days(100))));
}

#[test]
fn interruptions_are_read_back_by_their_names() {
    for interrupted in Interrupted::ALL {
        assert_eq!(interrupted.as_str().parse(), Ok(interrupted));
    }
    assert!("a".parse::<Interrupted>().is_err());
}

fn any_moment() -> impl Strategy<Value = Timestamp> {
    (0_i64..400).prop_map(|hours| NOW - Span::hours(hours))
}

fn any_life() -> impl Strategy<Value = Life> {
    prop_oneof![
        3 => Just(Life::Live),
        1 => prop::sample::select(Reason::ALL).prop_map(Life::Ended),
    ]
}

prop_compose! {
    fn any_standing()(
        life in any_life(),
        suspended_at in prop::option::of(any_moment()),
        mark in prop::option::of(any_moment()),
        active_at in any_moment(),
        since in prop::option::of(any_moment()),
        waits in any::<bool>(),
    ) -> Standing {
        let unanswered = if waits { Unanswered::Something } else { Unanswered::Nothing };
        let reason = Interrupted::ShutdownTimeout;
        Standing {
            life,
            suspended_at,
            mark: mark.map(|at| Mark { at, reason }),
            active_at,
            work: Work { unanswered, since },
        }
    }
}

fn any_policy() -> impl Strategy<Value = ResetPolicy> {
    let mode = prop::sample::select(vec![Mode::None, Mode::Idle, Mode::Daily, Mode::Both]);
    (mode, 1_u32..20_000).prop_map(|(mode, minutes)| ResetPolicy {
        mode,
        ..idle(minutes)
    })
}

proptest! {
    /// L2: without an end, a suspension, a stale mark or a policy nothing begins anew.
    #[test]
    fn what_nothing_speaks_against_goes_on(standing in any_standing()) {
        let plain = Standing { life: Life::Live, suspended_at: None, mark: None, ..standing };
        prop_assert_eq!(next(&plain, &ResetPolicy::default()), Next::Continue);
    }

    /// What is certain of a policy holds for every conversation without a mark, at every time.
    #[test]
    fn what_is_certain_goes_on(standing in any_standing(), policy in any_policy(), now in any_moment()) {
        let plain = Standing { life: Life::Live, suspended_at: None, mark: None, ..standing };
        let next = decide(&plain, &policy, &Rules::default(), now);
        prop_assert!(next == Next::Continue || !is_certain(&policy));
    }

    /// L3: whatever was suspended, did not end before and rests begins anew, and says so.
    #[test]
    fn what_was_suspended_begins_anew(standing in any_standing(), policy in any_policy()) {
        let work = Work { unanswered: Unanswered::Nothing, ..standing.work };
        let suspended = Standing { life: Life::Live, suspended_at: Some(NOW), work, ..standing };
        prop_assert_eq!(next(&suspended, &policy), STOPPED);
    }

    /// L5: an interruption within the window is taken up with its mark, if no policy ends it.
    #[test]
    fn a_fresh_interruption_is_taken_up(standing in any_standing(), minutes in 0_i64..=60) {
        let mark = marked(Span::minutes(minutes));
        let fresh = Standing {
            life: Life::Live, suspended_at: None, mark: Some(mark), ..standing
        };
        prop_assert_eq!(next(&fresh, &ResetPolicy::default()), Next::Resume(mark));
    }

    /// L10: an end by a boundary is never undone by a message.
    #[test]
    fn a_boundary_is_never_undone(standing in any_standing(), policy in any_policy()) {
        if let Life::Ended(reason) = standing.life && !reason.is_accident() {
            let Next::Anew(because) = next(&standing, &policy) else {
                panic!("a conversation that ended goes on")
            };
            prop_assert_eq!(because.reason(), reason);
        }
    }

    /// What begins anew stays so as time passes, while nothing else happens.
    #[test]
    fn what_begins_anew_stays_so(
        standing in any_standing(), policy in any_policy(), later in 0_i64..500
    ) {
        let rules = Rules::default();
        let is_anew = |next| matches!(next, Next::Anew(_));
        if is_anew(decide(&standing, &policy, &rules, NOW)) {
            let later = NOW + Span::hours(later);
            prop_assert!(is_anew(decide(&standing, &policy, &rules, later)));
        }
    }
}
