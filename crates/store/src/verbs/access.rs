//! Who may speak: the trait and what the areas below share.
//!
//! `knocks` are strangers and their codes, `grants` what somebody was given, `read` makes values of rows.

mod grants;
mod knocks;
mod read;

use angelia_core::access::code::{Code, Sealed};
use angelia_core::access::grant::{By, Grant};
use angelia_core::access::identity;
use angelia_core::address::{AccountId, Platform};
use angelia_core::id::DeliveryId;
use angelia_core::lease::Fence;
use angelia_core::time::Timestamp;
use async_trait::async_trait;

use super::{aliases, hold};
use crate::access::{
    Access, Admit, Admitted, Give, GrantFilter, Issued, Knock, Knocked, NewKnock, Recognised, Which,
};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::views::{Page, Range};
use crate::{Fenced, StoreError};

#[async_trait]
impl Access for Database {
    async fn knock(&self, new: NewKnock) -> Result<Knocked, StoreError> {
        self.write(move |tx| knocks::hear(tx, &new)).await
    }

    async fn issue_code(
        &self,
        delivery: DeliveryId,
        fence: Fence,
        sealed: Sealed,
    ) -> Result<Fenced<Issued>, StoreError> {
        self.write(move |tx| knocks::issue(tx, delivery, fence, &sealed))
            .await
    }

    async fn recognise(
        &self,
        code: Code,
        account: Option<AccountId>,
    ) -> Result<Recognised, StoreError> {
        self.write(move |tx| knocks::recognise(tx, &code, account.as_ref()))
            .await
    }

    async fn admit(&self, admit: Admit) -> Result<Admitted, StoreError> {
        self.write(move |tx| grants::admit(tx, &admit)).await
    }

    async fn give(&self, give: Give) -> Result<Grant, StoreError> {
        self.write(move |tx| grants::give(tx, &give)).await
    }

    async fn take_back(
        &self,
        which: Which,
        by: By,
        why: Option<String>,
    ) -> Result<Option<Grant>, StoreError> {
        self.write(move |tx| grants::take_back(tx, &which, &by, why.as_deref()))
            .await
    }

    async fn grant_of(
        &self,
        platform: Platform,
        account: &AccountId,
        person: &str,
    ) -> Result<Option<Grant>, StoreError> {
        let account = account.to_owned();
        let person = person.to_owned();
        self.read(move |tx| grants::held_by(tx, &account, &known(tx, platform, &person)?))
            .await
    }

    async fn grants(&self, filter: GrantFilter, range: Range) -> Result<Page<Grant>, StoreError> {
        self.read(move |tx| grants::list(tx, filter, &range)).await
    }

    async fn knocks(&self, range: Range) -> Result<Page<Knock>, StoreError> {
        self.read(move |tx| knocks::list(tx, &range)).await
    }

    async fn locks(&self) -> Result<Vec<(AccountId, Timestamp)>, StoreError> {
        self.read(knocks::locks).await
    }

    async fn sweep_knocks(&self, limit: usize) -> Result<usize, StoreError> {
        self.write(move |tx| knocks::sweep(tx, limit)).await
    }
}

/// Holds all leave to speak on an account, and who asks for it.
fn hold(tx: &Tx<'_>, account: &AccountId) -> Result<(), Fault> {
    hold::named(tx, &format!("access/{account}"))
}

/// The id under which a person is remembered, whichever of theirs they use.
fn known(tx: &Tx<'_>, platform: Platform, person: &str) -> Result<String, Fault> {
    let id = identity(platform, person);
    if platform == Platform::Whatsapp {
        return Ok(aliases::of(tx, &id)?.primary(&id));
    }
    Ok(id)
}

#[cfg(test)]
#[path = "access_tests.rs"]
mod tests;
