//! The checker that looks at the end, when the trouble has stopped and everything is quiet.
//!
//! Promise 1, nothing lost: everything that the platform was told we have has one settled turn (`lives`)
//! and an answer that was shown, refused, or set aside with a reason. Promise 2, nothing doubled: one
//! turn for each message; each delivery shown once, or twice where the platform cannot tell and the row
//! says so; no tool call with an unknown effect made twice. Promise 3, nothing crossed: what a chat
//! shows answers what was written there, in the order in which it was planned.
//!
//! Conversations are looked at in `lives`, what can be found in `found`, and a message that ends nodes
//! in `menace`. Messages that showed replies while they grew are looked at in `drafts`. What was told about processes is
//! looked at in `told`, what people were asked in `asked`, who was let in in `entered`, what was told of restarts in
//! `restarts`, what was turned away in `away`, and what became of groups that became others in `moved`.

pub mod asked;
mod away;
mod drafts;
pub mod entered;
pub mod found;
pub mod lives;
pub mod menace;
mod moved;
pub mod restarts;
pub mod told;

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::access::code;
use angelia_core::address::AccountId;
use angelia_core::id::DeliveryId;
use angelia_core::limits;
use angelia_core::outbound::{Delivery, DeliveryKind, DeliveryState};
use angelia_core::recovery::EffectClass;
use angelia_store::Store;
use angelia_store::views::{OutboxFilter, Range};

use crate::sim::watch::Watch;
use crate::sim::world::{KEYED, Shared, Side, World};

/// Whether everything came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// It did.
    InTime,
    /// Something is still going on.
    Never,
}

/// Looks at everything. Returns the laws that were broken.
pub async fn check(
    store: &dyn Store,
    (world, watch): (&Shared, &Watch),
    settled: Settled,
) -> Vec<String> {
    let mut broken = Vec::new();
    if settled == Settled::Never {
        broken.push(format!("never came to rest: {:?}", store.counts().await));
    }
    let book = watch.book(|book| book.clone());
    broken.extend(away::check(store, world, &book).await);
    broken.extend(moved::check(store, world, &book).await);
    let deliveries = all_deliveries(store).await;
    let world = world.lock();
    for (account, side) in &world.sides {
        what_is_shown_was_planned(account, side, &deliveries, &mut broken);
        drafts::become_replies((account, side), (&deliveries, watch), &mut broken);
        answers_are_shown_where_they_belong(side, &mut broken);
        chats_show_in_order(side, &deliveries, &mut broken);
    }
    deliveries_came_through(&world, &deliveries, &mut broken);
    unknown_effects_happen_once(&world, &mut broken);
    broken
}

fn what_is_shown_was_planned(
    account: &AccountId,
    side: &Side,
    deliveries: &BTreeMap<DeliveryId, Planned>,
    broken: &mut Vec<String>,
) {
    let mut times: BTreeMap<DeliveryId, u32> = BTreeMap::new();
    let sent = side
        .shown
        .iter()
        .filter(|one| deliveries.contains_key(&one.key));
    for shown in sent {
        *times.entry(shown.key).or_default() += 1;
        let planned = deliveries.get(&shown.key).map(|one| &one.delivery);
        let fits = planned.is_some_and(|delivery| {
            says(delivery, &shown.text)
                && delivery.address.chat.id == shown.id
                && delivery.address.account == *account
        });
        if !fits {
            broken.push(format!(
                "{account} shows {} which nobody planned there",
                shown.key
            ));
        }
    }
    for (key, count) in times.into_iter().filter(|(_, count)| *count > 1) {
        let doubts = deliveries.get(&key).map_or(0, |one| one.delivery.doubts);
        if account.0 == KEYED || count > 2 || doubts == 0 {
            broken.push(format!(
                "doubled: {account} shows {key} {count} times, {doubts} doubts"
            ));
        }
    }
}

/// Whether a row says what is shown; the row of a code has stars in its place.
fn says(delivery: &Delivery, shown: &str) -> bool {
    match delivery.kind {
        DeliveryKind::Code => code::hide(shown) == delivery.text,
        DeliveryKind::Reply => delivery.text == shown,
        // Below a question stands what was decided, once it is.
        DeliveryKind::Notice => shown.starts_with(&delivery.text),
    }
}

/// Whole answers name their chat.
fn answers_are_shown_where_they_belong(side: &Side, broken: &mut Vec<String>) {
    for shown in &side.shown {
        let line = shown.text.lines().next();
        let asked = line.and_then(|line| line.strip_prefix("re:"));
        let written = side.written.values().find(|one| asked == Some(&one.text()));
        if let Some(written) = written.filter(|one| one.chat != shown.chat) {
            let text = written.text();
            broken.push(format!("crossed: `{text}` was answered in {}", shown.chat));
        }
    }
}

/// First sendings of a chat come in the order in which they were planned. What was planned where a group was before it
/// became another is led along, and finds its own way among what is planned where it is.
fn chats_show_in_order(
    side: &Side,
    deliveries: &BTreeMap<DeliveryId, Planned>,
    broken: &mut Vec<String>,
) {
    let (mut seen, mut last) = (BTreeSet::new(), BTreeMap::<&str, usize>::new());
    let firsts = side.shown.iter().filter(|shown| seen.insert(shown.key));
    for shown in firsts {
        let Some(planned) = deliveries.get(&shown.key) else {
            continue;
        };
        let before = last.insert(&shown.id, planned.place);
        if before.is_some_and(|before| before >= planned.place) {
            broken.push(format!(
                "order: {} was shown in {} after what was planned later",
                shown.key, shown.chat
            ));
        }
    }
}

fn deliveries_came_through(
    world: &World,
    deliveries: &BTreeMap<DeliveryId, Planned>,
    broken: &mut Vec<String>,
) {
    for delivery in deliveries.values().map(|one| &one.delivery) {
        let side = world.sides.get(&delivery.address.account);
        let shown = side.is_some_and(|side| drafts::is_shown(side, delivery));
        let refused = side.is_some_and(|side| side.refused.contains(&delivery.id));
        let fine = match &delivery.state {
            DeliveryState::Sent(_) => shown,
            DeliveryState::Wedged(_) => {
                // A code for which nobody waits any more is not sent.
                delivery.kind == DeliveryKind::Code
                    || refused
                    || delivery.doubts > 0
                    || delivery.attempts >= limits::DELIVERY_ATTEMPTS
            }
            DeliveryState::Due | DeliveryState::Sending | DeliveryState::Dropped => false,
        };
        if !fine {
            let (id, state) = (delivery.id, delivery.state.name());
            broken.push(format!(
                "{id} ended as {state}: shown {shown}, refused {refused}"
            ));
        }
    }
}

/// However calls are cut off, what they cost stays within the cap of their day.
pub fn bill(world: &Shared, cap: u64) -> Vec<String> {
    let world = world.lock();
    let beyond = world.billed.iter().filter(|(_, billed)| **billed > cap);
    let told = beyond.map(|(day, billed)| {
        format!("costs: {billed} tokens were paid for on {day}, where {cap} are the most")
    });
    told.collect()
}

fn unknown_effects_happen_once(world: &World, broken: &mut Vec<String>) {
    let unknown = format!("{:?}", EffectClass::Unknown);
    let calls = world
        .effects
        .iter()
        .filter(|((_, effect), _)| *effect == unknown);
    for ((text, _), count) in calls.filter(|(_, count)| **count > 1) {
        broken.push(format!(
            "doubled: the tool call of `{text}` was made {count} times"
        ));
    }
}

/// A delivery and its place among all, in the order of planning.
pub(super) struct Planned {
    place: usize,
    pub(super) delivery: Delivery,
}

pub(super) async fn all_deliveries(store: &dyn Store) -> BTreeMap<DeliveryId, Planned> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let range = Range { after, limit: 200 };
        let page = store.deliveries(OutboxFilter::All, range).await;
        let page = page.expect("the bare store reads");
        all.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    // They are listed with the newest first.
    let planned = all.into_iter().rev().enumerate();
    planned
        .map(|(place, delivery)| (delivery.id, Planned { place, delivery }))
        .collect()
}
