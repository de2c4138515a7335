use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;
use crate::database::job::{Job, Kind, Verdict};
use crate::database::tx::Tx;

/// A verb that tells the test what it was answered.
struct Told(Sender<Result<(), StoreError>>);

impl Job for Told {
    fn kind(&self) -> Kind {
        Kind::Arrival
    }

    fn run(&mut self, _: &Tx<'_>, _: &str) -> Verdict {
        Verdict::Keep
    }

    fn answer(self: Box<Self>, durable: &Result<(), StoreError>) {
        self.0.send(durable.clone()).unwrap();
    }
}

fn group() -> (Group, Receiver<Result<(), StoreError>>) {
    let (tell, told) = channel();
    (vec![Box::new(Told(tell))], told)
}

/// A log whose syncs yield what the test says, and say that they began.
fn log() -> (Receiver<()>, Sender<io::Result<()>>, Syncing) {
    let (began, begins) = channel();
    let (end, ends) = channel();
    let ends = Mutex::new(ends);
    let sync = move || {
        began.send(()).unwrap();
        ends.lock().unwrap().recv().unwrap()
    };
    let syncing = Syncing::start(Box::new(sync), "here").unwrap();
    (begins, end, syncing)
}

#[test]
fn nobody_is_answered_before_the_sync_returns() {
    let (begins, end, syncing) = log();
    let (first, told) = group();
    syncing.hand_over(first);
    begins.recv().unwrap();
    assert!(told.try_recv().is_err());
    assert!(syncing.is_behind());
    end.send(Ok(())).unwrap();
    assert_eq!(told.recv().unwrap(), Ok(()));
    assert!(!syncing.is_behind());
}

#[test]
fn a_sync_covers_what_was_committed_before_it_and_not_what_came_meanwhile() {
    let (begins, end, syncing) = log();
    let (first, told) = group();
    let (second, told_second) = group();
    let (third, told_third) = group();
    syncing.hand_over(first);
    begins.recv().unwrap();
    syncing.hand_over(second);
    syncing.hand_over(third);
    end.send(Ok(())).unwrap();
    assert_eq!(told.recv().unwrap(), Ok(()));
    begins.recv().unwrap();
    assert!(
        told_second.try_recv().is_err(),
        "its own sync has only begun"
    );
    end.send(Ok(())).unwrap();
    assert_eq!(told_second.recv().unwrap(), Ok(()));
    assert_eq!(told_third.recv().unwrap(), Ok(()));
    assert!(begins.try_recv().is_err(), "two shared one sync");
}

#[test]
fn a_failed_sync_is_final() {
    let (begins, end, syncing) = log();
    let (first, told) = group();
    let (second, told_second) = group();
    syncing.hand_over(first);
    begins.recv().unwrap();
    syncing.hand_over(second);
    end.send(Err(io::Error::other("no answer"))).unwrap();
    let failed = told.recv().unwrap();
    assert!(matches!(&failed, Err(StoreError::Unavailable(words))
        if words.contains("here") && words.contains("no answer")));
    assert_eq!(told_second.recv().unwrap(), failed);
    assert_eq!(syncing.intact(), failed);
    assert!(begins.try_recv().is_err(), "it is not tried again");
}

#[test]
fn what_was_handed_over_is_synced_before_the_handle_is_gone() {
    let (begins, end, syncing) = log();
    let (first, told) = group();
    syncing.hand_over(first);
    end.send(Ok(())).unwrap();
    drop(syncing);
    begins.recv().unwrap();
    assert_eq!(told.recv().unwrap(), Ok(()));
}
