//! Questions that are over are shown so: what was decided stands below them, and their buttons are gone.
//!
//! The rows say which are not, so whatever decided a question, and whoever died meanwhile, its message is changed in
//! the end. To change it twice is to change it once.

use angelia_core::approval::{inquiry, words};
use angelia_core::limits;
use angelia_core::outbound::{Action, SendError};
use angelia_store::approvals::StaleQuestion;

use super::Showing;

impl Showing {
    /// Changes the messages of questions that were decided.
    pub(super) async fn shut_questions(&self) {
        let store = &self.ground.store;
        let stale = store
            .stale_questions(&self.account, limits::STALE_DRAFTS)
            .await;
        self.ground.note(&self.name(), &stale);
        for one in stale.unwrap_or_default() {
            if !self.is_shut(&one).await {
                return;
            }
            let shut = store.shut_question(one.id).await;
            self.ground.note(&self.name(), &shut);
        }
    }

    /// Whether nothing is left to be done about a message; if not, later.
    async fn is_shut(&self, stale: &StaleQuestion) -> bool {
        let outcome = outcome(stale);
        let edit = Action::Edit {
            address: stale.address.clone(),
            receipt: stale.receipt.clone(),
            text: format!("{}\n\n{outcome}", stale.text),
        };
        match self.perform(edit, limits::DRAFT_EDIT_TIME).await {
            Ok(_) | Err(SendError::Gone { .. } | SendError::Refused { .. }) => true,
            Err(error @ (SendError::Later { .. } | SendError::Unknown { .. })) => {
                tracing::debug!(account = %self.account, %error, "a question is changed later");
                false
            }
        }
    }
}

/// What stands below the question from then on.
fn outcome(stale: &StaleQuestion) -> String {
    match &stale.choices {
        Some(choices) => inquiry::outcome(stale.decision, stale.said.as_deref(), choices),
        None => words::outcome(stale.decision).to_owned(),
    }
}
