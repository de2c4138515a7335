//! What is seen of a turn at work: on this node, and on others.

use angelia_core::stream::glimpse::Seen;
use angelia_core::turn::shown::Shown;
use angelia_store::turns::ClaimedTurn;
use tokio::time::Instant;

use crate::talk::Talk;
use crate::turn::Runner;

impl Runner {
    /// A tool that begins parts the reply, and is told of where people want to know.
    pub(crate) fn tell_of(&self, talk: &mut Talk<'_>, (seq, shown): (Option<u32>, &Shown)) {
        if shown.is_call() {
            talk.part();
            let masker = &self.ground.masker;
            talk.pen.call(|| shown.clone().fit_to_be_seen(masker));
        }
        self.put_up_step(talk, seq, shown);
    }

    /// Shows the reply as it stands.
    pub(crate) fn show(&self, talk: &mut Talk<'_>) {
        let words = (talk.machine.reply(), &*talk.breaks);
        self.closing.show(talk.claimed, words);
        talk.draft.shown(self.ground.env.steady());
    }

    /// Shows what is thought about it.
    pub(crate) fn show_thoughts(&self, talk: &mut Talk<'_>) {
        let thoughts = talk.thoughts.growing(&self.ground.masker);
        let shown = Shown::thinking(talk.machine.next_seq(), thoughts);
        self.put_up_step(talk, None, &shown);
        self.closing.show_step(talk.claimed, None, shown);
        talk.thoughts.draft.shown(self.ground.env.steady());
    }

    /// Thoughts that were shown in the place of a step are over once another thing stands there: a tool is called, and
    /// the answer that they were about comes later, in a place of its own.
    pub(crate) fn end_thoughts(&self, talk: &mut Talk<'_>, (seq, shown): (u32, Option<&Shown>)) {
        let thoughts = talk.thoughts.whole(&self.ground.masker);
        let over = Shown::thinking(seq, thoughts).over();
        let is_followed = shown.is_some_and(|shown| shown.id == over.id);
        if !is_followed && over.words.as_ref().is_some_and(|words| !words.is_empty()) {
            self.put_up_step(talk, None, &over);
            self.closing.show_step(talk.claimed, None, over);
        }
    }

    /// Puts up the reply as it stands, if somebody elsewhere would see it.
    pub(crate) fn put_up(&self, talk: &mut Talk<'_>) {
        let (claimed, now) = (talk.claimed, self.ground.env.steady());
        let glimpse = self.is_seen_elsewhere(talk, now).then(|| {
            let words = (talk.machine.reply(), &*talk.breaks);
            self.closing.glimpse(claimed, words)
        });
        talk.easel.put_up(claimed, glimpse, now);
    }

    /// Keeps what a turn does for whoever sees it elsewhere.
    fn put_up_step(&self, talk: &mut Talk<'_>, seq: Option<u32>, shown: &Shown) {
        if !self.ground.bells.far.has_others() {
            return;
        }
        let after = talk.machine.reply().len();
        talk.easel.step(|| Seen {
            seq,
            at: self.ground.env.now(),
            after,
            step: shown.clone().fit_to_be_seen(&self.ground.masker),
        });
    }

    /// Another node looks after the account and shows the reply there; or somebody watches, or waits for it.
    fn is_seen_elsewhere(&self, talk: &Talk<'_>, now: Instant) -> bool {
        if !self.ground.bells.far.has_others() {
            return false;
        }
        let is_shown = talk.pen.is_drawing() && !self.has_account(talk.claimed);
        is_shown || talk.easel.is_wanted(talk.claimed, now)
    }

    fn has_account(&self, claimed: &ClaimedTurn) -> bool {
        let last = claimed.batch.last();
        last.is_some_and(|last| self.holdings.has_account(&last.inbound.address.account))
    }
}
