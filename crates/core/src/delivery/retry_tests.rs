use super::*;
use crate::address::{AccountId, Address, Chat, ChatKind, Platform};
use crate::id::{DeliveryId, SessionId, TurnId};
use crate::outbound::{DeliveryKind, DeliveryState};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_ms(1_000_000_000);

fn delivery(attempts: u32, doubts: u32) -> Delivery {
    Delivery {
        id: DeliveryId::from_bits(1),
        turn: Some(TurnId::from_bits(2)),
        session: Some(SessionId::from_bits(3)),
        inbox_ids: Vec::new(),
        kind: DeliveryKind::Reply,
        address: Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat: Chat {
                id: "c".into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        part: 1,
        parts: 1,
        text: "hi".into(),
        files: Vec::new(),
        quotes: None,
        asks: None,
        state: DeliveryState::Sending,
        attempts,
        doubts,
        trouble: None,
        due_at: NOW,
        planned_at: NOW,
        sent_at: None,
    }
}

fn none() -> Jitter {
    Jitter::new(0.0)
}

fn again(at: Timestamp, why: &str) -> NextTry {
    let why = why.to_owned();
    NextTry { at, why }
}

fn lost() -> SendError {
    SendError::Unknown {
        why: "connection reset".into(),
    }
}

#[test]
fn a_refusal_wedges_as_far_as_it_reaches() {
    let error = SendError::Refused {
        reach: Reach::Chat,
        why: "blocked".into(),
    };
    let update = next(&delivery(1, 0), &error, Dedupe::None, NOW, none());
    assert_eq!(update, wedged(Reach::Chat, "blocked".into()));
}

#[test]
fn the_platforms_own_time_is_believed_when_it_is_later() {
    let at = NOW + Span::minutes(3);
    let error = SendError::Later {
        not_before: Some(at),
        why: "slow down".into(),
    };
    assert_eq!(
        next(&delivery(1, 0), &error, Dedupe::None, NOW, none()),
        DeliveryUpdate::Again(again(at, "slow down"))
    );
}

#[test]
fn an_unknown_outcome_is_tried_again_freely_only_where_repeats_are_recognised() {
    let again = again(NOW + limits::RETRY_FIRST, "connection reset");
    let keyed = next(&delivery(1, 0), &lost(), Dedupe::ByKey, NOW, none());
    assert_eq!(keyed, DeliveryUpdate::Again(again.clone()));
    let blind = next(&delivery(1, 0), &lost(), Dedupe::None, NOW, none());
    assert_eq!(blind, DeliveryUpdate::AgainInDoubt(again));
}

#[test]
fn a_second_unknown_outcome_is_never_followed_by_a_third_send() {
    let update = next(&delivery(2, 1), &lost(), Dedupe::None, NOW, none());
    assert!(matches!(
        update,
        DeliveryUpdate::Wedged(Wedge {
            reach: Reach::Message,
            ..
        })
    ));
}

#[test]
fn tries_end_after_eight_or_when_the_platform_wants_more_than_a_day() {
    let error = SendError::Later {
        not_before: None,
        why: "down".into(),
    };
    let last = delivery(limits::DELIVERY_ATTEMPTS, 0);
    assert!(matches!(
        next(&last, &error, Dedupe::ByKey, NOW, none()),
        DeliveryUpdate::Wedged(_)
    ));
    let week = SendError::Later {
        not_before: Some(NOW + Span::days(7)),
        why: "come back".into(),
    };
    assert!(matches!(
        next(&delivery(2, 0), &week, Dedupe::ByKey, NOW, none()),
        DeliveryUpdate::Wedged(_)
    ));
}

proptest! {
    #[test]
    fn pauses_grow_and_stay_bounded(attempts in 1u32..200, fraction in -1.0f64..2.0) {
        let jitter = Jitter::new(fraction);
        prop_assert!(pause(attempts + 1, jitter) >= pause(attempts, jitter));
        prop_assert!(pause(attempts, jitter).as_ms() <= limits::RETRY_PAUSE_MAX.as_ms() * 5 / 4);
        prop_assert!(pause(attempts, jitter) >= limits::RETRY_FIRST);
    }
}
