use std::sync::Mutex;
use std::sync::mpsc as std_mpsc;

use angelia_core::time::Timestamp;

use super::*;
use crate::database::job::Answer;
use crate::database::value::Nothing;
use crate::sqlite::connection;

/// A writer over one table, with its counters.
fn writer() -> (Writer, Arc<Counters>) {
    writer_with(Box::new(|| Ok(())))
}

/// The same, with a log of its own.
fn writer_with(sync: SyncLog) -> (Writer, Arc<Counters>) {
    let conn = connection::in_memory().unwrap();
    conn.execute_batch("CREATE TABLE kept (number INTEGER PRIMARY KEY) STRICT")
        .unwrap();
    let counters = Arc::new(Counters::default());
    let clock: Clock = Arc::new(|| Timestamp::from_ms(0));
    let start = Start {
        conn,
        clock,
        place: "here".into(),
        counters: Arc::clone(&counters),
        sync,
    };
    (Writer::start(start).unwrap(), counters)
}

fn keep(number: i64) -> impl Fn(&Tx<'_>) -> Result<i64, Fault> + Send + 'static {
    move |tx| tx.insert("INSERT INTO kept (number) VALUES (?1)", [number])
}

fn kept(tx: &Tx<'_>) -> Result<Vec<i64>, Fault> {
    tx.all("SELECT number FROM kept ORDER BY number", Nothing, |row| {
        row.get(0)
    })
}

/// Holds the writer inside a verb until the other end is dropped, so that what is asked meanwhile
/// forms one group.
fn blocking() -> (
    std_mpsc::Sender<()>,
    impl Fn(&Tx<'_>) -> Result<(), Fault> + Send + 'static,
) {
    let (open, wait) = std_mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let verb = move |_: &Tx<'_>| {
        let _ = wait.lock().unwrap().recv();
        Ok(())
    };
    (open, verb)
}

/// A verb, whatever it is.
type Verb<T> = Box<dyn Fn(&Tx<'_>) -> Result<T, Fault> + Send>;

/// What waits for its answer.
type Waits<T> = Answer<T, Verb<T>>;

/// Puts a verb into the queue without waiting for its answer.
async fn queue<T: Send + 'static>(
    writer: &Writer,
    kind: Kind,
    verb: impl Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
) -> Waits<T> {
    let (job, answer) = Asked::new(kind, Box::new(verb) as Verb<T>);
    assert!(
        writer
            .queue
            .as_ref()
            .unwrap()
            .send(Box::new(job))
            .await
            .is_ok()
    );
    answer
}

#[tokio::test]
async fn verbs_that_wait_share_one_commit() {
    let (writer, counters) = writer();
    let (gate, blocked) = blocking();
    let first = queue(&writer, Kind::Other, blocked).await;
    let mut rest = Vec::new();
    for number in 1..=64 {
        rest.push(queue(&writer, Kind::Other, keep(number)).await);
    }
    drop(gate);
    assert!(first.await.unwrap().result.is_ok());
    for answer in rest {
        assert!(answer.await.unwrap().result.is_ok());
    }
    let stats = counters.read();
    assert_eq!(stats.verbs, 65);
    assert!(
        stats.commits <= 2,
        "65 verbs took {} commits",
        stats.commits
    );
}

#[tokio::test]
async fn what_is_queued_is_still_done_when_the_handle_is_dropped() {
    let (writer, counters) = writer();
    let (gate, blocked) = blocking();
    let first = queue(&writer, Kind::Other, blocked).await;
    let last = queue(&writer, Kind::Other, keep(1)).await;
    drop(gate);
    drop(writer);
    assert!(first.await.unwrap().result.is_ok() && last.await.unwrap().result.is_ok());
    assert_eq!(counters.read().verbs, 2);
}

#[tokio::test]
async fn a_failing_verb_is_undone_alone() {
    let (writer, _) = writer();
    let (gate, blocked) = blocking();
    let bad = |tx: &Tx<'_>| {
        keep(7)(tx)?;
        Err::<(), _>(Fault::Undecodable("nonsense".into()))
    };
    let release = async { drop(gate) };
    let (_, before, failed, after, ()) = tokio::join!(
        biased;
        writer.run(Kind::Other, blocked),
        writer.run(Kind::Other, keep(1)),
        writer.run(Kind::Other, bad),
        writer.run(Kind::Other, keep(2)),
        release
    );
    assert!(before.is_ok() && after.is_ok());
    assert!(matches!(failed, Err(StoreError::Corrupt(_))));
    assert_eq!(writer.run(Kind::Other, kept).await.unwrap(), [1, 2]);
}

#[tokio::test]
async fn a_failing_verb_without_company_leaves_nothing() {
    let (writer, counters) = writer();
    let bad = |tx: &Tx<'_>| {
        keep(7)(tx)?;
        Err::<(), _>(Fault::Undecodable("nonsense".into()))
    };
    assert!(writer.run(Kind::Other, bad).await.is_err());
    assert_eq!(counters.read().commits, 0);
    assert_eq!(
        writer.run(Kind::Other, kept).await.unwrap(),
        Vec::<i64>::new()
    );
}

#[tokio::test]
async fn a_panic_costs_only_its_own_verb() {
    let (writer, _) = writer();
    let (gate, blocked) = blocking();
    let bug = |tx: &Tx<'_>| -> Result<(), Fault> {
        keep(7)(tx)?;
        panic!("a bug with {} words", 4)
    };
    let release = async { drop(gate) };
    let (_, failed, after, ()) = tokio::join!(
        biased;
        writer.run(Kind::Other, blocked),
        writer.run(Kind::Other, bug),
        writer.run(Kind::Other, keep(2)),
        release
    );
    assert!(matches!(failed, Err(StoreError::Unavailable(words)) if words.contains("4 words")));
    assert!(after.is_ok());
    assert_eq!(writer.run(Kind::Other, kept).await.unwrap(), [2]);
}

#[tokio::test]
async fn when_the_whole_transaction_is_given_up_nobody_is_told_otherwise() {
    let (writer, _) = writer();
    let (gate, blocked) = blocking();
    let gives_up = |tx: &Tx<'_>| {
        tx.run("ROLLBACK", Nothing)?;
        Err::<(), _>(Fault::Undecodable("nonsense".into()))
    };
    let (begins, begun) = std_mpsc::channel();
    let held = move |tx: &Tx<'_>| {
        let _nobody_asks_again = begins.send(()).is_err();
        blocked(tx)
    };
    let first = queue(&writer, Kind::Other, held).await;
    begun.recv().unwrap();
    // From here on the two can only come together.
    let before = queue(&writer, Kind::Other, keep(1)).await;
    let failed = queue(&writer, Kind::Other, gives_up).await;
    drop(gate);
    assert!(first.await.unwrap().result.is_ok());
    let (before, failed) = (before.await.unwrap().result, failed.await.unwrap().result);
    assert!(
        matches!(before, Err(StoreError::Unavailable(_))),
        "{before:?}"
    );
    assert!(failed.is_err());
    assert_eq!(
        writer.run(Kind::Other, kept).await.unwrap(),
        Vec::<i64>::new()
    );
    assert!(
        writer.run(Kind::Other, keep(3)).await.is_ok(),
        "the writer goes on"
    );
}

#[tokio::test]
async fn a_caller_that_left_does_not_stop_its_verb() {
    let (writer, _) = writer();
    let (gate, blocked) = blocking();
    {
        let mut asked = Box::pin(async {
            tokio::join!(
                writer.run(Kind::Other, blocked),
                writer.run(Kind::Other, keep(1))
            )
        });
        let waker = std::task::Waker::noop();
        let mut context = std::task::Context::from_waker(waker);
        assert!(asked.as_mut().poll(&mut context).is_pending());
    }
    drop(gate);
    assert_eq!(writer.run(Kind::Other, kept).await.unwrap(), [1]);
}

/// A log whose syncs begin and end when the test says so. They fail once the other end is dropped.
fn held_log() -> (std_mpsc::Receiver<()>, std_mpsc::Sender<()>, SyncLog) {
    let (began, begins) = std_mpsc::channel();
    let (end, ends) = std_mpsc::channel::<()>();
    let sync: SyncLog = Box::new(move || {
        let _ = began.send(());
        ends.recv()
            .map_err(|_| std::io::Error::other("the disk is gone"))
    });
    (begins, end, sync)
}

/// What the log does at each commit: 1 leaves the sync to others, 2 syncs.
fn synchronous(tx: &Tx<'_>) -> Result<i64, Fault> {
    tx.number("PRAGMA synchronous", Nothing)
}

/// Two arrivals in one group.
async fn two_arrivals(writer: &Writer, first: i64) -> [Waits<i64>; 2] {
    let (gate, blocked) = blocking();
    let blocker = queue(writer, Kind::Arrival, blocked).await;
    let pair = [
        queue(writer, Kind::Arrival, keep(first)).await,
        queue(writer, Kind::Arrival, keep(first + 1)).await,
    ];
    drop(gate);
    drop(blocker);
    pair
}

#[tokio::test]
async fn arrivals_in_company_are_answered_after_the_sync_and_not_before() {
    let (begins, end, sync) = held_log();
    let (writer, counters) = writer_with(sync);
    let mut pair = two_arrivals(&writer, 1).await;
    begins.recv().unwrap();
    assert_eq!(counters.read().verbs, 3, "they are committed");
    assert!(pair.iter_mut().all(|answer| answer.try_recv().is_err()));
    end.send(()).unwrap();
    for answer in pair {
        assert!(answer.await.unwrap().result.is_ok());
    }
}

#[tokio::test]
async fn the_next_group_is_written_while_the_last_one_is_synced() {
    let (begins, end, sync) = held_log();
    let (writer, _) = writer_with(sync);
    let first = two_arrivals(&writer, 1).await;
    begins.recv().unwrap();
    let (told, asked) = std_mpsc::channel();
    let next = queue(&writer, Kind::Arrival, move |tx: &Tx<'_>| {
        let _ = told.send(());
        keep(3)(tx)
    })
    .await;
    asked.recv().unwrap();
    end.send(()).unwrap();
    begins.recv().unwrap();
    end.send(()).unwrap();
    for answer in first.into_iter().chain([next]) {
        assert!(answer.await.unwrap().result.is_ok());
    }
}

#[tokio::test]
async fn behind_a_commit_that_is_not_durable_everyone_waits() {
    let (begins, end, sync) = held_log();
    let (writer, _) = writer_with(sync);
    let pair = two_arrivals(&writer, 1).await;
    begins.recv().unwrap();
    let (told, asked) = std_mpsc::channel();
    let mut sees = queue(&writer, Kind::Other, move |tx: &Tx<'_>| {
        let seen = kept(tx);
        let _ = told.send(());
        seen
    })
    .await;
    asked.recv().unwrap();
    let settled = queue(&writer, Kind::Other, |_| Ok(())).await;
    assert!(sees.try_recv().is_err(), "what it saw may still be lost");
    for _ in 0..3 {
        let _ = end.send(());
    }
    assert_eq!(sees.await.unwrap().result.unwrap(), [1, 2]);
    assert!(settled.await.unwrap().result.is_ok());
    assert!(pair.into_iter().all(|mut answer| answer.try_recv().is_ok()));
}

#[tokio::test]
async fn after_a_failed_sync_nobody_is_told_that_anything_was_kept() {
    let (begins, end, sync) = held_log();
    let (writer, counters) = writer_with(sync);
    let pair = two_arrivals(&writer, 1).await;
    begins.recv().unwrap();
    drop(end);
    for answer in pair {
        let refused = answer.await.unwrap().result.unwrap_err();
        assert!(
            matches!(&refused, StoreError::Unavailable(words) if words.contains("the disk is gone")),
            "{refused}"
        );
    }
    let written = counters.read();
    for kind in [Kind::Arrival, Kind::Other] {
        let refused = writer.run(kind, keep(7)).await.unwrap_err();
        assert!(
            refused.to_string().contains("start the gateway again"),
            "{refused}"
        );
    }
    assert_eq!(counters.read(), written, "nothing more is even tried");
    assert!(begins.try_recv().is_err(), "and nothing is synced again");
}

#[tokio::test]
async fn a_lone_arrival_is_synced_by_its_own_commit() {
    let (begins, _end, sync) = held_log();
    let (writer, _) = writer_with(sync);
    for _ in 0..3 {
        assert_eq!(writer.run(Kind::Arrival, synchronous).await.unwrap(), 2);
    }
    assert!(begins.try_recv().is_err(), "nobody else was asked");
}

#[tokio::test]
async fn only_groups_of_arrivals_leave_the_sync_to_others() {
    let (writer, _) = writer();
    let (gate, blocked) = blocking();
    let _blocker = queue(&writer, Kind::Arrival, blocked).await;
    let arrivals = [
        queue(&writer, Kind::Arrival, synchronous).await,
        queue(&writer, Kind::Arrival, synchronous).await,
    ];
    drop(gate);
    for answer in arrivals {
        assert_eq!(answer.await.unwrap().result.unwrap(), 1);
    }
    let (gate, blocked) = blocking();
    let _blocker = queue(&writer, Kind::Arrival, blocked).await;
    let mixed = [
        queue(&writer, Kind::Arrival, synchronous).await,
        queue(&writer, Kind::Other, synchronous).await,
    ];
    drop(gate);
    for answer in mixed {
        assert_eq!(answer.await.unwrap().result.unwrap(), 2);
    }
}
