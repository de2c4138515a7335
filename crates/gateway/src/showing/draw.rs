//! The reply itself, drawn in messages that grow with it: one step at a time, each as new as it can be.

use std::collections::BTreeMap;

use angelia_core::display::Switch;
use angelia_core::limits;
use angelia_core::outbound::{Action, Receipt, SendError};
use angelia_core::stream::{Answer, Draft, Manner, Step, Veil, Words};
use angelia_core::text::complaint::Reader;
use angelia_store::Fenced;
use angelia_store::drafts::{Begun, NewDraft, Role};

use super::{Pace, Showing};
use crate::sketches::{Piece, Sketch};

/// Which message: what it shows, and its place among those from zero.
pub(super) type Which = (Role, usize);

impl Showing {
    /// Draws until the turn is over. Returns what the messages show for certain, by their receipts.
    pub(super) async fn draw(&self, sketch: &Sketch) -> BTreeMap<String, String> {
        if sketch.subject.display.streaming == Some(Switch::Off) {
            self.over(sketch).await;
            return BTreeMap::new();
        }
        let pace = Pace::of(&self.ground);
        let mut draft = self.begun(sketch, Role::Reply, pace).await;
        let reader = Reader::on(self.adapter.platform());
        let mut veil = Veil::new(reader, &self.ground.masker);
        loop {
            let (seen, _) = sketch.counts();
            let pieces = sketch.take();
            if !pieces.is_empty() {
                pieces.into_iter().for_each(|piece| pour(&mut veil, piece));
                veil.lift(&mut draft);
            }
            if self.is_over(sketch) {
                break;
            }
            let drawing = (Role::Reply, &mut draft);
            // Waited for only when there is nothing to be done.
            let news = async {
                sketch.drawn(seen);
                sketch.newer(seen).await;
            };
            self.advance(sketch, drawing, pace, news).await;
        }
        certain(&draft)
    }

    /// Takes the next step of a draft, or waits until there may be one.
    pub(super) async fn advance(
        &self,
        sketch: &Sketch,
        (role, draft): (Role, &mut Draft),
        pace: Pace,
        news: impl Future<Output = ()>,
    ) {
        match draft.next(pace.now(&self.ground)) {
            Step::Wait(Some(until)) => tokio::select! {
                biased;
                () = self.over(sketch) => (),
                () = tokio::time::sleep_until(pace.instant(until)) => (),
            },
            Step::Wait(None) => tokio::select! {
                biased;
                () = self.end.cancelled() => (),
                () = news => (),
            },
            Step::Done => self.over(sketch).await,
            step @ (Step::Send(_) | Step::Edit(..) | Step::Delete(_)) => {
                self.take(sketch, (role, step), draft, pace).await;
            }
        }
    }

    /// A draft that goes on in the messages that a former attempt of the turn has left.
    pub(super) async fn begun(&self, sketch: &Sketch, role: Role, pace: Pace) -> Draft {
        let subject = &sketch.subject;
        let store = &self.ground.store;
        let read = self.ground.insist("showing", || store.drafts(subject.turn));
        let left = tokio::select! {
            biased;
            () = self.over(sketch) => Vec::new(),
            left = read => left,
        };
        let mut receipts = Vec::new();
        for one in left.into_iter().filter(|one| one.role == role) {
            let place = one.place.max(1) as usize - 1;
            receipts.resize(receipts.len().max(place + 1), None);
            receipts[place] = Some(one.receipt);
        }
        let manner = self.manner(sketch, role);
        Draft::taking_over(manner, receipts, pace.now(&self.ground)).with_words(words(sketch, role))
    }

    fn manner(&self, sketch: &Sketch, role: Role) -> Manner {
        let interval = sketch
            .subject
            .live
            .pace_in(sketch.subject.address.chat.kind);
        let interval = match role {
            Role::Reply | Role::Sign => interval,
            Role::Lines | Role::PassingLines => interval.max(limits::LINES_EVERY),
        };
        Manner::live(self.adapter.capabilities().text, interval)
    }

    /// Takes one step, and lets the draft know how it went.
    async fn take(
        &self,
        sketch: &Sketch,
        (role, step): (Role, Step),
        draft: &mut Draft,
        pace: Pace,
    ) {
        let address = sketch.subject.address.clone();
        let time = limits::DRAFT_EDIT_TIME;
        let answer = match step {
            Step::Send(message) => {
                let place = draft.sending().unwrap_or_default();
                self.send(sketch, (role, place), message.text).await
            }
            Step::Edit(receipt, message) => {
                let text = message.text;
                let edit = Action::Edit {
                    address,
                    receipt,
                    text,
                };
                self.perform(edit, time).await
            }
            Step::Delete(receipt) => {
                self.perform(Action::Delete { address, receipt }, time)
                    .await
            }
            Step::Wait(_) | Step::Done => return,
        };
        let answer = self.answer(answer, pace);
        draft.answered(answer, pace.now(&self.ground));
    }

    /// Sends a message that will grow: its row first, its receipt after.
    async fn send(
        &self,
        sketch: &Sketch,
        (role, place): Which,
        text: String,
    ) -> Result<Receipt, SendError> {
        let address = sketch.subject.address.clone();
        let new = NewDraft {
            id: self.ground.env.delivery_id(),
            turn: sketch.subject.turn,
            fence: self.fence,
            address: address.clone(),
            role,
            place: u32::try_from(place + 1).unwrap_or(u32::MAX),
        };
        let quotes = sketch.subject.quotes.as_ref();
        let quotes = quotes.filter(|_| role == Role::Reply);
        let quotes = quotes.and_then(|quotes| quotes.at(new.place));
        let quotes = quotes.map(str::to_owned);
        let (key, store) = (new.id, &self.ground.store);
        let begun = self
            .ground
            .insist("showing", || store.begin_draft(new.clone()));
        match begun.await {
            Fenced::Done(Begun::Now) => (),
            Fenced::Done(Begun::NotYet) => return Err(later("something is to be said before")),
            Fenced::Lost => return Err(later("the turn has ended")),
        }
        let sent = self
            .perform(
                Action::Send {
                    key,
                    address,
                    text,
                    buttons: Vec::new(),
                    quotes,
                },
                limits::SEND_TIME,
            )
            .await;
        match &sent {
            Ok(receipt) => {
                let kept = || store.keep_draft(key, receipt.clone());
                self.ground.insist("showing", kept).await;
            }
            // It may be shown: the row is the record of that.
            Err(SendError::Unknown { .. }) => (),
            Err(SendError::Later { .. } | SendError::Refused { .. } | SendError::Gone { .. }) => {
                self.ground
                    .insist("showing", || store.forget_draft(key))
                    .await;
            }
        }
        sent
    }

    fn answer(&self, done: Result<Receipt, SendError>, pace: Pace) -> Answer {
        let error = match done {
            Ok(receipt) => return Answer::Done(Some(receipt)),
            Err(error) => error,
        };
        tracing::debug!(account = %self.account, %error, "a draft was not shown");
        match error {
            SendError::Later { not_before, .. } => {
                Answer::Later(not_before.map(|at| pace.at(at, &self.ground)))
            }
            SendError::Refused { .. } => Answer::Refused,
            SendError::Gone { .. } => Answer::Gone,
            SendError::Unknown { .. } => Answer::Unknown,
        }
    }
}

fn later(why: &str) -> SendError {
    SendError::Later {
        not_before: None,
        why: why.to_owned(),
    }
}

fn words(sketch: &Sketch, role: Role) -> Words {
    let display = &sketch.subject.display;
    let look = (display.show_reasoning == Switch::On).then_some(display.reasoning_style);
    let mut words = Words::new(look.filter(|_| role == Role::Reply));
    if let (Some(notice), Role::Reply) = (&sketch.subject.notice, role) {
        words.announce(notice);
    }
    words
}

fn pour(veil: &mut Veil, piece: Piece) {
    match piece {
        Piece::Said(more) => veil.say(&more),
        Piece::Thought(more) => veil.think(&more),
        Piece::Part => veil.part(),
        Piece::Rewritten(text, breaks) => veil.rewrite(text, breaks),
    }
}

fn certain(draft: &Draft) -> BTreeMap<String, String> {
    let confirmed = draft.confirmed().flatten();
    confirmed
        .map(|(receipt, text)| (receipt.0.clone(), text.to_owned()))
        .collect()
}
