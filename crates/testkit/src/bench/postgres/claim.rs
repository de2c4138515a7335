//! `postgres-claim`: turns claimed on a server, beside a bare queue of `pgbench`.
//!
//! Sixteen claimers against sixteen clients that take the oldest row of a table with `FOR UPDATE SKIP LOCKED`: the
//! least that is called a queue. It is one statement; the line that is told has it as the transaction of four that
//! tutorials show. A claim of ours finds the message and its conversation, takes the conversation's lease with
//! a higher fence, opens a turn and notes what the lists show.

use std::sync::Arc;

use angelia_core::id::NodeId;
use angelia_gateway::env::Env;
use angelia_store::database::Database;
use angelia_store::intake::Intake as _;
use angelia_store::turns::{ClaimedTurn, Turns as _};
use futures_util::future::try_join_all;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::super::line::{Line, Target, Unit};
use super::super::{Bench, Trouble, clock, message, seed};
use super::pgbench::Script;
use super::{analyse, medians, open, ratios, start};
use crate::server::cluster::Cluster;

const ROUNDS: u64 = 7;
const WARM_UP: u64 = 1;

/// Claimers, and claims of each in a round.
const CLAIMERS: u64 = 16;
const EACH: u64 = 60;
const CLAIMS: u64 = CLAIMERS * EACH;

const TABLE: &str = "CREATE TABLE queue (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
                     state TEXT NOT NULL, body TEXT NOT NULL); \
                     CREATE INDEX queue_next ON queue (seq) WHERE state = 'next'";

const DEQUEUE: &str = "UPDATE queue SET state = 'taken' WHERE seq = (SELECT seq FROM queue \
                       WHERE state = 'next' ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED) \
                       RETURNING seq, body;";

const IN_STEPS: &str = "BEGIN;\n\
                        SELECT seq, body FROM queue WHERE state = 'next' ORDER BY seq LIMIT 1 \
                        FOR UPDATE SKIP LOCKED \\gset\n\
                        UPDATE queue SET state = 'taken' WHERE seq = :seq;\n\
                        COMMIT;";

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let cluster = start(bench)?;
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    let store = Arc::new(open(&cluster)?);
    runtime.block_on(seed::talk(&store, CLAIMS, 1))?;
    cluster.query(TABLE)?;
    let dequeue = Script::new(&bench.folder, "dequeue", DEQUEUE)?;
    let in_steps = Script::new(&bench.folder, "in-steps", IN_STEPS)?;
    let (mut ours, mut theirs, mut stepwise) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..WARM_UP + ROUNDS {
        fill(&cluster)?;
        runtime.block_on(say(&store, round + 1))?;
        analyse(&cluster)?;
        theirs.push(dequeue.run(&cluster, (CLAIMERS, EACH))?.rate);
        let (rate, claimed) = runtime.block_on(claims(&store))?;
        ours.push(rate);
        stepwise.push(in_steps.run(&cluster, (CLAIMERS, EACH))?.rate);
        runtime.block_on(settle(&store, &claimed))?;
    }
    let counted = WARM_UP as usize..;
    let (ours, theirs) = (&ours[counted.clone()], &theirs[counted.clone()]);
    let line = |name, reference: &str, target, theirs: &[f64]| {
        let (our, their) = medians(ours, theirs);
        Line {
            name,
            words: format!(
                "claims of {CLAIMERS} against {reference} of {CLAIMERS} connections of pgbench: \
                 {our:.0} / {their:.0} per second"
            ),
            unit: Unit::Ratio,
            target,
            figures: ratios(ours, theirs),
        }
    };
    let bare = "bare SKIP LOCKED dequeues";
    let steps = "the same in four statements";
    Ok(vec![
        line("postgres claim", bare, Target::AtLeast(0.6), theirs),
        line(
            "postgres claim steps",
            steps,
            Target::Told,
            &stepwise[counted],
        ),
    ])
}

/// Rows for both scripts of a round.
fn fill(cluster: &Cluster) -> Result<(), Trouble> {
    let body = message::bare_body().replace('\'', "''");
    let rows = 2 * CLAIMS;
    cluster
        .query(&format!(
            "INSERT INTO queue (state, body) SELECT 'next', '{body}' FROM generate_series(1, {rows})"
        ))
        .map(drop)
}

/// The message of this number in each of the chats.
async fn say(store: &Database, number: u64) -> Result<(), Trouble> {
    let env = Env::system();
    let said = (0..CLAIMS).map(|chat| {
        let message = message::accept(&env, chat, number);
        async move { message::taken(&store.accept(message).await?) }
    });
    try_join_all(said).await.map(drop)
}

/// Claims per second of all claimers together, and what they claimed.
async fn claims(store: &Arc<Database>) -> Result<(f64, Vec<ClaimedTurn>), Trouble> {
    let began = clock::now();
    let mut claimers = JoinSet::new();
    let node = Env::system().node_id();
    for _ in 0..CLAIMERS {
        claimers.spawn(claim(Arc::clone(store), node));
    }
    let mut claimed = Vec::new();
    while let Some(done) = claimers.join_next().await {
        claimed.extend(done??);
    }
    let rate = CLAIMS as f64 / began.elapsed().as_secs_f64();
    Ok((rate, claimed))
}

async fn claim(store: Arc<Database>, node: NodeId) -> Result<Vec<ClaimedTurn>, Trouble> {
    let env = Env::system();
    let mut turns = Vec::new();
    for _ in 0..EACH {
        let claimed = store.claim_turn(node, env.turn_id()).await?;
        turns.push(claimed.ok_or("a message could not be claimed")?);
    }
    Ok(turns)
}

/// Answers all of them.
async fn settle(store: &Database, claimed: &[ClaimedTurn]) -> Result<(), Trouble> {
    let env = Env::system();
    let settled = claimed.iter().map(|turn| seed::settle(store, &env, turn));
    try_join_all(settled).await.map(drop)
}
