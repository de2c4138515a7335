//! Messages that showed replies while they grew, at the end: each is a part of a reply that is out, word for word,
//! or it is gone. Only one whose receipt was never written down may be left: nobody can find it again.

use std::collections::BTreeMap;

use angelia_core::address::AccountId;
use angelia_core::id::DeliveryId;
use angelia_core::outbound::{Delivery, DeliveryState};

use super::Planned;
use crate::sim::marks;
use crate::sim::watch::Watch;
use crate::sim::world::{Shown, Side};

/// Looks at the messages of an account that no delivery was sent as.
pub(super) fn become_replies(
    (account, side): (&AccountId, &Side),
    (deliveries, watch): (&BTreeMap<DeliveryId, Planned>, &Watch),
    broken: &mut Vec<String>,
) {
    let drafts = side.shown.iter().filter(|one| one.is_there());
    let drafts = drafts.filter(|one| !deliveries.contains_key(&one.key));
    for draft in drafts {
        let all = deliveries.values().map(|one| &one.delivery);
        let mut own = all.filter(|one| one.address.account == *account);
        match own.find(|delivery| is_sent_as(delivery, draft)) {
            Some(delivery) if delivery.text == draft.text => (),
            Some(delivery) => {
                let (id, receipt) = (delivery.id, &draft.receipt);
                broken.push(format!("draft: {receipt} does not show what {id} says"));
            }
            None if watch.has_kept(draft.key) => {
                let (receipt, chat) = (&draft.receipt, &draft.chat);
                broken.push(format!("draft: {receipt} is left half-edited in {chat}"));
            }
            None => (),
        }
    }
}

/// Whether people see a delivery, as it was sent or in the message that showed it before.
pub(super) fn is_shown(side: &Side, delivery: &Delivery) -> bool {
    let is_it = |one: &&Shown| one.key == delivery.id || is_sent_as(delivery, one);
    side.shown.iter().any(|one| is_it(&one))
}

fn is_sent_as(delivery: &Delivery, shown: &Shown) -> bool {
    let receipt = match &delivery.state {
        DeliveryState::Sent(receipt) => &receipt.0,
        DeliveryState::Due
        | DeliveryState::Sending
        | DeliveryState::Wedged(_)
        | DeliveryState::Dropped => return false,
    };
    *receipt == shown.receipt && marks::origin(&delivery.address.chat.id) == shown.chat
}
