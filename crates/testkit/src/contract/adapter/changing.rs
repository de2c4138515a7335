//! What becomes of messages that are there: changed, taken away, pressed.

use angelia_core::id::DeliveryId;
use angelia_core::outbound::{Action, Button, Receipt, SendError};

use super::stage::{Other, Stage, listening, send};

fn edit(stage: &dyn Stage, receipt: &Receipt, text: &str) -> Action {
    Action::Edit {
        address: stage.address(),
        receipt: receipt.clone(),
        text: text.to_owned(),
    }
}

fn delete(stage: &dyn Stage, receipt: &Receipt) -> Action {
    Action::Delete {
        address: stage.address(),
        receipt: receipt.clone(),
    }
}

/// To ask for a change twice is to ask for it once.
pub async fn changes_what_it_sent(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    let receipt = send(&*adapter, stage, "one").await.expect("it is sent");
    for _ in 0..2 {
        let edited = adapter.perform(edit(stage, &receipt, "two")).await;
        assert_eq!(edited, Ok(receipt.clone()));
    }
    assert_eq!(other.shown(), ["two"]);
}

/// A message that is not there is said to be gone, and nothing else rests for it.
pub async fn knows_what_is_gone(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    let receipt = send(&*adapter, stage, "one").await.expect("it is sent");
    let removed = adapter.perform(delete(stage, &receipt)).await;
    assert!(removed.is_ok(), "{removed:?}");
    assert!(other.shown().is_empty());
    for action in [edit(stage, &receipt, "two"), delete(stage, &receipt)] {
        let gone = adapter.perform(action).await;
        assert!(matches!(gone, Err(SendError::Gone { .. })), "{gone:?}");
    }
    let address = stage.address();
    let typing = adapter.perform(Action::Typing { address }).await;
    assert!(typing.is_ok(), "{typing:?}");
}

/// A press says what its button was made to say, each press once, and every press is answered. A change of the
/// words takes the buttons away.
pub async fn hears_its_buttons(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    let says = "/approve something";
    let action = Action::Send {
        key: DeliveryId::from_bits(7),
        address: stage.address(),
        text: "may I?".to_owned(),
        buttons: vec![Button {
            label: "Yes".to_owned(),
            says: says.to_owned(),
        }],
        quotes: None,
    };
    let receipt = adapter.perform(action).await.expect("it is sent");
    assert_eq!(other.buttons(), [says]);
    let keys = listening(&*adapter, None, async |ear| {
        let mut keys = Vec::new();
        for _ in 0..2 {
            other.presses(&receipt, says);
            let heard = ear.takes().await;
            assert_eq!(heard.text, says);
            keys.push(heard.event_key);
        }
        other.presses(&receipt, "none of ours");
        assert!(ear.hears_nothing().await);
        keys
    })
    .await;
    assert_ne!(keys[0], keys[1], "two presses are two messages");
    assert_eq!(other.unanswered_presses(), 0);
    let edited = adapter.perform(edit(stage, &receipt, "you may")).await;
    assert!(edited.is_ok(), "{edited:?}");
    assert!(other.buttons().is_empty());
}
