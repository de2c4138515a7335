//! A verb that waits for the writer, and how its caller learns what became of it.
//!
//! The writer runs it, perhaps twice, and whoever made its commit durable answers it. Nothing is
//! decided here about commits: see `writer` and `syncing`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use super::fault::Fault;
use super::tx::Tx;
use crate::StoreError;

/// Verbs that share a commit.
pub(crate) type Group = Vec<Box<dyn Job>>;

/// What a verb writes, as far as the writer must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A message at the door. Until its sender has been told, nobody was promised anything about it,
    /// so others may see it before it is durable.
    Arrival,
    /// Anything else: nobody may see it before it is durable.
    Other,
}

/// Whether a verb's changes may stay.
#[derive(PartialEq, Eq)]
pub(crate) enum Verdict {
    Keep,
    Undo,
}

/// A verb that waits, whatever it yields.
pub(crate) trait Job: Send {
    fn kind(&self) -> Kind;

    /// Runs the verb and keeps its result, instead of that of an earlier run.
    fn run(&mut self, tx: &Tx<'_>, place: &str) -> Verdict;

    /// Tells the caller, who may have left, the result or why it is not durable.
    fn answer(self: Box<Self>, durable: &Result<(), StoreError>);
}

/// Answers everyone who shared a commit.
pub(crate) fn answer_all(group: Group, durable: &Result<(), StoreError>) {
    group.into_iter().for_each(|job| job.answer(durable));
}

/// A verb with the place its answer goes to.
pub(crate) struct Asked<T, V> {
    kind: Kind,
    verb: V,
    /// Nothing while it has not been run, which is so when its transaction could not begin.
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Answered<T, V>>,
}

/// What the caller gets: the result, and the verb with all that it holds. Whoever allocated that frees it; from another
/// thread it would cost more than some statements do.
pub(crate) struct Answered<T, V> {
    pub(crate) result: Result<T, StoreError>,
    _verb: V,
}

/// What the caller waits for.
pub(crate) type Answer<T, V> = oneshot::Receiver<Answered<T, V>>;

impl<T, V> Asked<T, V> {
    pub(crate) fn new(kind: Kind, verb: V) -> (Self, Answer<T, V>) {
        let (reply, answer) = oneshot::channel();
        let asked = Self {
            kind,
            verb,
            result: None,
            reply,
        };
        (asked, answer)
    }
}

impl<T, V> Job for Asked<T, V>
where
    T: Send,
    V: Fn(&Tx<'_>) -> Result<T, Fault> + Send,
{
    fn kind(&self) -> Kind {
        self.kind
    }

    fn run(&mut self, tx: &Tx<'_>, place: &str) -> Verdict {
        let result = guarded(&self.verb, tx).map_err(|fault| fault.said(place));
        let verdict = if result.is_ok() {
            Verdict::Keep
        } else {
            Verdict::Undo
        };
        self.result = Some(result);
        verdict
    }

    fn answer(self: Box<Self>, durable: &Result<(), StoreError>) {
        let unrun = || Err(durable.clone().err().unwrap_or_else(stopped));
        let result = self.result.unwrap_or_else(unrun);
        let result = result.and_then(|value| durable.clone().map(|()| value));
        let answered = Answered {
            result,
            _verb: self.verb,
        };
        // The caller may have stopped waiting; the verb happened all the same.
        let _ = self.reply.send(answered);
    }
}

/// Runs a verb so that a bug in it costs only this verb.
pub(crate) fn guarded<T>(
    verb: impl Fn(&Tx<'_>) -> Result<T, Fault>,
    tx: &Tx<'_>,
) -> Result<T, Fault> {
    // What a panic may leave behind is the transaction's changes, and they are rolled back.
    catch_unwind(AssertUnwindSafe(|| verb(tx))).unwrap_or_else(|panic| {
        let words = panic
            .downcast_ref::<&str>()
            .map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Fault::Panicked(
            words.unwrap_or_else(|| "without words".to_owned()),
        ))
    })
}

/// The answer when there is no writer any more.
pub(crate) fn stopped() -> StoreError {
    StoreError::Unavailable("its writer has stopped; start the gateway again".to_owned())
}
