//! Deliveries by state, and the two wishes of an operator.

use std::sync::Arc;

use angelia_api::client::{ClientError, Rows};
use angelia_api::wire::v1::delivery::{DeliveryState, OutboxState};
use angelia_api::wire::v1::event::Event;
use angelia_api::wire::v1::inbox::Entrance;
use angelia_core::address::Platform;
use angelia_core::outbound::{Action, Capabilities, Reach, Receipt, SendError};
use angelia_platforms::health::Report;
use angelia_platforms::pail::{Pail, Unfetched};
use angelia_platforms::pull::Pull;
use angelia_platforms::push::{NotTaken, Push};
use angelia_platforms::sink::Sink;
use angelia_platforms::{Adapter, Disconnected};
use tokio_util::sync::CancellationToken;

use crate::events::until;
use crate::house::{House, message};

/// A platform that refuses every message.
struct Refusing;

impl Refusing {
    fn refuse() -> Result<Receipt, SendError> {
        Err(SendError::Refused {
            reach: Reach::Message,
            why: "the chat is closed".to_owned(),
        })
    }
}

#[async_trait::async_trait]
impl Adapter for Refusing {
    fn platform(&self) -> Platform {
        Platform::Local
    }

    fn capabilities(&self) -> Capabilities {
        Pull(Platform::Local).capabilities()
    }

    fn report(&self) -> Report {
        Report::house()
    }

    async fn listen(
        &self,
        _cursor: Option<String>,
        _sink: &Sink,
        stop: &CancellationToken,
    ) -> Result<(), Disconnected> {
        stop.cancelled().await;
        Ok(())
    }

    async fn pushed(&self, _push: Push<'_>, _sink: &Sink) -> Result<(), NotTaken> {
        Err(NotTaken::NotHere)
    }

    async fn fetch(&self, _remote: &str, _pail: &mut dyn Pail) -> Result<(), Unfetched> {
        Err(Unfetched::Never("there is nothing to fetch".to_owned()))
    }

    async fn perform(&self, _action: Action) -> Result<Receipt, SendError> {
        Self::refuse()
    }
}

fn is_wedged(event: &Event) -> bool {
    matches!(event, Event::Delivery(delivery) if delivery.state == DeliveryState::Wedged)
}

#[tokio::test]
async fn a_wedged_delivery_can_be_retried_and_dropped() {
    let house = House::with_local(Arc::new(Refusing)).await;
    let mut events = house.client.events(None).await.unwrap();
    let mut said = message("c1", "m1", "echo hi");
    said.platform = Entrance::Local;
    house.client.inbox(&said).await.unwrap();
    until(&mut events, is_wedged).await;
    let wedged = house
        .client
        .outbox(OutboxState::Wedged, &Rows::default())
        .await
        .unwrap();
    let delivery = &wedged.items[0];
    assert_eq!(delivery.why.as_deref(), Some("the chat is closed"));
    assert_eq!(house.client.status().await.unwrap().wedged, 1);
    let open = house
        .client
        .outbox(OutboxState::Open, &Rows::default())
        .await
        .unwrap();
    assert_eq!(open.items.len(), 1);

    let retried = house.client.retry(delivery.id).await.unwrap();
    assert_eq!(retried.state, DeliveryState::Due);
    // The courier was rung: it tries at once, and the platform refuses again.
    until(&mut events, is_wedged).await;
    let dropped = house.client.drop(delivery.id).await.unwrap();
    assert_eq!(dropped.state, DeliveryState::Dropped);
    let open = house
        .client
        .outbox(OutboxState::Open, &Rows::default())
        .await
        .unwrap();
    assert!(open.items.is_empty());
    let all = house
        .client
        .outbox(OutboxState::All, &Rows::default())
        .await
        .unwrap();
    assert_eq!(all.items, [dropped]);
}

#[tokio::test]
async fn a_sent_delivery_can_be_neither_retried_nor_dropped() {
    let house = House::open().await;
    house.say("c1", "m1", "echo hi").await;
    let sent = &house.replies("c1", None).await[0];
    assert_eq!(sent.state, DeliveryState::Sent);
    for refused in [
        house.client.retry(sent.id).await,
        house.client.drop(sent.id).await,
    ] {
        let Err(ClientError::Api {
            status,
            code,
            message,
            hint,
        }) = refused
        else {
            panic!("it was not refused")
        };
        assert_eq!((status, code.as_str()), (409, "conflict"));
        assert!(message.contains("is sent"), "{message}");
        assert!(!hint.is_empty());
    }
    let page = house
        .client
        .outbox(OutboxState::Sent, &Rows::default())
        .await
        .unwrap();
    assert_eq!(page.items, std::slice::from_ref(sent));
}
