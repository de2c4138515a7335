//! A wire to a server that can be cut.
//!
//! While it is cut, nothing comes through: what is sent on a connection goes nowhere, and new ones are not answered. When
//! it is mended, the connections of before are gone.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// How long a piece of wire waits for bytes before it looks whether it is cut.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A wire to a port of this machine. Its threads end with the process.
#[derive(Debug)]
pub struct Proxy {
    /// Where it is reached.
    pub port: u16,
    /// Odd while it is cut; it counts both cuts and mends.
    changes: Arc<AtomicU64>,
}

impl Proxy {
    /// A whole wire to this port.
    ///
    /// # Panics
    /// If this machine has no port left.
    pub fn to(server: u16) -> Self {
        let door = TcpListener::bind(("127.0.0.1", 0)).expect("there is a free port");
        let port = door.local_addr().expect("it is bound").port();
        let changes = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&changes);
        beside(move || {
            for client in door.incoming().flatten() {
                let begun = seen.load(Ordering::SeqCst);
                match begun.is_multiple_of(2) {
                    true => connect(client, server, &seen, begun),
                    false => unanswered(client, &seen, begun),
                }
            }
        });
        Self { port, changes }
    }

    /// Cuts it.
    pub fn cut(&self) {
        self.changes.fetch_or(1, Ordering::SeqCst);
    }

    /// Mends it.
    pub fn mend(&self) {
        let mended = |changes: u64| Some(changes.next_multiple_of(2));
        let update = self
            .changes
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, mended);
        update.expect("it can always be mended");
    }
}

fn connect(client: TcpStream, server: u16, changes: &Arc<AtomicU64>, begun: u64) {
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
        return;
    };
    for (from, to) in [(&client, &server), (&server, &client)] {
        let (Ok(from), Ok(to)) = (from.try_clone(), to.try_clone()) else {
            return;
        };
        let changes = Arc::clone(changes);
        beside(move || carry(from, to, &changes, begun));
    }
}

/// Nobody says anything on it until the wire is mended.
fn unanswered(client: TcpStream, changes: &Arc<AtomicU64>, begun: u64) {
    let changes = Arc::clone(changes);
    beside(move || {
        while changes.load(Ordering::SeqCst) == begun {
            thread::sleep(LOOK_EVERY);
        }
        drop(client);
    });
}

/// Carries bytes one way. A connection that was cut stays silent until the wire is mended, and ends then.
fn carry(mut from: TcpStream, mut to: TcpStream, changes: &AtomicU64, begun: u64) {
    let timed = from.set_read_timeout(Some(LOOK_EVERY));
    let mut bytes = [0; 16 * 1024];
    while timed.is_ok() && changes.load(Ordering::SeqCst) <= begun + 1 {
        let read = from.read(&mut bytes);
        let is_cut = changes.load(Ordering::SeqCst) != begun;
        let gone = match read {
            Ok(0) => true,
            Ok(count) if !is_cut => to.write_all(&bytes[..count]).is_err(),
            Ok(_) => false,
            Err(error) => ![ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()),
        };
        match (gone, is_cut) {
            (true, false) => break,
            (true, true) => thread::sleep(LOOK_EVERY),
            (false, _) => (),
        }
    }
    for end in [from, to] {
        let _gone = end.shutdown(Shutdown::Both).is_err();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a wire has two ends that wait at the same time, and no runtime of a test may wait for it"
)]
fn beside(work: impl FnOnce() + Send + 'static) {
    drop(thread::spawn(work));
}
