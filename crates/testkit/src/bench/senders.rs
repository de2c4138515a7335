//! `senders`: 64 at once, who share commits.
//!
//! The reference is a bare writer that drains its queue and makes one transaction of all that waits.
//! Rounds take turns. Each sender writes into one conversation of its own that was held before; in the
//! next round into another, so that no conversation fills up.

use std::path::Path;
use std::sync::Arc;

use angelia_core::inbound::Inbound;
use angelia_gateway::env::Env;
use angelia_store::database::Database;
use angelia_store::intake::Intake as _;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::bare::{Bare, Commit};
use super::line::{Line, Target, Unit, median};
use super::{Bench, Trouble, clock, message, seed, trace};

const ROUNDS: u64 = 7;
const SENDERS: u64 = 64;

/// Messages of each sender in a round.
const EACH: u64 = 50;

/// Rounds that are not counted: both logs must have been through a checkpoint.
const WARM_UP: u64 = 1;

fn runtime() -> Result<Runtime, Trouble> {
    Ok(Builder::new_multi_thread().enable_all().build()?)
}

pub(super) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let [throughput, keyed] = runtime()?.block_on(against_bare(bench))?;
    let parts = trace::parts(bench, "senders")?;
    let sent = parts.get("sent").cloned().unwrap_or_default();
    let syncs = Line {
        name: "senders syncs",
        words: "syncs per message, checkpoints included".to_owned(),
        unit: Unit::Count,
        target: Target::AtMost(1.0 / 8.0),
        figures: vec![(sent.log_syncs + sent.file_syncs) as f64 / (SENDERS * EACH) as f64],
    };
    Ok(vec![throughput, keyed, syncs])
}

async fn against_bare(bench: &Bench) -> Result<[Line; 2], Trouble> {
    let bare = Arc::new(Bare::open(&bench.folder.join("bare.db"), Commit::Shared)?);
    let store = Arc::new(seed::open(&bench.folder.join("store.db"))?);
    seed::talk(&store, (WARM_UP + ROUNDS) * SENDERS, 1).await?;
    let (mut ours, mut theirs, mut keyed) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..WARM_UP + ROUNDS {
        theirs.push(their_rate(&bare).await?);
        keyed.push(their_keyed_rate(&bare, round * SENDERS).await?);
        ours.push(our_rate(&store, round * SENDERS).await?);
    }
    let counted = WARM_UP as usize..;
    let ours = &ours[counted.clone()];
    let (theirs, keyed) = (&theirs[counted.clone()], &keyed[counted]);
    Ok([
        Line {
            name: "senders",
            words: words("a bare group commit", ours, theirs),
            unit: Unit::Ratio,
            target: Target::AtLeast(0.6),
            figures: ratios(ours, theirs),
        },
        Line {
            name: "senders keyed",
            words: words("one that recognises repeats", ours, keyed),
            unit: Unit::Ratio,
            target: Target::Told,
            figures: ratios(ours, keyed),
        },
    ])
}

fn words(reference: &str, ours: &[f64], theirs: &[f64]) -> String {
    let (ours, theirs) = (median(ours), median(theirs));
    format!(
        "throughput of {SENDERS} senders against {reference}: {ours:.0} / {theirs:.0} per second"
    )
}

fn ratios(ours: &[f64], theirs: &[f64]) -> Vec<f64> {
    ours.iter()
        .zip(theirs)
        .map(|(our, their)| our / their)
        .collect()
}

/// Messages per second through the store, into the chats from `first` on.
async fn our_rate(store: &Arc<Database>, first: u64) -> Result<f64, Trouble> {
    let said = (0..SENDERS).map(|sender| words_of(first + sender));
    let said: Vec<Vec<Inbound>> = said.collect();
    let began = clock::now();
    let mut senders = JoinSet::new();
    for words in said {
        let (store, env) = (Arc::clone(store), Env::system());
        senders.spawn(async move {
            for inbound in words {
                let message = message::at_the_door(&env, inbound);
                message::taken(&store.accept(message).await?)?;
            }
            Ok::<(), Trouble>(())
        });
    }
    all(senders).await?;
    Ok((SENDERS * EACH) as f64 / began.elapsed().as_secs_f64())
}

/// What somebody says in a round. It is thought up before the clock runs, as the words of the reference are.
fn words_of(chat: u64) -> Vec<Inbound> {
    (1..=EACH)
        .map(|number| message::inbound(chat, number))
        .collect()
}

async fn their_rate(bare: &Arc<Bare>) -> Result<f64, Trouble> {
    let bodies = bodies();
    let began = clock::now();
    let mut senders = JoinSet::new();
    for mine in bodies {
        let bare = Arc::clone(bare);
        senders.spawn(async move {
            for body in mine {
                bare.insert(body).await?;
            }
            Ok::<(), Trouble>(())
        });
    }
    all(senders).await?;
    Ok((SENDERS * EACH) as f64 / began.elapsed().as_secs_f64())
}

/// The same, each row with a key like our event keys.
async fn their_keyed_rate(bare: &Arc<Bare>, first: u64) -> Result<f64, Trouble> {
    let keyed = bodies().into_iter().zip(first..).map(keyed);
    let keyed: Vec<Vec<(String, String)>> = keyed.collect();
    let began = clock::now();
    let mut senders = JoinSet::new();
    for mine in keyed {
        let bare = Arc::clone(bare);
        senders.spawn(async move {
            for (key, body) in mine {
                bare.insert_once(key, body).await?;
            }
            Ok::<(), Trouble>(())
        });
    }
    all(senders).await?;
    Ok((SENDERS * EACH) as f64 / began.elapsed().as_secs_f64())
}

/// What each sender of the reference has to say in a round.
fn bodies() -> Vec<Vec<String>> {
    let body = message::bare_body();
    vec![vec![body; EACH as usize]; SENDERS as usize]
}

/// The same with the keys of a chat.
fn keyed((bodies, chat): (Vec<String>, u64)) -> Vec<(String, String)> {
    let key = |turn: usize| format!("c:{turn}:chat-{chat}");
    let numbered = bodies.into_iter().enumerate();
    numbered.map(|(turn, body)| (key(turn), body)).collect()
}

async fn all(mut senders: JoinSet<Result<(), Trouble>>) -> Result<(), Trouble> {
    while let Some(ended) = senders.join_next().await {
        ended??;
    }
    Ok(())
}

/// What the child under the tracer does.
pub(super) fn traced(folder: &Path) -> Result<(), Trouble> {
    runtime()?.block_on(async {
        let store = Arc::new(seed::open(&folder.join("store.db"))?);
        seed::talk(&store, SENDERS, 1).await?;
        trace::mark(folder, "sent")?;
        our_rate(&store, 0).await?;
        trace::mark(folder, "after")
    })
}
