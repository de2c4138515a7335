//! Questions as their messages show them: with what can be pressed while they are open, and changed once they are over.

use angelia_core::approval::buttons::Asks;
use angelia_core::approval::{Decision, Grant, Verdict};
use angelia_core::outbound::{Delivery, DeliveryUpdate, Receipt};
use angelia_store::StoreError;
use angelia_store::approvals::NewApproval;
use angelia_store::turns::ClaimedTurn;

use super::Told;
use super::asking::{asked, decision, replies, turn_in, wish};
use super::given::{Given, account, done};

async fn heads(given: &Given) -> Result<Vec<Delivery>, StoreError> {
    let fence = given.courier().await?;
    Ok(done(
        given.store.claim_deliveries(&account(), fence, 10).await?,
    ))
}

/// A question that was decided before its message goes out has none.
pub async fn a_message_names_its_question_while_that_is_open(given: &Given) -> Told {
    let (one, other) = (turn_in(given, "c1").await?, turn_in(given, "c2").await?);
    let open = asked(given, &one, "1", 1).await?;
    let over = asked(given, &other, "1", 2).await?;
    let denied = given.store.decide_approval(over.id, Verdict::Denied(None));
    denied.await?;
    let heads = heads(given).await?;
    let asks: Vec<_> = heads.into_iter().map(|one| one.asks).collect();
    let named = Asks {
        question: open.id,
        choices: None,
    };
    assert_eq!(asks, [Some(named), None]);
    Ok(())
}

/// They are what its buttons say.
pub async fn a_message_names_the_choices_of_its_question(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let new = offering(given, &turn, "1");
    done(given.store.ask_for_approval(new.clone()).await?);
    let asks = heads(given).await?.remove(0).asks;
    let named = Asks {
        question: new.id,
        choices: new.matter.choices,
    };
    assert_eq!(asks, Some(named));
    Ok(())
}

/// A question of `turn` that offers two answers.
fn offering(given: &Given, turn: &ClaimedTurn, call: &str) -> NewApproval {
    let mut new = wish(given, turn, call, 7);
    new.matter.choices = Some(vec!["red".to_owned(), "blue".to_owned()]);
    new
}

/// What was chosen is told with it, and what was offered.
pub async fn the_message_of_a_question_that_was_answered_is_to_be_changed(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let new = offering(given, &turn, "1");
    done(given.store.ask_for_approval(new.clone()).await?);
    let sent = heads(given).await?.remove(0);
    let fence = given.courier().await?;
    let update = DeliveryUpdate::Sent(Receipt("m1".to_owned()));
    done(given.store.confirm_delivery(sent.id, fence, update).await?);
    given.say("c1", &format!("/answer {} 2", new.id)).await?;
    replies(given, &turn).await?;
    let stale = given.store.stale_questions(&account(), 10).await?;
    let [one] = &*stale else {
        panic!("one message is stale: {stale:?}");
    };
    assert_eq!((one.id, one.decision), (new.id, Decision::Answered));
    assert_eq!(one.said.as_deref(), Some("blue"));
    assert_eq!(one.choices, new.matter.choices);
    Ok(())
}

/// From its decision until somebody says that nothing more is to be done.
pub async fn the_message_of_a_question_that_is_over_is_to_be_changed(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    let (store, account) = (&given.store, account());
    let sent = heads(given).await?.remove(0);
    let fence = given.courier().await?;
    assert!(store.stale_questions(&account, 10).await?.is_empty());
    let granted = Verdict::Granted(Grant::Once);
    store.decide_approval(question.id, granted).await?;
    assert!(
        store.stale_questions(&account, 10).await?.is_empty(),
        "nobody knows which message"
    );
    let receipt = Receipt("m1".to_owned());
    let update = DeliveryUpdate::Sent(receipt.clone());
    done(store.confirm_delivery(sent.id, fence, update).await?);
    let stale = store.stale_questions(&account, 10).await?;
    let [one] = &*stale else {
        panic!("one message is stale: {stale:?}");
    };
    assert_eq!((one.id, &one.receipt), (question.id, &receipt));
    assert_eq!(one.decision, Decision::Granted(Grant::Once));
    assert_eq!(one.text, "may I 1?");
    for _ in 0..2 {
        store.shut_question(question.id).await?;
    }
    assert!(store.stale_questions(&account, 10).await?.is_empty());
    Ok(())
}

/// Not the oldest, if another is named; and one that is over is not answered a second time.
pub async fn an_answer_can_name_its_question(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let first = asked(given, &turn, "1", 1).await?;
    let second = asked(given, &turn, "2", 2).await?;
    given.say("c1", &format!("/approve {}", second.id)).await?;
    let taken = replies(given, &turn).await?;
    let ids: Vec<_> = taken.decided.iter().map(|one| one.id).collect();
    assert_eq!(ids, [second.id]);
    let granted = Some(Decision::Granted(Grant::Once));
    assert_eq!(decision(given, &second).await?, granted);
    given.say("c1", &format!("/deny {}", second.id)).await?;
    assert!(replies(given, &turn).await?.decided.is_empty());
    assert_eq!(
        given
            .store
            .approval(first.id)
            .await?
            .and_then(|one| one.decided),
        None
    );
    Ok(())
}
