//! The checker that looks at the end, when the trouble has stopped and everything is quiet.
//!
//! Promise 1, nothing lost: everything that the platform was told we have has one settled turn and an
//! answer that was shown, refused, or set aside with a reason. Promise 2, nothing doubled: one turn for
//! each message; each delivery shown once, or twice where the platform cannot tell and the row says
//! so; no tool call with an unknown effect made twice. Promise 3, nothing crossed: what a chat shows
//! answers what was written there, in order.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::address::AccountId;
use angelia_core::id::{DeliveryId, SessionId};
use angelia_core::inbound::Role;
use angelia_core::limits;
use angelia_core::outbound::{Delivery, DeliveryState};
use angelia_core::recovery::EffectClass;
use angelia_store::Store;
use angelia_store::views::{Entry, Order, OutboxFilter, Page, Range, SessionFilter};

use crate::sim::agent::answer_to;
use crate::sim::world::{BLIND, Shared, Side, World};

/// Whether everything came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// It did.
    InTime,
    /// Something is still going on.
    Never,
}

/// Looks at everything. Returns the laws that were broken.
pub async fn check(store: &dyn Store, world: &Shared, settled: Settled) -> Vec<String> {
    let mut broken = Vec::new();
    if settled == Settled::Never {
        broken.push(format!("never came to rest: {:?}", store.counts().await));
    }
    let deliveries = all_deliveries(store).await;
    let said = all_said(store).await;
    let world = world.lock();
    for (account, side) in &world.sides {
        every_message_is_answered_once(account, side, &said, &mut broken);
        what_is_shown_was_planned(account, side, &deliveries, &mut broken);
        chats_show_answers_in_order(side, &mut broken);
    }
    deliveries_came_through(&world, &deliveries, &mut broken);
    unknown_effects_happen_once(&world, &mut broken);
    broken
}

fn every_message_is_answered_once(
    account: &AccountId,
    side: &Side,
    said: &[Entry],
    broken: &mut Vec<String>,
) {
    for written in side
        .written
        .values()
        .filter(|one| side.told.contains(&one.number))
    {
        let text = written.text();
        let times = said
            .iter()
            .filter(|entry| entry.role == Role::User && entry.text == text);
        match times.count() {
            1 => (),
            0 => broken.push(format!("lost: {account} was told that we have `{text}`")),
            more => broken.push(format!("doubled: `{text}` was answered by {more} turns")),
        }
    }
}

fn what_is_shown_was_planned(
    account: &AccountId,
    side: &Side,
    deliveries: &BTreeMap<DeliveryId, Delivery>,
    broken: &mut Vec<String>,
) {
    let mut times: BTreeMap<DeliveryId, u32> = BTreeMap::new();
    for shown in &side.shown {
        *times.entry(shown.key).or_default() += 1;
        let planned = deliveries.get(&shown.key);
        let fits = planned.is_some_and(|delivery| {
            delivery.text == shown.text
                && delivery.address.chat.id == shown.chat
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
        let doubts = deliveries.get(&key).map_or(0, |delivery| delivery.doubts);
        if account.0 != BLIND || count > 2 || doubts == 0 {
            broken.push(format!(
                "doubled: {account} shows {key} {count} times, {doubts} doubts"
            ));
        }
    }
}

/// First sendings, by chat: whole answers name their chat, and their numbers rise.
fn chats_show_answers_in_order(side: &Side, broken: &mut Vec<String>) {
    let (mut seen, mut last) = (BTreeSet::new(), BTreeMap::<&str, u64>::new());
    let firsts = side.shown.iter().filter(|shown| seen.insert(shown.key));
    let answers: Vec<_> = firsts
        .filter_map(|shown| {
            let line = shown.text.lines().next()?.strip_prefix("re:")?;
            let written = side.written.values().find(|one| line == one.text());
            Some((shown, written?))
        })
        .collect();
    for (shown, written) in answers {
        if shown.chat != written.chat {
            broken.push(format!(
                "crossed: `{}` was answered in {}",
                written.text(),
                shown.chat
            ));
        }
        let before = last.insert(&shown.chat, written.number).unwrap_or(0);
        if before >= written.number {
            broken.push(format!(
                "order: `{}` was answered after {before}",
                written.text()
            ));
        }
        debug_assert!(shown.text.starts_with(&answer_to(&written.text())));
    }
}

fn deliveries_came_through(
    world: &World,
    deliveries: &BTreeMap<DeliveryId, Delivery>,
    broken: &mut Vec<String>,
) {
    for delivery in deliveries.values() {
        let side = world.sides.get(&delivery.address.account);
        let shown = side.is_some_and(|side| side.shown.iter().any(|one| one.key == delivery.id));
        let refused = side.is_some_and(|side| side.refused.contains(&delivery.id));
        let fine = match &delivery.state {
            DeliveryState::Sent(_) => shown,
            DeliveryState::Wedged(_) => {
                refused || delivery.doubts > 0 || delivery.attempts >= limits::DELIVERY_ATTEMPTS
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

async fn all_deliveries(store: &dyn Store) -> BTreeMap<DeliveryId, Delivery> {
    let (mut all, mut after) = (BTreeMap::new(), None);
    loop {
        let range = Range { after, limit: 200 };
        let page = store
            .deliveries(OutboxFilter::All, range)
            .await
            .expect("the bare store reads");
        all.extend(
            page.items
                .into_iter()
                .map(|delivery| (delivery.id, delivery)),
        );
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

async fn all_said(store: &dyn Store) -> Vec<Entry> {
    let mut said = Vec::new();
    let sessions = store
        .sessions(
            SessionFilter::default(),
            Range {
                after: None,
                limit: 200,
            },
        )
        .await;
    for session in sessions.expect("the bare store reads").items {
        said.extend(said_in(store, session.id).await);
    }
    said
}

async fn said_in(store: &dyn Store, session: SessionId) -> Vec<Entry> {
    let (mut said, mut after) = (Vec::new(), None);
    loop {
        let range = Range { after, limit: 200 };
        let page = store
            .transcript(session, Order::Ascending.into(), range)
            .await;
        let page: Page<Entry> = page
            .expect("the bare store reads")
            .expect("a listed session exists");
        said.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return said,
        }
    }
}
