//! Who was let in, at the end: a stranger whom nobody let in has seen codes and nothing else, and was answered once in
//! a while.

use std::collections::BTreeMap;

use angelia_core::access::{code, words};
use angelia_core::address::{AccountId, ChatKind};
use angelia_core::limits::access::KNOCK_INTERVAL;
use angelia_core::outbound::DeliveryKind;
use angelia_core::time::Timestamp;
use angelia_store::Store;

use crate::sim::check::all_deliveries;
use crate::sim::ledger::Ledger;
use crate::sim::marks;
use crate::sim::world::{PORCH, Shared};

/// Looks at all strangers. Returns the laws that were broken.
pub async fn check(store: &dyn Store, world: &Shared, book: &Ledger) -> Vec<String> {
    let mut broken = Vec::new();
    strangers_learn_nothing(world, book, &mut broken);
    let mut answers: BTreeMap<String, Vec<Timestamp>> = BTreeMap::new();
    for planned in all_deliveries(store).await.into_values() {
        let delivery = planned.delivery;
        if delivery.kind == DeliveryKind::Code {
            let chat = answers.entry(delivery.address.chat.id).or_default();
            chat.push(delivery.planned_at);
        }
    }
    for (chat, mut times) in answers {
        times.sort_unstable();
        let is_hasty = |pair: &[Timestamp]| pair[1] < pair[0] + KNOCK_INTERVAL;
        if times.windows(2).any(is_hasty) {
            broken.push(format!("access: {chat} was answered twice within a while"));
        }
    }
    broken
}

fn strangers_learn_nothing(world: &Shared, book: &Ledger, broken: &mut Vec<String>) {
    let porch = AccountId(PORCH.to_owned());
    let mut world = world.lock();
    for shown in &world.side(&porch).shown {
        let person = marks::person(&porch, &shown.chat);
        let is_stranger = !book.strangers.wanted.contains(&person);
        let is_code = code::hide(&shown.text) == words::hidden();
        let is_alone = marks::kind(&shown.chat) == ChatKind::Dm;
        if is_stranger && !(is_code && is_alone) {
            broken.push(format!(
                "access: {person} is a stranger and was told more than a code, or before others"
            ));
        }
    }
}
