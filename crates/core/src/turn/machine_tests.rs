use super::*;
use proptest::prelude::*;

fn step() -> Step {
    Step::words("a")
}

#[test]
fn text_grows_the_draft_and_becomes_the_reply() {
    let mut turn = Machine::new(0);
    assert_eq!(turn.on(Event::Text("hel".into())), Some(Effect::Show));
    assert_eq!(turn.on(Event::Text("lo".into())), Some(Effect::Show));
    assert_eq!(turn.reply(), "hello");
    let settled = Effect::Settle(Outcome::Completed {
        text: "hello".into(),
    });
    assert_eq!(turn.on(Event::Finished), Some(settled));
}

#[test]
fn steps_are_numbered_after_those_already_in_the_journal() {
    let mut turn = Machine::new(2);
    assert_eq!(
        turn.on(Event::Step(step())),
        Some(Effect::Record(3, step()))
    );
    assert_eq!(
        turn.on(Event::Step(step())),
        Some(Effect::Record(4, step()))
    );
}

#[test]
fn a_failure_keeps_what_was_said() {
    let mut turn = Machine::new(0);
    turn.on(Event::Text("so far".into()));
    let settled = Outcome::Failed {
        text: "so far".into(),
        why: "gone".into(),
        repeating: Repeating::Helps,
    };
    assert_eq!(
        turn.on(Event::Failed("gone".into(), Repeating::Helps)),
        Some(Effect::Settle(settled))
    );
}

#[test]
fn draining_releases_and_a_lost_lease_does_nothing() {
    assert_eq!(Machine::new(0).on(Event::Draining), Some(Effect::Release));
    let mut turn = Machine::new(0);
    assert_eq!(turn.on(Event::LeaseLost), None);
    assert!(turn.has_ended());
}

#[test]
fn a_flooding_agent_is_cut_once() {
    let mut turn = Machine::new(0);
    let megabyte = "x".repeat(crate::limits::REPLY_BYTES_MAX);
    assert!(turn.on(Event::Text(megabyte)).is_some());
    assert!(
        turn.on(Event::Text("y".into())).is_some(),
        "the cut is shown"
    );
    assert_eq!(turn.on(Event::Text("y".into())), None);
}

#[test]
fn a_turn_that_goes_in_circles_is_ended() {
    let mut turn = Machine::new(crate::limits::STEPS_PER_TURN as usize);
    let ended = turn.on(Event::Step(step()));
    assert!(matches!(
        ended,
        Some(Effect::Settle(Outcome::Failed { .. }))
    ));
}

fn events() -> impl Strategy<Value = Event> {
    prop_oneof![
        "[a-z]{0,4}".prop_map(Event::Text),
        Just(Event::Step(step())),
        Just(Event::Finished),
        "[a-z]{1,4}".prop_map(|why| Event::Failed(why, Repeating::Helps)),
        Just(Event::TimedOut),
        Just(Event::Interrupted(Interruption::NewerMessage)),
        Just(Event::Draining),
        Just(Event::LeaseLost),
    ]
}

proptest! {
    #[test]
    fn a_turn_ends_once_and_stays_ended(story in proptest::collection::vec(events(), 0..40)) {
        let mut turn = Machine::new(0);
        let mut endings = 0;
        for event in story {
            let ended_before = turn.has_ended();
            let effect = turn.on(event);
            prop_assert!(!(ended_before && effect.is_some()), "an ended turn does nothing");
            if matches!(effect, Some(Effect::Settle(_) | Effect::Release)) {
                endings += 1;
                prop_assert!(turn.has_ended());
            }
        }
        prop_assert!(endings <= 1);
    }
}

#[test]
fn an_answer_that_breaks_off_is_taken_back_and_no_more() {
    let mut machine = Machine::new(0);
    machine.on(Event::Text("first".into()));
    machine.on(Event::AnswerBegins);
    machine.on(Event::Text(", half".into()));
    assert_eq!(machine.on(Event::AnswerDropped), Some(Effect::Show));
    assert_eq!(machine.on(Event::AnswerDropped), None);
    assert_eq!(machine.reply(), "first");
    machine.on(Event::Text(", whole".into()));
    let text = "first, whole".to_owned();
    let settled = Effect::Settle(Outcome::Completed { text });
    assert_eq!(machine.on(Event::Finished), Some(settled));
}
