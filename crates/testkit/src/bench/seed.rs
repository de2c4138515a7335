//! Stores with a past: conversations that were held and rest now.
//!
//! Everything goes through the verbs, so the rows are those that a gateway writes; many callers at
//! once share each commit, so it is quick.

use std::path::Path;
use std::sync::Arc;

use angelia_core::id::NodeId;
use angelia_core::lease::Fence;
use angelia_core::outbound::{Delivery, DeliveryUpdate, Receipt};
use angelia_core::turn::outcome::Outcome;
use angelia_gateway::env::{self, Env};
use angelia_store::Fenced;
use angelia_store::database::Database;
use angelia_store::intake::Intake as _;
use angelia_store::leases::{Boot, Held, Leases as _};
use angelia_store::outbox::Outbox as _;
use angelia_store::turns::{ClaimedTurn, Settle, Turns as _};
use futures_util::future::try_join_all;

use super::{Trouble, message};

/// Verbs under way at once.
const AT_ONCE: u64 = 250;

/// The reply to every message of the past.
const REPLY: &str = "Nothing in the last release changes how you back up: copy the one file, or let \
                     the store make a copy of itself while it runs.";

/// Opens a store by the system's clock.
///
/// # Errors
/// It cannot be opened.
pub fn open(path: &Path) -> Result<Database, Trouble> {
    Ok(Database::open(path, Arc::new(env::system_now))?)
}

/// Holds `rounds` exchanges in each of the chats from 0 to `chats`. Message numbers begin at 0.
///
/// # Errors
/// A verb did something else than expected.
pub async fn talk(store: &Database, chats: u64, rounds: u64) -> Result<(), Trouble> {
    let past = Past::begin(store).await?;
    for round in 0..rounds {
        for first in (0..chats).step_by(AT_ONCE as usize) {
            past.exchange(first..chats.min(first + AT_ONCE), round)
                .await?;
        }
    }
    past.end().await
}

/// Answers what the turn was claimed for.
///
/// # Errors
/// It is somebody else's by now.
pub async fn settle(store: &Database, env: &Env, turn: &ClaimedTurn) -> Result<(), Trouble> {
    match store.settle_turn(settled(env, turn)).await? {
        Fenced::Done(()) => Ok(()),
        Fenced::Lost => Err("a turn of the past was lost".into()),
    }
}

fn settled(env: &Env, turn: &ClaimedTurn) -> Settle {
    Settle {
        turn: turn.turn,
        fence: turn.fence,
        outcome: Outcome::Completed {
            text: REPLY.to_owned(),
        },
        entries: Vec::new(),
        compacted: None,
        deliveries: vec![(env.delivery_id(), REPLY.to_owned())],
        files: Vec::new(),
        quotes: None,
    }
}

struct Past<'s> {
    store: &'s Database,
    env: Env,
    node: NodeId,
    held: Held,
}

impl<'s> Past<'s> {
    async fn begin(store: &'s Database) -> Result<Self, Trouble> {
        let env = Env::system();
        let node = env.node_id();
        let boot = Boot {
            node,
            home: "the past".to_owned(),
            place: "here".to_owned(),
            version: "0".to_owned(),
        };
        store.start_node(boot).await?;
        let name = format!("account/{}", message::account());
        let fence = store.take_lease(&name, node).await?;
        let fence = fence.ok_or("somebody else holds the account")?;
        let held = Held { name, fence };
        Ok(Self {
            store,
            env,
            node,
            held,
        })
    }

    async fn end(self) -> Result<(), Trouble> {
        self.store.release_lease(&self.held).await?;
        Ok(self.store.stop_node(self.node).await?)
    }

    /// One message and its answer in each of the chats.
    async fn exchange(&self, chats: std::ops::Range<u64>, round: u64) -> Result<(), Trouble> {
        let count = chats.clone().count();
        try_join_all(chats.map(|chat| self.accept(chat, round))).await?;
        try_join_all((0..count).map(|_| self.answer())).await?;
        let heads = self.heads(count).await?;
        try_join_all(heads.into_iter().map(|head| self.confirm(head))).await?;
        // Renewed by hand: a long past outlives a lease.
        let lost = self.store.beat(self.node, std::slice::from_ref(&self.held));
        if lost.await?.is_empty() {
            Ok(())
        } else {
            Err("the past lost its lease".into())
        }
    }

    async fn accept(&self, chat: u64, number: u64) -> Result<(), Trouble> {
        let message = message::accept(&self.env, chat, number);
        message::taken(&self.store.accept(message).await?)
    }

    async fn answer(&self) -> Result<(), Trouble> {
        let turn = self.store.claim_turn(self.node, self.env.turn_id()).await?;
        let turn = turn.ok_or("no conversation waits")?;
        settle(self.store, &self.env, &turn).await
    }

    async fn heads(&self, count: usize) -> Result<Vec<Delivery>, Trouble> {
        let account = message::account();
        let claimed = self.store.claim_deliveries(&account, self.fence(), count);
        match claimed.await? {
            Fenced::Done(heads) if heads.len() == count => Ok(heads),
            Fenced::Done(_) => Err("not every reply of the past can go out".into()),
            Fenced::Lost => Err("the account of the past was lost".into()),
        }
    }

    async fn confirm(&self, head: Delivery) -> Result<(), Trouble> {
        let sent = DeliveryUpdate::Sent(Receipt(head.id.to_string()));
        match self
            .store
            .confirm_delivery(head.id, self.fence(), sent)
            .await?
        {
            Fenced::Done(_) => Ok(()),
            Fenced::Lost => Err("a delivery of the past was lost".into()),
        }
    }

    fn fence(&self) -> Fence {
        self.held.fence
    }
}
