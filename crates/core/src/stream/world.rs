//! A platform in memory, on which a draft is played to its end.
//!
//! Time goes from event to event and from deadline to deadline; each step is answered at once, with the
//! answers of a script in their order, and then with success.

use std::collections::VecDeque;

use super::{Answer, Draft, Manner, Step};
use crate::outbound::Receipt;
use crate::text::render::Message;
use crate::text::silence::Ending;
use crate::time::Timestamp;

/// What happens to a draft.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Words(String),
    Part,
    Finish(String),
}

/// What the platform saw and shows.
#[derive(Debug, Default)]
pub(crate) struct World {
    /// Each message that is shown, with its number.
    pub(crate) shown: Vec<(usize, Message)>,
    /// When something was asked of it, and what.
    pub(crate) asked: Vec<(i64, &'static str, String)>,
    answers: VecDeque<Answer>,
    sent: usize,
    pub(crate) ended_at: i64,
}

impl World {
    pub(crate) fn texts(&self) -> Vec<&str> {
        let texts = self.shown.iter().map(|(_, message)| message.text.as_str());
        texts.collect()
    }

    pub(crate) fn edits(&self) -> usize {
        self.asked
            .iter()
            .filter(|(_, what, _)| *what == "edit")
            .count()
    }

    fn answer(&mut self, step: &Step, now: i64) -> Answer {
        let (what, text) = match step {
            Step::Send(message) => ("send", message.text.clone()),
            Step::Edit(_, message) => ("edit", message.text.clone()),
            Step::Delete(_) => ("delete", String::new()),
            Step::Wait(_) | Step::Done => panic!("nothing is asked"),
        };
        self.asked.push((now, what, text));
        let answer = self.answers.pop_front().unwrap_or(Answer::Done(None));
        match answer {
            Answer::Done(_) => self.perform(step),
            Answer::Fixed if what == "send" => {
                self.perform(step);
                Answer::Done(None)
            }
            Answer::Gone => {
                if let Step::Edit(Receipt(id), _) | Step::Delete(Receipt(id)) = step {
                    self.shown.retain(|(number, _)| number.to_string() != *id);
                }
                Answer::Gone
            }
            Answer::Later(_) | Answer::Fixed | Answer::Unknown | Answer::Refused => answer,
        }
    }

    fn perform(&mut self, step: &Step) -> Answer {
        match step {
            Step::Send(message) => {
                self.sent += 1;
                self.shown.push((self.sent, message.clone()));
                return Answer::Done(Some(Receipt(self.sent.to_string())));
            }
            Step::Edit(Receipt(id), message) => {
                let found = self.shown.iter_mut().find(|(it, _)| it.to_string() == *id);
                found.expect("an edited message is shown").1 = message.clone();
            }
            Step::Delete(Receipt(id)) => self.shown.retain(|(it, _)| it.to_string() != *id),
            Step::Wait(_) | Step::Done => {}
        }
        Answer::Done(None)
    }
}

/// Plays events at their times (milliseconds, in order; the last one finishes) against the answers.
pub(crate) fn play(manner: Manner, events: &[(i64, Event)], answers: &[Answer]) -> World {
    let mut world = World {
        answers: answers.iter().cloned().collect(),
        ..World::default()
    };
    let mut events = events.iter().cloned().peekable();
    let mut now = 0;
    let mut draft = Draft::new(manner, Timestamp::from_ms(now));
    for _ in 0..100_000 {
        while let Some((_, event)) = events.next_if(|(at, _)| *at <= now) {
            tell(&mut draft, event);
        }
        let step = draft.next(Timestamp::from_ms(now));
        match step {
            Step::Done => {
                world.ended_at = now;
                return world;
            }
            Step::Wait(until) => {
                let event = events.peek().map(|(at, _)| *at);
                let until = until.map(Timestamp::ms);
                let next = event.into_iter().chain(until).min();
                now = next
                    .expect("a draft that waits is waiting for something")
                    .max(now);
            }
            Step::Send(_) | Step::Edit(..) | Step::Delete(_) => {
                let answer = world.answer(&step, now);
                draft.answered(answer, Timestamp::from_ms(now));
            }
        }
    }
    panic!("the draft does not come to its end: {world:?}");
}

fn tell(draft: &mut Draft, event: Event) {
    match event {
        Event::Words(words) => draft.push(&words),
        Event::Part => draft.part(),
        Event::Finish(text) => draft.finish(&text, Ending::Answered),
    }
}
