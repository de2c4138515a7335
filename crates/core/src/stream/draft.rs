//! The draft of one reply: what should be seen, what is seen, and the step between.

use super::layout::Growth;
use super::{Answer, Edits, Manner, Step, Words};
use crate::limits;
use crate::outbound::Receipt;
use crate::text::render::Message;
use crate::text::silence::Ending;
use crate::time::{Span, Timestamp};

/// A reply that is shown while it grows.
#[derive(Clone, Debug)]
pub struct Draft {
    manner: Manner,
    words: Words,
    phase: Phase,
    /// What the platform shows, in order; an empty place is a message that was deleted there.
    bubbles: Vec<Option<Bubble>>,
    flight: Option<Flight>,
    /// The least time between two steps, longer after each "not now".
    interval: Span,
    /// Not before; and whether anything was done yet.
    due: Timestamp,
    begun: Begun,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Words arrive.
    Open,
    /// Words arrive, and nothing is shown: the platform refused, or an answer was lost.
    Quiet,
    /// The text is final.
    Closing(Ending),
    Ended,
}

/// What may begin before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    /// Nothing was shown: enough words may be shown at once.
    Not,
    /// Something was: the next step has its time.
    Shown,
    /// The platform said "not now": the time is a deadline, also for the final text.
    PutOff,
}

/// A message as the platform shows it.
#[derive(Clone, Debug)]
struct Bubble {
    /// None if the message cannot be changed.
    receipt: Option<Receipt>,
    /// Without the caret.
    message: Message,
    tail: Tail,
    /// The end of the text that it shows, if it shows the end.
    upto: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    Bare,
    Caret,
}

/// A step whose answer is outstanding.
#[derive(Clone, Debug)]
enum Flight {
    Send(usize, Bubble),
    Edit(usize, Bubble),
    Delete(usize),
}

impl Draft {
    /// A reply that begins now.
    #[must_use]
    pub fn new(manner: Manner, now: Timestamp) -> Self {
        Self {
            words: Words::default(),
            phase: match manner.edits {
                Edits::Possible => Phase::Open,
                Edits::Impossible => Phase::Quiet,
            },
            bubbles: Vec::new(),
            flight: None,
            interval: manner.interval,
            due: now + manner.interval,
            begun: Begun::Not,
            manner,
        }
    }

    /// A reply that was shown before, up to now in these messages; what stands there is not known.
    #[must_use]
    pub fn taking_over(manner: Manner, receipts: Vec<Option<Receipt>>, now: Timestamp) -> Self {
        let bubble = |receipt: Option<Receipt>| {
            receipt.map(|receipt| Bubble {
                receipt: Some(receipt),
                message: Message::default(),
                tail: Tail::Caret,
                upto: None,
            })
        };
        Self {
            bubbles: receipts.into_iter().map(bubble).collect(),
            ..Self::new(manner, now)
        }
    }

    /// Lets thoughts stand above the reply.
    #[must_use]
    pub fn with_words(mut self, words: Words) -> Self {
        self.words = words;
        self
    }

    /// More words arrived.
    pub fn push(&mut self, words: &str) {
        self.words.say(words);
    }

    /// More thoughts arrived, beside the words.
    pub fn think(&mut self, more: &str) {
        self.words.think(more);
    }

    /// What was thought so far.
    #[must_use]
    pub fn thoughts(&self) -> &str {
        self.words.thoughts()
    }

    /// The agent turned to a tool: what it says next is a message of its own.
    pub fn part(&mut self) {
        self.words.part();
    }

    /// The text so far is this, parted there: words were taken back.
    pub fn rewrite(&mut self, text: &str, breaks: &[usize]) {
        self.words.rewrite(text, breaks);
    }

    /// The text is final. From here on only this is shown.
    pub fn finish(&mut self, text: &str, ending: Ending) {
        if self.phase != Phase::Ended {
            self.words.replace(text);
            self.phase = Phase::Closing(ending);
        }
    }

    /// The messages that were shown and can be changed, in order: what a courier needs to know if it
    /// takes over.
    pub fn receipts(&self) -> impl Iterator<Item = &Receipt> {
        let bubbles = self.bubbles.iter().flatten();
        bubbles.filter_map(|bubble| bubble.receipt.as_ref())
    }

    /// What each message shows that the platform has confirmed, from the first on; an empty place for one that
    /// is not known, or ends with a caret.
    pub fn confirmed(&self) -> impl Iterator<Item = Option<(&Receipt, &str)>> {
        self.bubbles.iter().map(|bubble| {
            let bubble = bubble.as_ref().filter(|bubble| bubble.tail == Tail::Bare)?;
            Some((bubble.receipt.as_ref()?, bubble.message.text.as_str()))
        })
    }

    /// The place of the message that is being sent, from zero, if one is.
    #[must_use]
    pub fn sending(&self) -> Option<usize> {
        match self.flight {
            Some(Flight::Send(place, _)) => Some(place),
            Some(Flight::Edit(..) | Flight::Delete(_)) | None => None,
        }
    }

    /// What to do now. A step that is named must be answered before the next.
    pub fn next(&mut self, now: Timestamp) -> Step {
        if self.flight.is_some() {
            return Step::Wait(None);
        }
        let growth = match self.phase {
            Phase::Ended => return Step::Done,
            Phase::Quiet => return Step::Wait(None),
            Phase::Open => Growth::Open,
            Phase::Closing(ending) => Growth::Final(ending),
        };
        let pause = self.pause(growth, now);
        if pause.is_some() && self.begun != Begun::Shown {
            return Step::Wait(pause);
        }
        let wanted = self.words.messages(&self.manner, growth);
        match (self.difference(&wanted, growth), pause) {
            // Whoever shows everything waits for more words, not for the time of the next step.
            (None, _) if growth == Growth::Open => Step::Wait(None),
            (_, Some(until)) => Step::Wait(Some(until)),
            (Some(flight), None) => self.take_off(flight),
            (None, None) => {
                self.phase = Phase::Ended;
                Step::Done
            }
        }
    }

    /// Until when nothing may be done, if it is too early.
    fn pause(&self, growth: Growth, now: Timestamp) -> Option<Timestamp> {
        let free = match (self.begun, growth) {
            (Begun::PutOff, _) | (Begun::Shown, Growth::Open) => false,
            (Begun::Not, Growth::Open) => self.words.open_chars() >= limits::DRAFT_FIRST_CHARS,
            (Begun::Not | Begun::Shown, Growth::Final(_)) => true,
        };
        (!free && now < self.due).then_some(self.due)
    }

    /// The first message that is not as it should be.
    fn difference(&self, wanted: &[Message], growth: Growth) -> Option<Flight> {
        let places = wanted.len().max(self.bubbles.len());
        (0..places).find_map(|place| self.flight_at(place, wanted, growth))
    }

    fn flight_at(&self, place: usize, wanted: &[Message], growth: Growth) -> Option<Flight> {
        let last = place + 1 == wanted.len();
        let open = last && growth == Growth::Open;
        let upto = last.then_some(self.words.layout.text.len());
        let made = |message: &Message, receipt, tail| Bubble {
            receipt,
            message: message.clone(),
            tail,
            upto,
        };
        match (
            self.bubbles.get(place).and_then(Option::as_ref),
            wanted.get(place),
        ) {
            (None, None) => None,
            (None, Some(message)) => Some(Flight::Send(place, made(message, None, Tail::Bare))),
            (Some(bubble), None) => {
                let extra = growth != Growth::Open && bubble.receipt.is_some();
                extra.then_some(Flight::Delete(place))
            }
            (Some(bubble), Some(message)) => {
                let tail = if open { Tail::Caret } else { Tail::Bare };
                let same = bubble.message == *message && (open || bubble.tail == Tail::Bare);
                match &bubble.receipt {
                    _ if same => None,
                    Some(receipt) => Some(Flight::Edit(
                        place,
                        made(message, Some(receipt.clone()), tail),
                    )),
                    // Only its caret is too much, and nobody can take that away.
                    None if bubble.message == *message => None,
                    None => Some(Flight::Send(place, made(message, None, Tail::Bare))),
                }
            }
        }
    }

    fn take_off(&mut self, flight: Flight) -> Step {
        let step = match &flight {
            Flight::Send(_, bubble) => Step::Send(bubble.message.clone()),
            Flight::Edit(_, bubble) => self.edit(bubble),
            Flight::Delete(place) => self.delete(*place),
        };
        self.flight = Some(flight);
        step
    }

    fn edit(&self, bubble: &Bubble) -> Step {
        let receipt = bubble.receipt.clone();
        let receipt = receipt.expect("only a message with a receipt is edited");
        let message = match bubble.tail {
            Tail::Bare => bubble.message.clone(),
            Tail::Caret => self.manner.with_caret(&bubble.message),
        };
        Step::Edit(receipt, message)
    }

    fn delete(&self, place: usize) -> Step {
        let bubble = self.bubbles[place].as_ref();
        let receipt = bubble.and_then(|bubble| bubble.receipt.clone());
        Step::Delete(receipt.expect("only a message with a receipt is deleted"))
    }

    /// The platform answered to the step that was named last.
    pub fn answered(&mut self, answer: Answer, now: Timestamp) {
        let Some(flight) = self.flight.take() else {
            return;
        };
        self.begun = Begun::Shown;
        self.due = now + self.interval;
        match (answer, flight) {
            (Answer::Later(until), _) => self.put_off(until, now),
            // An edit or a removal can be repeated; a message that may have been sent cannot.
            (Answer::Unknown, Flight::Edit(..)) => self.put_off(None, now),
            (
                Answer::Unknown | Answer::Refused | Answer::Fixed | Answer::Gone,
                Flight::Send(..),
            ) => {
                self.fall_silent();
            }
            (Answer::Refused, Flight::Edit(..)) => self.fall_silent(),
            (Answer::Done(receipt), Flight::Send(place, bubble)) => {
                self.sent(place, bubble, receipt);
            }
            (Answer::Done(_), Flight::Edit(place, bubble)) => self.put(place, Some(bubble)),
            (Answer::Fixed, Flight::Edit(place, _)) => self.fix(place),
            (Answer::Gone, Flight::Edit(place, _)) => self.put(place, None),
            (_, Flight::Delete(place)) => self.put(place, None),
        }
        if self.bubbles.iter().all(Option::is_none) {
            self.bubbles.clear();
        }
    }

    fn put_off(&mut self, until: Option<Timestamp>, now: Timestamp) {
        let doubled = Span::ms(self.interval.as_ms().saturating_mul(2));
        self.interval = doubled.min(limits::DRAFT_INTERVAL_MAX);
        let earliest = now + self.interval;
        self.due = until.map_or(earliest, |until| until.max(earliest));
        self.begun = Begun::PutOff;
    }

    fn fall_silent(&mut self) {
        self.phase = match self.phase {
            Phase::Open | Phase::Quiet => Phase::Quiet,
            Phase::Closing(_) | Phase::Ended => Phase::Ended,
        };
    }

    fn sent(&mut self, place: usize, bubble: Bubble, receipt: Option<Receipt>) {
        let fixed = receipt.is_none();
        self.put(place, Some(Bubble { receipt, ..bubble }));
        if fixed {
            self.fix(place);
        }
    }

    /// A message can no longer be changed: what it shows stays, and the text goes on in the next.
    fn fix(&mut self, place: usize) {
        let Some(Some(bubble)) = self.bubbles.get_mut(place) else {
            return;
        };
        bubble.receipt = None;
        if let Some(upto) = bubble.upto {
            self.words.layout.part_at(upto);
        }
    }

    fn put(&mut self, place: usize, bubble: Option<Bubble>) {
        if self.bubbles.len() <= place {
            self.bubbles.resize(place + 1, None);
        }
        self.bubbles[place] = bubble;
    }
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
