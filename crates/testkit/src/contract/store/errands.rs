//! What one node wants of a process that another holds.

use angelia_core::id::{ErrandId, ProcessId};
use angelia_core::limits;
use angelia_core::process::errand::{Errand, Outcome};
use angelia_store::StoreError;
use angelia_store::errands::{Answer, Asked, NewErrand};

use super::Told;
use super::given::Given;
use super::processes::{self, HOME};

async fn running(given: &Given) -> Result<ProcessId, StoreError> {
    let turn = processes::turn_in(given, "c1").await?;
    let id = processes::begun(given, &turn, "call-1").await?.id;
    given.store.process_runs(id).await?;
    Ok(id)
}

async fn wanted(given: &Given, process: ProcessId) -> Result<NewErrand, StoreError> {
    let new = NewErrand {
        id: ErrandId::from_bits(given.number()),
        process,
        errand: Errand::Write,
        input: b"yes\0\n".to_vec(),
    };
    assert_eq!(given.store.ask_errand(new.clone()).await?, Asked::Now);
    Ok(new)
}

/// It goes to the home of the process, and its answer to whoever asked.
pub async fn an_errand_is_done_where_the_process_is_and_answered_once(given: &Given) -> Told {
    let (store, process) = (&given.store, running(given).await?);
    let (node, other) = (given.boot(HOME).await?, given.boot("elsewhere").await?);
    let new = wanted(given, process).await?;
    assert_eq!(store.ask_errand(new.clone()).await?, Asked::Now, "again");
    assert_eq!(store.errand_answer(new.id).await?, Answer::Waiting);
    assert_eq!(store.take_errands("elsewhere", other, 9).await?, []);
    let taken = store.take_errands(HOME, node, 9).await?;
    assert_eq!(taken, std::slice::from_ref(&new));
    assert_eq!(store.take_errands(HOME, node, 9).await?, [], "it is begun");
    assert_eq!(store.errand_answer(new.id).await?, Answer::Begun);
    assert!(!store.withdraw_errand(new.id).await?, "it is begun");
    store.answer_errand(new.id, Outcome::Done).await?;
    let answer = store.errand_answer(new.id).await?;
    assert_eq!(answer, Answer::Here(Outcome::Done));
    assert_eq!(store.errand_answer(new.id).await?, Answer::Gone);
    Ok(())
}

/// Nobody knows whether the boot that died had done it, so nobody does it again.
pub async fn an_errand_of_a_boot_that_died_is_not_done_again(given: &Given) -> Told {
    let (store, process) = (&given.store, running(given).await?);
    let first = given.boot(HOME).await?;
    let new = wanted(given, process).await?;
    assert_eq!(store.take_errands(HOME, first, 9).await?.len(), 1);
    let second = given.boot(HOME).await?;
    assert_eq!(store.take_errands(HOME, second, 9).await?, []);
    let answer = store.errand_answer(new.id).await?;
    assert_eq!(answer, Answer::Here(Outcome::Unknown));
    Ok(())
}

/// Whoever does not want to wait any longer can be sure that it will not be done.
pub async fn an_errand_that_was_taken_back_is_not_done(given: &Given) -> Told {
    let (store, process) = (&given.store, running(given).await?);
    let node = given.boot(HOME).await?;
    let new = wanted(given, process).await?;
    assert!(store.withdraw_errand(new.id).await?);
    assert_eq!(store.take_errands(HOME, node, 9).await?, []);
    assert_eq!(store.errand_answer(new.id).await?, Answer::Gone);
    Ok(())
}

/// There is a limit to what can be wanted, and to how long it is kept.
pub async fn errands_are_bounded_and_do_not_stay(given: &Given) -> Told {
    let (store, process) = (&given.store, running(given).await?);
    for _ in 0..limits::ERRANDS_PER_PROCESS {
        wanted(given, process).await?;
    }
    let more = |process| NewErrand {
        id: ErrandId::from_bits(given.number()),
        process,
        errand: Errand::CloseInput,
        input: Vec::new(),
    };
    assert_eq!(store.ask_errand(more(process)).await?, Asked::Full);
    let nobody = ProcessId::from_bits(given.number());
    assert_eq!(store.ask_errand(more(nobody)).await?, Asked::Unknown);
    assert_eq!(store.sweep_errands(limits::ERRANDS_KEPT).await?, 0);
    given.clock.advance(limits::ERRANDS_KEPT);
    given.clock.advance(limits::HEARTBEAT_EVERY);
    let swept = store.sweep_errands(limits::ERRANDS_KEPT).await?;
    assert_eq!(swept, limits::ERRANDS_PER_PROCESS);
    Ok(())
}
