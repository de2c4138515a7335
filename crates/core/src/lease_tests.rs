use super::*;
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_ms(1_000_000);

#[test]
fn a_live_lease_is_renewed_by_its_holder_and_refused_to_others() {
    let first = take(None, "a", NOW).unwrap();
    assert_eq!(first.fence, Fence(1));
    let later = NOW + Span::seconds(10);
    assert_eq!(take(Some(&first), "b", later), None);
    let renewed = take(Some(&first), "a", later).unwrap();
    assert_eq!(
        (renewed.fence, renewed.ends_at),
        (Fence(1), later + limits::LEASE_TIME)
    );
}

#[test]
fn a_lapsed_lease_goes_to_whoever_asks_with_a_higher_fence() {
    let first = take(None, "a", NOW).unwrap();
    let after = first.ends_at;
    assert_eq!(take(Some(&first), "b", after).unwrap().fence, Fence(2));
    assert_eq!(take(Some(&first), "a", after).unwrap().fence, Fence(2));
}

#[test]
fn doubt_comes_before_anyone_else_may_take_over() {
    assert!(!is_in_doubt(limits::HEARTBEAT_EVERY));
    assert!(is_in_doubt(limits::LEASE_DOUBT_AFTER));
    assert!(limits::LEASE_DOUBT_AFTER < limits::LEASE_TIME);
}

#[test]
fn an_answer_is_waited_for_until_doubt_sets_in_and_again_afterwards() {
    let second = Span::seconds(1);
    assert_eq!(patience(second), limits::HEARTBEAT_EVERY);
    let nearly = Span::ms(limits::LEASE_DOUBT_AFTER.as_ms() - 1);
    assert_eq!(patience(nearly), Span::ms(1));
    assert_eq!(patience(limits::LEASE_DOUBT_AFTER), limits::HEARTBEAT_EVERY);
    assert_eq!(patience(limits::LEASE_TIME), limits::HEARTBEAT_EVERY);
}

proptest! {
    #[test]
    fn fences_only_rise_and_two_holders_never_share_one(
        asks in proptest::collection::vec((0usize..3, 0i64..60_000), 1..40),
    ) {
        let mut now = NOW;
        let mut row: Option<Lease> = None;
        for (who, pause) in asks {
            now = now + Span::ms(pause);
            let holder = ["a", "b", "c"][who];
            if let Some(next) = take(row.as_ref(), holder, now) {
                if let Some(before) = &row {
                    prop_assert!(next.fence >= before.fence);
                    prop_assert!(next.fence > before.fence || next.holder == before.holder);
                }
                row = Some(next);
            }
        }
    }
}
