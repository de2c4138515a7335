//! Groups that became others, at the end: what was written where a group is now is answered there, and not where it was.
//!
//! That its conversations went along is looked at while they are written in (`faulty::taking`): none begins beside one
//! that has not ended.

use std::collections::BTreeMap;

use angelia_core::id::InboxId;
use angelia_core::inbound::EventKey;
use angelia_core::outbound::DeliveryKind;
use angelia_store::Store;

use super::all_deliveries;
use crate::sim::ledger::Ledger;
use crate::sim::marks;
use crate::sim::world::{Shared, Side};

/// Looks at all replies. Returns the laws that were broken.
pub(super) async fn check(store: &dyn Store, world: &Shared, book: &Ledger) -> Vec<String> {
    let deliveries = all_deliveries(store).await;
    let world = world.lock();
    let mut homes: BTreeMap<InboxId, String> = BTreeMap::new();
    for (account, side) in &world.sides {
        let there = written_there(side);
        let mine = book.taken.iter().filter(|one| one.spot.0 == *account);
        let moved = mine.filter_map(|one| Some((one.inbox, there.get(&one.key)?.clone())));
        homes.extend(moved);
    }
    let replies = deliveries.into_values().map(|one| one.delivery);
    let replies = replies.filter(|one| one.kind == DeliveryKind::Reply);
    let astray = replies.filter_map(|reply| {
        let asked = reply.inbox_ids.first()?;
        let home = homes.get(asked)?;
        let id = &reply.address.chat.id;
        (id != home).then(|| {
            format!(
                "moved: {} answers what was written in {home}, and goes to {id}",
                reply.id
            )
        })
    });
    astray.collect()
}

/// What was written where its chat is now, and where that is.
fn written_there(side: &Side) -> BTreeMap<EventKey, String> {
    let written = side.written.values();
    let there = written.filter(|one| side.is_there(one) && !side.is_move(one.number));
    let keyed = there.map(|one| {
        let key = EventKey::of_update(&one.number.to_string());
        (key, marks::became(&one.chat))
    });
    keyed.collect()
}
