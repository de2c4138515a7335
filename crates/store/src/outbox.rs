//! Steps 9 and 10: *deliver* and *confirm*.
//!
//! A lane is one chat of one account. Only the head of a lane can be claimed: a later delivery waits
//! until the earlier one is sent, dropped, or wedged alone. A delivery wedged with the reach of its
//! chat or account holds the lane or the account.

use angelia_core::address::AccountId;
use angelia_core::id::DeliveryId;
use angelia_core::lease::Fence;
use angelia_core::outbound::{Dedupe, Delivery, DeliveryUpdate};
use angelia_core::time::Span;
use async_trait::async_trait;

use crate::{Fenced, StoreError};

/// What an operator's wish did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// It is done; this is the delivery now.
    Done(Delivery),
    /// There is no such delivery.
    NotFound,
    /// Its state does not allow it; this is the delivery as it is.
    NotNow(Delivery),
}

/// The out-door. The account's lease (`account/<name>`) must carry the given fence. It must also be
/// live for a claim; to confirm and recover it is enough that nobody took it over.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Marks up to `limit` heads of lanes as being sent and returns them, longest due first, then in
    /// the order of planning. Each counts one attempt. While one of a lane is being sent, the lane
    /// has no head.
    async fn claim_deliveries(
        &self,
        account: &AccountId,
        fence: Fence,
        limit: usize,
    ) -> Result<Fenced<Vec<Delivery>>, StoreError>;

    /// Records what became of a delivery that was claimed under the same fence.
    async fn confirm_delivery(
        &self,
        delivery: DeliveryId,
        fence: Fence,
        update: DeliveryUpdate,
    ) -> Result<Fenced<Delivery>, StoreError>;

    /// Decides over deliveries left in `sending` by a courier with a lower fence
    /// (`recovery::after_crash`). One that ends in a message which is shown already can be repeated on every
    /// platform. Returns how many there were.
    async fn recover_deliveries(
        &self,
        account: &AccountId,
        fence: Fence,
        dedupe: Dedupe,
    ) -> Result<Fenced<usize>, StoreError>;

    /// How long until the next delivery of the account is due, if any will be: the head of some lane. No time at all if
    /// one is.
    async fn next_due(&self, account: &AccountId) -> Result<Option<Span>, StoreError>;

    /// Makes a due or wedged delivery due now, with its attempts counted anew.
    async fn retry_delivery(&self, delivery: DeliveryId) -> Result<Changed, StoreError>;

    /// Gives up a due or wedged delivery; its lane goes on.
    async fn drop_delivery(&self, delivery: DeliveryId) -> Result<Changed, StoreError>;
}
