//! Where a case is played: an adapter, the other side of its connection, and a gateway that listens.

use std::sync::Arc;
use std::time::Duration;

use angelia_core::address::{Address, Moved};
use angelia_core::id::DeliveryId;
use angelia_core::inbound::Inbound;
use angelia_core::media::enclosure::Form;
use angelia_core::outbound::{Action, Receipt, SendError};
use angelia_platforms::sink::{self, Event, Source};
use angelia_platforms::{Adapter, Disconnected};
use tokio_util::sync::CancellationToken;

/// How long anything may take before a case gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a look waits where nothing may come.
pub const MOMENT: Duration = Duration::from_millis(300);

/// An adapter in its world.
pub trait Stage: Send + Sync {
    /// The adapter as it is after a start: nothing of an earlier one is left in it.
    fn adapter(&self) -> Arc<dyn Adapter>;

    /// A chat that can be sent to.
    fn address(&self) -> Address;

    /// What may be seen nowhere.
    fn secret(&self) -> Option<String>;

    /// The other side, if there is one.
    fn other(&self) -> Option<&dyn Other>;
}

/// The other side of a connection.
pub trait Other: Send + Sync {
    /// Somebody writes in the chat.
    fn writes(&self, text: &str);

    /// Somebody sends a file.
    fn encloses(&self, bytes: &[u8]);

    /// The platform sends the last update again, although it was told that we have it.
    fn repeats(&self);

    /// Somebody corrects the last message, if people can.
    fn corrects(&self, text: &str);

    /// Something happens that no adapter knows.
    fn surprises(&self);

    /// A group of ours becomes another one. Returns both ids.
    fn becomes(&self) -> Moved;

    /// Somebody presses a button of a message; it says these words.
    fn presses(&self, receipt: &Receipt, says: &str);

    /// How many presses nobody has answered.
    fn unanswered_presses(&self) -> usize;

    /// What the buttons say that the chat shows.
    fn buttons(&self) -> Vec<String>;

    /// The files that the chat shows of us.
    fn files(&self) -> Vec<(Form, Vec<u8>)>;

    /// What the chat shows of us.
    fn shown(&self) -> Vec<String>;

    /// What each message of ours quotes that the chat shows.
    fn quoted(&self) -> Vec<Option<String>>;

    /// What goes wrong from now on.
    fn weather(&self, weather: Weather);

    /// Another account of ours on the same platform.
    fn second_account(&self) -> Arc<dyn Adapter>;
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weather {
    /// Nothing.
    Fair,
    /// Everything is refused for so many seconds.
    Flood(i64),
    /// Messages to the chat are refused for good.
    Blocked,
    /// This one message is refused for good.
    Malformed,
    /// The account is not known any more.
    Revoked,
    /// What is asked is done, and the answer is lost.
    AnswersLost,
    /// What is asked is done, and half an answer comes.
    HalfAnswers,
    /// Nothing is done: the platform's front says that it is away.
    Away,
}

/// A gateway that listens through an adapter.
pub struct Ear {
    source: Source,
    /// The cursor of what was taken last.
    pub cursor: Option<String>,
}

/// Listens while `during` goes on, from behind `cursor`; it ends when that ends.
pub async fn listening<T>(
    adapter: &dyn Adapter,
    cursor: Option<String>,
    during: impl AsyncFnOnce(&mut Ear) -> T,
) -> T {
    let (sink, source) = sink::channel();
    let mut ear = Ear {
        source,
        cursor: cursor.clone(),
    };
    let stop = CancellationToken::new();
    let heard = async {
        loop {
            match adapter.listen(cursor.clone(), &sink, &stop).await {
                Ok(()) => return,
                Err(Disconnected(_)) => tokio::time::sleep(MOMENT).await,
            }
        }
    };
    tokio::select! {
        biased;
        done = during(&mut ear) => done,
        () = heard => panic!("the adapter stopped listening although nobody asked for it"),
    }
}

impl Ear {
    /// The next message, taken.
    pub async fn takes(&mut self) -> Inbound {
        let next = tokio::time::timeout(PATIENCE, self.source.next()).await;
        let (arrival, promise) = next.expect("nothing came").expect("the adapter is gone");
        self.cursor = arrival.cursor;
        promise.send(()).expect("the adapter waits for the answer");
        message(arrival.event)
    }

    /// The next message, never answered for.
    pub async fn hears_without_taking(&mut self) -> Inbound {
        let next = tokio::time::timeout(PATIENCE, self.source.next()).await;
        let (arrival, promise) = next.expect("nothing came").expect("the adapter is gone");
        drop(promise);
        message(arrival.event)
    }

    /// That a chat has become another, taken.
    pub async fn takes_move(&mut self) -> Moved {
        let next = tokio::time::timeout(PATIENCE, self.source.next()).await;
        let (arrival, promise) = next.expect("nothing came").expect("the adapter is gone");
        self.cursor = arrival.cursor;
        promise.send(()).expect("the adapter waits for the answer");
        match arrival.event {
            Event::Moved(moved) => moved,
            other @ Event::Message(_) => panic!("{other:?}"),
        }
    }

    /// The next message, or nothing if it is something else; taken.
    pub async fn takes_move_or_message(&mut self) -> Option<Inbound> {
        let next = tokio::time::timeout(PATIENCE, self.source.next()).await;
        let (arrival, promise) = next.expect("nothing came").expect("the adapter is gone");
        promise.send(()).expect("the adapter waits for the answer");
        match arrival.event {
            Event::Message(inbound) => Some(*inbound),
            Event::Moved(_) => None,
        }
    }

    /// Whether nothing comes for a moment.
    pub async fn hears_nothing(&mut self) -> bool {
        tokio::time::timeout(MOMENT, self.source.next())
            .await
            .is_err()
    }
}

fn message(event: Event) -> Inbound {
    match event {
        Event::Message(inbound) => *inbound,
        other @ Event::Moved(_) => panic!("{other:?}"),
    }
}

/// Sends a text to the stage's chat.
pub async fn send(
    adapter: &dyn Adapter,
    stage: &dyn Stage,
    text: &str,
) -> Result<Receipt, SendError> {
    let action = Action::Send {
        key: DeliveryId::from_bits(7),
        address: stage.address(),
        text: text.to_owned(),
        buttons: Vec::new(),
        quotes: None,
    };
    let sent = tokio::time::timeout(PATIENCE, adapter.perform(action));
    sent.await.expect("a send ends")
}

/// Looks until it holds.
pub async fn until(what: &str, holds: impl Fn() -> bool) {
    let looking = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let seen = tokio::time::timeout(PATIENCE, looking).await;
    assert!(seen.is_ok(), "waited in vain until {what}");
}
