//! Questions that are open while the gateway is away.

use super::*;

/// When the answer comes, seen from the outage.
enum Decided {
    Before,
    During,
    ByMessageDuring,
    After,
}

async fn through_an_outage(decided: Decided) {
    let mut room = Room::open().await;
    let inbox = room.say("run a b").await;
    let question = room.asked(1).await;
    let granted = || Verdict::Granted(Grant::Once);
    if matches!(decided, Decided::Before) {
        // Without a bell: the node dies before it has looked.
        room.house
            .store
            .decide_approval(question.id, granted())
            .await
            .unwrap();
    }
    room.gateway.kill();
    tokio::time::sleep(Duration::from_secs(45)).await;
    match decided {
        Decided::Before | Decided::After => (),
        Decided::During => {
            let store = &room.house.store;
            store.decide_approval(question.id, granted()).await.unwrap();
        }
        Decided::ByMessageDuring => {
            let accept = Accept {
                inbound: message("c", 800, "/approve"),
                inbox: InboxId::from_bits(77),
                session: question.session,
                rules: Arc::default(),
                cursor: None,
            };
            room.house.store.accept(accept).await.unwrap();
        }
    }
    assert!(room.ran().is_empty());
    room.restart().await;
    if matches!(decided, Decided::After) {
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(room.questions().await.len(), 1, "it is not asked again");
        room.say("/approve").await;
    }
    let second = room.asked(2).await;
    assert_eq!((second.turn, second.call.as_str()), (question.turn, "2"));
    room.say("/approve").await;
    assert_eq!(room.reply(inbox).await, "ran a. ran b. ");
    assert_eq!(room.ran(), ["a", "b"], "each ran once");
    let story = room.settled(inbox).await;
    let notices = story.deliveries.iter();
    let notices = notices.filter(|one| one.kind == DeliveryKind::Notice);
    assert_eq!(notices.count(), 2, "each question is shown once");
}

#[tokio::test(start_paused = true)]
async fn an_answer_before_an_outage_is_found_after_it() {
    through_an_outage(Decided::Before).await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_during_an_outage_is_found_after_it() {
    through_an_outage(Decided::During).await;
    through_an_outage(Decided::ByMessageDuring).await;
}

#[tokio::test(start_paused = true)]
async fn a_question_is_still_open_after_an_outage() {
    through_an_outage(Decided::After).await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_stops_while_somebody_is_asked_leaves_the_question_open() {
    let mut room = Room::open().await;
    let inbox = room.say("run a").await;
    room.asked(1).await;
    room.gateway.stop().await;
    assert_eq!(decision(&room.asked(1).await), None);
    room.restart().await;
    room.say("/approve").await;
    assert_eq!(room.reply(inbox).await, "ran a. ");
    assert_eq!(room.ran(), ["a"]);
}
