//! Calls about who may speak.

use angelia_core::id::GrantId;
use reqwest::Method;

use super::{Client, ClientError, Rows};
use crate::wire::v1::access::{ApproveWish, Grant, GrantWish, Knock, RevokeWish};
use crate::wire::v1::page::Page;

/// Whether grants that were taken back are meant too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WhichGrants {
    /// Only those that hold.
    #[default]
    Held,
    /// All.
    All,
}

impl Client {
    /// Who waits to be let in, newest first.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn knocks(&self, rows: &Rows) -> Result<Page<Knock>, ClientError> {
        self.get(&["api", "v1", "access", "knocks"], &rows.query())
            .await
    }

    /// Who may speak by leave of somebody, newest first.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn grants(
        &self,
        which: WhichGrants,
        rows: &Rows,
    ) -> Result<Page<Grant>, ClientError> {
        let mut query = rows.query();
        if which == WhichGrants::All {
            query.push(("state", "all".to_owned()));
        }
        self.get(&["api", "v1", "access", "grants"], &query).await
    }

    /// Lets somebody in who knocked.
    ///
    /// # Errors
    /// See [`ClientError`]; `not_found` where nobody waits, `conflict` where too many codes were wrong.
    pub async fn let_in(&self, wish: &ApproveWish) -> Result<Grant, ClientError> {
        let url = self.url(&["api", "v1", "access", "approve"], &[]);
        self.ask(self.request(Method::POST, url).json(wish)).await
    }

    /// Gives leave to somebody.
    ///
    /// # Errors
    /// See [`ClientError`]; `not_found` where there is no such account.
    pub async fn give(&self, wish: &GrantWish) -> Result<Grant, ClientError> {
        let url = self.url(&["api", "v1", "access", "grants"], &[]);
        self.ask(self.request(Method::POST, url).json(wish)).await
    }

    /// Takes leave back.
    ///
    /// # Errors
    /// See [`ClientError`]; `not_found` where none holds.
    pub async fn take_back(&self, id: GrantId, wish: &RevokeWish) -> Result<Grant, ClientError> {
        let path = ["api", "v1", "access", "grants", &id.to_string(), "revoke"];
        let url = self.url(&path, &[]);
        self.ask(self.request(Method::POST, url).json(wish)).await
    }
}
