//! What was turned away because too many waited: it is told once to whoever wrote it, below their message, and never
//! answered.

use std::collections::BTreeMap;

use angelia_core::address::AccountId;
use angelia_core::inbound::EventKey;
use angelia_core::intake;
use angelia_store::Store;

use super::all_deliveries;
use crate::sim::ledger::Ledger;
use crate::sim::marks;
use crate::sim::world::{Shared, Side, Written};

/// Looks at all that was turned away. Returns the laws that were broken.
pub(super) async fn check(store: &dyn Store, world: &Shared, book: &Ledger) -> Vec<String> {
    let told = told(store).await;
    let mut broken = Vec::new();
    for (account, side) in &world.lock().sides {
        for written in side.written.values() {
            let number = written.number.to_string();
            let key = EventKey::of_update(&number);
            let must = usize::from(book.away.holds(account, &key));
            let told = told.get(&(account.clone(), number)).copied();
            if told.unwrap_or(0) != must {
                let text = written.text();
                broken.push(format!(
                    "away: the sender of `{text}` was told {told:?} times that it is not taken, not {must}"
                ));
            }
            if must > 0 && is_answered(side, written) {
                let text = written.text();
                broken.push(format!("away: `{text}` was turned away and answered"));
            }
        }
    }
    broken
}

/// How often it was told of a message that it is not taken.
async fn told(store: &dyn Store) -> BTreeMap<(AccountId, String), usize> {
    let mut told = BTreeMap::new();
    for planned in all_deliveries(store).await.into_values() {
        let delivery = planned.delivery;
        if delivery.text == intake::turned_away() {
            let below = delivery.quotes.unwrap_or_default();
            let place = (delivery.address.account, below);
            *told.entry(place).or_default() += 1;
        }
    }
    told
}

/// Whether an answer has a word that only this message has.
fn is_answered(side: &Side, written: &Written) -> bool {
    let own = marks::mark(&written.account, &written.chat, written.number);
    let mut shown = side.shown.iter();
    shown.any(|shown| marks::within(&shown.text).any(|mark| mark == own))
}
