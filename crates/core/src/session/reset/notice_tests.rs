use super::*;
use crate::session::reset::Mode;

const CAUSES: [Cause; 4] = [
    Cause::Policy(Reason::Idle),
    Cause::Policy(Reason::Daily),
    Cause::Stopped,
    Cause::ResumeExpired,
];

fn told(cause: Cause, policy: &ResetPolicy, past: Past, platform: &str) -> bool {
    audience(cause, policy, past, platform) == Audience::AgentAndChat
}

#[test]
fn the_chat_is_told_when_the_policy_says_so_and_there_was_something_to_miss() {
    let policy = ResetPolicy::default();
    let quiet = ResetPolicy {
        notify: false,
        ..ResetPolicy::default()
    };
    for cause in [Cause::Policy(Reason::Idle), Cause::Policy(Reason::Daily)] {
        assert!(told(cause, &policy, Past::Answered, "telegram"));
        assert!(!told(cause, &quiet, Past::Answered, "telegram"));
        assert!(!told(cause, &policy, Past::Empty, "telegram"));
        assert!(!told(cause, &policy, Past::Answered, "api"));
        assert!(!told(cause, &policy, Past::Answered, "webhook"));
    }
}

#[test]
fn the_chat_is_always_told_about_a_stop_and_a_lost_interruption() {
    let quiet = ResetPolicy {
        notify: false,
        ..ResetPolicy::default()
    };
    for cause in [Cause::Stopped, Cause::ResumeExpired] {
        assert!(told(cause, &quiet, Past::Empty, "api"));
    }
}

#[test]
fn the_words_name_the_reason_and_the_way_back() {
    let policy = ResetPolicy {
        mode: Mode::Both,
        idle_minutes: 90.try_into().unwrap(),
        ..ResetPolicy::default()
    };
    let said = CAUSES.map(|cause| facts(cause, &policy).for_chat());
    assert!(said.iter().all(|text| text.contains("/resume")));
    insta::assert_snapshot!(said.join("\n"), @"
    This is a new conversation: nobody wrote here for more than 1 hour 30 minutes. To go back to the earlier one, write /resume.
    This is a new conversation: here they end every day at 04:00. To go back to the earlier one, write /resume.
    This is a new conversation: the earlier one was stopped. To go back to the earlier one, write /resume.
    This is a new conversation: the earlier one was interrupted, too long ago to go on by itself. To go back to the earlier one, write /resume.
    ");
}

#[test]
fn the_agent_is_told_why_it_remembers_nothing() {
    let said = CAUSES.map(|cause| facts(cause, &ResetPolicy::default()).for_agent());
    insta::assert_snapshot!(said.join("\n"), @"
    This conversation is new. The earlier one in this chat has ended: nobody wrote for more than 24 hours. You do not see what was said there; do not act as if you remembered it.
    This conversation is new. The earlier one in this chat has ended: conversations here end every day at 04:00. You do not see what was said there; do not act as if you remembered it.
    This conversation is new. The earlier one in this chat has ended: it was stopped. You do not see what was said there; do not act as if you remembered it.
    This conversation is new. The earlier one in this chat has ended: a restart interrupted it and nobody took it up again in time. You do not see what was said there; do not act as if you remembered it.
    ");
}

#[test]
fn durations_are_read_as_hours_and_minutes() {
    let text = |minutes: u32| duration(minutes.try_into().unwrap());
    assert_eq!(text(1), "1 minute");
    assert_eq!(text(59), "59 minutes");
    assert_eq!(text(60), "1 hour");
    assert_eq!(text(61), "1 hour 1 minute");
    assert_eq!(text(2880), "48 hours");
}

#[test]
fn facts_are_kept_as_they_are_told() {
    for cause in CAUSES {
        let facts = facts(cause, &ResetPolicy::default());
        let kept = serde_json::to_string(&facts).unwrap();
        assert_eq!(serde_json::from_str::<Facts>(&kept).unwrap(), facts);
    }
    let kept = serde_json::to_string(&facts(CAUSES[1], &ResetPolicy::default())).unwrap();
    assert_eq!(kept, r#"{"why":"daily","hour":4}"#);
}
