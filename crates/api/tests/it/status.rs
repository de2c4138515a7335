//! Is it up, does it serve, what does it do?

use std::time::Duration;

use angelia_api::client::{Client, ClientError, Rows};
use angelia_api::token::Token;
use angelia_api::wire::v1::status::Readiness;
use reqwest::Method;
use serde_json::json;

use crate::house::{House, TOKEN};

#[tokio::test]
async fn health_and_readiness_need_no_token() {
    let house = House::open().await;
    let health = house.stranger(Method::GET, "/health").send().await.unwrap();
    assert_eq!(
        health.text().await.unwrap(),
        json!({"status": "ok"}).to_string()
    );
    // A reply proves that the dispatcher has looked.
    house.say("c1", "m1", "echo hi").await;
    house.replies("c1", None).await;
    let ready = house.stranger(Method::GET, "/ready").send().await.unwrap();
    assert_eq!(ready.status(), 200);
    assert_eq!(
        ready.text().await.unwrap(),
        json!({"status": "ready"}).to_string()
    );
    assert_eq!(house.client.ready().await.unwrap().status, Readiness::Ready);
}

#[tokio::test]
async fn the_status_counts_what_there_is() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    house.say("c1", "m1", "sleep 60").await;
    crate::events::until(&mut events, |event| event.name() == "turn").await;
    house.say("c1", "m2", "echo later").await;
    let status = house.client.status().await.unwrap();
    assert_eq!((status.running, status.waiting, status.sessions), (1, 1, 1));
    assert_eq!(status.phase, "running");
    assert_eq!(status.pid, std::process::id());
    assert_eq!(status.agent.backend, "demo");
    assert!(!status.agent.configured);
    assert!(status.loops.iter().any(|each| each.name == "dispatcher"));
}

#[tokio::test]
async fn the_boot_is_among_the_nodes() {
    let house = House::open().await;
    let nodes = house.client.nodes(&Rows::default()).await.unwrap().items;
    assert_eq!(nodes.len(), 1);
    assert!(nodes[0].alive);
    let status = house.client.status().await.unwrap();
    assert_eq!((nodes[0].id, &nodes), (status.node, &status.nodes));
}

#[tokio::test]
async fn metrics_are_prometheus_text() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    house.say("c1", "m1", "sleep 60").await;
    crate::events::until(&mut events, |event| event.name() == "turn").await;
    let answer = house.request(Method::GET, "/metrics").send().await.unwrap();
    assert!(
        answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/plain")
    );
    let text = answer.text().await.unwrap();
    assert!(
        text.contains("# TYPE angelia_turns_running gauge\nangelia_turns_running 1\n"),
        "{text}"
    );
}

#[tokio::test]
async fn a_client_tells_apart_nobody_a_refusal_and_a_stranger() {
    let house = House::open().await;
    let base = format!("http://{}", house.address);
    let wrong = Client::new(&base, Token::new("wrong")).unwrap();
    let refused = wrong.status().await.unwrap_err();
    assert_eq!(refused.code(), Some("unauthorized"));
    assert!(refused.hint().unwrap().contains("api-token"));

    let page = Client::new(&format!("{base}/assets"), Token::new(TOKEN)).unwrap();
    let strange = page.ready().await.unwrap_err();
    assert!(
        matches!(strange, ClientError::Malformed { status: 404, .. }),
        "{strange:?}"
    );

    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let nobody = Client::new(&format!("http://{closed}"), Token::new(TOKEN)).unwrap();
    let silence = tokio::time::timeout(Duration::from_secs(10), nobody.status())
        .await
        .unwrap();
    assert!(
        matches!(silence, Err(ClientError::Unreachable { .. })),
        "{silence:?}"
    );
    assert!(matches!(
        Client::new("nowhere", Token::new("t")),
        Err(ClientError::Address(_))
    ));
}
