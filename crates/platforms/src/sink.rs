//! Where an adapter puts what it hears: a hand-over that is answered after the commit.
//!
//! The channel holds nothing back: it has room for one arrival, and the adapter waits for the answer
//! before it reads on. So a listener that cannot commit stops reading.

use angelia_core::address::Moved;
use angelia_core::inbound::Inbound;
use tokio::sync::{mpsc, oneshot};

/// Something that was heard.
#[derive(Debug)]
pub struct Arrival {
    /// What.
    pub event: Event,
    /// How far the platform was read once this is taken.
    pub cursor: Option<String>,
}

/// What can be heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A message.
    Message(Box<Inbound>),
    /// A chat has another id from now on.
    Moved(Moved),
}

/// The gateway stopped listening. What was not taken must be heard again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the gateway stopped listening")]
pub struct Closed;

/// The adapter's end.
#[derive(Debug, Clone)]
pub struct Sink {
    sender: mpsc::Sender<(Arrival, oneshot::Sender<()>)>,
}

/// The gateway's end.
#[derive(Debug)]
pub struct Source {
    receiver: mpsc::Receiver<(Arrival, oneshot::Sender<()>)>,
}

/// Makes both ends.
pub fn channel() -> (Sink, Source) {
    let (sender, receiver) = mpsc::channel(1);
    (Sink { sender }, Source { receiver })
}

impl Sink {
    /// Hands it over and waits until it is durable (or recognised, or finally refused).
    pub async fn take(&self, arrival: Arrival) -> Result<(), Closed> {
        let (answer, taken) = oneshot::channel();
        self.sender
            .send((arrival, answer))
            .await
            .map_err(|_| Closed)?;
        taken.await.map_err(|_| Closed)
    }
}

impl Source {
    /// What comes next, and the promise to answer for it. Dropping the promise refuses it.
    pub async fn next(&mut self) -> Option<(Arrival, oneshot::Sender<()>)> {
        self.receiver.recv().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use angelia_core::about::About;
    use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
    use angelia_core::inbound::EventKey;

    fn arrival() -> Arrival {
        let address = Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat: Chat {
                id: "c".into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        };
        let inbound = Inbound {
            address,
            person: Person {
                id: "u".into(),
                name: None,
            },
            event_key: EventKey::of_update("1"),
            message_id: "1".into(),
            text: "hi".into(),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About::default(),
        };
        Arrival {
            event: Event::Message(Box::new(inbound)),
            cursor: None,
        }
    }

    #[tokio::test]
    async fn a_message_counts_as_taken_only_when_answered_for() {
        let (sink, mut source) = channel();
        let gateway = async {
            let (_, promise) = source.next().await.unwrap();
            promise.send(()).unwrap();
            let (_, promise) = source.next().await.unwrap();
            drop(promise);
        };
        let adapter = async { (sink.take(arrival()).await, sink.take(arrival()).await) };
        let (taken, ()) = tokio::join!(adapter, gateway);
        assert_eq!(taken, (Ok(()), Err(Closed)));
    }
}
