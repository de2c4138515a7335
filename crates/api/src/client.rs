//! A client of the HTTP interface: what the command line and the tests hold on to.
//!
//! One method per call, typed by `wire::v1`. It retries nothing and keeps no state: whoever calls
//! knows whether asking twice is safe. Errors tell apart "nobody answered", "the gateway said no" and
//! "that was not the gateway".

mod access;
mod approvals;
mod blocks;
mod changes;
mod error;
mod events;
mod media;
mod processes;
mod sse;

pub use access::WhichGrants;
pub use approvals::{ApprovalListing, WhichApprovals};
pub use changes::{DocumentForm, SearchFor};
pub use error::ClientError;
pub use events::Events;
pub use processes::{LogEvent, LogEvents, LogForm, LogFrom, ProcessListing, WhichProcesses};

use std::time::Duration;

use angelia_core::address::Platform;
use angelia_core::id::{DeliveryId, InboxId, SessionId};
use reqwest::{Method, RequestBuilder, Response, Url};
use serde::de::DeserializeOwned;

use crate::token::Token;
use crate::wire::v1::command::Commands;
use crate::wire::v1::delivery::{Delivery, OutboxState};
use crate::wire::v1::inbox::{Accepted, InboxRequest};
use crate::wire::v1::message::Message;
use crate::wire::v1::node::Node;
use crate::wire::v1::page::Page;
use crate::wire::v1::session::{Entry, LifeChoice, Order, Session, SessionDetail};
use crate::wire::v1::status::{Health, Ready, Restarting, Status};
use crate::wire::v1::usage::UsageReport;

/// How long a connection may take to open. The gateway is usually on this machine.
const CONNECT_TIME: Duration = Duration::from_secs(5);

/// How long an answer may take, beyond what the caller asked the gateway to wait.
const ANSWER_TIME: Duration = Duration::from_secs(30);

/// A client of one gateway.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    token: Token,
}

/// Which rows of a listing to read.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// The `next` of the page before.
    pub after: Option<String>,
    /// How many; the gateway's usual number when absent.
    pub limit: Option<usize>,
}

/// Which conversations to list.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Only those on this platform.
    pub platform: Option<Platform>,
    /// Only those in this chat.
    pub chat: Option<String>,
    /// Only those that live, or that ended.
    pub life: Option<LifeChoice>,
    /// Only those with this text in the title, the label, the chat or the last words.
    pub text: Option<String>,
    /// Which rows.
    pub rows: Rows,
}

/// Which replies to read.
#[derive(Debug, Clone)]
pub struct Replies {
    /// The platform of the chat.
    pub platform: Platform,
    /// The chat.
    pub chat: String,
    /// Which rows.
    pub rows: Rows,
    /// How long an empty page is held back, at most 30 seconds.
    pub wait: Option<Duration>,
}

impl Client {
    /// A client of the gateway at `base` (`http://127.0.0.1:8787`). Nothing is sent yet.
    ///
    /// # Errors
    /// `Address` when `base` is no address that can be called.
    pub fn new(base: &str, token: Token) -> Result<Self, ClientError> {
        let base = Url::parse(base)
            .ok()
            .filter(|url| !url.cannot_be_a_base() && url.has_host())
            .ok_or_else(|| ClientError::Address(base.to_owned()))?;
        let http = http_client(&base).map_err(|error| ClientError::unreachable(&base, &error))?;
        Ok(Self { http, base, token })
    }

    /// Puts a message in. When this returns, the message is durable.
    ///
    /// # Errors
    /// See [`ClientError`]. After `Unreachable` the message may or may not be durable; sending it
    /// again with the same `message_id` is safe.
    pub async fn inbox(&self, message: &InboxRequest) -> Result<Accepted, ClientError> {
        let url = self.url(&["api", "v1", "inbox"], &[]);
        self.ask(self.request(Method::POST, url).json(message))
            .await
    }

    /// Everything that happened to one message.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn message(&self, inbox: InboxId) -> Result<Message, ClientError> {
        self.get(&["api", "v1", "messages", &inbox.to_string()], &[])
            .await
    }

    /// Conversations, most recently active first.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn sessions(&self, listing: &Listing) -> Result<Page<Session>, ClientError> {
        self.get(&["api", "v1", "sessions"], &listing.query()).await
    }

    /// One conversation.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn session(&self, session: SessionId) -> Result<SessionDetail, ClientError> {
        self.get(&["api", "v1", "sessions", &session.to_string()], &[])
            .await
    }

    /// What was said in a conversation.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn transcript(
        &self,
        session: SessionId,
        order: Order,
        rows: &Rows,
    ) -> Result<Page<Entry>, ClientError> {
        let mut query = rows.query();
        query.push(("order", order.name().to_owned()));
        let session = session.to_string();
        self.get(&["api", "v1", "sessions", &session, "transcript"], &query)
            .await
    }

    /// What was said in a conversation, with what was taken back or summarised.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn whole_transcript(
        &self,
        session: SessionId,
        order: Order,
        rows: &Rows,
    ) -> Result<Page<Entry>, ClientError> {
        let mut query = rows.query();
        query.push(("order", order.name().to_owned()));
        query.push(("all", "true".to_owned()));
        let session = session.to_string();
        self.get(&["api", "v1", "sessions", &session, "transcript"], &query)
            .await
    }

    /// Deliveries by state.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn outbox(
        &self,
        state: OutboxState,
        rows: &Rows,
    ) -> Result<Page<Delivery>, ClientError> {
        let mut query = rows.query();
        query.push(("state", state.name().to_owned()));
        self.get(&["api", "v1", "outbox"], &query).await
    }

    /// Makes a delivery due now.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where its state does not allow it.
    pub async fn retry(&self, delivery: DeliveryId) -> Result<Delivery, ClientError> {
        self.tend(delivery, "retry").await
    }

    /// Gives a delivery up.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where its state does not allow it.
    pub async fn drop(&self, delivery: DeliveryId) -> Result<Delivery, ClientError> {
        self.tend(delivery, "drop").await
    }

    /// Replies to a chat, in order, each once.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn deliveries(&self, replies: &Replies) -> Result<Page<Delivery>, ClientError> {
        let mut query = replies.rows.query();
        query.push(("platform", replies.platform.name().to_owned()));
        let wait = replies.wait.unwrap_or_default();
        if !wait.is_zero() {
            query.push(("wait", wait.as_secs().max(1).to_string()));
        }
        let url = self.url(&["api", "v1", "chats", &replies.chat, "deliveries"], &query);
        let request = self.request(Method::GET, url).timeout(ANSWER_TIME + wait);
        self.ask(request).await
    }

    /// What was spent on models, in the last days on which anything was.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn usage(&self, days: Option<usize>) -> Result<UsageReport, ClientError> {
        let query: Vec<_> = days
            .map(|days| ("days", days.to_string()))
            .into_iter()
            .collect();
        self.get(&["api", "v1", "usage"], &query).await
    }

    /// The commands that can be written in chat.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn commands(&self) -> Result<Commands, ClientError> {
        self.get(&["api", "v1", "commands"], &[]).await
    }

    /// What the gateway does.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn status(&self) -> Result<Status, ClientError> {
        self.get(&["api", "v1", "status"], &[]).await
    }

    /// Lets the gateway begin anew. It answers before it goes.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn restart(&self) -> Result<Restarting, ClientError> {
        let url = self.url(&["api", "v1", "restart"], &[]);
        self.ask(self.request(Method::POST, url)).await
    }

    /// Boots, newest first.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn nodes(&self, rows: &Rows) -> Result<Page<Node>, ClientError> {
        self.get(&["api", "v1", "nodes"], &rows.query()).await
    }

    /// Whether the process lives.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn health(&self) -> Result<Health, ClientError> {
        self.get(&["health"], &[]).await
    }

    /// Whether the gateway takes messages now. "Not now" is an answer, not an error.
    ///
    /// # Errors
    /// `Unreachable` and `Malformed`.
    pub async fn ready(&self) -> Result<Ready, ClientError> {
        let request = self.request(Method::GET, self.url(&["ready"], &[]));
        let answer = self.send(request).await?;
        self.read(answer).await
    }

    /// What happens, as it happens; of one conversation or of all.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn events(&self, session: Option<SessionId>) -> Result<Events, ClientError> {
        let filter = session.map(|session| ("session", session.to_string()));
        let url = self.url(&["api", "v1", "events"], filter.as_slice());
        Ok(Events::of(self.stream(url).await?, self.base.clone()))
    }

    /// An answer that goes on for as long as it likes once it has begun.
    async fn stream(&self, url: Url) -> Result<Response, ClientError> {
        let request = self.http.get(url).bearer_auth(self.token.reveal());
        let sent = tokio::time::timeout(ANSWER_TIME, self.send(request)).await;
        self.accepted(sent.map_err(|_| self.silent())??).await
    }

    async fn tend(&self, delivery: DeliveryId, wish: &str) -> Result<Delivery, ClientError> {
        let url = self.url(&["api", "v1", "outbox", &delivery.to_string(), wish], &[]);
        self.ask(self.request(Method::POST, url)).await
    }

    async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<T, ClientError> {
        self.ask(self.request(Method::GET, self.url(path, query)))
            .await
    }

    /// The address of a call. Parts of the path are encoded, whatever a chat is called.
    fn url(&self, path: &[&str], query: &[(&str, String)]) -> Url {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .expect("the base was checked to have a path")
            .pop_if_empty()
            .extend(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.http
            .request(method, url)
            .timeout(ANSWER_TIME)
            .bearer_auth(self.token.reveal())
    }

    async fn ask<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, ClientError> {
        let answer = self.send(request).await?;
        let answer = self.accepted(answer).await?;
        self.read(answer).await
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let sent = request.send().await;
        sent.map_err(|error| ClientError::unreachable(&self.base, &error))
    }

    /// The answer if it is a success, else the error that it tells.
    async fn accepted(&self, answer: Response) -> Result<Response, ClientError> {
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let body = answer.bytes().await;
        let body = body.map_err(|error| ClientError::unreachable(&self.base, &error))?;
        Err(ClientError::refused(status, &body))
    }

    async fn read<T: DeserializeOwned>(&self, answer: Response) -> Result<T, ClientError> {
        let status = answer.status();
        let body = answer.bytes().await;
        let body = body.map_err(|error| ClientError::unreachable(&self.base, &error))?;
        serde_json::from_slice(&body).map_err(|error| ClientError::malformed(status, &error))
    }

    fn silent(&self) -> ClientError {
        ClientError::Unreachable {
            address: self.base.to_string(),
            why: "no answer in time".to_owned(),
        }
    }
}

impl From<Rows> for Listing {
    fn from(rows: Rows) -> Self {
        Self {
            rows,
            ..Self::default()
        }
    }
}

impl Listing {
    fn query(&self) -> Vec<(&'static str, String)> {
        let named = |name, value: Option<String>| value.map(|value| (name, value));
        let mut query = self.rows.query();
        query.extend(named(
            "platform",
            self.platform.map(|one| one.name().to_owned()),
        ));
        query.extend(named("chat", self.chat.clone()));
        query.extend(named("life", self.life.map(|one| one.name().to_owned())));
        query.extend(named("q", self.text.clone()));
        query
    }
}

impl Rows {
    /// The first page, of at most `limit` rows.
    pub fn first(limit: usize) -> Self {
        Self {
            after: None,
            limit: Some(limit),
        }
    }

    fn query(&self) -> Vec<(&'static str, String)> {
        let after = self.after.clone().map(|after| ("after", after));
        let limit = self.limit.map(|limit| ("limit", limit.to_string()));
        after.into_iter().chain(limit).collect()
    }
}

fn http_client(base: &Url) -> reqwest::Result<reqwest::Client> {
    // Somebody may have chosen before; what matters is that there is a choice.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        // The gateway is ours and near; a proxy from the environment would only see the token.
        .no_proxy()
        .connect_timeout(CONNECT_TIME);
    match base.scheme() {
        "https" => builder.build(),
        // Reading the system's certificates takes time, and fails where there are none.
        _ => builder.tls_certs_only([]).build(),
    }
}
