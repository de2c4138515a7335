//! Three nodes, each behind a wire of its own to one server, and ways to post to whichever answers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use angelia_api::client::{Client, ClientError};
use angelia_api::token::Token;
use angelia_api::wire::v1::inbox::{ChatType, Entrance, InboxRequest, Sender};
use angelia_core::id::InboxId;
use angelia_testkit::server::cluster::Cluster;
use angelia_testkit::server::proxy::Proxy;

use crate::world::{Gateway, World};

/// How many nodes there are.
pub(super) const NODES: usize = 3;

/// How long a sender waits for a node before it asks another, and how often it asks before it gives up.
const PATIENCE: Duration = Duration::from_secs(2);
const TRIES: usize = 1_000;
const TRY_EVERY: Duration = Duration::from_millis(50);

/// The server and its nodes.
pub(super) struct Place {
    pub(super) server: Mutex<Cluster>,
    pub(super) nodes: Vec<Node>,
    /// How many of the fates are over.
    pub(super) fates: AtomicUsize,
}

/// One node.
pub(super) struct Node {
    pub(super) world: World,
    pub(super) wire: Proxy,
    database: String,
    token: String,
    running: Mutex<Option<Gateway>>,
    address: Mutex<String>,
}

impl Place {
    pub(super) fn new(server: Cluster) -> Self {
        let nodes = (0..NODES).map(|_| Node::new(&server)).collect();
        Self {
            server: Mutex::new(server),
            nodes,
            fates: AtomicUsize::new(0),
        }
    }

    /// A client of one of the nodes.
    pub(super) fn client(&self, number: usize) -> Client {
        let node = &self.nodes[number % NODES];
        let address = format!("http://{}", node.address.lock().unwrap());
        Client::new(&address, Token::new(&node.token)).unwrap()
    }

    /// Posts to one node after the other until one says that it has the message.
    pub(super) async fn insist(&self, first: usize, message: &InboxRequest) -> InboxId {
        for number in (first..).take(TRIES) {
            let client = self.client(number);
            match tokio::time::timeout(PATIENCE, client.inbox(message)).await {
                Ok(Ok(accepted)) => return accepted.inbox_id,
                Ok(Err(ClientError::Api { status, .. })) if ![429, 503].contains(&status) => {
                    panic!("refused with {status}: {message:?}")
                }
                Ok(Err(_)) | Err(_) => tokio::time::sleep(TRY_EVERY).await,
            }
        }
        panic!("never accepted: {message:?}")
    }

    /// One more of the fates is over.
    pub(super) fn survived(&self) {
        self.fates.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whoever reads of a failure wants to know what the nodes said.
impl Drop for Place {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for (number, node) in self.nodes.iter().enumerate() {
                eprintln!("node {number} said:\n{}", node.world.log());
            }
        }
    }
}

impl Node {
    fn new(server: &Cluster) -> Self {
        let (world, wire) = (World::new(), Proxy::to(server.port));
        let database = server.address(wire.port);
        let gateway = world.serve_seeing(&[], &[("ANGELIA_DATABASE", &database)]);
        let token = std::fs::read_to_string(world.home().join("api-token")).unwrap();
        Self {
            world,
            wire,
            database,
            token: token.trim().to_owned(),
            address: Mutex::new(gateway.address.clone()),
            running: Mutex::new(Some(gateway)),
        }
    }

    pub(super) fn running(&self) -> MutexGuard<'_, Option<Gateway>> {
        self.running.lock().unwrap()
    }

    /// Starts it on its old home.
    pub(super) fn start(&self) {
        let variables = [("ANGELIA_DATABASE", self.database.as_str())];
        let gateway = self.world.serve_seeing(&[], &variables);
        self.address.lock().unwrap().clone_from(&gateway.address);
        *self.running() = Some(gateway);
    }
}

pub(super) fn message(chat: &str, number: usize, text: &str) -> InboxRequest {
    InboxRequest {
        attachments: Vec::new(),
        chat: chat.to_owned(),
        chat_type: ChatType::Dm,
        thread: None,
        user: Sender {
            id: format!("u-{chat}"),
            name: None,
        },
        text: text.to_owned(),
        message_id: format!("m{number}"),
        platform: Entrance::Api,
    }
}

pub(super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}
