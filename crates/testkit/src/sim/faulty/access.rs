//! Strangers and grants, through the faults.

use angelia_core::access::code::{Code, Sealed};
use angelia_core::access::grant::{By, Grant};
use angelia_core::address::{AccountId, Platform};
use angelia_core::id::DeliveryId;
use angelia_core::lease::Fence;
use angelia_core::time::Timestamp;
use angelia_store::access::{
    Access, Admit, Admitted, Give, GrantFilter, Issued, Knock, Knocked, NewKnock, Recognised, Which,
};
use angelia_store::views::{Page, Range};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::ledger::Ledger;
use crate::sim::sabotage::Sabotage;

impl Faulty {
    /// The planted bug lets in somebody else who waits.
    async fn for_another(&self, admit: Admit) -> Result<Admit, StoreError> {
        let waiting = self.inner.knocks(Range::default()).await?;
        let other = waiting.items.iter().find(|one| one.id != admit.knock);
        let knock = other.map_or(admit.knock, |other| other.id);
        Ok(Admit { knock, ..admit })
    }

    /// The planted bug does not look at the time.
    async fn admit_late(&self, admit: Admit) -> Result<Admitted, StoreError> {
        let Some(holder) = self.watch.book(|book| book.strangers.who(admit.knock)) else {
            return Ok(Admitted::Nobody);
        };
        let give = Give {
            grant: admit.grant,
            holder,
            role: admit.role,
            by: admit.by,
            why: None,
        };
        let grant = self.inner.give(give).await?;
        Ok(Admitted::Now(Box::new(grant)))
    }
}

#[async_trait]
impl Access for Faulty {
    async fn knock(&self, new: NewKnock) -> Result<Knocked, StoreError> {
        self.before().await?;
        let delivery = new.delivery;
        let done = self.inner.knock(new).await?;
        if let Knocked::Answered(knock) = &done {
            self.watch.book(|book| {
                let strangers = &mut book.strangers;
                strangers.answered(delivery, knock.id, &knock.holder);
            });
        }
        self.after().await?;
        Ok(done)
    }

    async fn issue_code(
        &self,
        delivery: DeliveryId,
        fence: Fence,
        sealed: Sealed,
    ) -> Result<Fenced<Issued>, StoreError> {
        self.before().await?;
        let done = self.inner.issue_code(delivery, fence, sealed).await?;
        if done == Fenced::Done(Issued::Now) {
            let strangers = |book: &mut Ledger| book.strangers.issued(delivery, sealed);
            self.watch.book(strangers);
        }
        self.after().await?;
        Ok(done)
    }

    async fn recognise(
        &self,
        code: Code,
        account: Option<AccountId>,
    ) -> Result<Recognised, StoreError> {
        self.before().await?;
        let known = self.watch.book(|book| book.strangers.whose(&code));
        let mut done = self.inner.recognise(code, account).await?;
        if let (Sabotage::LateCode, Some(knock)) = (self.sabotage, known) {
            done = Recognised::Knock(knock);
        }
        self.after().await?;
        Ok(done)
    }

    async fn admit(&self, admit: Admit) -> Result<Admitted, StoreError> {
        self.before().await?;
        let admit = if self.sabotage == Sabotage::WrongGrant {
            self.for_another(admit).await?
        } else {
            admit
        };
        let mut done = self.inner.admit(admit.clone()).await?;
        if (self.sabotage, &done) == (Sabotage::LateCode, &Admitted::Nobody) {
            done = self.admit_late(admit).await?;
        }
        self.after().await?;
        Ok(done)
    }

    async fn give(&self, give: Give) -> Result<Grant, StoreError> {
        self.before().await?;
        let done = self.inner.give(give).await?;
        self.after().await?;
        Ok(done)
    }

    async fn take_back(
        &self,
        which: Which,
        by: By,
        why: Option<String>,
    ) -> Result<Option<Grant>, StoreError> {
        self.before().await?;
        let done = self.inner.take_back(which, by, why).await?;
        self.after().await?;
        Ok(done)
    }

    async fn grant_of(
        &self,
        platform: Platform,
        account: &AccountId,
        person: &str,
    ) -> Result<Option<Grant>, StoreError> {
        self.before().await?;
        self.inner.grant_of(platform, account, person).await
    }

    async fn grants(&self, filter: GrantFilter, range: Range) -> Result<Page<Grant>, StoreError> {
        self.inner.grants(filter, range).await
    }

    async fn knocks(&self, range: Range) -> Result<Page<Knock>, StoreError> {
        self.inner.knocks(range).await
    }

    async fn locks(&self) -> Result<Vec<(AccountId, Timestamp)>, StoreError> {
        self.inner.locks().await
    }

    async fn sweep_knocks(&self, limit: usize) -> Result<usize, StoreError> {
        self.before().await?;
        let done = self.inner.sweep_knocks(limit).await?;
        self.after().await?;
        Ok(done)
    }
}
