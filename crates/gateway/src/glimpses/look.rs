//! Looks at replies that grow on other nodes, and shows them here.
//!
//! On a platform, if this node looks after the account: they become sketches, drawn like those of its own turns. On the feed,
//! if somebody watches. To whoever waits for that answer. What is no longer there, or was not left anew in time, is over.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::id::{NodeId, TurnId};
use angelia_core::limits;
use angelia_core::stream::glimpse::{self, Glimpse, Seen};
use angelia_store::glimpses::{Found, Which};

use super::News;
use crate::feed::Frame;
use crate::ground::Ground;
use crate::leases::Holdings;
use crate::settle::{Closing, RUNNING};
use crate::sketches::{Pen, Work};

/// What the loop is called.
const NAME: &str = "other nodes' replies";

/// Looks until the node stops.
pub(crate) struct Looking {
    /// The common ground.
    pub(crate) ground: Ground,
    /// What begins a sketch.
    pub(crate) closing: Closing,
    /// The leases of this node.
    pub(crate) holdings: Holdings,
}

/// A reply of another node as it is shown here.
struct Sight {
    by: NodeId,
    last: Glimpse,
    pen: Pen,
    /// What the pen was told.
    drawn: Option<Glimpse>,
}

impl Looking {
    /// Looks when a bell rings, and every period.
    pub(crate) async fn run(self) {
        if !self.ground.store.is_shared() {
            return;
        }
        let mut ear = self.ground.glimpses.listen();
        let mut sights = BTreeMap::new();
        loop {
            let news = tokio::select! {
                biased;
                () = self.ground.phase.stopping() => return,
                () = ear.heard() => self.ground.glimpses.news(),
                () = tokio::time::sleep(limits::LOOP_PERIOD.to_std()) => News::All,
            };
            if let Some(which) = self.wanted(news, &sights) {
                self.look(which, &mut sights).await;
            }
        }
    }

    /// What of it somebody here would see.
    fn wanted(&self, news: News, sights: &BTreeMap<TurnId, Sight>) -> Option<Which> {
        let feed = &self.ground.feed;
        let is_watched = feed.is_watched() || !feed.followers.is_empty();
        match news {
            News::All => {
                let is_seen = is_watched || self.shows_something();
                let is_there = self.ground.bells.far.has_others() && is_seen;
                (is_there || !sights.is_empty()).then_some(Which::All)
            }
            News::Of(turns) => {
                let is_seen = |turn: &TurnId| is_watched || sights.contains_key(turn);
                let turns = turns.into_iter();
                let turns = turns
                    .filter(|(turn, account)| is_seen(turn) || self.holdings.has_account(account));
                let turns: Vec<TurnId> = turns.map(|(turn, _)| turn).collect();
                (!turns.is_empty()).then_some(Which::Of(turns))
            }
        }
    }

    /// Whether this node looks after an account on which replies are seen while they grow.
    fn shows_something(&self) -> bool {
        let live = self.closing.adapters.iter();
        let mut live = live.filter(|(_, adapter)| adapter.capabilities().live.is_some());
        live.any(|(account, _)| self.holdings.has_account(account))
    }

    async fn look(&self, which: Which, sights: &mut BTreeMap<TurnId, Sight>) {
        let found = self.ground.store.glimpses(self.ground.node, which.clone());
        let found = found.await;
        self.ground.note(NAME, &found);
        let Ok(found) = found else { return };
        let there: BTreeSet<TurnId> = found.iter().map(|one| one.turn).collect();
        let looked: Vec<TurnId> = match which {
            Which::All => sights.keys().copied().collect(),
            Which::Of(turns) => turns,
        };
        for turn in looked.iter().filter(|turn| !there.contains(turn)) {
            if let Some(sight) = sights.remove(turn) {
                self.is_over(&sight);
            }
        }
        for one in found {
            // What a newer release left is passed over.
            if let Some(glimpse) = Glimpse::read(&one.body) {
                self.see(&one, glimpse, sights).await;
            }
        }
    }

    /// The rows tell what became of it.
    fn is_over(&self, sight: &Sight) {
        let messages = sight.last.messages.iter().copied();
        self.ground.feed.followers.ended(messages);
        self.ground.feed.publish(|_| Frame::Elsewhere);
    }

    async fn see(&self, found: &Found, glimpse: Glimpse, sights: &mut BTreeMap<TurnId, Sight>) {
        let before = sights.remove(&found.turn);
        let before = before.filter(|sight| sight.by == found.node);
        let mut sight = match before {
            Some(sight) => sight,
            None => {
                self.begins(found.turn, &glimpse);
                Sight::of(found.node, &glimpse)
            }
        };
        self.tell(found.turn, &sight.last, &glimpse);
        self.draw(found.turn, &mut sight, &glimpse).await;
        sight.last = glimpse;
        sights.insert(found.turn, sight);
    }

    fn begins(&self, turn: TurnId, glimpse: &Glimpse) {
        let at = self.ground.env.now();
        self.ground.feed.publish(|_| Frame::Turn {
            turn,
            session: glimpse.session,
            inbox_ids: glimpse.messages.iter().copied().collect(),
            state: RUNNING,
            at,
        });
    }

    /// Tells those who watch, and those who wait for this answer, what is new.
    fn tell(&self, turn: TurnId, before: &Glimpse, glimpse: &Glimpse) {
        let (feed, session) = (&self.ground.feed, glimpse.session);
        if glimpse.text != before.text {
            let messages = glimpse.messages.iter().copied();
            let words = (&*glimpse.text, &*glimpse.breaks);
            self.closing
                .show_in((turn, session), &glimpse.address, messages, words);
        }
        for seen in new_steps(before, glimpse) {
            feed.publish(|feed| Frame::Step {
                turn,
                session,
                seq: seen.seq,
                step: feed.keep(seen.step.bytes(), seen.step.clone()),
                at: seen.at,
            });
        }
    }

    /// Draws what is new, if the platform shows what this node says there.
    async fn draw(&self, turn: TurnId, sight: &mut Sight, glimpse: &Glimpse) {
        if !self.holdings.has_account(&glimpse.address.account) {
            (sight.pen, sight.drawn) = (Pen::default(), None);
            return;
        }
        if !sight.pen.is_drawing() && !self.ground.sketches.grows(turn) {
            sight.pen = self.closing.sketch_of(turn, glimpse).await;
            sight.drawn = None;
        }
        sight.goes_on(glimpse);
        let work = match glimpse.work {
            glimpse::Work::Going => Work::Going,
            glimpse::Work::Asking => Work::Asking,
        };
        self.ground.sketches.works(turn, work);
    }
}

impl Sight {
    /// Nothing was seen of it yet.
    fn of(by: NodeId, glimpse: &Glimpse) -> Self {
        Self {
            by,
            last: begun(glimpse),
            pen: Pen::default(),
            drawn: None,
        }
    }

    /// The pen writes what it was not told yet, in order; all of it anew if words were taken back.
    fn goes_on(&mut self, glimpse: &Glimpse) {
        let mut before = self.drawn.take().unwrap_or_else(|| begun(glimpse));
        if !glimpse.continues(&before) {
            self.pen.rewrite(&glimpse.text, &glimpse.breaks);
            before.text.clone_from(&glimpse.text);
            before.breaks.clone_from(&glimpse.breaks);
        }
        if let Some(more) = glimpse.thoughts.strip_prefix(&*before.thoughts)
            && !more.is_empty()
        {
            self.pen.think(more);
        }
        let (mut parted, mut written) = (before.breaks.len(), before.text.len());
        let mut write = |pen: &mut Pen, upto: usize| {
            let upto = glimpse.text.floor_char_boundary(upto).max(written);
            written = upto;
            let places = glimpse.breaks[parted..].iter();
            for place in places.take_while(|place| **place <= upto) {
                pen.follow(&glimpse.text[..*place], &glimpse.breaks);
                pen.part();
                parted += 1;
            }
            pen.follow(&glimpse.text[..upto], &glimpse.breaks);
        };
        for seen in new_steps(&before, glimpse).filter(|seen| seen.step.is_call()) {
            write(&mut self.pen, seen.after);
            self.pen.call(|| seen.step.clone());
        }
        write(&mut self.pen, glimpse.text.len());
        self.drawn = Some(glimpse.clone());
    }
}

/// The reply before its first word.
fn begun(glimpse: &Glimpse) -> Glimpse {
    Glimpse {
        text: String::new(),
        breaks: Vec::new(),
        thoughts: String::new(),
        steps: Vec::new(),
        ..glimpse.clone()
    }
}

fn new_steps<'g>(before: &'g Glimpse, glimpse: &'g Glimpse) -> impl Iterator<Item = &'g Seen> {
    let is_new = |seen: &&Seen| !before.steps.contains(seen);
    glimpse.steps.iter().filter(is_new)
}

#[cfg(test)]
#[path = "look_tests.rs"]
mod tests;
