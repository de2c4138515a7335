//! Calls that find, search and change conversations.

use angelia_core::id::SessionId;
use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Client, ClientError, Rows};
use crate::wire::v1::change::{
    BranchWish, FoundSession, New, PruneWish, Pruned, ResumeWish, RewindWish, Rewound, Stopped,
    TitleWish,
};
use crate::wire::v1::facts::Model;
use crate::wire::v1::page::Page;
use crate::wire::v1::search::{Hit, Sort};
use crate::wire::v1::session::SessionDetail;

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct SearchFor {
    /// The words.
    pub text: String,
    /// Only on these platforms, by name.
    pub platforms: Vec<String>,
    /// Only what these said: `user`, `assistant`, `tool`, `system`, `notice`.
    pub roles: Vec<String>,
    /// Which hit comes first.
    pub sort: Sort,
    /// Which rows.
    pub rows: Rows,
}

/// The form of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentForm {
    /// For people.
    Markdown,
    /// For programs.
    Json,
}

impl Client {
    /// The conversation that a text stands for: an id, the beginning of one, or a title.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where the beginning fits several ids.
    pub async fn find_session(&self, text: &str) -> Result<SessionId, ClientError> {
        let query = [("ref", text.to_owned())];
        let found: FoundSession = self.get(&["api", "v1", "sessions", "find"], &query).await?;
        Ok(found.id)
    }

    /// What was said anywhere with these words in it.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn search(&self, wish: &SearchFor) -> Result<Page<Hit>, ClientError> {
        let mut query = wish.rows.query();
        query.push(("q", wish.text.clone()));
        query.push(("sort", wish.sort.name().to_owned()));
        for (name, list) in [("platform", &wish.platforms), ("role", &wish.roles)] {
            if !list.is_empty() {
                query.push((name, list.join(",")));
            }
        }
        self.get(&["api", "v1", "search"], &query).await
    }

    /// Begins anew in the place of a conversation; the new one.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where no place speaks in it.
    pub async fn begin(
        &self,
        session: SessionId,
        wish: &New,
    ) -> Result<SessionDetail, ClientError> {
        self.change(session, "new", wish).await
    }

    /// Leads the place of a conversation to another one.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where no place speaks in it.
    pub async fn resume(
        &self,
        session: SessionId,
        target: SessionId,
    ) -> Result<SessionDetail, ClientError> {
        self.change(session, "resume", &ResumeWish { target }).await
    }

    /// Takes back what was said.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` while a turn is open, or where there is nothing to take back.
    pub async fn rewind(
        &self,
        session: SessionId,
        wish: &RewindWish,
    ) -> Result<Rewound, ClientError> {
        self.change(session, "rewind", wish).await
    }

    /// What taking back so many turns would hide.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where there is nothing to take back.
    pub async fn rewind_plan(
        &self,
        session: SessionId,
        turns: u32,
    ) -> Result<Rewound, ClientError> {
        let path = ["api", "v1", "sessions", &session.to_string(), "rewind"];
        self.get(&path, &[("turns", turns.to_string())]).await
    }

    /// Goes another way from a conversation; the new one.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` while a turn is open.
    pub async fn branch(
        &self,
        session: SessionId,
        wish: &BranchWish,
    ) -> Result<SessionDetail, ClientError> {
        self.change(session, "branch", wish).await
    }

    /// Ends the open turn.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn stop(&self, session: SessionId) -> Result<Stopped, ClientError> {
        self.change(session, "stop", &serde_json::json!({})).await
    }

    /// Calls a conversation so, or nothing any more.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where another one is called so.
    pub async fn rename(
        &self,
        session: SessionId,
        title: Option<String>,
    ) -> Result<SessionDetail, ClientError> {
        self.change(session, "title", &TitleWish { title }).await
    }

    /// Chooses a model for a conversation; an empty choice takes it back.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn choose_model(
        &self,
        session: SessionId,
        model: &Model,
    ) -> Result<SessionDetail, ClientError> {
        self.change(session, "model", model).await
    }

    /// Lets the next message of its place begin anew.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn suspend(&self, session: SessionId) -> Result<SessionDetail, ClientError> {
        self.change(session, "suspend", &serde_json::json!({}))
            .await
    }

    /// Deletes a conversation with everything that was said in it.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` while it is busy.
    pub async fn delete_session(&self, session: SessionId) -> Result<(), ClientError> {
        let url = self.url(&["api", "v1", "sessions", &session.to_string()], &[]);
        let answer = self.send(self.request(Method::DELETE, url)).await?;
        self.accepted(answer).await?;
        Ok(())
    }

    /// Ends conversations in which nothing happened for so long (`30d`).
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn prune(&self, older_than: &str) -> Result<Pruned, ClientError> {
        let url = self.url(&["api", "v1", "sessions", "prune"], &[]);
        let older_than = older_than.to_owned();
        let request = self.request(Method::POST, url);
        self.ask(request.json(&PruneWish { older_than })).await
    }

    /// A conversation as a document; the text.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn export(
        &self,
        session: SessionId,
        form: DocumentForm,
    ) -> Result<String, ClientError> {
        let format = match form {
            DocumentForm::Markdown => "markdown",
            DocumentForm::Json => "json",
        };
        let path = ["api", "v1", "sessions", &session.to_string(), "export"];
        let url = self.url(&path, &[("format", format.to_owned())]);
        let answer = self.send(self.request(Method::GET, url)).await?;
        let text = self.accepted(answer).await?.text().await;
        text.map_err(|error| ClientError::unreachable(&self.base, &error))
    }

    async fn change<T: DeserializeOwned>(
        &self,
        session: SessionId,
        wish: &str,
        body: &(impl Serialize + Sync),
    ) -> Result<T, ClientError> {
        let url = self.url(&["api", "v1", "sessions", &session.to_string(), wish], &[]);
        self.ask(self.request(Method::POST, url).json(body)).await
    }
}
