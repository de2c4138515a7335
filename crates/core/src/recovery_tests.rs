use super::*;

#[test]
fn a_turn_is_begun_three_times_and_then_given_up() {
    let runs = (1..=4).map(decide).collect::<Vec<_>>();
    use TurnRecovery::{GiveUp, Run};
    assert_eq!(runs, [Run, Run, Run, GiveUp]);
}

#[test]
fn only_a_call_whose_effect_nobody_can_tell_is_not_made_again() {
    assert_eq!(call(EffectClass::Pure), CallRecovery::CallAgain);
    assert_eq!(call(EffectClass::Keyed), CallRecovery::CallAgain);
    assert_eq!(call(EffectClass::Unknown), CallRecovery::TellUnknown);
}

#[test]
fn an_interrupted_send_is_repeated_at_most_once_where_repeats_show() {
    let now = Timestamp::from_ms(5);
    assert_eq!(
        after_crash(Dedupe::ByKey, 7, now),
        DeliveryUpdate::Again(now)
    );
    assert_eq!(
        after_crash(Dedupe::None, 0, now),
        DeliveryUpdate::AgainInDoubt(now)
    );
    assert!(matches!(
        after_crash(Dedupe::None, 1, now),
        DeliveryUpdate::Wedged(_)
    ));
}
