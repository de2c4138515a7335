//! A house to knock at: a running node behind a served router on a port of its own.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use angelia_agents::Backend;
use angelia_agents::demo::Demo;
use angelia_agents::tools::terms::Terms;
use angelia_api::client::{Client, Replies, Rows};
use angelia_api::token::Token;
use angelia_api::wire::v1::delivery::Delivery;
use angelia_api::wire::v1::inbox::{Accepted, ChatType, Entrance, InboxRequest, Sender};
use angelia_api::{AgentInfo, ApiState, router, serve};
use angelia_core::access::Policy;
use angelia_core::address::{AccountId, Platform};
use angelia_core::context::instructions::Instructions;
use angelia_core::limits;
use angelia_core::profile::rules::Multiplexing;
use angelia_core::session::rules::Rules;
use angelia_core::turn::busy::Mode;
use angelia_gateway::agents::Agents;
use angelia_gateway::env::{self, Env};
use angelia_gateway::gateway::{Gateway, Parts, Settings};
use angelia_gateway::telling::Identifiers;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_store::database::Database;
use metrics_exporter_prometheus::PrometheusBuilder;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// The token of every house.
pub(crate) const TOKEN: &str = "a-token-of-the-tests";

/// A running node with its interface.
pub(crate) struct House {
    pub(crate) gateway: Arc<Gateway>,
    pub(crate) client: Client,
    pub(crate) address: SocketAddr,
    pub(crate) stop: CancellationToken,
    pub(crate) server: JoinSet<()>,
    http: reqwest::Client,
}

impl House {
    /// A house whose three platforms are the ordinary ones.
    pub(crate) async fn open() -> Self {
        Self::with_local(Arc::new(Pull(Platform::Local))).await
    }

    /// A house whose platform `local` is the given one.
    pub(crate) async fn with_local(local: Arc<dyn Adapter>) -> Self {
        let demo = Demo {
            config: PathBuf::from("angelia.toml"),
        };
        Self::of(local, Arc::new(demo)).await
    }

    /// A house whose platform `local` and whose agent are the given ones.
    pub(crate) async fn of(local: Arc<dyn Adapter>, agent: Arc<dyn Backend>) -> Self {
        Self::answered_by(local, Agents::only(agent)).await
    }

    /// A house whose platform `local` and whose agents are the given ones.
    pub(crate) async fn answered_by(local: Arc<dyn Adapter>, agents: Agents) -> Self {
        let gateway = Arc::new(Gateway::start(parts(local, agents)).await.unwrap());
        let state = ApiState {
            gateway: Arc::clone(&gateway),
            token: Token::new(TOKEN),
            agent: AgentInfo {
                backend: "demo".to_owned(),
                model: None,
                configured: false,
            },
            metrics: PrometheusBuilder::new().build_recorder().handle(),
            console: "http://127.0.0.1:8787/".to_owned(),
            pid: std::process::id(),
            started_at: env::system_now(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, mut server) = (CancellationToken::new(), JoinSet::new());
        server.spawn(serve(listener, router(state), stop.clone()));
        Self {
            gateway,
            client: Client::new(&format!("http://{address}"), Token::new(TOKEN)).unwrap(),
            address,
            stop,
            server,
            http: http(),
        }
    }

    /// A request without a token.
    pub(crate) fn stranger(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("http://{}{path}", self.address);
        self.http.request(method, url)
    }

    /// A request with the token.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.stranger(method, path).bearer_auth(TOKEN)
    }

    /// Reads a page as plain JSON.
    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        told(self.request(Method::GET, path).send().await.unwrap()).await
    }

    /// Sends a body as it is.
    pub(crate) async fn post(&self, path: &str, body: impl Into<String>) -> (u16, Value) {
        let request = self.request(Method::POST, path).body(body.into());
        told(request.send().await.unwrap()).await
    }

    /// Says something in a chat.
    pub(crate) async fn say(&self, chat: &str, id: &str, text: &str) -> Accepted {
        self.client.inbox(&message(chat, id, text)).await.unwrap()
    }

    /// Waits for the replies that follow `after`.
    pub(crate) async fn replies(&self, chat: &str, after: Option<String>) -> Vec<Delivery> {
        let limit = None;
        let replies = Replies {
            platform: Platform::Api,
            chat: chat.to_owned(),
            rows: Rows { after, limit },
            wait: Some(Duration::from_secs(20)),
        };
        self.client.deliveries(&replies).await.unwrap().items
    }
}

fn parts(local: Arc<dyn Adapter>, agents: Agents) -> Parts {
    let pull = |platform| -> Arc<dyn Adapter> { Arc::new(Pull(platform)) };
    let adapters = BTreeMap::from([
        (AccountId::of(Platform::Api), pull(Platform::Api)),
        (AccountId::of(Platform::Web), pull(Platform::Web)),
        (AccountId::of(Platform::Local), local),
    ]);
    Parts {
        store: Arc::new(Database::in_memory(Arc::new(env::system_now)).unwrap()),
        adapters,
        agents,
        env: Env::system(),
        settings: Settings {
            home: "tests".to_owned(),
            place: "here".to_owned(),
            version: "0.0.0".to_owned(),
            rules: Rules::default(),
            access: Policy::everyone(),
            busy: Mode::Queue.into(),
            drain: limits::DRAIN_TIME,
            display: angelia_core::display::Displays::default(),
            exchange: angelia_gateway::media::Exchange::default(),
            identifiers: Identifiers::Shown,
            instructions: Instructions::default(),
            target: Default::default(),
            agents: None,
            media: None,
            processes: None,
            profiles: Multiplexing::Off,
            terms: Terms::default(),
            approvals: angelia_gateway::approvals::Choice::default(),
            budget: Default::default(),
        },
    }
}

/// A message of the `api` platform.
pub(crate) fn message(chat: &str, id: &str, text: &str) -> InboxRequest {
    InboxRequest {
        attachments: Vec::new(),
        chat: chat.to_owned(),
        chat_type: ChatType::Dm,
        thread: None,
        user: Sender {
            id: "u1".to_owned(),
            name: Some("Anna".to_owned()),
        },
        text: text.to_owned(),
        message_id: id.to_owned(),
        platform: Entrance::Api,
    }
}

/// The status and the JSON of an answer.
pub(crate) async fn told(answer: Response) -> (u16, Value) {
    let status = answer.status().as_u16();
    let body = answer.bytes().await.unwrap();
    let value = serde_json::from_slice(&body).unwrap_or_else(|error| {
        panic!("{error} in {}", String::from_utf8_lossy(&body));
    });
    (status, value)
}

fn http() -> reqwest::Client {
    // Another test of this binary may have chosen before.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().no_proxy();
    builder.tls_certs_only([]).build().unwrap()
}
