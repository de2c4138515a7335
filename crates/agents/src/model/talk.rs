//! One turn of the built-in agent: ask, write down, do what was asked for, ask again.
//!
//! ```text
//! the past + this turn's words ─▶ answer ─▶ journal ─▶ calls ─▶ journal ─▶ answer … ─▶ no more calls: done
//! ```
//!
//! Each answer is a step of the journal before any of its calls is made, and each call before it has an
//! effect. A turn that is run again says the recorded answers again, reads the recorded results, and asks
//! the model only for what is not there yet. Words are shown as they come; words of an answer that never
//! became whole are taken back.

use angelia_core::transcript::entry::{Content, Entry, Finish, Role, ToolCall};
use angelia_core::transcript::usage::{Billing, Usage};
use angelia_core::turn::journal::{self, Recorded, Step};

use super::agent::Model;
use super::asking::{Question, Unanswered};
use super::audience::{Audience, Heard};
use super::provider::Provider;
use super::spoken::{Answer, Stop};
use crate::events::{Ended, Events};
use crate::tools::Toolbox;
use crate::tools::set::Schema;
use crate::{AgentError, Input};

/// Answers of one turn. A model that goes on calling tools beyond this goes in circles.
const ANSWERS_MAX: usize = 90;

/// The most tokens of one answer, where a wire wants to be told.
const ANSWER_TOKENS: u32 = 16_384;

/// Why a turn does not go on.
pub(super) enum Broken {
    /// Nobody listens any more.
    Ended,
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
    model: &'a Model,
    events: &'a Events,
    toolbox: Toolbox<'a>,
    tools: &'a [Schema],
    system: String,
    rows: Vec<Entry>,
    recorded: Vec<&'a Entry>,
    said: Said,
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
    pub(super) async fn begin(
        model: &'a Model,
        input: &'a Input,
        events: &'a Events,
    ) -> Result<Self, Broken> {
        let mut rows = input.past.conversation().await?;
        rows.extend(asked(input));
        Ok(Self {
            model,
            events,
            toolbox: Toolbox::new(input, events),
            tools: input.terms.tools.schemas(),
            system: system(&model.prompt, &input.context.prompt),
            rows,
            recorded: input.journal.iter().filter_map(answered).collect(),
            said: Said::Nothing,
        })
    }

    pub(super) async fn go_on(&mut self) -> Result<(), Broken> {
        for number in 1..=ANSWERS_MAX {
            let row = match self.recorded.get(number - 1) {
                Some(row) => self.say_again(row).await?,
                None => self.answer().await?,
            };
            let calls = row.tool_calls.clone();
            let is_open = row.finish != Finish::Done;
            self.rows.push(row);
            if calls.is_empty() && !is_open {
                return Ok(());
            }
            self.make(number, &calls).await?;
        }
        let why = format!("it asked for tools {ANSWERS_MAX} times without coming to an end");
        Err(AgentError(why).into())
    }

    /// An answer that an earlier attempt had is part of the reply, too.
    async fn say_again(&mut self, row: &Entry) -> Result<Entry, Broken> {
        let words = row.content.plain_text();
        if !words.is_empty() {
            let gap = self.said.gap();
            self.said = Said::Something;
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
            let result = self.toolbox.call(&name, tool, arguments).await?;
            self.rows.push(journal::result(call, result.to_string()));
        }
        Ok(())
    }

    /// Asks until there is an answer, and writes it down.
    async fn answer(&mut self) -> Result<Entry, Broken> {
        let question = Question {
            system: &self.system,
            messages: &self.rows,
            tools: self.tools,
            answer_tokens: ANSWER_TOKENS,
        };
        let mut audience = Audience::new(self.events, self.said.gap());
        let answered = self.model.providers.ask(question, &mut audience).await;
        let (provider, answer) = answered.map_err(unanswered)?;
        if audience.heard() == Heard::Words {
            self.said = Said::Something;
        }
        Ok(self.record(provider, answer).await?)
    }

    async fn record(&mut self, provider: &Provider, answer: Answer) -> Result<Entry, Ended> {
        let mut row = provider.wire().row(&answer);
        match answer.stop {
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
        let spent = Usage {
            model: Some(provider.model().to_owned()),
            billing: Billing {
                provider: Some(provider.wire().name().to_owned()),
                ..Billing::default()
            },
            tokens: answer.tokens,
            calls: 1,
            ..Usage::default()
        };
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

fn unanswered(why: Unanswered) -> Broken {
    match why {
        Unanswered::Ended => Broken::Ended,
        Unanswered::Failed(failure) => Broken::Failed(AgentError(failure.told())),
    }
}

fn answered(recorded: &Recorded) -> Option<&Entry> {
    match &recorded.step {
        Step::Answer { row, .. } => Some(row),
        Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Emitted { .. }
        | Step::Moved { .. }
        | Step::Compacted { .. }
        | Step::Command { .. } => None,
    }
}

/// What the people said. What is true for this turn alone stands with it, so that the words before stay the
/// same from turn to turn.
fn asked(input: &Input) -> Vec<Entry> {
    let context = &input.context;
    let said = context.said.iter().map(String::as_str);
    let words: Vec<&str> = context.note.as_deref().into_iter().chain(said).collect();
    vec![Entry::new(Role::User, words.join("\n\n"))]
}

fn system(prompt: &str, place: &str) -> String {
    let parts = [prompt.trim(), place.trim()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}
