//! The sign on a message that is being answered, where people want one.
//!
//! It is a row before it is put there, like a message that grows: the sweep finds the row when the turn has ended and its reply
//! is out, and puts there how it ended. So no sign of work stays behind, whoever dies. A sign is a hint: what cannot be put
//! is left.

use angelia_core::display::Switch;
use angelia_core::limits;
use angelia_core::outbound::{Action, Receipt, Sign};
use angelia_store::Fenced;
use angelia_store::drafts::{Begun, NewDraft, Role};

use super::Showing;
use crate::sketches::Sketch;

impl Showing {
    /// Puts the sign of work on the message, unless a former attempt of the turn did.
    pub(super) async fn sign(&self, sketch: &Sketch) {
        if sketch.subject.display.reactions == Switch::Off || sketch.subject.message.is_empty() {
            return;
        }
        tokio::select! {
            biased;
            () = self.over(sketch) => (),
            () = self.put_sign(sketch) => (),
        }
    }

    async fn put_sign(&self, sketch: &Sketch) {
        let store = &self.ground.store;
        let turn = sketch.subject.turn;
        let left = self.ground.insist("showing", || store.drafts(turn)).await;
        if left.iter().any(|one| one.role == Role::Sign) || !self.write_sign(sketch).await {
            return;
        }
        let put = Action::React {
            address: sketch.subject.address.clone(),
            message: sketch.subject.message.clone(),
            sign: Some(Sign::Working),
        };
        if let Err(error) = self.perform(put, limits::TYPING_TIME).await {
            tracing::debug!(account = %self.account, %error, "no sign was put on a message");
        }
    }

    /// Writes down that the message will have a sign. Returns whether it may.
    async fn write_sign(&self, sketch: &Sketch) -> bool {
        let subject = &sketch.subject;
        let new = NewDraft {
            id: self.ground.env.delivery_id(),
            turn: subject.turn,
            fence: self.fence,
            address: subject.address.clone(),
            role: Role::Sign,
            place: 1,
        };
        let (id, store) = (new.id, &self.ground.store);
        let begun = || store.begin_draft(new.clone());
        let begun = self.ground.insist("showing", begun).await;
        if begun != Fenced::Done(Begun::Now) {
            return false;
        }
        let receipt = Receipt(subject.message.clone());
        let kept = || store.keep_draft(id, receipt.clone());
        self.ground.insist("showing", kept).await;
        true
    }
}
