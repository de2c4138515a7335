//! The part of the book about questions: what was asked, what people said to it, and what was run.
//!
//! Which answer decides what is worked out here from the messages, without asking the rows. Laws it holds
//! while it is written: a question is decided once, and as somebody said; nobody is spared a question who
//! has not agreed to the very thing before; what runs was agreed to, and runs once for its call.

use std::collections::BTreeMap;

use angelia_core::approval::{Decider, Decision, Fingerprint, Grant, Verdict, inquiry};
use angelia_core::command::Reading;
use angelia_core::danger::reply::{Answer, reached};
use angelia_core::id::{ApprovalId, TurnId};
use angelia_core::time::Timestamp;
use angelia_store::approvals::Approval;

/// A question, as far as it is known.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its row, as it was when it was asked.
    pub row: Approval,
    /// How many messages had come by then.
    pub heard: usize,
    /// What was decided.
    pub decision: Option<Decision>,
    /// How often what it is about was run.
    pub runs: u32,
    /// The words that answered it, if it wanted some.
    pub said: Option<String>,
}

impl Known {
    /// Whether it wants words and no yes.
    fn wants_words(&self) -> bool {
        self.row.matter.choices.is_some()
    }
}

/// An answer that a turn took along.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Its place among all messages.
    pub place: usize,
    /// When it was accepted.
    pub at: Timestamp,
    /// What it is.
    pub reading: Reading,
    /// Its words.
    pub text: String,
}

impl Reply {
    /// Its words, if it is for a question that wants some.
    fn words(&self) -> Option<&str> {
        match self.reading.answer() {
            Some(Ok(said)) => match &said.answer {
                Answer::Words(words) => Some(words),
                Answer::Approve(_) | Answer::Deny(_) => None,
            },
            Some(Err(_)) => None,
            None => Some(self.text.as_str()).filter(|_| self.reading.is_for_the_agent()),
        }
    }
}

/// All questions, in the order in which they were asked.
#[derive(Debug, Clone, Default)]
pub struct Questions(pub Vec<Known>);

impl Questions {
    /// A call asked. Returns the law that was broken by what it got.
    pub fn asked(&mut self, row: &Approval, heard: usize) -> Option<String> {
        if self.0.iter().any(|known| known.row.id == row.id) {
            return None;
        }
        let same = |known: &Known| known.row.turn == row.turn && known.row.call == row.call;
        if self.0.iter().any(same) {
            return Some(format!("asked: {} asked twice for one call", row.turn));
        }
        let decision = row.decided.as_ref().map(|decided| decided.decision);
        let by = row.decided.as_ref().map(|decided| decided.by);
        let is_fair = by.is_none() || (by == Some(Decider::Grant) && self.is_agreed(row));
        self.0.push(Known {
            row: row.clone(),
            heard,
            decision,
            runs: 0,
            said: None,
        });
        (!is_fair).then(|| format!("agreed: nobody agreed to what {} asks", row.id))
    }

    /// Whether somebody has agreed to the very thing for more than one call.
    fn is_agreed(&self, row: &Approval) -> bool {
        let covers = |known: &Known| match known.decision {
            Some(Decision::Granted(Grant::Conversation)) => known.row.session == row.session,
            Some(Decision::Granted(Grant::Always)) => {
                known.row.person.id == row.person.id
                    && known.row.address.account == row.address.account
            }
            Some(_) | None => false,
        };
        let same = |known: &&Known| known.row.matter.fingerprint == row.matter.fingerprint;
        self.0.iter().filter(same).any(covers)
    }

    /// A turn took answers along, and these questions were decided. Returns the laws that were broken.
    pub fn answered(
        &mut self,
        turn: TurnId,
        replies: &[Reply],
        decided: &[Approval],
    ) -> Vec<String> {
        let must = self.must_be(turn, replies);
        self.note_words(turn, replies);
        let decided = decided
            .iter()
            .filter_map(|row| Some((row.id, row.decided.as_ref()?.decision)));
        let decided: BTreeMap<ApprovalId, Decision> = decided.collect();
        let mut broken = Vec::new();
        if decided != must {
            broken.push(format!(
                "answered: {turn} has {decided:?}, said was {must:?}"
            ));
        }
        let settled = decided
            .into_iter()
            .filter_map(|(id, decision)| self.decided(id, decision));
        broken.extend(settled);
        broken
    }

    /// What answers decide.
    fn must_be(&self, turn: TurnId, replies: &[Reply]) -> BTreeMap<ApprovalId, Decision> {
        let mut must = BTreeMap::new();
        for reply in replies {
            let open: Vec<ApprovalId> = self
                .0
                .iter()
                .filter(|known| known.row.turn == turn && known.decision.is_none())
                .filter(|known| known.wants_words() == reply.words().is_some())
                .filter(|known| known.heard <= reply.place && reply.at < known.row.expires_at)
                .map(|known| known.row.id)
                .filter(|id| !must.contains_key(id))
                .collect();
            if let Some(Ok(said)) = reply.reading.answer() {
                let decision = Verdict::from(said.answer.clone()).decision();
                let meant = reached(open, said.reach, |id| *id);
                must.extend(meant.into_iter().map(|id| (id, decision)));
            } else if reply.reading.is_for_the_agent() {
                let oldest = open.first();
                must.extend(oldest.map(|id| (*id, Decision::Answered)));
            }
        }
        must
    }

    /// Notes the words that answer the oldest open question of the turn which wants some.
    fn note_words(&mut self, turn: TurnId, replies: &[Reply]) {
        for reply in replies {
            let Some(words) = reply.words() else {
                continue;
            };
            let mut open = self.0.iter_mut().filter(|known| {
                known.row.turn == turn
                    && known.wants_words()
                    && known.decision.is_none()
                    && known.said.is_none()
                    && known.heard <= reply.place
                    && reply.at < known.row.expires_at
            });
            if let Some(known) = open.next() {
                let choices = known.row.matter.choices.as_deref().unwrap_or_default();
                known.said = Some(inquiry::meant(words, choices));
            }
        }
    }

    /// An agent was told words, or that there are none. Returns the law that this broke.
    pub fn told(&self, turn: TurnId, call: &str, words: Option<&str>) -> Option<String> {
        let mut asked = self.0.iter();
        let known = asked.find(|known| known.row.turn == turn && known.row.call == call);
        let said = known.and_then(|known| known.said.as_deref());
        (said != words)
            .then(|| format!("told: the agent of {turn} heard {words:?}, said was {said:?}"))
    }

    /// A question was decided. Returns the law that this broke.
    pub fn decided(&mut self, id: ApprovalId, decision: Decision) -> Option<String> {
        let Some(known) = self.0.iter_mut().find(|known| known.row.id == id) else {
            return Some(format!("decided: nobody asked {id}"));
        };
        let before = known.decision.replace(decision)?;
        Some(format!("decided: {id} is {decision:?}, and was {before:?}"))
    }

    /// A turn has ended: what it asked is withdrawn.
    pub fn withdrawn(&mut self, turn: TurnId) {
        let asked = self.0.iter_mut().filter(|known| known.row.turn == turn);
        for known in asked {
            known.decision = known.decision.or(Some(Decision::Withdrawn));
        }
    }

    /// An agent ran something. Returns the law that this broke.
    pub fn ran(&mut self, turn: TurnId, call: &str, what: Fingerprint) -> Option<String> {
        let mut asked = self.0.iter_mut();
        let known = asked.find(|known| known.row.turn == turn && known.row.call == call);
        let Some(known) = known else {
            return Some(format!("ran: {turn} ran what it never asked about"));
        };
        known.runs += 1;
        let id = known.row.id;
        let agreed = matches!(known.decision, Some(Decision::Granted(_)));
        if !agreed || known.row.matter.fingerprint != what {
            let decision = known.decision;
            return Some(format!("ran: {id} is {decision:?}, or about another thing"));
        }
        (known.runs > 1).then(|| format!("doubled: {id} was run again"))
    }
}
