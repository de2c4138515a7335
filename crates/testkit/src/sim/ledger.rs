//! The simulator's own book: what was accepted, and what must have become of it.
//!
//! The faulty store writes down what was really done, also when its caller was told of an error. From
//! messages, commands and their plans the book works out what was said in which conversation, without
//! asking the rows; the agent compares its past with it while everything runs, and `check` compares
//! the rows with it at the end.
//!
//! Laws it holds while it is written: a message is claimed when the earlier ones of its place are
//! answered; answers of a place are planned in the order of its messages. Both go for words and for
//! commands; only what a running turn takes along, a call to stop or an answer to its question, is answered
//! when it comes.
//!
//! `away`, `processes`, `questions` and `strangers` are parts of the book with laws of their own.

pub mod away;
pub mod processes;
pub mod questions;
pub mod strangers;

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::address::AccountId;
use angelia_core::command::{self, Command, Plan, Reading};
use angelia_core::id::{InboxId, ProcessId, SessionId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::time::Timestamp;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::entry::{Attention, Role};
use angelia_core::turn::journal::{self, Step};
use angelia_core::turn::outcome::Outcome;
use angelia_store::approvals::Replies;
use angelia_store::intake::Place;
use angelia_store::turns::{ClaimedTurn, Settle, Waiting};

use crate::sim::agent::compacting::stands_for;
use crate::sim::marks;
use away::Away;
use processes::Processes;
use questions::{Questions, Reply};
use strangers::Strangers;

/// How the notice of a new beginning begins.
const NOTICE: &str = "This is a new conversation:";

/// A chat of an account, or what somebody asked beside the conversation of one.
pub type Spot = (AccountId, String);

/// A message that was accepted.
#[derive(Debug, Clone)]
pub struct Taken {
    /// Where it was written.
    pub spot: Spot,
    /// What recognises it.
    pub key: EventKey,
    /// Its row.
    pub inbox: InboxId,
    /// The platform's name of it; a question that is asked again has that of its `/retry`.
    pub message: String,
    /// Its words.
    pub text: String,
    /// The conversation that began with it, if one did.
    pub began: Option<SessionId>,
    /// The turns that answered it.
    pub answered: Vec<TurnId>,
    /// When it was accepted.
    pub at: Timestamp,
    /// What became of it in the inbox.
    pub fate: Fate,
}

/// What becomes of a message in the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It stays until it is answered.
    Stays,
    /// It was taken out of it, because somebody had read what it tells.
    TakenBack,
}

impl Taken {
    /// What it is.
    pub fn reading(&self) -> Reading {
        command::read_text(&self.text)
    }

    /// Whether it is the agent that answers.
    pub fn is_words(&self) -> bool {
        self.reading().is_for_the_agent()
    }
}

/// A turn, as far as it is known.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Its conversation.
    pub session: SessionId,
    /// The messages it answers.
    pub batch: Vec<InboxId>,
    /// How many of them it was opened over.
    pub asked: usize,
    /// What its command came to.
    pub plan: Option<Plan>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Words that it took along while it ran.
    pub steered: Vec<InboxId>,
    /// Whether what it takes back is taken back.
    hid: Hid,
}

impl Turn {
    /// Whether it was opened over the message.
    pub fn asks(&self, inbox: InboxId) -> bool {
        self.batch.iter().take(self.asked).any(|one| *one == inbox)
    }

    /// Whether the message is a row of the conversation: said to it, or taken along while it ran.
    pub fn says(&self, inbox: InboxId) -> bool {
        self.asks(inbox) || self.steered.contains(&inbox)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hid {
    NotYet,
    Once,
}

/// A conversation that began in the place of another because a message arrived.
#[derive(Debug, Clone)]
pub struct Began {
    /// The one before.
    pub earlier: SessionId,
    /// Why that one ended.
    pub why: Reason,
    /// Whether there was an answer in it.
    pub past: PastWas,
}

/// Whether there was an answer in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PastWas {
    /// There was none.
    Empty,
    /// There was.
    Answered,
}

/// Something that a person said.
#[derive(Debug, Clone)]
struct Words {
    text: String,
    /// Whether a turn begins with it, or took it along.
    attention: Attention,
}

/// The book.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Every accepted message, in the order of acceptance.
    pub taken: Vec<Taken>,
    /// Every turn.
    pub turns: BTreeMap<TurnId, Turn>,
    /// New beginnings that a message brought about, by the new conversation.
    pub began: BTreeMap<SessionId, Began>,
    /// How often a new beginning was told, by conversation.
    pub notices: BTreeMap<SessionId, u32>,
    /// Background processes.
    pub processes: Processes,
    /// Questions about dangerous commands.
    pub questions: Questions,
    /// People whom nobody let in yet.
    pub strangers: Strangers,
    said: BTreeMap<SessionId, Vec<Words>>,
    /// How many of them, from the first on, a summary stands for.
    aside: BTreeMap<SessionId, usize>,
    latest: BTreeMap<Spot, usize>,
    /// Messages that were turned away, because too many waited.
    pub away: Away,
}

impl Ledger {
    /// A message was accepted at `at`. Returns the laws that this broke.
    pub fn accepted(
        &mut self,
        inbound: &Inbound,
        (place, at): (&Place, Timestamp),
        began: Option<SessionId>,
    ) -> Vec<String> {
        self.taken.push(Taken {
            spot: spot(inbound),
            key: inbound.event_key.clone(),
            inbox: place.inbox,
            message: inbound.message_id.clone(),
            text: marks::written(&inbound.text),
            began,
            answered: Vec::new(),
            at,
            fate: Fate::Stays,
        });
        let turns = &self.turns;
        let mut broken = self.processes.told(inbound, |turn| {
            let outcome = turns.get(&turn).and_then(|turn| turn.outcome.as_ref());
            matches!(outcome, Some(Outcome::Completed { .. }))
        });
        broken.extend(self.strangers.heard(inbound));
        broken.extend(self.away.heard(inbound));
        broken
    }

    /// The message about the end of a process, if nobody has answered it.
    pub fn end_waiting(&self, id: ProcessId) -> Option<InboxId> {
        let key = EventKey::end_of(id);
        let mut open = self.standing().filter(|one| one.answered.is_empty());
        open.find(|one| one.key == key).map(|one| one.inbox)
    }

    /// The message about the end of a process was taken out of the inbox.
    pub fn taken_back(&mut self, id: ProcessId, inbox: InboxId) {
        let mut taken = self.taken.iter_mut();
        if let Some(taken) = taken.find(|one| one.inbox == inbox) {
            taken.fate = Fate::TakenBack;
            self.processes.taken_back(id);
        }
    }

    /// Every accepted message that was not taken back.
    pub fn standing(&self) -> impl Iterator<Item = &Taken> {
        self.taken.iter().filter(|one| one.fate == Fate::Stays)
    }

    /// A turn was claimed. Returns the law that this broke.
    pub fn claimed(&mut self, claimed: &ClaimedTurn) -> Option<String> {
        let steps = claimed.journal.iter().map(|recorded| &recorded.step);
        let plan = steps.filter_map(plan_in).next();
        let turn = self.turns.entry(claimed.turn).or_insert_with(|| Turn {
            session: claimed.session,
            batch: Vec::new(),
            asked: 1,
            plan: None,
            outcome: None,
            steered: Vec::new(),
            hid: Hid::NotYet,
        });
        turn.batch = claimed.batch.iter().map(|one| one.inbox).collect();
        turn.plan = plan.or(turn.plan.take());
        turn.asked = claimed.asked;
        turn.steered = journal::along(&claimed.journal);
        let batch = turn.batch.clone();
        let (place, first) = self.find(*batch.first()?)?;
        if first.reading().stops() {
            return None;
        }
        let before = self.taken[..place].iter();
        let mut open = before.filter(|one| {
            one.spot == first.spot
                && one.fate == Fate::Stays
                && !one.reading().stops()
                && one.answered.is_empty()
                && !batch.contains(&one.inbox)
        });
        let earlier = open.next()?;
        let (text, session) = (&first.text, claimed.session);
        Some(format!(
            "order: `{text}` was claimed in {session} before `{}` was answered",
            earlier.text
        ))
    }

    /// A step was recorded.
    pub fn recorded(&mut self, turn: TurnId, step: &Step) {
        if let (Some(turn), Some(plan)) = (self.turns.get_mut(&turn), plan_in(step)) {
            turn.plan = Some(plan);
        }
    }

    /// A turn took words along, perhaps told for the second time.
    pub fn steered(&mut self, turn: TurnId, step: &Step, batch: &[Waiting]) {
        self.took(turn, batch);
        if let (Some(turn), Step::Steered { said }) = (self.turns.get_mut(&turn), step) {
            let new = said.iter().map(|one| one.inbox);
            let new = new.filter(|one| !turn.steered.contains(one));
            turn.steered.extend(new.collect::<Vec<_>>());
        }
    }

    /// A turn answers these now.
    pub fn took(&mut self, turn: TurnId, batch: &[Waiting]) {
        if let Some(turn) = self.turns.get_mut(&turn) {
            turn.batch = batch.iter().map(|one| one.inbox).collect();
        }
    }

    /// A turn took answers along. Returns the laws that this broke.
    pub fn took_replies(&mut self, turn: TurnId, replies: &Replies) -> Vec<String> {
        let batch = replies.batch.as_deref().unwrap_or_default();
        let before = self.turns.get(&turn).map(|turn| turn.batch.clone());
        let before = before.unwrap_or_default();
        let new = batch.iter().filter(|one| !before.contains(&one.inbox));
        let new = new.filter_map(|one| self.find(one.inbox));
        let said: Vec<Reply> = new
            .map(|(place, taken)| Reply {
                place,
                at: taken.at,
                reading: taken.reading(),
                text: taken.text.clone(),
            })
            .collect();
        if replies.batch.is_some() {
            self.took(turn, batch);
        }
        self.questions.answered(turn, &said, &replies.decided)
    }

    /// The command of a turn took back what it takes back; the second time changes nothing.
    pub fn hid(&mut self, id: TurnId) {
        let Some(turn) = self.turns.get(&id) else {
            return;
        };
        let first = turn.batch.first().and_then(|inbox| self.find(*inbox));
        let count = match first.map(|(_, taken)| taken.reading()) {
            Some(Reading::Command(Command::Undo(count))) => count.max(1) as usize,
            Some(_) | None => 1,
        };
        let (session, hid) = (turn.session, turn.hid);
        if hid == Hid::NotYet {
            let aside = self.aside(session);
            let said = self.said.entry(session).or_default();
            let begins =
                (aside..said.len()).filter(|at| said[*at].attention == Attention::Addressed);
            let begins: Vec<usize> = begins.collect();
            if let Some(from) = begins.get(begins.len() - count.min(begins.len())) {
                said.truncate(*from);
            }
        }
        self.turns.entry(id).and_modify(|turn| turn.hid = Hid::Once);
    }

    /// A copy of a conversation was made; the second time changes nothing.
    pub fn branched(&mut self, from: SessionId, id: SessionId) {
        let copy = self.said.get(&from).cloned().unwrap_or_default();
        let aside = self.aside(from);
        if !self.said.contains_key(&id) {
            self.aside.insert(id, aside);
        }
        self.said.entry(id).or_insert(copy);
    }

    /// A turn was settled. Returns the laws that this broke.
    pub fn settled(&mut self, settle: &Settle) -> Vec<String> {
        let Some(turn) = self.turns.get_mut(&settle.turn) else {
            return vec![format!("{} settled unclaimed", settle.turn)];
        };
        turn.outcome = Some(settle.outcome.clone());
        self.questions.withdrawn(settle.turn);
        let (session, batch) = (turn.session, turn.batch.clone());
        let told = settle.deliveries.iter();
        let told = told.filter(|(_, text)| text.starts_with(NOTICE)).count();
        *self.notices.entry(session).or_default() += u32::try_from(told).unwrap_or(u32::MAX);
        let answered = batch.iter().filter_map(|inbox| self.find(*inbox));
        let places: Vec<usize> = answered.map(|(place, _)| place).collect();
        let broken = places
            .into_iter()
            .filter_map(|place| self.answered(place, settle.turn, session));
        let mut broken: Vec<String> = broken.collect();
        broken.extend(self.unheard(settle));
        self.compacted(settle, session);
        broken
    }

    /// What a turn answers, its agent has heard: it tells the marks of all that it heard.
    fn unheard(&self, settle: &Settle) -> Vec<String> {
        let Outcome::Completed { text } = &settle.outcome else {
            return Vec::new();
        };
        // One that gave up says nothing at all.
        let answered = self
            .turns
            .get(&settle.turn)
            .filter(|_| text.starts_with("re:"));
        let Some(turn) = answered else {
            return Vec::new();
        };
        let said = turn.batch.iter().filter(|inbox| turn.says(**inbox));
        let said = said.filter_map(|inbox| self.find(*inbox));
        let unheard = said.filter(|(_, one)| {
            let mut own = marks::within(&one.text);
            one.is_words() && own.any(|mark| !marks::within(text).any(|told| told == mark))
        });
        let told = |(_, one): (usize, &Taken)| {
            format!(
                "unheard: {} answers `{}` without a word of it",
                settle.turn, one.text
            )
        };
        unheard.map(told).collect()
    }

    /// A summary stands for as many messages as it says.
    fn compacted(&mut self, settle: &Settle, session: SessionId) {
        let mut rows = settle.entries.iter().rev();
        let summary = rows.find(|row| row.role == Role::Summary);
        let words = summary.map(|row| row.content.plain_text());
        if let Some(count) = words.and_then(|words| stands_for(&words)) {
            self.aside.insert(session, count);
        }
    }

    /// How many of the messages a summary stands for.
    pub fn aside(&self, session: SessionId) -> usize {
        self.aside.get(&session).copied().unwrap_or(0)
    }

    /// What people said and can still read word for word.
    pub fn shown(&self, session: SessionId) -> Vec<String> {
        self.said(session).split_off(self.aside(session))
    }

    fn answered(&mut self, place: usize, turn: TurnId, session: SessionId) -> Option<String> {
        let taken = self.taken.get_mut(place)?;
        taken.answered.push(turn);
        let (spot, text) = (taken.spot.clone(), taken.text.clone());
        let turn = self.turns.get(&turn)?;
        let (is_asked, is_said) = (turn.asks(taken.inbox), turn.says(taken.inbox));
        let attention = match turn.batch.first() == Some(&taken.inbox) {
            true => Attention::Addressed,
            false => Attention::Along,
        };
        if is_said && taken.is_words() {
            let said = self.said.entry(session).or_default();
            let text = text.clone();
            said.push(Words { text, attention });
        }
        // What a running turn took along is answered when it comes.
        if taken.reading().stops() || taken.reading().answer().is_some() || !is_asked {
            return None;
        }
        let latest = self.latest.insert(spot, place);
        latest
            .filter(|latest| *latest > place)
            .map(|_| format!("order: `{text}` was answered after a later message"))
    }

    /// What people said in a conversation and did not take back, oldest first.
    pub fn said(&self, session: SessionId) -> Vec<String> {
        let said = self.said.get(&session).into_iter().flatten();
        said.map(|words| words.text.clone()).collect()
    }

    /// The conversation in which a message is being answered.
    pub fn session_of(&self, inbound: &Inbound) -> Option<SessionId> {
        let is_it =
            |one: &&Taken| one.key == inbound.event_key && one.spot.0 == inbound.address.account;
        let inbox = self.taken.iter().find(is_it)?.inbox;
        let mut turns = self.turns.values().rev();
        turns
            .find(|turn| turn.batch.contains(&inbox))
            .map(|turn| turn.session)
    }

    /// The places that wrote something.
    pub fn spots(&self) -> BTreeSet<Spot> {
        self.taken.iter().map(|one| one.spot.clone()).collect()
    }

    /// The turn that answered a message.
    pub fn turn_of(&self, taken: &Taken) -> Option<&Turn> {
        taken.answered.first().and_then(|turn| self.turns.get(turn))
    }

    fn find(&self, inbox: InboxId) -> Option<(usize, &Taken)> {
        let mut numbered = self.taken.iter().enumerate();
        numbered.find(|(_, one)| one.inbox == inbox)
    }
}

fn spot(inbound: &Inbound) -> Spot {
    let account = &inbound.address.account;
    let chat = marks::origin(&inbound.address.chat.id);
    let place = match &inbound.about.beside {
        None => chat.to_owned(),
        Some(began) => format!("{chat} beside {began}"),
    };
    (account.clone(), place)
}

fn plan_in(step: &Step) -> Option<Plan> {
    match step {
        Step::Command { plan } => Some(plan.clone()),
        Step::Answer { .. }
        | Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Planned { .. }
        | Step::Moved { .. }
        | Step::Compacted { .. }
        | Step::Emitted { .. }
        | Step::Steered { .. } => None,
    }
}
