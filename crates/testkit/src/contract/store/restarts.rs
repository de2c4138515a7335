//! Restarts that people wish for, and what those are told who wait for an answer.

use angelia_core::address::ChatKind;
use angelia_core::id::{DeliveryId, NodeId};
use angelia_core::outbound::DeliveryKind;
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::intake::Accepted;
use angelia_store::restarts::{NewWish, Wished};
use angelia_store::turns::{ClaimedTurn, Waiting};
use angelia_store::views::OutboxFilter;

use super::Told;
use super::given::{Given, account, done, first, is_lost};

pub(super) fn wish(given: &Given, node: NodeId, said: Option<&Waiting>) -> NewWish {
    NewWish {
        node,
        said: said.map(|one| (one.inbox, one.inbound.address.clone())),
        delivery: DeliveryId::from_bits(given.number()),
    }
}

/// What was said to everybody, oldest first.
async fn told(given: &Given) -> Result<Vec<String>, StoreError> {
    let all = given.store.deliveries(OutboxFilter::All, first(50)).await?;
    Ok(all.items.into_iter().rev().map(|one| one.text).collect())
}

async fn says_restart(given: &Given) -> Result<ClaimedTurn, StoreError> {
    given.say("c", "/restart").await?;
    given.claim().await
}

/// Nobody goes before the wish was answered, and everybody who wished it is told once that it is over.
pub async fn a_wish_is_followed_once_it_was_answered(given: &Given) -> Told {
    let one = given.boot("h1").await?;
    let turn = says_restart(given).await?;
    let asked = wish(given, one, turn.batch.first());
    for _ in 0..2 {
        let wished = given.store.wish_restart(asked.clone()).await?;
        assert_eq!(wished, Wished::Open);
    }
    assert_eq!(given.store.restart_wished(one).await?, None);
    given.settle(&turn, &["I go"]).await?;
    assert_eq!(
        given.store.restart_wished(one).await?,
        Some(given.clock.now())
    );
    let two = given.boot("h1").await?;
    assert_eq!(given.store.restart_wished(two).await?, None);
    assert_eq!(given.store.come_back(two, "back").await?, [account()]);
    assert!(given.store.come_back(two, "back").await?.is_empty());
    let three = given.boot("h1").await?;
    assert!(given.store.come_back(three, "back").await?.is_empty());
    assert_eq!(told(given).await?, ["I go", "back"]);
    Ok(())
}

/// A gateway that died before it answered has restarted, too; the turn that is run again says so, and nobody else.
pub async fn a_wish_that_nobody_answered_is_over_with_the_next_boot(given: &Given) -> Told {
    let one = given.boot("h1").await?;
    let turn = says_restart(given).await?;
    let asked = wish(given, one, turn.batch.first());
    given.store.wish_restart(asked.clone()).await?;
    let two = given.boot("h1").await?;
    assert!(given.store.come_back(two, "back").await?.is_empty());
    let again = NewWish { node: two, ..asked };
    assert_eq!(given.store.wish_restart(again).await?, Wished::Fulfilled);
    assert_eq!(given.store.restart_wished(two).await?, None);
    assert!(told(given).await?.is_empty());
    Ok(())
}

/// Whichever looks first: the turn that is run again, or the boot.
pub async fn a_turn_that_is_run_again_ends_the_wish_itself(given: &Given) -> Told {
    let one = given.boot("h1").await?;
    let turn = says_restart(given).await?;
    let asked = wish(given, one, turn.batch.first());
    given.store.wish_restart(asked.clone()).await?;
    let two = given.boot("h1").await?;
    let again = NewWish { node: two, ..asked };
    assert_eq!(given.store.wish_restart(again).await?, Wished::Fulfilled);
    given.settle(&turn, &["it has restarted"]).await?;
    assert!(given.store.come_back(two, "back").await?.is_empty());
    assert_eq!(told(given).await?, ["it has restarted"]);
    Ok(())
}

/// A wish that is answered beside a running turn counts at once; one without a message is nobody's to be told.
pub async fn a_wish_beside_a_running_turn_counts_at_once(given: &Given) -> Told {
    let one = given.boot("h1").await?;
    given.say("c", "hello").await?;
    let turn = given.claim().await?;
    given.say("c", "/restart").await?;
    let asides = given.store.asides(turn.turn).await?;
    let asked = wish(given, one, asides.first());
    given.store.wish_restart(asked).await?;
    assert_eq!(given.store.restart_wished(one).await?, None);
    let notice = (DeliveryId::from_bits(given.number()), "I go".to_owned());
    let answered = given
        .store
        .answer_aside(turn.turn, turn.fence, asides[0].inbox, notice);
    assert!(done(answered.await?).is_some());
    assert!(given.store.restart_wished(one).await?.is_some());
    let two = given.boot("h1").await?;
    given.store.come_back(two, "back").await?;
    assert_eq!(told(given).await?, ["I go", "back"]);
    given.store.wish_restart(wish(given, two, None)).await?;
    assert!(given.store.restart_wished(two).await?.is_some());
    Ok(())
}

/// A boot that stays says why, and the wishes for it are over; those of another home are not its own.
pub async fn a_restart_that_is_called_off_is_told(given: &Given) -> Told {
    let (one, other) = (given.boot("h1").await?, given.boot("h2").await?);
    let turn = says_restart(given).await?;
    given
        .store
        .wish_restart(wish(given, one, turn.batch.first()))
        .await?;
    given.settle(&turn, &["I go"]).await?;
    assert!(given.store.come_back(other, "back").await?.is_empty());
    let off = given.store.call_off_restart(one, "no").await?;
    assert_eq!(off, [account()]);
    assert_eq!(given.store.restart_wished(one).await?, None);
    assert!(given.store.call_off_restart(one, "no").await?.is_empty());
    assert_eq!(told(given).await?, ["I go", "no"]);
    Ok(())
}

/// Two people of one room wait for answers: the room is told once by each boot, also if the clock is set back.
pub async fn a_place_is_told_once_that_the_gateway_goes(given: &Given) -> Told {
    let mut node = given.boot("h1").await?;
    for person in ["u1", "u2"] {
        let mut inbound = given.inbound("room", "hello");
        inbound.address.chat.kind = ChatKind::Group;
        inbound.person.id = person.to_owned();
        let taken = given.store.accept(given.at_the_door(inbound)).await?;
        assert!(matches!(taken, Accepted::New(_)));
    }
    let turns = [given.claim().await?, given.claim().await?];
    for boot in 1..3 {
        given.clock.advance(Span::minutes(-1));
        for turn in turns.iter().chain(&turns) {
            let notice = (
                DeliveryId::from_bits(given.number()),
                format!("going {boot}"),
            );
            let told = given.store.tell_going(turn.turn, turn.fence, node, notice);
            done(told.await?);
        }
        node = given.boot("h3").await?;
    }
    assert_eq!(told(given).await?, ["going 1", "going 2"]);
    let all = given.store.deliveries(OutboxFilter::All, first(9)).await?;
    let kinds = all.items.iter().map(|one| one.kind);
    assert!(kinds.eq([DeliveryKind::Notice; 2]));
    given.settle(&turns[0], &["hi"]).await?;
    let late = (DeliveryId::from_bits(given.number()), "late".to_owned());
    let lost = given
        .store
        .tell_going(turns[0].turn, turns[0].fence, node, late);
    assert!(is_lost(&lost.await?));
    Ok(())
}
