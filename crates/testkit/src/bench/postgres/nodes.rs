//! `postgres-nodes`: messages accepted by two nodes of one server, against one.
//!
//! Both nodes are the real binary, spoken to over HTTP. On one machine two nodes share its processors with the
//! server, so what one node can do there says nothing about two machines. What limits a node elsewhere is that it
//! has so many messages on the way to the server and no more. So the server is put far away here, for both nodes
//! alike, until that is the limit, and neither the processors nor the server's disk is: how busy the processors were
//! is told with the figure. What the line shows then is that nodes do not wait for one another, in the server
//! or elsewhere; it does not show what a server can take.
//!
//! Turns are kept out of it: all places for turns of both nodes are taken by an agent that sleeps.

use std::time::Duration;

use angelia_store::database::Database;
use angelia_store::views::Views as _;
use serde_json::json;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::super::http::Http;
use super::super::line::{Line, Target, Unit, median};
use super::super::server::Server;
use super::super::{Bench, Trouble, clock, message, proc, seed};
use super::{analyse, distance, medians, open, ratios, start};
use crate::server::cluster::Cluster;

const ROUNDS: u64 = 5;
const WARM_UP: u64 = 1;

/// How far away the server is, one way.
const FAR: Duration = Duration::from_millis(20);

/// Callers of each node, more than it can have on the way at once, and messages of each in a round.
const CALLERS: u64 = 192;
const EACH: u64 = 8;

/// Messages of a caller in one chat, fewer than may wait there; and the chats that each has, since those of the first node
/// write twice in a round.
const PER_CHAT: u64 = 48;
const CHATS_EACH: u64 = (2 * EACH * (WARM_UP + ROUNDS)).div_ceil(PER_CHAT);

/// Conversations of the callers of both nodes; behind them are those in which the agent sleeps.
const CHATS: u64 = 2 * CALLERS * CHATS_EACH;

/// Turns that a node runs at once.
const PLACES: u64 = angelia_core::limits::TURNS_PER_NODE as u64;

/// How long the nodes may take until all of those are taken.
const PATIENCE: Duration = Duration::from_secs(60);

/// One who writes over HTTP and waits until it is taken.
struct Sender {
    http: Http,
    number: u64,
    /// Messages that were written.
    sent: u64,
}

impl Sender {
    /// Writes the next message.
    async fn write(&mut self, text: &str) -> Result<(), Trouble> {
        let chat = self.number + 2 * CALLERS * (self.sent / PER_CHAT);
        self.sent += 1;
        write(&mut self.http, (chat, self.sent), text).await
    }
}

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let cluster = start(bench)?;
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(against_one(bench, &cluster))
}

async fn against_one(bench: &Bench, cluster: &Cluster) -> Result<Vec<Line>, Trouble> {
    let store = open(cluster)?;
    seed::talk(&store, CHATS + 2 * PLACES, 1).await?;
    analyse(cluster)?;
    let port = distance::to(cluster.port, FAR).await?;
    let address = cluster.address(port);
    let mut nodes = Vec::new();
    for name in ["one", "two"] {
        nodes.push(Server::start_on(bench, &bench.folder.join(name), &address).await?);
    }
    put_to_sleep(&nodes, &store).await?;
    let mut first = senders(&nodes[0], 0).await?;
    let mut second = senders(&nodes[1], CALLERS).await?;
    let (mut one, mut two, mut busy) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..WARM_UP + ROUNDS {
        let rate;
        (first, rate) = send(first).await?;
        one.push(rate);
        let before = proc::machine()?;
        let both = first.into_iter().chain(second).collect();
        let (both, rate) = send(both).await?;
        two.push(rate);
        busy.push(proc::machine()?.busy_since(&before));
        let mut both = both;
        second = both.split_off(both.len() / 2);
        first = both;
    }
    Ok(vec![line(&one, &two, &busy)])
}

fn line(one: &[f64], two: &[f64], busy: &[f64]) -> Line {
    let counted = WARM_UP as usize..;
    let (one, two) = (&one[counted.clone()], &two[counted.clone()]);
    let ((both, alone), busy) = (medians(two, one), 100.0 * median(&busy[counted]));
    Line {
        name: "postgres nodes",
        words: format!(
            "accepted by two nodes against one, with a server {} ms away: {both:.0} / {alone:.0} per \
             second; the processors were busy for {busy:.0} % of the time with two",
            FAR.as_millis()
        ),
        unit: Unit::Ratio,
        target: Target::AtLeast(1.6),
        figures: ratios(two, one),
    }
}

/// Takes all places for turns.
async fn put_to_sleep(nodes: &[Server], store: &Database) -> Result<(), Trouble> {
    let mut http = nodes[0].connect().await?;
    for chat in CHATS..CHATS + 2 * PLACES {
        write(&mut http, (chat, 1), "sleep 3600").await?;
    }
    let began = clock::now();
    while began.elapsed() < PATIENCE {
        if store.counts().await?.running == 2 * PLACES {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err("the nodes did not begin all turns".into())
}

async fn senders(node: &Server, first: u64) -> Result<Vec<Sender>, Trouble> {
    let mut senders = Vec::new();
    for number in first..first + CALLERS {
        senders.push(Sender {
            http: node.connect().await?,
            number,
            sent: 0,
        });
    }
    Ok(senders)
}

/// Everybody writes; messages per second of all together. They are given back in order.
async fn send(senders: Vec<Sender>) -> Result<(Vec<Sender>, f64), Trouble> {
    let count = senders.len() as u64 * EACH;
    let began = clock::now();
    let mut sending = JoinSet::new();
    for mut sender in senders {
        sending.spawn(async move {
            for _ in 0..EACH {
                let text = message::inbound(0, 0).text;
                sender.write(&text).await?;
            }
            Ok::<Sender, Trouble>(sender)
        });
    }
    let mut sent = Vec::new();
    while let Some(sender) = sending.join_next().await {
        sent.push(sender??);
    }
    let rate = count as f64 / began.elapsed().as_secs_f64();
    sent.sort_by_key(|sender| sender.number);
    Ok((sent, rate))
}

/// Writes one message, and returns when it is taken.
async fn write(http: &mut Http, (chat, number): (u64, u64), text: &str) -> Result<(), Trouble> {
    let message = message::inbound(chat, number);
    let body = json!({
        "chat": message.address.chat.id, "user": { "id": message.person.id },
        "text": text, "message_id": message.message_id,
    });
    let answer = http.post("/api/v1/inbox", &body.to_string()).await?;
    answer.json(202).map(drop)
}
