//! What came with a message is fetched before its agent reads it, as long as somebody waits for the answer.

use std::sync::Arc;
use std::time::Duration;

use angelia_core::address::Platform;
use angelia_core::inbound::Inbound;
use angelia_core::media::attached::{Attached, Sort};
use angelia_core::outbound::{Action, Capabilities, Receipt, SendError};
use angelia_core::turn::busy::Mode;
use angelia_platforms::health::Report;
use angelia_platforms::pail::{Pail, Unfetched};
use angelia_platforms::pull::Pull;
use angelia_platforms::push::{NotTaken, Push};
use angelia_platforms::sink::Sink;
use angelia_platforms::{Adapter, Disconnected};
use angelia_store::intake::Accepted;
use async_trait::async_trait;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::commands::{Parrot, reply};
use crate::house::{House, message, state, write};

/// A place whose files never come.
struct Slow {
    like: Pull,
    asked: Arc<Notify>,
}

#[async_trait]
impl Adapter for Slow {
    fn platform(&self) -> Platform {
        self.like.platform()
    }

    fn capabilities(&self) -> Capabilities {
        self.like.capabilities()
    }

    fn report(&self) -> Report {
        self.like.report()
    }

    async fn listen(
        &self,
        cursor: Option<String>,
        sink: &Sink,
        stop: &CancellationToken,
    ) -> Result<(), Disconnected> {
        self.like.listen(cursor, sink, stop).await
    }

    async fn pushed(&self, push: Push<'_>, sink: &Sink) -> Result<(), NotTaken> {
        self.like.pushed(push, sink).await
    }

    async fn fetch(&self, _remote: &str, _pail: &mut dyn Pail) -> Result<(), Unfetched> {
        self.asked.notify_one();
        std::future::pending().await
    }

    async fn perform(&self, action: Action) -> Result<Receipt, SendError> {
        self.like.perform(action).await
    }
}

fn with_a_file(number: u32) -> Inbound {
    Inbound {
        attached: vec![Attached {
            sort: Sort::File,
            remote: "far away".to_owned(),
            name: None,
            bytes: None,
            sign: None,
            sticker: None,
        }],
        ..message("c", number, "read this")
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_to_stop_does_not_wait_for_a_file_that_is_fetched() {
    let mut house = House::new(Parrot::default(), Mode::Queue);
    let asked = Arc::new(Notify::new());
    house.adapter = Arc::new(Slow {
        like: Pull(Platform::Api),
        asked: asked.clone(),
    });
    let gateway = house.start(1).await;
    let door = gateway.door();
    let Accepted::New(place) = door.accept(with_a_file(1), None).await.unwrap() else {
        panic!("it is new");
    };
    asked.notified().await;
    let began = tokio::time::Instant::now();
    let stop = write(&gateway, "c", 2, "/stop").await;
    let story = house.until_answered(stop).await;
    assert!(began.elapsed() < Duration::from_secs(1), "it rang");
    assert_eq!(reply(&story), "Stopped, as you asked.");
    assert_eq!(state(&story), "interrupted");
    let asking = house.story(place.inbox).await;
    assert_eq!(asking.deliveries, story.deliveries, "one reply for both");
}
