//! A whole gateway in this process: the real loops over a real file, the demo agent, no HTTP.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use angelia_agents::demo::Demo;
use angelia_agents::tools::terms::Terms;
use angelia_core::access::Policy;
use angelia_core::address::Platform;
use angelia_core::context::instructions::Instructions;
use angelia_core::outbound::DeliveryState;
use angelia_core::profile::rules::Multiplexing;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;
use angelia_gateway::agents::Agents;
use angelia_gateway::env::Env;
use angelia_gateway::feed::Frame;
use angelia_gateway::gateway::{Gateway, Parts, Settings};
use angelia_gateway::telling::Identifiers;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_store::database::Database;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::broadcast::Receiver;

use super::{Trouble, message};

/// Nothing takes this long: a reply that did not come will not.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running gateway and the number of the next message.
pub(super) struct House {
    gateway: Gateway,
    frames: Receiver<Frame>,
    next: u64,
}

impl House {
    /// Starts a gateway on the store. Its messages are numbered from `next`.
    pub(super) async fn open(store: Database, home: &Path, next: u64) -> Result<Self, Trouble> {
        let adapter: Arc<dyn Adapter> = Arc::new(Pull(Platform::Api));
        let parts = Parts {
            store: Arc::new(store),
            adapters: BTreeMap::from([(message::account(), adapter)]),
            agents: Agents::only(Arc::new(Demo {
                config: home.join("angelia.toml"),
            })),
            env: Env::system(),
            settings: Settings {
                home: home.display().to_string(),
                place: home.display().to_string(),
                version: "bench".to_owned(),
                rules: Rules::default(),
                access: Policy::everyone(),
                busy: Mode::Queue.into(),
                drain: Span::seconds(5),
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
        };
        let gateway = Gateway::start(parts).await?;
        let frames = gateway.ground().feed.watch();
        Ok(Self {
            gateway,
            frames,
            next,
        })
    }

    /// Writes a message into each of the chats, with at most `at_once` unanswered, and waits until
    /// every reply is delivered.
    pub(super) async fn answer(&mut self, chats: &[u64], at_once: usize) -> Result<(), Trouble> {
        let door = self.gateway.door();
        let mut accepts = FuturesUnordered::new();
        let (mut sent, mut delivered) = (0, 0);
        while delivered < chats.len() {
            while sent < chats.len() && sent - delivered < at_once {
                accepts.push(door.accept(message::inbound(chats[sent], self.next), None));
                self.next += 1;
                sent += 1;
            }
            tokio::select! {
                biased;
                Some(accepted) = accepts.next() => message::taken(&accepted?)?,
                frame = tokio::time::timeout(PATIENCE, self.frames.recv()) => {
                    delivered += usize::from(is_sent(&frame.map_err(|_| "no reply came")??));
                }
            }
        }
        Ok(())
    }

    /// Ends the gateway in order.
    pub(super) async fn close(self) {
        self.gateway.stop().await;
    }
}

fn is_sent(frame: &Frame) -> bool {
    match frame {
        Frame::Delivery { delivery, .. } => delivery
            .get()
            .is_some_and(|delivery| matches!(delivery.state, DeliveryState::Sent(_))),
        Frame::Message { .. }
        | Frame::Turn { .. }
        | Frame::Draft { .. }
        | Frame::Step { .. }
        | Frame::Process { .. }
        | Frame::Approval { .. }
        | Frame::Session { .. }
        | Frame::Elsewhere => false,
    }
}
