//! Replies that grow, between the turns that write them and the loops that show them.
//!
//! ```text
//! turn, or what another node lets see of one
//!   └── Pen ──▶ Sketch (what is new, latest wins) ──▶ showing, under the account's lease
//!                   └── courier: waits until nothing of it is under way
//! ```
//!
//! A turn adds words to what is new and goes on; it waits only before it asks somebody, so that the question stands below
//! its words. Who shows takes all that is new at once, when the platform's pace allows it. Nothing here is a fact: the reply is in the outbox, and what was shown is in
//! the store; a node that ends loses nothing by this.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::address::{AccountId, Address};
use angelia_core::delivery::quote::Quotes;
use angelia_core::display::{Display, Switch};
use angelia_core::id::TurnId;
use angelia_core::outbound::{Live, Receipt};
use angelia_core::stream::progress::Mode;
use angelia_core::turn::shown::Shown;

use crate::bells::{Bell, Ear};
use crate::watched::Watched;

/// Turns whose last pictures are remembered until they are delivered. Whoever falls out is edited once more.
const LEFT_MAX: usize = 256;

/// All replies that grow.
#[derive(Debug, Clone, Default)]
pub struct Sketches {
    desk: Arc<Mutex<Desk>>,
    /// One began, or came to rest.
    bell: Bell,
}

#[derive(Debug, Default)]
struct Desk {
    /// By turn, and by the order in which they began: a turn that changes its node begins anew.
    growing: BTreeMap<(TurnId, u64), Arc<Sketch>>,
    /// How many began.
    begun: u64,
    /// What the messages of a turn showed when it came to rest.
    left: BTreeMap<TurnId, BTreeMap<String, String>>,
}

/// What is known of a reply before its first word.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// The turn.
    pub(crate) turn: TurnId,
    /// Where its reply goes.
    pub(crate) address: Address,
    /// The platform's id of the message that it answers.
    pub(crate) message: String,
    /// What the platform allows.
    pub(crate) live: Live,
    /// What people want to see there.
    pub(crate) display: Display,
    /// What is said before the reply.
    pub(crate) notice: Option<String>,
    /// The message that its first words quote.
    pub(crate) quotes: Option<Quotes>,
}

/// A reply that grows.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub(crate) subject: Subject,
    number: u64,
    fresh: Mutex<New>,
    stage: Watched<Stage>,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stage {
    work: Work,
    /// How often something new came when nothing was.
    news: u64,
    /// Which of those was the last that is shown with all before it.
    drawn: u64,
    /// How often lines about tools came.
    lines: u64,
}

/// What its turn does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// It is at work.
    Going,
    /// It waits for a person.
    Asking,
    /// It has ended, or is no longer this node's.
    Over,
}

/// What nobody has taken yet.
#[derive(Debug, Default)]
struct New {
    pieces: Vec<Piece>,
    lines: Vec<Line>,
    by: By,
    /// Whoever showed it before took words along that the next one needs.
    is_behind: bool,
}

/// Who shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum By {
    /// Nobody.
    #[default]
    Nobody,
    /// Somebody does.
    Somebody,
}

/// Something that happened to the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// More of them.
    Said(String),
    /// More thoughts about them.
    Thought(String),
    /// What follows is a message of its own.
    Part,
    /// They are these, parted there.
    Rewritten(String, Vec<usize>),
}

/// Something that is told about tools.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Line {
    /// A call began.
    Call(Shown),
    /// The agent said something in between.
    Words,
}

impl Sketches {
    /// A reply begins to grow. What was shown of an earlier attempt at its turn is over.
    pub(crate) fn begin(&self, subject: Subject) -> Pen {
        let turn = subject.turn;
        self.over(turn);
        let mut desk = self.desk();
        desk.begun += 1;
        let sketch = Arc::new(Sketch {
            subject,
            number: desk.begun,
            fresh: Mutex::default(),
            stage: Watched::new(Stage {
                work: Work::Going,
                news: 0,
                drawn: 0,
                lines: 0,
            }),
        });
        desk.growing.insert(sketch.key(), Arc::clone(&sketch));
        drop(desk);
        self.bell.ring();
        let on = Some((sketch, self.clone()));
        Pen { on, said: 0 }
    }

    /// Whether something of a turn's reply grows here.
    pub(crate) fn grows(&self, turn: TurnId) -> bool {
        let desk = self.desk();
        let mut own = desk.of(turn);
        own.any(|sketch| sketch.work() != Work::Over)
    }

    /// Hears when one begins.
    pub(crate) fn listen(&self) -> Ear {
        self.bell.listen()
    }

    /// Takes up the replies of an account that nobody shows yet. Of one turn, one is shown at a time.
    pub(crate) fn take_up(&self, account: &AccountId) -> Vec<Arc<Sketch>> {
        let desk = self.desk();
        let all = desk.growing.values();
        let own = all.filter(|one| one.subject.address.account == *account);
        let free = own.filter(|one| !desk.of(one.subject.turn).any(|other| other.is_shown()));
        let new = free.filter(|one| one.work() != Work::Over);
        new.filter(|one| one.take_up()).cloned().collect()
    }

    /// Whoever showed replies before may not be who does now: what they show is not known any more.
    pub(crate) fn unsure(&self) {
        self.desk().left.clear();
    }

    /// Nothing of it is under way any more; this is what its messages show for certain. If its turn goes on, somebody
    /// else may show it.
    pub(crate) fn rests(&self, sketch: &Sketch, shown: BTreeMap<String, String>) {
        let mut desk = self.desk();
        if sketch.work() == Work::Over {
            desk.growing.remove(&sketch.key());
            if !shown.is_empty() {
                desk.left.insert(sketch.subject.turn, shown);
            }
        } else {
            sketch.put_back();
        }
        while desk.left.len() > LEFT_MAX {
            desk.left.pop_first();
        }
        drop(desk);
        self.bell.ring();
    }

    /// Waits until nothing of a reply is under way that is whole. One that nobody shows is at rest.
    pub(crate) async fn rested(&self, turn: TurnId) {
        let mut ear = self.bell.listen();
        self.over(turn);
        while self.is_shown(turn) {
            ear.heard().await;
        }
    }

    /// Waits until all that a turn has said is shown, or nobody shows it here.
    pub(crate) async fn caught_up(&self, turn: TurnId) {
        let own: Vec<_> = self.desk().of(turn).cloned().collect();
        let streams = |sketch: &&Arc<Sketch>| sketch.subject.display.streaming != Some(Switch::Off);
        for sketch in own.iter().filter(streams).filter(|one| one.is_shown()) {
            sketch.caught_up().await;
        }
    }

    /// Whether this message shows exactly these words, as far as the platform has said so.
    pub(crate) fn shows(&self, turn: TurnId, receipt: &Receipt, text: &str) -> bool {
        let desk = self.desk();
        let shown = desk.left.get(&turn).and_then(|shown| shown.get(&receipt.0));
        shown.is_some_and(|shown| shown == text)
    }

    /// The reply is delivered: what its messages showed does not matter any more.
    pub(crate) fn delivered(&self, turn: TurnId) {
        self.desk().left.remove(&turn);
        self.bell.ring();
    }

    /// A turn asks a person, or goes on.
    pub(crate) fn works(&self, turn: TurnId, work: Work) {
        let growing: Vec<_> = self.desk().of(turn).cloned().collect();
        let growing = growing.iter().filter(|sketch| sketch.work() != Work::Over);
        growing.for_each(|sketch| sketch.stage.change(|stage| stage.work = work));
    }

    /// What a turn does, if its reply grows here.
    pub(crate) fn work(&self, turn: TurnId) -> Option<Work> {
        let desk = self.desk();
        desk.of(turn).last().map(|sketch| sketch.work())
    }

    fn over(&self, turn: TurnId) {
        self.works(turn, Work::Over);
        let mut desk = self.desk();
        desk.growing
            .retain(|key, one| key.0 != turn || one.is_shown());
    }

    fn is_shown(&self, turn: TurnId) -> bool {
        self.desk().of(turn).any(|sketch| sketch.is_shown())
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Desk {
    /// What grows of a turn's reply, or did until now.
    fn of(&self, turn: TurnId) -> impl Iterator<Item = &Arc<Sketch>> {
        let own = self.growing.range((turn, 0)..=(turn, u64::MAX));
        own.map(|(_, sketch)| sketch)
    }
}

impl Sketch {
    fn fresh(&self) -> MutexGuard<'_, New> {
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key(&self) -> (TurnId, u64) {
        (self.subject.turn, self.number)
    }

    fn is_shown(&self) -> bool {
        self.fresh().by == By::Somebody
    }

    fn take_up(&self) -> bool {
        let before = std::mem::replace(&mut self.fresh().by, By::Somebody);
        before == By::Nobody
    }

    fn put_back(&self) {
        *self.fresh() = New {
            is_behind: true,
            ..New::default()
        };
        // Nobody shows it: nobody waits for that.
        self.stage.change(|stage| stage.drawn = stage.news);
    }

    /// Whether it was put back since the last time, so that all of the words are needed.
    fn is_behind(&self) -> bool {
        std::mem::take(&mut self.fresh().is_behind)
    }

    /// All that is new about the words.
    pub(crate) fn take(&self) -> Vec<Piece> {
        std::mem::take(&mut self.fresh().pieces)
    }

    /// All that is new about tools.
    pub(crate) fn take_lines(&self) -> Vec<Line> {
        std::mem::take(&mut self.fresh().lines)
    }

    /// What its turn does.
    pub(crate) fn work(&self) -> Work {
        self.stage.get().work
    }

    /// Waits until its turn has ended.
    pub(crate) async fn over(&self) {
        self.stage.until(|stage| stage.work == Work::Over).await;
    }

    /// Waits until the words are newer than `seen`, or the turn has ended.
    pub(crate) async fn newer(&self, seen: u64) {
        let wanted = |stage: &Stage| stage.work == Work::Over || stage.news != seen;
        self.stage.until(wanted).await;
    }

    /// All that came up to `seen` is shown.
    pub(crate) fn drawn(&self, seen: u64) {
        self.stage.change(|stage| stage.drawn = seen);
    }

    async fn caught_up(&self) {
        let wanted = |stage: &Stage| stage.work == Work::Over || stage.drawn >= stage.news;
        self.stage.until(wanted).await;
    }

    /// Waits until there are more lines than `seen`, or the turn has ended.
    pub(crate) async fn more_lines(&self, seen: u64) {
        let wanted = |stage: &Stage| stage.work == Work::Over || stage.lines != seen;
        self.stage.until(wanted).await;
    }

    /// How often something new came, of words and of lines.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let stage = self.stage.get();
        (stage.news, stage.lines)
    }

    fn add(&self, piece: Piece) {
        let mut new = self.fresh();
        let was_empty = new.pieces.is_empty();
        match (new.pieces.last_mut(), piece) {
            (Some(Piece::Said(words)), Piece::Said(more))
            | (Some(Piece::Thought(words)), Piece::Thought(more)) => words.push_str(&more),
            (_, rewritten @ Piece::Rewritten(..)) => {
                new.pieces.retain(|one| matches!(one, Piece::Thought(_)));
                new.pieces.push(rewritten);
            }
            (_, piece) => new.pieces.push(piece),
        }
        drop(new);
        if was_empty {
            self.stage.change(|stage| stage.news += 1);
        }
    }

    fn tell(&self, line: Line) {
        self.fresh().lines.push(line);
        self.stage.change(|stage| stage.lines += 1);
    }
}

/// What a turn writes with. Where nothing is shown it writes nowhere. Dropping it ends the showing.
#[derive(Debug, Default)]
pub(crate) struct Pen {
    on: Option<(Arc<Sketch>, Sketches)>,
    /// How much of the reply is written.
    said: usize,
}

impl Pen {
    /// The reply is this by now; it is parted there.
    pub(crate) fn follow(&mut self, reply: &str, breaks: &[usize]) {
        let Some((sketch, _)) = &self.on else {
            return;
        };
        match reply.get(self.said..) {
            _ if sketch.is_behind() => {
                sketch.add(Piece::Rewritten(reply.to_owned(), breaks.to_vec()));
            }
            Some("") => return,
            Some(more) if reply.len() > self.said => sketch.add(Piece::Said(more.to_owned())),
            Some(_) | None => {
                sketch.add(Piece::Rewritten(reply.to_owned(), breaks.to_vec()));
            }
        }
        self.said = reply.len();
        self.note_words();
    }

    /// The reply is this, parted there, and not what it was before.
    pub(crate) fn rewrite(&mut self, reply: &str, breaks: &[usize]) {
        if let Some((sketch, _)) = &self.on {
            sketch.add(Piece::Rewritten(reply.to_owned(), breaks.to_vec()));
            self.said = reply.len();
            self.note_words();
        }
    }

    /// Whether it writes anywhere.
    pub(crate) fn is_drawing(&self) -> bool {
        self.on.is_some()
    }

    /// Whether people want to see thoughts where it writes.
    pub(crate) fn shows_thoughts(&self) -> bool {
        let on = self.on.as_ref();
        on.is_some_and(|(sketch, _)| sketch.subject.display.show_reasoning == Switch::On)
    }

    /// Lines about tools begin anew below words.
    fn note_words(&self) {
        if let Some((sketch, _)) = &self.on {
            let mut new = sketch.fresh();
            if new.lines.last().is_some_and(|line| *line != Line::Words) || new.lines.is_empty() {
                new.lines.push(Line::Words);
            }
        }
    }

    /// What follows is a message of its own.
    pub(crate) fn part(&self) {
        if let Some((sketch, _)) = &self.on {
            sketch.add(Piece::Part);
        }
    }

    /// More thoughts, where people want to see them.
    pub(crate) fn think(&self, more: &str) {
        if let Some((sketch, _)) = &self.on
            && self.shows_thoughts()
        {
            sketch.add(Piece::Thought(more.to_owned()));
        }
    }

    /// A tool begins, in words that are fit to be seen. They are made only if somebody sees them.
    pub(crate) fn call(&self, shown: impl FnOnce() -> Shown) {
        if let Some((sketch, _)) = &self.on
            && !matches!(sketch.subject.display.tool_progress, Mode::Off | Mode::Log)
        {
            sketch.tell(Line::Call(shown()));
        }
    }
}

impl Drop for Pen {
    fn drop(&mut self) {
        let Some((sketch, all)) = self.on.take() else {
            return;
        };
        sketch.stage.change(|stage| stage.work = Work::Over);
        let mut desk = all.desk();
        if !sketch.is_shown() {
            desk.growing.remove(&sketch.key());
        }
    }
}

#[cfg(test)]
#[path = "sketches_tests.rs"]
mod tests;
