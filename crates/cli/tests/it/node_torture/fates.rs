//! What befalls the nodes, one after the other, while messages come.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use angelia_api::client::{Replies, Rows};
use angelia_core::address::Platform;
use angelia_core::limits;
use angelia_gateway::env::Env;
use rustix::process::Signal;

use super::place::{NODES, Place, message, runtime};
use crate::world::wait_for;

/// What can befall them.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// A node is killed and started again.
    Killed,
    /// The server ends in the middle of everything and is started again.
    ServerRestarted,
    /// One node stands still for longer than its leases, and another cannot reach the server for as long.
    PausedAndCutOff,
    /// A node is killed and stays away until others have answered for it.
    Dead,
}

/// A round of them.
const ROUND: [Fate; 7] = [
    Fate::Killed,
    Fate::ServerRestarted,
    Fate::Killed,
    Fate::PausedAndCutOff,
    Fate::Killed,
    Fate::ServerRestarted,
    Fate::Dead,
];

/// The longest that the load is left alone before a kill, in milliseconds.
const CALM_MS_MAX: u64 = 500;

/// Conversations that wait for an answer of the node that dies.
const WAITING: usize = 24;

/// Lets everything befall them, so many rounds of it. Returns the longest that somebody waited for the answer of a
/// node that was dead.
pub(super) fn befall(place: &Place, rounds: usize) -> Duration {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut late = Duration::ZERO;
    for number in 0..rounds * ROUND.len() {
        thread::sleep(Duration::from_millis(dice.below(CALM_MS_MAX)));
        let (fate, node) = (ROUND[number % ROUND.len()], dice.node());
        let begun = Env::system().steady();
        match fate {
            Fate::Killed => {
                kill(place, node);
                place.nodes[node].start();
            }
            Fate::ServerRestarted => place.server.lock().unwrap().restart(),
            Fate::PausedAndCutOff => pause_and_cut(place, node, (node + 1) % NODES),
            Fate::Dead => late = late.max(die(place, node, number)),
        }
        eprintln!("{fate:?} of node {node}: {:?}", begun.elapsed());
        place.survived();
    }
    late
}

/// Waits until this part of the load is due: it is spread over the fates.
pub(super) fn wait_for_share(place: &Place, rounds: usize, (part, parts): (usize, usize)) {
    let due = part * rounds * ROUND.len() / parts;
    while place.fates.load(Ordering::Relaxed) < due {
        thread::sleep(Duration::from_millis(20));
    }
}

fn kill(place: &Place, node: usize) {
    // Dropping it kills it and waits for its end.
    drop(place.nodes[node].running().take());
}

fn pause_and_cut(place: &Place, paused: usize, cut: usize) {
    let signal = |signal| {
        let running = place.nodes[paused].running();
        running.as_ref().unwrap().running.signal(signal);
    };
    signal(Signal::STOP);
    place.nodes[cut].wire.cut();
    thread::sleep(limits::LEASE_TIME.to_std() + Duration::from_secs(3));
    signal(Signal::CONT);
    place.nodes[cut].wire.mend();
}

/// Kills a node that has turns under way; how long the last of them waited for its answer.
fn die(place: &Place, node: usize, number: usize) -> Duration {
    let runtime = runtime();
    // How many turns it leaves behind is known then.
    wait_for("all that was said to be answered", || {
        let status = runtime.block_on(place.client(node).status()).ok()?;
        (status.running + status.waiting + status.due == 0).then_some(())
    });
    let chats: Vec<String> = (0..WAITING).map(|one| format!("w{number}-{one}")).collect();
    for chat in &chats {
        let message = message(chat, 0, "sleep 2");
        runtime
            .block_on(place.client(node).inbox(&message))
            .unwrap();
    }
    wait_for("all of them to be at work", || {
        let status = runtime.block_on(place.client(node).status()).ok()?;
        (status.waiting == 0).then_some(())
    });
    kill(place, node);
    let died = Env::system().steady();
    for chat in &chats {
        let replies = Replies {
            platform: Platform::Api,
            chat: chat.clone(),
            rows: Rows::default(),
            wait: Some(Duration::from_secs(2)),
        };
        while died.elapsed() < 3 * limits::LEASE_TIME.to_std() {
            let page = runtime.block_on(place.client(node + 1).deliveries(&replies));
            if page.is_ok_and(|page| !page.items.is_empty()) {
                break;
            }
            // A node that cannot reach the server answers at once that it cannot.
            thread::sleep(Duration::from_millis(50));
        }
    }
    let late = died.elapsed();
    place.nodes[node].start();
    late
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % most
    }

    fn node(&mut self) -> usize {
        usize::try_from(self.below(NODES as u64)).unwrap()
    }
}
