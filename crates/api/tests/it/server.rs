//! The listener: kept connections, stopping, and callers who leave.

use std::time::Duration;

use angelia_api::client::ClientError;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::house::{House, TOKEN};

#[tokio::test]
async fn stopping_ends_streams_at_once_and_refuses_what_comes_after() {
    let mut house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    let mut idle = TcpStream::connect(house.address).await.unwrap();
    idle.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    let mut answer = [0; 12];
    idle.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    house.stop.cancel();
    tokio::time::timeout(Duration::from_secs(4), house.server.join_next())
        .await
        .expect("neither the stream nor the idle connection holds it up");
    assert_eq!(events.next().await.unwrap(), None);
    let refused = house.client.health().await;
    assert!(matches!(refused, Err(ClientError::Unreachable { .. })));
}

#[tokio::test]
async fn a_request_that_never_ends_does_not_hold_up_the_stop_for_ever() {
    let mut house = House::open().await;
    let mut stuck = TcpStream::connect(house.address).await.unwrap();
    let head = format!(
        "POST /api/v1/inbox HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\n\
         content-length: 100\r\nexpect: 100-continue\r\n\r\n"
    );
    stuck.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body: the request is under way.
    let mut answer = [0; 12];
    stuck.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100");
    house.stop.cancel();
    tokio::time::timeout(Duration::from_secs(25), house.server.join_next())
        .await
        .expect("the stop is bounded");
}

#[tokio::test]
async fn many_requests_share_one_connection() {
    let house = House::open().await;
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    let request = b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n";
    stream.write_all(&request.repeat(3)).await.unwrap();
    let mut text = String::new();
    while text.matches("{\"status\":\"ok\"}").count() < 3 {
        let mut piece = [0; 4096];
        let count = stream.read(&mut piece).await.unwrap();
        assert_ne!(count, 0, "the connection stays open: {text}");
        text.push_str(std::str::from_utf8(&piece[..count]).unwrap());
    }
}
