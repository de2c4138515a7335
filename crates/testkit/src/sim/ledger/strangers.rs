//! What the book knows of strangers: who was answered with which code, and whom the operator has let in.
//!
//! The operator's wish is written down before it is carried out, so whoever is heard without one was let in by
//! nobody. Codes stand here only for the planted bugs, as they stand in rows: sealed.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::access::code::{Code, Sealed};
use angelia_core::access::grant::Holder;
use angelia_core::id::{DeliveryId, KnockId};
use angelia_core::inbound::Inbound;

use crate::sim::world::PORCH;

/// What is known of strangers.
#[derive(Debug, Clone, Default)]
pub struct Strangers {
    /// People whom the operator wanted in, by a code that still held.
    pub wanted: BTreeSet<String>,
    /// People who were told that they are in.
    pub inside: BTreeSet<String>,
    /// Messages that were written by those: the gateway owes an answer to each.
    pub owed: BTreeSet<u64>,
    knocks: BTreeMap<DeliveryId, (KnockId, Holder)>,
    codes: Vec<(Sealed, KnockId, Holder)>,
}

impl Strangers {
    /// A message was taken. Returns the law that this broke.
    pub fn heard(&self, inbound: &Inbound) -> Option<String> {
        let (account, person) = (&inbound.address.account, &inbound.person.id);
        let is_stranger = account.0 == PORCH && !self.wanted.contains(person);
        is_stranger.then(|| format!("access: {person} was heard, and nobody let them in"))
    }

    /// A stranger will be answered.
    pub fn answered(&mut self, delivery: DeliveryId, knock: KnockId, holder: &Holder) {
        self.knocks.insert(delivery, (knock, holder.clone()));
    }

    /// A code counts from now on.
    pub fn issued(&mut self, delivery: DeliveryId, sealed: Sealed) {
        if let Some((knock, holder)) = self.knocks.get(&delivery) {
            self.codes.push((sealed, *knock, holder.clone()));
        }
    }

    /// Whose code that ever was, for planted bugs.
    pub fn whose(&self, code: &Code) -> Option<KnockId> {
        let mut codes = self.codes.iter();
        let found = codes.find(|(sealed, _, _)| sealed.fits(code));
        found.map(|(_, knock, _)| *knock)
    }

    /// Who knocked so, for planted bugs.
    pub fn who(&self, knock: KnockId) -> Option<Holder> {
        let mut knocks = self.knocks.values();
        let found = knocks.find(|(one, _)| *one == knock);
        found.map(|(_, holder)| holder.clone())
    }
}
