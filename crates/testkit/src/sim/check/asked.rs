//! What people were asked, at the end: every question is decided as the book says, and stands in one
//! message, unless nobody had to be asked.

use angelia_core::approval::{Decider, Decision};
use angelia_store::Store;

use super::all_deliveries;
use crate::sim::ledger::Ledger;
use crate::sim::people::{INQUIRY, QUESTION};

/// Looks at all questions. Returns the laws that were broken.
pub async fn check(store: &dyn Store, book: &Ledger) -> Vec<String> {
    let mut broken = Vec::new();
    let mut asked = 0;
    for known in &book.questions.0 {
        let id = known.row.id;
        let row = store.approval(id).await.expect("the bare store reads");
        let decided = row.and_then(|row| row.decided);
        let decision: Option<Decision> = decided.as_ref().map(|decided| decided.decision);
        if decision.is_none() || decision != known.decision {
            let noted = known.decision;
            broken.push(format!("asked: {id} is {decision:?}, noted was {noted:?}"));
        }
        let is_asked = decided.is_none_or(|decided| decided.by != Decider::Grant);
        asked += usize::from(is_asked);
    }
    let deliveries = all_deliveries(store).await;
    let texts = deliveries.values().map(|one| &one.delivery.text);
    let is_question = |text: &&String| text.starts_with(QUESTION) || text.starts_with(INQUIRY);
    let shown = texts.filter(is_question).count();
    if shown != asked {
        broken.push(format!(
            "asked: {asked} questions, {shown} messages with one"
        ));
    }
    broken
}
