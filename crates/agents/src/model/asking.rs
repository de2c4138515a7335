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

use std::borrow::Cow;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use angelia_core::session::model_override::ModelOverride;
use angelia_core::transcript::entry::{Entry, ToolCall};
use tokio::time::Instant;

use super::album::Album;
use super::audience::{Audience, Reached};
use super::besides::Room;
use super::choice;
use super::demands::{self, Demands, Gaps};
use super::failure::{Behind, Failure, Remedy};
use super::provider::{self, Place, Provider, Unusable};
use super::reading::Measured;
use super::replay::{self, Replay};
use super::request::{Body, Calls, Request};
use super::size;
use super::spoken::Answer;
use super::wire::Wire;
use super::wishes::{Manner, Thoughts, Wish};
use crate::events::Ended;
use crate::spending::{Allowance, Limited, Most, Spending};
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

/// Somebody who may be asked: by the place in the settings, or because the conversation chose so.
struct Next<'a> {
    place: Option<usize>,
    provider: Cow<'a, Provider>,
}

impl Next<'_> {
    /// Whether somebody else is asked instead. What is too long is made shorter first, and whoever chose hears what is
    /// wrong with that choice.
    fn is_passed_over(&self, failure: &Failure) -> bool {
        !matches!(failure, Failure::Overflow(_)) && (self.place.is_some() || failure.passes())
    }
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
    /// The pictures of them that go along.
    pub(super) album: &'a Album,
    /// The tools that may be called.
    pub(super) tools: &'a [Schema],
    /// Whether they still may.
    pub(super) calls: Calls,
    /// How much room the answer has.
    pub(super) room: Room,
    /// The model that the conversation chose.
    pub(super) chosen: Option<&'a ModelOverride>,
    /// What calls may cost.
    pub(super) spending: &'a dyn Spending,
    /// What a server said about the size of most of it.
    pub(super) measured: Option<Measured>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// Nobody listens any more.
    Ended,
    /// A cap is reached; this is what people are told.
    Capped(String),
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
    ) -> Result<(Cow<'_, Provider>, Answer), Unanswered> {
        let line = self.line(question.chosen).map_err(Unanswered::Failed)?;
        let last = line.len().saturating_sub(1);
        let mut why = Failure::Refused("no model is set up".to_owned());
        for (number, next) in line.into_iter().enumerate() {
            let behind = match number == last {
                true => Behind::Nobody,
                false => Behind::Another,
            };
            match ask_patiently(&next.provider, question, behind, audience).await {
                Ok(answer) => {
                    next.place
                        .into_iter()
                        .for_each(|place| self.answered(place, Instant::now()));
                    return Ok((next.provider, answer));
                }
                Err(Unanswered::Failed(failure)) if next.is_passed_over(&failure) => why = failure,
                Err(Unanswered::Failed(failure)) => {
                    return Err(Unanswered::Failed(explained(failure, question.chosen)));
                }
                Err(over @ (Unanswered::Ended | Unanswered::Capped(_))) => return Err(over),
            }
        }
        Err(Unanswered::Failed(why))
    }

    /// Who is asked, one after the other: the conversation's choice first.
    fn line(&self, chosen: Option<&ModelOverride>) -> Result<Vec<Next<'_>>, Failure> {
        let chosen = chosen.map(|chosen| choice::find(&self.all, chosen));
        let chosen = chosen.transpose()?;
        let others = order(self.all.len(), self.first(Instant::now()));
        let others = others.map(|place| (place, &self.all[place]));
        let others = others.filter(|(_, one)| !chosen.as_ref().is_some_and(|it| it.is_same(one)));
        let others: Vec<Next<'_>> = others
            .map(|(place, provider)| Next {
                place: Some(place),
                provider: Cow::Borrowed(provider),
            })
            .collect();
        let chosen = chosen.map(|provider| Next {
            place: None,
            provider: Cow::Owned(provider),
        });
        Ok(chosen.into_iter().chain(others).collect())
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
    behind: Behind,
    audience: &mut Audience<'_>,
) -> Result<Answer, Unanswered> {
    let (mut tries, mut was_nothing) = (1, false);
    loop {
        let answer_tokens = reserve(provider, &question).await?;
        audience.begin().await?;
        let failure = match ask_once(provider, &question, answer_tokens, audience).await {
            Ok(mut answer) => {
                count_untold(&question, &answer).await?;
                if answer.is_nothing() && !was_nothing {
                    was_nothing = true;
                    let counted = question.spending.beside(provider.model(), &answer.tokens);
                    counted.await?;
                    audience.take_back().await?;
                    continue;
                }
                answer.name_calls(question.made());
                return Ok(answer);
            }
            Err(failure) => failure,
        };
        audience.take_back().await?;
        forgo(&question, audience).await?;
        tracing::warn!(
            model = provider.model(),
            why = failure.why(),
            tries,
            "a model did not answer"
        );
        match failure.remedy(tries, behind, jitter()) {
            Remedy::Again(pause) => tokio::time::sleep(pause).await,
            Remedy::Shorten | Remedy::Next => return Err(Unanswered::Failed(failure)),
        }
        tries += 1;
    }
}

/// Asks, and once more for each thing that the server wants otherwise: it refuses before it begins, so that costs
/// nothing.
pub(super) async fn ask_once(
    provider: &Provider,
    question: &Question<'_>,
    answer_tokens: u32,
    audience: &mut Audience<'_>,
) -> Result<Answer, Failure> {
    let mut manner = provider.manner();
    loop {
        let messages = replayed(provider, question.messages, manner);
        let asked = Question {
            messages: &messages,
            ..*question
        };
        let body = body(provider, &asked, (answer_tokens, manner));
        let why = match provider.ask_with(&body, audience).await {
            Err(Failure::Rejected(why)) => why,
            Err(failure) => return Err(failure),
            Ok(answer) => {
                provider.remember(manner);
                return Ok(answer);
            }
        };
        let wish = Wish::in_words(&why);
        let wire = provider.wire();
        manner = match wish.map(|wish| (wish, manner.after(wish, wire))) {
            Some((_, Some(other))) => other,
            Some((wish, None)) => {
                return Err(Failure::Rejected(wish.unmet(provider.model(), &why)));
            }
            None => return Err(Failure::Rejected(why)),
        };
        tracing::info!(model = provider.model(), why, "a server is asked otherwise");
    }
}

/// What was said, as this server takes it. One that misses thoughts is given those of all its models.
fn replayed<'a>(provider: &Provider, rows: &'a [Entry], manner: Manner) -> Cow<'a, [Entry]> {
    let origin = match manner.demands.gaps {
        Gaps::Open => provider.origin(),
        Gaps::Filled => provider.server(),
    };
    let replay = match manner.thoughts {
        Thoughts::Returned => Replay::To(&origin),
        Thoughts::Left => Replay::Plain,
    };
    demands::met(replay::rows(rows, replay), demanded(provider, manner))
}

/// What is demanded of the rows. On Anthropic's wire nobody is asked to think who has no thoughts, and so misses none.
fn demanded(provider: &Provider, manner: Manner) -> Demands {
    match (provider.wire(), manner.thoughts) {
        (Wire::Anthropic, Thoughts::Left) => Demands {
            gaps: Gaps::Open,
            ..manner.demands
        },
        (Wire::Anthropic, Thoughts::Returned) | (Wire::OpenAi, _) => manner.demands,
    }
}

/// What is sent. A server that need not be told how long an answer may be is told where there are caps, and where that
/// was set.
fn body<'a>(
    provider: &'a Provider,
    question: &Question<'a>,
    (answer_tokens, manner): (u32, Manner),
) -> Body<'a> {
    let mut body = provider.wire().body(&Request {
        model: provider.model(),
        album: question.album,
        system: question.system,
        messages: question.messages,
        earlier: question.earlier,
        tools: question.tools,
        answer_tokens,
    });
    if question.spending.limited() == Limited::Yes || provider.besides().is_told(question.room) {
        body.shaped[provider.answer_limit(manner.limit)] = answer_tokens.into();
    }
    provider.besides().dress(&mut body, manner, answer_tokens);
    if question.calls == Calls::Over && !question.tools.is_empty() {
        body.shaped["tool_choice"] = provider.wire().no_calls();
    }
    body
}

/// Reserves the most that the call can use, where there are caps; how many tokens the answer may have.
async fn reserve(provider: &Provider, question: &Question<'_>) -> Result<u32, Unanswered> {
    let answer = provider.besides().tokens(question.room);
    if question.spending.limited() == Limited::No {
        return Ok(answer);
    }
    let most = Most {
        prompt: question.prompt_most(),
        answer,
    };
    match question.spending.reserve(provider.model(), most).await? {
        Allowance::Granted(answer_tokens) => Ok(answer_tokens),
        Allowance::Refused(words) => Err(Unanswered::Capped(words)),
    }
}

/// There is no answer. A server that had begun to work wants to be paid for that.
async fn forgo(question: &Question<'_>, audience: &Audience<'_>) -> Result<(), Ended> {
    match (question.spending.limited(), audience.reached()) {
        (Limited::No, _) => Ok(()),
        (Limited::Yes, Reached::Nobody) => question.spending.give_back().await,
        (Limited::Yes, Reached::Server) => question.spending.hang_up().await,
    }
}

/// A server that does not tell what it used is believed to have used all that it can.
async fn count_untold(question: &Question<'_>, answer: &Answer) -> Result<(), Ended> {
    match (question.spending.limited(), answer.tokens.all()) {
        (Limited::Yes, 0) => question.spending.hang_up().await,
        (Limited::Yes | Limited::No, _) => Ok(()),
    }
}

impl Question<'_> {
    /// The ids of the calls that were made before.
    fn made(&self) -> impl Iterator<Item = &str> {
        let calls = self.messages.iter().flat_map(|row| &row.tool_calls);
        calls.filter_map(ToolCall::id)
    }

    /// The most tokens that it can have. Another model may count half as many again as the one that told.
    fn prompt_most(&self) -> u64 {
        let known = self.measured.map_or(0, |known| known.rows);
        let rows = self.messages.iter().skip(known);
        let rows = rows.map(size::most_of_row).sum::<u64>();
        match self.measured {
            Some(known) => {
                let half_as_many = known.tokens / 2;
                let told = known.tokens.saturating_add(half_as_many);
                told.saturating_add(rows)
            }
            None => rows + size::most_of_text(self.system) + size::most_of_tools(self.tools),
        }
    }
}

/// A failure of a model that the conversation chose says so: it may be the choice that is wrong.
fn explained(failure: Failure, chosen: Option<&ModelOverride>) -> Failure {
    match (failure, chosen.and_then(ModelOverride::model)) {
        (Failure::Refused(words), Some(model)) => Failure::Refused(format!(
            "{words} (this conversation chose the model {model}; /model clear takes the usual one)"
        )),
        (failure, _) => failure,
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
