//! Asks until somebody answers: one provider after the other, each as often as makes sense.
//!
//! ```text
//! question ─▶ provider ─▶ answer
//!                ├─ busy, cut ─▶ the same again, after a pause
//!                ├─ refused, out of patience ─▶ the next provider
//!                └─ too long ─▶ back to whoever asks
//! ```
//!
//! Whoever answered in place of another is asked first for a while, so that not every question waits for a
//! server that is down. What was shown of an answer that broke off is taken back before anyone is asked
//! again. What an answer means is not looked at here.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use angelia_core::transcript::entry::Entry;
use tokio::time::Instant;

use super::audience::Audience;
use super::failure::{Failure, Remedy};
use super::provider::{self, Place, Provider, Unusable};
use super::request::Request;
use super::spoken::Answer;
use crate::events::Ended;
use crate::tools::set::Schema;

/// How long a provider that answered in place of another is asked first. A server that is down is tried
/// again often enough, and seldom enough for nobody to wait for it.
const PREFERRED_FOR: Duration = Duration::from_secs(300);

/// The servers that have a model, in the order in which they are asked.
#[derive(Debug, Clone)]
pub(super) struct Providers {
    all: Arc<[Provider]>,
    preferred: Arc<Mutex<Option<Preferred>>>,
}

/// Who is asked first, and until when.
#[derive(Debug, Clone, Copy)]
struct Preferred {
    place: usize,
    until: Instant,
}

/// What is asked, whoever answers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    /// Who the agent is and where it is.
    pub(super) system: &'a str,
    /// What was said.
    pub(super) messages: &'a [Entry],
    /// How many of them were said before the turn: they stay the same from call to call.
    pub(super) earlier: usize,
    /// The tools that may be called.
    pub(super) tools: &'a [Schema],
    /// The most tokens of the answer.
    pub(super) answer_tokens: u32,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// Nobody listens any more.
    Ended,
    /// Nobody answered; this is why the last of them did not.
    Failed(Failure),
}

impl From<Ended> for Unanswered {
    fn from(Ended: Ended) -> Self {
        Self::Ended
    }
}

impl Providers {
    pub(super) fn new(places: &[Place]) -> Result<Self, Unusable> {
        let client = provider::client(places)?;
        let all = places.iter();
        let all = all.map(|place| Provider::new(client.clone(), place));
        Ok(Self {
            all: all.collect::<Result<_, _>>()?,
            preferred: Arc::default(),
        })
    }

    /// The name used in configuration and status.
    pub(super) fn name(&self) -> &'static str {
        let first = self.all.first();
        first.map_or("model", |first| first.wire().name())
    }

    /// Asks until there is an answer; who gave it, and what it is.
    pub(super) async fn ask(
        &self,
        question: Question<'_>,
        audience: &mut Audience<'_>,
    ) -> Result<(&Provider, Answer), Unanswered> {
        let mut why = Failure::Refused("no model is set up".to_owned());
        for place in order(self.all.len(), self.first(Instant::now())) {
            let provider = &self.all[place];
            match ask_patiently(provider, question, audience).await {
                Ok(answer) => {
                    self.answered(place, Instant::now());
                    return Ok((provider, answer));
                }
                // What is too long is made shorter before anybody else is asked.
                Err(failed @ (Unanswered::Ended | Unanswered::Failed(Failure::Overflow(_)))) => {
                    return Err(failed);
                }
                Err(Unanswered::Failed(failure)) => why = failure,
            }
        }
        Err(Unanswered::Failed(why))
    }

    fn first(&self, now: Instant) -> usize {
        let preferred = *self
            .preferred
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let preferred = preferred.filter(|preferred| now < preferred.until);
        preferred.map_or(0, |preferred| preferred.place)
    }

    /// Remembers who answered. The time does not grow with each answer: the first provider must get its
    /// chance again.
    fn answered(&self, place: usize, now: Instant) {
        let mut preferred = self
            .preferred
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_known = preferred.is_some_and(|known| known.place == place && now < known.until);
        if place == 0 {
            *preferred = None;
        } else if !is_known {
            let until = now + PREFERRED_FOR;
            *preferred = Some(Preferred { place, until });
        }
    }
}

/// The places in which providers are asked: one first, the others in their order.
fn order(count: usize, first: usize) -> impl Iterator<Item = usize> {
    let others = (0..count).filter(move |place| *place != first);
    (first..count).take(1).chain(others)
}

async fn ask_patiently(
    provider: &Provider,
    question: Question<'_>,
    audience: &mut Audience<'_>,
) -> Result<Answer, Unanswered> {
    let request = Request {
        model: provider.model(),
        system: question.system,
        messages: question.messages,
        earlier: question.earlier,
        tools: question.tools,
        answer_tokens: question.answer_tokens,
    };
    let mut tries = 1;
    loop {
        audience.begin().await?;
        let failure = match provider.ask(&request, audience).await {
            Ok(answer) => return Ok(answer),
            Err(failure) => failure,
        };
        audience.take_back().await?;
        tracing::warn!(
            model = provider.model(),
            why = failure.why(),
            tries,
            "a model did not answer"
        );
        match failure.remedy(tries, jitter()) {
            Remedy::Again(pause) => tokio::time::sleep(pause).await,
            Remedy::Shorten | Remedy::Next => return Err(Unanswered::Failed(failure)),
        }
        tries += 1;
    }
}

/// A number from 0 to 1 that differs between those who wait.
fn jitter() -> f64 {
    // Each has keys of its own, drawn at random.
    let drawn = RandomState::new().hash_one(());
    (drawn % 1000) as f64 / 1000.0
}

#[cfg(test)]
#[path = "asking_tests.rs"]
mod tests;
