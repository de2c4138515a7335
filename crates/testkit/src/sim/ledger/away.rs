//! What the book knows of messages that were turned away because too many waited: none of them is taken later.

use std::collections::BTreeSet;

use angelia_core::address::AccountId;
use angelia_core::inbound::{EventKey, Inbound};

use super::Ledger;

/// Messages that were turned away.
#[derive(Debug, Clone, Default)]
pub struct Away(BTreeSet<(AccountId, EventKey)>);

impl Away {
    /// Whether the message with this key is one of them.
    pub fn holds(&self, account: &AccountId, key: &EventKey) -> bool {
        self.0.contains(&(account.clone(), key.clone()))
    }

    /// A message was taken. Returns the law that this broke.
    pub fn heard(&self, inbound: &Inbound) -> Option<String> {
        let is_away = self.holds(&inbound.address.account, &inbound.event_key);
        is_away.then(|| {
            let text = &inbound.text;
            format!("away: `{text}` was taken after its sender was told that it is not")
        })
    }
}

impl Ledger {
    /// A message was turned away, or so the door was told. One that was taken before only moves the cursor.
    pub fn turned_away(&mut self, inbound: &Inbound) {
        let (account, key) = (&inbound.address.account, &inbound.event_key);
        let mut taken = self.taken.iter();
        if !taken.any(|one| one.key == *key && one.spot.0 == *account) {
            self.away.0.insert((account.clone(), key.clone()));
        }
    }
}
