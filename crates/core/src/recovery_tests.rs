use super::*;

#[test]
fn a_turn_is_begun_three_times_and_then_given_up() {
    let runs = (1..=4).map(|attempts| decide(attempts, None, None));
    let runs = runs.collect::<Vec<_>>();
    use TurnRecovery::{GiveUp, Run};
    assert_eq!(runs, [Run, Run, Run, GiveUp]);
}

#[test]
fn who_is_found_without_an_owner_again_is_watched_longer() {
    let times = (1..=4).map(probation).collect::<Vec<_>>();
    let (first, again) = (limits::PROBATION_FIRST, limits::PROBATION_AGAIN);
    assert_eq!(times, [None, Some(first), Some(again), Some(again)]);
    // All that a node can have left are under way before anybody who looks would call it late.
    assert!(first.as_ms() * limits::TURNS_PER_NODE as i64 <= limits::LOOP_PERIOD.as_ms());
}

#[test]
fn an_interruption_that_is_too_long_ago_is_not_taken_up() {
    use TurnRecovery::{GiveUp, Run, TooLate};
    let (hour, more) = (Some(Span::hours(1)), Some(Span::ms(3_600_001)));
    assert_eq!(decide(1, hour, hour), Run, "the end of the window is fresh");
    assert_eq!(decide(1, more, hour), TooLate);
    assert_eq!(decide(1, more, None), Run, "without a window all is fresh");
    assert_eq!(decide(1, None, hour), Run);
    assert_eq!(decide(4, more, hour), GiveUp, "what it did weighs more");
}

#[test]
fn only_a_call_whose_effect_nobody_can_tell_is_not_made_again() {
    assert_eq!(call(EffectClass::Pure), CallRecovery::CallAgain);
    assert_eq!(call(EffectClass::Keyed), CallRecovery::CallAgain);
    assert_eq!(call(EffectClass::Unknown), CallRecovery::TellUnknown);
}

const NOW: Timestamp = Timestamp::from_ms(5);

fn left(attempts: u32, doubts: u32, dedupe: Dedupe) -> DeliveryUpdate {
    after_crash(LeftSending { attempts, doubts }, dedupe, NOW)
}

#[test]
fn an_interrupted_send_is_repeated_at_most_once_where_repeats_show() {
    let again = NextTry {
        at: NOW,
        why: "the gateway stopped while sending it".to_owned(),
    };
    assert_eq!(
        left(2, 7, Dedupe::ByKey),
        DeliveryUpdate::Again(again.clone())
    );
    assert_eq!(
        left(1, 0, Dedupe::None),
        DeliveryUpdate::AgainInDoubt(again)
    );
    assert!(matches!(
        left(2, 1, Dedupe::None),
        DeliveryUpdate::Wedged(_)
    ));
}

#[test]
fn a_delivery_that_keeps_ending_its_courier_is_set_aside() {
    let last = limits::DELIVERY_ATTEMPTS;
    assert!(matches!(
        left(last, 0, Dedupe::ByKey),
        DeliveryUpdate::Wedged(_)
    ));
    assert!(matches!(
        left(last, 0, Dedupe::None),
        DeliveryUpdate::Wedged(_)
    ));
}
