//! One turn of the built-in agent: ask, write down, do what was asked for, ask again.
//!
//! ```text
//! the past + this turn's words ─▶ answer ─▶ journal ─▶ calls ─▶ journal ─▶ answer … ─▶ no more calls: done
//! ```
//!
//! Each answer is a step of the journal before any of its calls is made, and each call before it has an
//! effect. A turn that is run again says the recorded answers again, reads the recorded results, and asks
//! the model only for what is not there yet. A conversation that has become too long is made shorter on the
//! way (`shortening`); that, too, is a step. So is what people say meanwhile: it is read before the next question. Words are shown as they come; words of an answer that never
//! became whole are taken back.

use angelia_core::context::day::Day;
use angelia_core::limits;
use angelia_core::transcript::compaction::Since;
use angelia_core::transcript::entry::{Content, Entry, Finish, Role, ToolCall};
use angelia_core::transcript::usage::{Billing, Tokens, Usage};
use angelia_core::turn::journal::{self, Recorded, Steered, Step};

use super::agent::Model;
use super::album::Album;
use super::asking::{Question, Unanswered};
use super::audience::{Audience, Heard};
use super::besides::Room;
use super::days;
use super::failure::Failure;
use super::last_words::stopped;
use super::provider::Provider;
use super::reading::Reading;
use super::request::Calls;
use super::short;
use super::spoken::{Answer, Stop};
use crate::background::Background;
use crate::events::{Ended, Events};
use crate::past::Past;
use crate::pictures::Pictures;
use crate::spending::Spending;
use crate::tools::Toolbox;
use crate::tools::set::Toolset;
use crate::{AgentError, Choice, Input};

/// Answers of one turn. A model that goes on calling tools beyond this goes in circles, and is asked for its last words.
pub(super) const ANSWERS_MAX: usize = 90;

/// Why a turn does not go on.
pub(super) enum Broken {
    /// Nobody listens any more.
    Ended,
    /// A cap is reached, and that was said: the reply is complete.
    Capped,
    /// There is no answer.
    Failed(AgentError),
}

impl From<Ended> for Broken {
    fn from(Ended: Ended) -> Self {
        Self::Ended
    }
}

impl From<AgentError> for Broken {
    fn from(error: AgentError) -> Self {
        Self::Failed(error)
    }
}

/// One turn.
pub(super) struct Talk<'a> {
    pub(super) model: &'a Model,
    pub(super) events: &'a Events,
    pub(super) background: &'a dyn Background,
    pub(super) past: &'a dyn Past,
    pictures: &'a dyn Pictures,
    toolbox: Toolbox<'a>,
    pub(super) tools: &'a Toolset,
    pub(super) system: String,
    pub(super) reading: Reading,
    recorded: Vec<Done<'a>>,
    said: Said,
    /// Whether the model may still call tools.
    pub(super) calls: Calls,
    pub(super) choice: &'a Choice,
    pub(super) spending: &'a dyn Spending,
    /// How often it may still try to become shorter.
    pub(super) tries: u32,
}

/// What an earlier attempt at the turn has done.
enum Done<'a> {
    Answered(&'a Entry, Option<&'a Usage>),
    Shortened(&'a str, Since),
    Steered(&'a [Steered]),
}

/// Whether the reply has words in it already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    Something,
}

impl Said {
    /// What stands between two answers of one reply.
    fn gap(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Something => "\n\n",
        }
    }
}

impl<'a> Talk<'a> {
    /// A turn that answers messages.
    pub(super) async fn answering(
        model: &'a Model,
        input: &'a Input,
        events: &'a Events,
    ) -> Result<Self, Broken> {
        let asked = Some(asked(input));
        Self::begin(model, input, (events, asked)).await
    }

    /// A turn in which the conversation is made shorter and nothing else.
    pub(super) async fn shortening(
        model: &'a Model,
        input: &'a Input,
        events: &'a Events,
    ) -> Result<Self, Broken> {
        Self::begin(model, input, (events, None)).await
    }

    async fn begin(
        model: &'a Model,
        input: &'a Input,
        (events, asked): (&'a Events, Option<Entry>),
    ) -> Result<Self, Broken> {
        let story = days::told(input.past.story().await?, input.context.day.as_ref());
        Ok(Self {
            model,
            events,
            background: &*input.background,
            past: &*input.past,
            pictures: &*input.pictures,
            toolbox: Toolbox::new(input, events),
            tools: &input.terms.tools,
            system: system(&model.prompt, input),
            reading: Reading::new(story, asked, model.window),
            recorded: input.journal.iter().rev().filter_map(done).collect(),
            said: Said::Nothing,
            calls: Calls::Welcome,
            choice: &input.choice,
            spending: &*input.spending,
            tries: limits::COMPACTIONS_PER_TURN,
        })
    }

    pub(super) async fn go_on(&mut self) -> Result<(), Broken> {
        for number in 1..=ANSWERS_MAX {
            let row = match self.recorded_answer() {
                Some(row) => self.say_again(row).await?,
                None => {
                    self.heed().await?;
                    self.answer().await?
                }
            };
            let calls = row.tool_calls.clone();
            let is_open = row.finish != Finish::Done;
            self.reading.push(row);
            if calls.is_empty() && !is_open {
                return Ok(());
            }
            self.make(number, &calls).await?;
        }
        self.conclude().await
    }

    /// The next answer that an earlier attempt had. Where that made the conversation shorter, so does this.
    pub(super) fn recorded_answer(&mut self) -> Option<&'a Entry> {
        while let Some(done) = self.recorded.pop() {
            match done {
                Done::Shortened(summary, since) => self.reading.shorten(since, summary),
                Done::Steered(said) => said
                    .iter()
                    .for_each(|one| self.reading.push(journal::steered(one))),
                Done::Answered(row, spent) => {
                    spent
                        .into_iter()
                        .for_each(|spent| self.reading.measure(spent));
                    return Some(row);
                }
            }
        }
        None
    }

    /// What people said while the last calls were made is read behind their results.
    async fn heed(&mut self) -> Result<(), Broken> {
        let said = self.events.heed().await?;
        said.into_iter().for_each(|row| self.reading.push(row));
        Ok(())
    }

    /// Whether an earlier attempt has made the conversation shorter.
    pub(super) fn has_shortened(&self) -> bool {
        let mut recorded = self.recorded.iter();
        recorded.any(|done| matches!(done, Done::Shortened(..)))
    }

    /// An answer that an earlier attempt had is part of the reply, too.
    pub(super) async fn say_again(&mut self, row: &Entry) -> Result<Entry, Broken> {
        let words = row.content.plain_text();
        if !words.is_empty() {
            let gap = self.said.gap();
            self.said = Said::Something;
            self.events.begin_answer().await?;
            self.events.text(format!("{gap}{words}")).await?;
        }
        Ok(row.clone())
    }

    /// Makes the calls of an answer, one after the other: what they do may depend on their order.
    async fn make(&mut self, answer: usize, calls: &[ToolCall]) -> Result<(), Broken> {
        for (place, call) in calls.iter().enumerate() {
            let name = journal::call_name(answer, place + 1);
            let tool = call.name().unwrap_or_default();
            let arguments = call.arguments().into();
            let made = self.toolbox.make(&name, tool, arguments).await?;
            let result = journal::result(call, made.told.to_string(), made.pictures);
            self.reading.push(result);
        }
        Ok(())
    }

    /// Asks until there is an answer, and writes it down. What is too long is made shorter first.
    pub(super) async fn answer(&mut self) -> Result<Entry, Broken> {
        self.make_room().await?;
        loop {
            match self.ask().await {
                Ok(row) => return Ok(row),
                Err(Unanswered::Failed(failure @ Failure::Overflow(_))) => {
                    self.make_shorter(failure).await?;
                }
                Err(why) => return Err(self.unanswered(why).await?),
            }
        }
    }

    async fn ask(&mut self) -> Result<Entry, Unanswered> {
        let album = Album::of(self.reading.rows(), self.pictures, self.model.eyes).await;
        let question = Question {
            album: &album,
            system: &self.system,
            messages: self.reading.rows(),
            earlier: self.reading.earlier(),
            tools: self.tools.schemas(),
            calls: self.calls,
            room: Room::Usual,
            chosen: self.choice.model.as_ref(),
            spending: self.spending,
            measured: self.reading.measured(),
        };
        let mut audience = Audience::new(self.events, self.said.gap());
        let answered = self.model.providers.ask(question, &mut audience).await;
        let (provider, answer) = answered?;
        if audience.heard() == Heard::Words {
            self.said = Said::Something;
        }
        Ok(self.record(&provider, answer).await?)
    }

    /// Why the turn does not go on. A cap that is reached is said to people, as the end of the reply.
    pub(super) async fn unanswered(&mut self, why: Unanswered) -> Result<Broken, Ended> {
        match why {
            Unanswered::Ended => Ok(Broken::Ended),
            Unanswered::Failed(failure) => Ok(Broken::Failed(failure.error())),
            Unanswered::Capped(words) => {
                let gap = self.said.gap();
                self.events.text(format!("{gap}{words}")).await?;
                Ok(Broken::Capped)
            }
        }
    }

    async fn record(&mut self, provider: &Provider, answer: Answer) -> Result<Entry, Ended> {
        let mut row = provider.row(&answer);
        match answer.stop {
            _ if self.calls == Calls::Over => self.remark(&mut row, &stopped()).await?,
            Stop::Done | Stop::Calls => (),
            Stop::Paused => row.finish = Finish::Incomplete,
            Stop::Length => {
                self.remark(
                    &mut row,
                    "(The answer ends here: the model had no room for more.)",
                )
                .await?
            }
            Stop::Withheld => {
                self.remark(&mut row, "(The provider did not let the model say more.)")
                    .await?
            }
        }
        let sent = self.beside() + short::words(self.reading.rows());
        let read = answer.tokens.prompt();
        self.model.short.look(provider.model(), sent, read);
        let spent = spent(provider, answer.tokens, self.spending);
        self.reading.measure(&spent);
        let step = Step::Answer {
            row: Box::new(row.clone()),
            spent: Some(Box::new(spent)),
        };
        self.events.record(step).await?;
        Ok(row)
    }

    /// Adds a remark of ours to an answer that is not whole. Calls that were cut are not made.
    async fn remark(&mut self, row: &mut Entry, remark: &str) -> Result<(), Ended> {
        row.tool_calls.clear();
        let words = row.content.plain_text();
        let gap = self.said.gap();
        self.said = Said::Something;
        row.content = Content::Text(format!("{words}{gap}{remark}").trim_start().to_owned());
        self.events.text(format!("{gap}{remark}")).await
    }
}

/// What a call used.
pub(super) fn spent(provider: &Provider, tokens: Tokens, spending: &dyn Spending) -> Usage {
    Usage {
        model: Some(provider.model().to_owned()),
        billing: Billing {
            provider: Some(provider.wire().name().to_owned()),
            ..Billing::default()
        },
        tokens,
        calls: 1,
        cost: spending.cost(provider.model(), &tokens),
    }
}

fn done(recorded: &Recorded) -> Option<Done<'_>> {
    match &recorded.step {
        Step::Answer { row, spent } => Some(Done::Answered(row, spent.as_deref())),
        Step::Compacted { summary, since, .. } => Some(Done::Shortened(summary, *since)),
        Step::Steered { said } => Some(Done::Steered(said)),
        Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Emitted { .. }
        | Step::Planned { .. }
        | Step::Moved { .. }
        | Step::Command { .. } => None,
    }
}

/// What the people said. What is true for this turn alone stands with it, so that the words before stay the
/// same from turn to turn.
fn asked(input: &Input) -> Entry {
    let context = &input.context;
    let day = context.day.as_ref().map(Day::line);
    let said = context.said.iter().map(String::as_str);
    let before = day.as_deref().into_iter().chain(context.note.as_deref());
    let words: Vec<&str> = before.chain(said).collect();
    let pictures = input.messages.iter().flat_map(|one| &one.pictures);
    Entry {
        pictures: pictures.cloned().collect(),
        ..Entry::new(Role::User, words.join("\n\n"))
    }
}

/// What stays the same from turn to turn: who the agent is, where it works, and where the conversation takes place.
fn system(prompt: &str, input: &Input) -> String {
    let work = input.terms.place_of_work(&input.context.target);
    let work = work.as_deref().unwrap_or_default();
    let parts = [prompt.trim(), work, input.context.prompt.trim()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}
