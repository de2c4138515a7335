//! Calls about questions.

use angelia_core::id::{ApprovalId, SessionId};
use reqwest::Method;

use super::{Client, ClientError, Rows};
use crate::wire::v1::approval::{Agreement, Approval, ApprovalWish};
use crate::wire::v1::page::Page;

/// Which questions to list.
#[derive(Debug, Clone, Default)]
pub struct ApprovalListing {
    /// Only those of this conversation.
    pub session: Option<SessionId>,
    /// Only those that are open, or all.
    pub which: WhichApprovals,
    /// Which rows.
    pub rows: Rows,
}

/// Whether those that were decided are meant too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WhichApprovals {
    /// All.
    #[default]
    All,
    /// Only those that are open.
    Open,
}

impl Client {
    /// Questions about commands, newest first.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn approvals(
        &self,
        listing: &ApprovalListing,
    ) -> Result<Page<Approval>, ClientError> {
        let mut query = listing.rows.query();
        query.extend(listing.session.map(|id| ("session", id.to_string())));
        if listing.which == WhichApprovals::Open {
            query.push(("state", "open".to_owned()));
        }
        self.get(&["api", "v1", "approvals"], &query).await
    }

    /// One question.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn approval(&self, id: ApprovalId) -> Result<Approval, ClientError> {
        self.get(&["api", "v1", "approvals", &id.to_string()], &[])
            .await
    }

    /// Decides a question.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where it was decided otherwise before.
    pub async fn decide(
        &self,
        id: ApprovalId,
        wish: &ApprovalWish,
    ) -> Result<Approval, ClientError> {
        let url = self.url(&["api", "v1", "approvals", &id.to_string()], &[]);
        self.ask(self.request(Method::POST, url).json(wish)).await
    }

    /// What was agreed to beyond one call and still holds, newest first.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn agreements(&self, rows: &Rows) -> Result<Page<Agreement>, ClientError> {
        self.get(&["api", "v1", "approvals", "grants"], &rows.query())
            .await
    }

    /// Takes an agreement back.
    ///
    /// # Errors
    /// See [`ClientError`]; `not_found` where none holds.
    pub async fn revoke(&self, id: ApprovalId) -> Result<Agreement, ClientError> {
        let path = ["api", "v1", "approvals", "grants", &id.to_string()];
        self.ask(self.request(Method::DELETE, self.url(&path, &[])))
            .await
    }
}
