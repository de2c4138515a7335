//! Who may speak, as rows: strangers who knocked, and leave to speak that somebody was given.
//!
//! A knock is answered once with a code. The code itself is never part of a row: it is made when its message is
//! sent, and what is kept is its seal. Whoever tells the code to an operator is recognised by it, and the operator
//! lets them in. A grant holds until it is taken back; then its row stays and says who did that, and why.

use angelia_core::access::code::{Code, Sealed};
use angelia_core::access::grant::{By, Grant, Holder};
use angelia_core::access::pairing::Silence;
use angelia_core::address::{AccountId, Address, Person, Platform};
use angelia_core::id::{DeliveryId, GrantId, KnockId};
use angelia_core::inbound::EventKey;
use angelia_core::lease::Fence;
use angelia_core::time::Timestamp;
use angelia_core::toolset::Role;
use async_trait::async_trait;

use crate::views::{Page, Range};
use crate::{Fenced, StoreError};

/// A stranger at the door.
#[derive(Debug, Clone)]
pub struct NewKnock {
    /// Its id, if it is answered.
    pub id: KnockId,
    /// The answer's id, if it is.
    pub delivery: DeliveryId,
    /// Where they wrote.
    pub address: Address,
    /// Who they are.
    pub person: Person,
    /// What recognises their message.
    pub event_key: EventKey,
    /// How far the listener has read once they are heard.
    pub cursor: Option<String>,
}

/// What became of a stranger at the door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Knocked {
    /// They will be answered with a code.
    Answered(Box<Knock>),
    /// They hear nothing.
    Unanswered(Silence),
}

/// Somebody who wants to be let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knock {
    /// Its id.
    pub id: KnockId,
    /// Who they are.
    pub holder: Holder,
    /// Where they wrote.
    pub address: Address,
    /// When.
    pub asked_at: Timestamp,
    /// Until when they may be let in by it.
    pub ends_at: Timestamp,
}

/// Whether a code counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Issued {
    /// From now on.
    Now,
    /// It does not: nobody waits for it any more, and it must not be sent.
    Over,
}

/// What a code that somebody wrote is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recognised {
    /// It was given to them.
    Knock(KnockId),
    /// To nobody who still waits.
    Wrong,
    /// It was not looked at: too many were wrong. Codes count again from then on.
    Locked(Timestamp),
}

/// Letting somebody in who knocked.
#[derive(Debug, Clone)]
pub struct Admit {
    /// Who.
    pub knock: KnockId,
    /// The grant's id, if they are not in already.
    pub grant: GrantId,
    /// The id of the message that tells them.
    pub delivery: DeliveryId,
    /// As what.
    pub role: Role,
    /// Who lets them in.
    pub by: By,
    /// Why.
    pub why: Option<String>,
}

/// What became of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admitted {
    /// They are in.
    Now(Box<Grant>),
    /// They were before.
    Before(Box<Grant>),
    /// Nobody knocked so, or their time has passed.
    Nobody,
}

/// Giving somebody leave who did not knock, or other leave than they have.
#[derive(Debug, Clone)]
pub struct Give {
    /// The grant's id, if it is new.
    pub grant: GrantId,
    /// Whom.
    pub holder: Holder,
    /// As what.
    pub role: Role,
    /// Who gives it.
    pub by: By,
    /// Why.
    pub why: Option<String>,
}

/// Which grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// The one of this id.
    Id(GrantId),
    /// The one that this person has on this account.
    Person(AccountId, String),
}

/// Which grants to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GrantFilter {
    /// Those that hold.
    #[default]
    Held,
    /// Also those that were taken back.
    All,
}

/// Strangers and grants.
#[async_trait]
pub trait Access: Send + Sync {
    /// Hears a stranger: the knock, its answer and the cursor, all or none. Whether they are answered is decided
    /// here (`access::pairing`). The same message again is not answered again.
    async fn knock(&self, new: NewKnock) -> Result<Knocked, StoreError>;

    /// Lets a code count from now on, in place of an earlier one of the same knock. The delivery must be under way
    /// under this fence.
    async fn issue_code(
        &self,
        delivery: DeliveryId,
        fence: Fence,
        sealed: Sealed,
    ) -> Result<Fenced<Issued>, StoreError>;

    /// Whose code that is, on this account or on any. One that is wrong is counted on the account, or wherever
    /// somebody waits; one that is right ends the count there.
    async fn recognise(
        &self,
        code: Code,
        account: Option<AccountId>,
    ) -> Result<Recognised, StoreError>;

    /// Lets somebody in who knocked, ends all their knocks, and tells them. Again, it changes nothing.
    async fn admit(&self, admit: Admit) -> Result<Admitted, StoreError>;

    /// Gives leave. Other leave that they had on the account is taken back; the same is left as it is.
    async fn give(&self, give: Give) -> Result<Grant, StoreError>;

    /// Takes a grant back; answers with it. With nothing if there is none that holds.
    async fn take_back(
        &self,
        which: Which,
        by: By,
        why: Option<String>,
    ) -> Result<Option<Grant>, StoreError>;

    /// What somebody was given on an account, under whichever of their ids they write.
    async fn grant_of(
        &self,
        platform: Platform,
        account: &AccountId,
        person: &str,
    ) -> Result<Option<Grant>, StoreError>;

    /// Grants, newest first.
    async fn grants(&self, filter: GrantFilter, range: Range) -> Result<Page<Grant>, StoreError>;

    /// Who waits to be let in, newest first.
    async fn knocks(&self, range: Range) -> Result<Page<Knock>, StoreError>;

    /// Accounts that give and take no codes, and until when.
    async fn locks(&self) -> Result<Vec<(AccountId, Timestamp)>, StoreError>;

    /// Forgets some knocks that ended long ago; returns how many.
    async fn sweep_knocks(&self, limit: usize) -> Result<usize, StoreError>;
}
