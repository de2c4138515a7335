//! A wire to a server that is far away: every byte arrives a while after it was sent.
//!
//! What is sent while earlier bytes are on the way is on the way too: it is slow, not narrow.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::super::{Trouble, clock};

/// Pieces that may be on the way in one direction.
const PIECES_MAX: usize = 1024;

/// Puts the server at `port` this far away, one way; the port by which it is reached then.
#[expect(
    clippy::disallowed_methods,
    reason = "a wire is no part of a gateway, and ends with the benchmark"
)]
pub(super) async fn to(port: u16, far: Duration) -> Result<u16, Trouble> {
    let door = TcpListener::bind("127.0.0.1:0").await?;
    let near = door.local_addr()?.port();
    tokio::spawn(async move {
        while let Ok((client, _)) = door.accept().await {
            // A connection that cannot be made is noticed by who wanted it.
            let _refused = connect(client, port, far).await.is_err();
        }
    });
    Ok(near)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a wire is no part of a gateway, and ends with the benchmark"
)]
async fn connect(client: TcpStream, port: u16, far: Duration) -> Result<(), Trouble> {
    let server = TcpStream::connect(("127.0.0.1", port)).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    for (from, to) in [(from_client, to_server), (from_server, to_client)] {
        let (sent, arriving) = mpsc::channel(PIECES_MAX);
        tokio::spawn(leave(from, sent, far));
        tokio::spawn(arrive(arriving, to));
    }
    Ok(())
}

/// Notes of each piece when it will arrive.
async fn leave(
    mut from: OwnedReadHalf,
    sent: mpsc::Sender<(Instant, Vec<u8>)>,
    far: Duration,
) -> Option<()> {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let count = from
            .read(&mut bytes)
            .await
            .ok()
            .filter(|count| *count > 0)?;
        let arrives = Instant::from_std(clock::now()) + far;
        sent.send((arrives, bytes[..count].to_vec())).await.ok()?;
    }
}

async fn arrive(
    mut arriving: mpsc::Receiver<(Instant, Vec<u8>)>,
    mut to: OwnedWriteHalf,
) -> Option<()> {
    while let Some((at, bytes)) = arriving.recv().await {
        tokio::time::sleep_until(at).await;
        to.write_all(&bytes).await.ok()?;
    }
    to.shutdown().await.ok()
}
