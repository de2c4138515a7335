//! How long a turn may work, and that it is not at work while it asks.

use super::*;

use angelia_core::time::Span;

#[tokio::test(start_paused = true)]
async fn a_question_that_is_asked_late_has_its_whole_time_and_the_turn_what_was_left() {
    let mut room = Room::open().await;
    let inbox = room.say("long a").await;
    let reply = room.reply(inbox).await;
    assert!(
        reply.contains("nobody answered the question in time"),
        "{reply}"
    );
    assert_eq!(state(&room.settled(inbox).await), "completed");
}

#[tokio::test(start_paused = true)]
async fn who_works_longer_than_a_turn_may_is_ended_although_somebody_was_asked() {
    let mut house = House::new(Parrot::default(), Mode::Queue);
    house.turn_time = Some(Span::minutes(28));
    let mut room = Room::of(house).await;
    let inbox = room.say("long a").await;
    tokio::time::sleep(Duration::from_mins(25)).await;
    room.asked(1).await;
    room.say("/approve").await;
    let reply = room.reply(inbox).await;
    assert!(reply.contains("longer than a turn may"), "{reply}");
    assert_eq!(state(&room.settled(inbox).await), "failed");
    assert_eq!(room.ran(), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn an_agent_may_be_given_more_time() {
    for (minutes, end) in [(28, "failed"), (30, "completed")] {
        let mut house = House::new(Parrot::default(), Mode::Queue);
        house.approvals.mode = approvals::Mode::Off;
        house.turn_time = Some(Span::minutes(minutes));
        let mut room = Room::of(house).await;
        let inbox = room.say("long a").await;
        assert_eq!(state(&room.settled(inbox).await), end);
    }
}
