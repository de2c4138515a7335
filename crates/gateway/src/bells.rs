//! Bells: wake-ups without content.
//!
//! A bell says "look", never "do this". Rings coalesce: a loop that was busy while a bell rang ten
//! times looks once more. A lost ring costs at most one period. Some bells ring on other nodes too (`far`).

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::id::SessionId;
use angelia_core::ring::Ring;

use crate::chat_bells::ChatBells;
use crate::far::Far;
use crate::keyed_bells::KeyedBells;
use crate::watched::Watched;

/// Something that can be rung.
#[derive(Debug, Clone)]
pub struct Bell {
    rings: Watched<u64>,
    far: Option<(Ring, Far)>,
}

/// Someone who hears a bell.
#[derive(Debug)]
pub struct Ear {
    rings: Watched<u64>,
    heard: u64,
}

impl Default for Bell {
    fn default() -> Self {
        Self {
            rings: Watched::new(0),
            far: None,
        }
    }
}

impl Bell {
    /// One that rings on other nodes too.
    fn heard_far(ring: Ring, far: &Far) -> Self {
        Self {
            far: Some((ring, far.clone())),
            ..Self::default()
        }
    }

    /// Wakes everyone who listens.
    pub fn ring(&self) {
        self.ring_here();
        if let Some((ring, far)) = &self.far {
            far.ring(|| ring.clone());
        }
    }

    /// Wakes everyone on this node who listens.
    pub(crate) fn ring_here(&self) {
        self.rings.change(|count| *count = count.wrapping_add(1));
    }

    /// Listens from now on.
    pub fn listen(&self) -> Ear {
        Ear {
            rings: self.rings.clone(),
            heard: self.rings.get(),
        }
    }
}

impl Ear {
    /// Waits until the bell has rung since the last time.
    pub async fn heard(&mut self) {
        let heard = self.heard;
        self.heard = self.rings.until(|rings| *rings != heard).await;
    }
}

/// The bells of one node.
#[derive(Debug, Clone)]
pub struct Bells {
    /// A message was accepted, or a place became free.
    pub inbox: Bell,
    /// Something was said and written down, and can be indexed for search.
    pub transcript: Bell,
    /// A background process began or ended.
    pub processes: Bell,
    /// Somebody wants the gateway to begin anew.
    pub restarts: Bell,
    /// Something was delivered to a chat that somebody waits in.
    pub chats: ChatBells,
    /// A call to stop was accepted in a conversation that is being answered.
    pub stops: KeyedBells<SessionId>,
    /// A question of a conversation was answered, or may have been.
    pub approvals: KeyedBells<SessionId>,
    /// A question is over, and its message is to be changed.
    pub decided: Bell,
    /// The lease of an account was let go, and may be taken.
    pub leases: Bell,
    /// A turn was let go, and may be taken up.
    pub orphans: Bell,
    /// The bells of other nodes.
    pub far: Far,
    outbox: Arc<BTreeMap<AccountId, Bell>>,
}

impl Bells {
    /// One outbox bell for each account.
    pub fn new<'a>(accounts: impl Iterator<Item = &'a AccountId>) -> Self {
        let far = Far::default();
        let outbox = accounts
            .map(|account| {
                let ring = Ring::Outbox(account.clone());
                (account.clone(), Bell::heard_far(ring, &far))
            })
            .collect();
        Self {
            inbox: Bell::default(),
            transcript: Bell::default(),
            processes: Bell::default(),
            restarts: Bell::default(),
            chats: ChatBells::heard_far(&far),
            stops: KeyedBells::heard_far(|session| Ring::Stop(*session), &far),
            approvals: KeyedBells::heard_far(|session| Ring::Approval(*session), &far),
            decided: Bell::heard_far(Ring::Decided, &far),
            leases: Bell::heard_far(Ring::Leases, &far),
            orphans: Bell::heard_far(Ring::Orphans, &far),
            far,
            outbox: Arc::new(outbox),
        }
    }

    /// The bell of an account's courier. An account that this node does not have has a bell that only others hear.
    pub fn outbox(&self, account: &AccountId) -> Bell {
        let elsewhere = || Bell::heard_far(Ring::Outbox(account.clone()), &self.far);
        self.outbox.get(account).cloned().unwrap_or_else(elsewhere)
    }

    /// Rings the bell that another node rang.
    pub(crate) fn ring_here(&self, ring: &Ring) {
        match ring {
            Ring::Inbox => self.inbox.ring_here(),
            Ring::Orphans => self.orphans.ring_here(),
            Ring::Leases => self.leases.ring_here(),
            Ring::Decided => self.decided.ring_here(),
            Ring::Processes => self.processes.ring_here(),
            Ring::Outbox(account) => self.outbox(account).ring_here(),
            Ring::Chat(account, chat) => self.chats.ring_here(account, chat),
            Ring::Stop(session) => self.stops.ring_here(session),
            Ring::Approval(session) => self.approvals.ring_here(session),
            // They ring no bell of a loop that looks at rows: `far` has them.
            Ring::Grew(..) | Ring::Watched | Ring::Followed(_) => (),
        }
    }
}
