//! Bells between nodes: `NOTIFY` and `LISTEN`, and nothing that depends on them.
//!
//! One thread has a connection of its own and hears. If that breaks, it is made again; what was told meanwhile is
//! lost, and costs one period. Telling is a transaction that writes nothing else, so no message waits for the
//! lock that the server takes for it. Of a server that knows no `LISTEN` nothing is heard, and that is told.

use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;

use super::line::{Care, Line};
use super::place::Server;
use super::pool::Desk;
use crate::database::fault::Fault;
use crate::neighbours::Heard;

/// What was heard and nobody looked at yet. More than that is dropped: whoever is so late looks by itself.
const HEARD_MAX: usize = 64;

/// How long the thread waits before it looks whether anybody still listens, and before it connects again.
const LOOK_EVERY: Duration = Duration::from_secs(5);
const CONNECT_AGAIN: Duration = Duration::from_secs(1);

/// The channel, of a name that no other schema of the database has.
macro_rules! channel {
    () => {
        "'angelia_' || md5(current_schema())"
    };
}

/// Tells everybody who hears. It is told when the transaction has ended, and nobody waits for the disk because of it.
pub(crate) const TELL: &str = concat!(
    "SELECT pg_notify(",
    channel!(),
    ", ?1), set_config('synchronous_commit', 'off', true)"
);

/// Hears from now on, until the receiver is dropped.
pub(crate) fn hear(desk: &Desk) -> mpsc::Receiver<Heard> {
    let (sender, receiver) = mpsc::channel(HEARD_MAX);
    let (server, place) = (desk.server.clone(), desk.place.clone());
    let listening = thread::Builder::new().name("angelia-bells".to_owned());
    // A system without a thread for it costs a period; every verb tells of it.
    let _deaf = listening.spawn(move || {
        while !sender.is_closed() {
            if let Err(fault) = listen(&server, &sender) {
                pass(&sender, Heard::Deaf(fault.said(&place)));
                thread::sleep(CONNECT_AGAIN);
            }
        }
    });
    receiver
}

/// Hears on one connection.
fn listen(server: &Server, heard: &mpsc::Sender<Heard>) -> Result<(), Fault> {
    let (mut line, _) = Line::to(server, Care::Taken)?;
    line.listen(concat!("SELECT ", channel!()))?;
    pass(heard, Heard::Listening);
    while !heard.is_closed() {
        if let Some(words) = line.heard(LOOK_EVERY)? {
            pass(heard, Heard::Words(words));
        }
    }
    Ok(())
}

fn pass(to: &mpsc::Sender<Heard>, heard: Heard) {
    // Whoever is that late looks anyway.
    let _dropped = to.try_send(heard).is_err();
}
