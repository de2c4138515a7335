//! `postgres-accept`: a message made durable on a server, beside a bare insert of `pgbench`.
//!
//! One at a time, the medians of an accept and of an insert of a row of the same size are compared; with sixteen
//! callers against sixteen clients, the rates. All conversations were held before. Each accept of one at a time goes into
//! one of its own that rests; those of the many go into the same ones in every round, so that each has as many
//! messages waiting as there were rounds. Rounds take turns, so both meet the same disk and the same neighbours.

use std::sync::Arc;

use angelia_gateway::env::Env;
use angelia_store::database::Database;
use angelia_store::intake::Intake as _;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::super::line::{Line, Target, Unit, median};
use super::super::{Bench, Trouble, clock, message, seed};
use super::pgbench::Script;
use super::{analyse, medians, open, ratios, start};

const ROUNDS: u64 = 7;

/// Rounds that are not counted: statements are prepared, and the log gets its first files.
const WARM_UP: u64 = 1;

/// Commits of a round with one caller, and callers and commits of each with many.
const ALONE: u64 = 400;
const CALLERS: u64 = 16;
const EACH: u64 = 60;

/// Chats that the many write into; behind them are those of one at a time, others in each round.
const CROWDED: u64 = CALLERS * EACH;
const CHATS: u64 = CROWDED + (WARM_UP + ROUNDS) * ALONE;

const TABLE: &str = "CREATE TABLE bare (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
                     body TEXT NOT NULL)";

/// What a round came to.
#[derive(Default)]
struct Figures {
    alone: Vec<f64>,
    many: Vec<f64>,
}

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let cluster = start(bench)?;
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    let store = Arc::new(open(&cluster)?);
    runtime.block_on(seed::talk(&store, CHATS, 1))?;
    cluster.query(TABLE)?;
    analyse(&cluster)?;
    let body = message::bare_body();
    let insert = "INSERT INTO bare (body) VALUES (:body);";
    let insert = Script::new(&bench.folder, "insert", insert)?.sending(&body);
    let (mut ours, mut theirs) = (Figures::default(), Figures::default());
    for round in 0..WARM_UP + ROUNDS {
        let first = CROWDED + round * ALONE;
        theirs.alone.push(insert.run(&cluster, (1, ALONE))?.latency);
        ours.alone
            .push(runtime.block_on(alone(Arc::clone(&store), first))?);
        theirs
            .many
            .push(insert.run(&cluster, (CALLERS, EACH))?.rate);
        ours.many.push(runtime.block_on(many(&store, round + 1))?);
    }
    Ok(lines(&ours, &theirs))
}

fn lines(ours: &Figures, theirs: &Figures) -> Vec<Line> {
    let counted = WARM_UP as usize..;
    let alone = (&ours.alone[counted.clone()], &theirs.alone[counted.clone()]);
    let many = (&ours.many[counted.clone()], &theirs.many[counted]);
    let (our_time, their_time) = medians(alone.0, alone.1);
    let (our_rate, their_rate) = medians(many.0, many.1);
    vec![
        Line {
            name: "postgres accept",
            words: format!(
                "median of a durable accept against pgbench's insert of a row, one at a time: \
                 {our_time:.2} / {their_time:.2} ms"
            ),
            unit: Unit::Ratio,
            target: Target::AtMost(1.6),
            figures: ratios(alone.0, alone.1),
        },
        Line {
            name: "postgres accept crowd",
            words: format!(
                "accepts of {CALLERS} callers against inserts of {CALLERS} connections of pgbench: \
                 {our_rate:.0} / {their_rate:.0} per second"
            ),
            unit: Unit::Ratio,
            target: Target::AtLeast(0.5),
            figures: ratios(many.0, many.1),
        },
    ]
}

/// The median of accepts, one after the other, in milliseconds; in a task, as whoever accepts is one.
async fn alone(store: Arc<Database>, first: u64) -> Result<f64, Trouble> {
    let accepts = async move {
        let env = Env::system();
        let mut took = Vec::new();
        for chat in first..first + ALONE {
            let message = message::accept(&env, chat, 1);
            let began = clock::now();
            message::taken(&store.accept(message).await?)?;
            took.push(began.elapsed().as_secs_f64() * 1000.0);
        }
        Ok::<f64, Trouble>(median(&took))
    };
    let mut caller = JoinSet::new();
    caller.spawn(accepts);
    caller.join_next().await.ok_or("nobody accepted")??
}

/// Accepts per second of all callers together: the message of this number in each of their chats.
async fn many(store: &Arc<Database>, number: u64) -> Result<f64, Trouble> {
    let began = clock::now();
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let (store, env) = (Arc::clone(store), Env::system());
        callers.spawn(async move {
            let mine = caller * EACH;
            for chat in mine..mine + EACH {
                let message = message::accept(&env, chat, number);
                message::taken(&store.accept(message).await?)?;
            }
            Ok::<(), Trouble>(())
        });
    }
    while let Some(done) = callers.join_next().await {
        done??;
    }
    Ok(CROWDED as f64 / began.elapsed().as_secs_f64())
}
