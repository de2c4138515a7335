//! The states of a running turn: events in, effects out.
//!
//! ```text
//! Running ── Finished | Failed | TimedOut | Interrupted ──► Ended (one `Settle`)
//!         ── Draining ────────────────────────────────────► Ended (one `Release`)
//!         ── LeaseLost ───────────────────────────────────► Ended (nothing)
//! ```
//!
//! Every (state, event) pair is defined; after the end nothing has an effect. The machine performs
//! nothing itself: `gateway::turn` records, shows, settles and releases as it is told.

use crate::delivery::plan::{self, Room};
use crate::limits;
use crate::text;
use crate::turn::journal::Step;
use crate::turn::outcome::{Interruption, Outcome, Repeating};

/// What people are told of a turn that was ended by a limit. What it did is part of the conversation, so whoever answers
/// next can go on with it.
const TOO_LONG: &str = "it took longer than a turn may; say what shall be done next";
const TOO_MANY_STEPS: &str = "it took more steps than a turn may; say what shall be done next";

/// What happens to a running turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The agent said more.
    Text(String),
    /// What the agent says from now on may be taken back.
    AnswerBegins,
    /// The agent takes back what it said since its answer began.
    AnswerDropped,
    /// The agent did something that must be written down first.
    Step(Step),
    /// The agent is done.
    Finished,
    /// The agent cannot go on.
    Failed(String, Repeating),
    /// The turn took longer than it may.
    TimedOut,
    /// A person ends it.
    Interrupted(Interruption),
    /// The node is stopping and its patience has run out.
    Draining,
    /// The claim is no longer ours.
    LeaseLost,
}

/// What is to be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Write the step down at this place of the journal, then let the agent go on.
    Record(u32, Step),
    /// The reply grew: show it when it is time to.
    Show,
    /// Close the turn.
    Settle(Outcome),
    /// Leave the turn open for whoever starts next; this attempt does not count.
    Release,
}

/// A running turn.
#[derive(Debug)]
pub struct Machine {
    state: State,
    reply: String,
    room: Room,
    /// The reply's length where the answer began, and whether there was room.
    answer: (usize, Room),
    next_seq: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Ended,
}

impl Machine {
    /// A turn whose journal already has `recorded` steps.
    pub fn new(recorded: usize) -> Self {
        let next_seq = u32::try_from(recorded)
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        Self {
            state: State::Running,
            reply: String::new(),
            room: Room::Left,
            answer: (0, Room::Left),
            next_seq,
        }
    }

    /// Whether nothing can happen any more.
    pub fn has_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// The reply so far.
    pub fn reply(&self) -> &str {
        &self.reply
    }

    /// The place that the next step of the journal will have.
    pub fn next_seq(&self) -> u32 {
        self.next_seq
    }

    /// The last step was not written after all: its place is the next one's.
    pub fn unrecord(&mut self) {
        self.next_seq = self.next_seq.saturating_sub(1);
    }

    /// Takes an event and says what is to be done.
    pub fn on(&mut self, event: Event) -> Option<Effect> {
        if self.has_ended() {
            return None;
        }
        match event {
            Event::Text(more) => self.say(&more),
            Event::AnswerBegins => {
                self.answer = (self.reply.len(), self.room);
                None
            }
            Event::AnswerDropped => self.unsay(),
            Event::Step(step) => Some(self.record(step.bounded())),
            Event::Finished => Some(self.settle(|text| Outcome::Completed { text })),
            Event::Failed(why, repeating) => Some(self.fail(&why, repeating)),
            Event::TimedOut => Some(self.fail(TOO_LONG, Repeating::IsNoUse)),
            Event::Interrupted(by) => Some(self.settle(|text| Outcome::Interrupted { text, by })),
            Event::Draining => Some(self.end(Effect::Release)),
            Event::LeaseLost => {
                self.state = State::Ended;
                None
            }
        }
    }

    fn say(&mut self, more: &str) -> Option<Effect> {
        if self.room == Room::None || more.is_empty() {
            return None;
        }
        self.room = plan::append(&mut self.reply, more);
        Some(Effect::Show)
    }

    fn unsay(&mut self) -> Option<Effect> {
        let (length, room) = self.answer;
        if self.reply.len() == length {
            return None;
        }
        self.reply.truncate(length);
        self.room = room;
        Some(Effect::Show)
    }

    fn record(&mut self, step: Step) -> Effect {
        let seq = self.next_seq;
        if seq > limits::STEPS_PER_TURN {
            return self.fail(TOO_MANY_STEPS, Repeating::IsNoUse);
        }
        if step.is_too_long() {
            let why = "it called a tool with more than can be written down";
            return self.fail(why, Repeating::Helps);
        }
        self.next_seq += 1;
        Effect::Record(seq, step)
    }

    fn fail(&mut self, why: &str, repeating: Repeating) -> Effect {
        let why = text::preview(why, limits::WHY_CHARS_MAX);
        self.settle(|text| Outcome::Failed {
            text,
            why,
            repeating,
        })
    }

    fn settle(&mut self, outcome: impl FnOnce(String) -> Outcome) -> Effect {
        let text = std::mem::take(&mut self.reply);
        self.end(Effect::Settle(outcome(text)))
    }

    fn end(&mut self, effect: Effect) -> Effect {
        self.state = State::Ended;
        effect
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
