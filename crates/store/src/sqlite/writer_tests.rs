use std::sync::Mutex;
use std::sync::mpsc as std_mpsc;

use angelia_core::time::Timestamp;

use super::*;
use crate::sqlite::connection;

/// A writer over one table, with its connection and counters.
fn writer() -> (Writer, Arc<Counters>) {
    let conn = connection::in_memory().unwrap();
    conn.execute_batch("CREATE TABLE kept (number INTEGER PRIMARY KEY) STRICT")
        .unwrap();
    let counters = Arc::new(Counters::default());
    let clock: Clock = Arc::new(|| Timestamp::from_ms(0));
    let desk = Desk {
        conn,
        clock,
        place: "here".into(),
        counters: Arc::clone(&counters),
    };
    (Writer::start(desk).unwrap(), counters)
}

fn keep(number: i64) -> impl Fn(&Tx<'_>) -> Result<i64, Fault> + Send + 'static {
    move |tx| tx.insert("INSERT INTO kept (number) VALUES (?1)", [number])
}

fn kept(tx: &Tx<'_>) -> Result<Vec<i64>, Fault> {
    tx.all("SELECT number FROM kept ORDER BY number", [], |row| {
        Ok(row.get(0)?)
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

/// Puts a verb into the queue without waiting for its answer.
async fn queue<T: Send + 'static>(
    writer: &Writer,
    verb: impl Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
) -> oneshot::Receiver<Result<T, StoreError>> {
    let (reply, answer) = oneshot::channel();
    let job = Box::new(Asked {
        verb,
        result: None,
        reply,
    });
    assert!(writer.queue.as_ref().unwrap().send(job).await.is_ok());
    answer
}

#[tokio::test]
async fn verbs_that_wait_share_one_commit() {
    let (writer, counters) = writer();
    let (gate, blocked) = blocking();
    let first = queue(&writer, blocked).await;
    let mut rest = Vec::new();
    for number in 1..=64 {
        rest.push(queue(&writer, keep(number)).await);
    }
    drop(gate);
    assert!(first.await.unwrap().is_ok());
    for answer in rest {
        assert!(answer.await.unwrap().is_ok());
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
    let first = queue(&writer, blocked).await;
    let last = queue(&writer, keep(1)).await;
    drop(gate);
    drop(writer);
    assert!(first.await.unwrap().is_ok() && last.await.unwrap().is_ok());
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
        writer.run(blocked),
        writer.run(keep(1)),
        writer.run(bad),
        writer.run(keep(2)),
        release
    );
    assert!(before.is_ok() && after.is_ok());
    assert!(matches!(failed, Err(StoreError::Corrupt(_))));
    assert_eq!(writer.run(kept).await.unwrap(), [1, 2]);
}

#[tokio::test]
async fn a_failing_verb_without_company_leaves_nothing() {
    let (writer, counters) = writer();
    let bad = |tx: &Tx<'_>| {
        keep(7)(tx)?;
        Err::<(), _>(Fault::Undecodable("nonsense".into()))
    };
    assert!(writer.run(bad).await.is_err());
    assert_eq!(counters.read().commits, 0);
    assert_eq!(writer.run(kept).await.unwrap(), Vec::<i64>::new());
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
        writer.run(blocked),
        writer.run(bug),
        writer.run(keep(2)),
        release
    );
    assert!(matches!(failed, Err(StoreError::Unavailable(words)) if words.contains("4 words")));
    assert!(after.is_ok());
    assert_eq!(writer.run(kept).await.unwrap(), [2]);
}

#[tokio::test]
async fn when_the_whole_transaction_is_given_up_nobody_is_told_otherwise() {
    let (writer, _) = writer();
    let (gate, blocked) = blocking();
    let gives_up = |tx: &Tx<'_>| {
        tx.run("ROLLBACK", [])?;
        Err::<(), _>(Fault::Undecodable("nonsense".into()))
    };
    let release = async { drop(gate) };
    let (_, before, failed, ()) = tokio::join!(
        biased;
        writer.run(blocked),
        writer.run(keep(1)),
        writer.run(gives_up),
        release
    );
    assert!(
        matches!(before, Err(StoreError::Unavailable(_))),
        "{before:?}"
    );
    assert!(failed.is_err());
    assert_eq!(writer.run(kept).await.unwrap(), Vec::<i64>::new());
    assert!(writer.run(keep(3)).await.is_ok(), "the writer goes on");
}

#[tokio::test]
async fn a_caller_that_left_does_not_stop_its_verb() {
    let (writer, _) = writer();
    let (gate, blocked) = blocking();
    {
        let mut asked = Box::pin(async { tokio::join!(writer.run(blocked), writer.run(keep(1))) });
        let waker = std::task::Waker::noop();
        let mut context = std::task::Context::from_waker(waker);
        assert!(asked.as_mut().poll(&mut context).is_pending());
    }
    drop(gate);
    assert_eq!(writer.run(kept).await.unwrap(), [1]);
}
