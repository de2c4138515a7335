//! Makes a conversation shorter in the middle of a turn: asks for notes on its older part, and goes on from
//! them.
//!
//! ```text
//! full, or too long ─▶ what is old ─▶ notes, part by part ─▶ + facts ─▶ journal ─▶ the rest is read behind it
//! ```
//!
//! The summary is a step of the journal before anything is asked over it, so a turn that is run again reads
//! it. It becomes part of the conversation when the turn is settled; nothing is deleted. Nobody hears it. What
//! does not shrink is not tried for ever: a turn has so many tries.

use std::borrow::Cow;

use angelia_core::command::reply;
use angelia_core::process::State;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::usage::Usage;
use angelia_core::turn::journal::Step;

use super::album::Album;
use super::asking::{Question, Unanswered};
use super::audience::Audience;
use super::besides::Room;
use super::compaction::Cut;
use super::failure::Failure;
use super::notes::{self, Facts, Material};
use super::provider::Provider;
use super::reading::Shrunk;
use super::request::Calls;
use super::size;
use super::spoken::{Answer, Stop};
use super::talk::{Broken, Talk, spent};
use crate::AgentError;
use crate::background::act::{Act, Acted};
use crate::events::Ended;
use crate::spending::Limited;

/// The most tokens of notes.
const NOTES_TOKENS: u32 = 4_096;

impl Talk<'_> {
    /// Makes room before the model is asked, if there is little. What comes of it is not needed to go on,
    /// so a failure is only noted.
    pub(super) async fn make_room(&mut self) -> Result<(), Broken> {
        if self.tries == 0 || !self.reading.is_full(|| self.beside()) {
            return Ok(());
        }
        self.tries -= 1;
        match self.shorten(None).await {
            Ok(_) => Ok(()),
            Err(Unanswered::Ended) => Err(Broken::Ended),
            // The question itself is refused next, and says so.
            Err(Unanswered::Capped(_)) => Ok(()),
            Err(Unanswered::Failed(failure)) => {
                let why = failure.why();
                tracing::warn!(why, "a long conversation was not made shorter");
                Ok(())
            }
        }
    }

    /// The model said that it was given more than it can read.
    pub(super) async fn make_shorter(&mut self, failure: Failure) -> Result<(), Broken> {
        if self.tries == 0 {
            return Err(failure.error().into());
        }
        self.tries -= 1;
        let beside = self.beside();
        let shrunk = self.reading.overflowed(|| beside);
        match self.shorten(None).await {
            Ok(Shrunk::Yes) => Ok(()),
            Ok(Shrunk::No) if shrunk == Shrunk::Yes => Ok(()),
            Ok(Shrunk::No) => Err(failure.error().into()),
            // Less is read at once the next time.
            Err(Unanswered::Failed(Failure::Overflow(_))) => Ok(()),
            Err(Unanswered::Failed(failure)) => Err(unshortened(&failure).into()),
            Err(why @ (Unanswered::Ended | Unanswered::Capped(_))) => {
                Err(self.unanswered(why).await?)
            }
        }
    }

    /// Makes the conversation shorter because somebody asked for that, and says what came of it.
    pub(super) async fn shorten_and_tell(&mut self, focus: Option<&str>) -> Result<(), Broken> {
        let shrunk = match self.has_shortened() {
            true => Shrunk::Yes,
            false => match self.shorten(focus).await {
                Ok(shrunk) => shrunk,
                Err(Unanswered::Failed(failure)) => return Err(unshortened(&failure).into()),
                Err(why @ (Unanswered::Ended | Unanswered::Capped(_))) => {
                    return Err(self.unanswered(why).await?);
                }
            },
        };
        let told = match shrunk {
            Shrunk::Yes => reply::compressed(),
            Shrunk::No => reply::nothing_to_compress(),
        };
        Ok(self.events.text(told).await?)
    }

    /// About how many tokens a prompt has beside the rows.
    pub(super) fn beside(&self) -> u64 {
        size::of_text(&self.system) + size::of_tools(self.tools)
    }

    async fn shorten(&mut self, focus: Option<&str>) -> Result<Shrunk, Unanswered> {
        let Some(cut) = self.reading.plan() else {
            return Ok(Shrunk::No);
        };
        let material = notes::material(self.reading.old(cut), self.reading.window());
        let left_out = material.left_out;
        if left_out > 0 {
            tracing::warn!(
                left_out,
                "the oldest rows of a conversation are in no summary"
            );
        }
        let (notes, spent) = match self.take_notes(material, focus).await {
            Ok(taken) => taken,
            Err(why) => return Err(self.given_up(why).await),
        };
        let facts = Facts {
            left_out,
            ..self.facts(cut).await?
        };
        let summary = notes::summary(&notes, &facts);
        let since = self.reading.since(cut);
        let step = Step::Compacted {
            summary: summary.clone(),
            since,
            spent: Some(Box::new(spent)),
        };
        self.events.record(step).await?;
        self.reading.shorten(since, &summary);
        Ok(Shrunk::Yes)
    }

    /// Notes that were given up are in no step. What they used counts all the same.
    async fn given_up(&self, why: Unanswered) -> Unanswered {
        match (self.spending.limited(), why) {
            (_, why @ Unanswered::Ended) | (Limited::No, why) => why,
            (Limited::Yes, why) => match self.spending.cut_off().await {
                Ok(()) => why,
                Err(ended) => ended.into(),
            },
        }
    }

    /// Notes on what is old, and what they used.
    async fn take_notes(
        &self,
        material: Material,
        focus: Option<&str>,
    ) -> Result<(String, Usage), Unanswered> {
        let (mut notes, mut used) = (material.notes, Usage::default());
        for part in material.parts {
            let asked = notes::question(&notes, &part, focus);
            let asked = [Entry::new(Role::User, asked)];
            notes = self.whole_notes(&asked, &mut used).await?;
        }
        Ok((notes, used))
    }

    /// Notes that were said to their end. What was cut would be taken for all that there was.
    async fn whole_notes(&self, asked: &[Entry], used: &mut Usage) -> Result<String, Unanswered> {
        let room = Room::AtLeast(NOTES_TOKENS);
        let (provider, mut answer) = self.ask_for_notes(asked, room, used).await?;
        if answer.stop == Stop::Length && provider.besides().has_more() {
            let room = Room::Beyond(written(&answer).max(NOTES_TOKENS));
            (_, answer) = self.ask_for_notes(asked, room, used).await?;
        }
        let why = match answer.stop {
            Stop::Done | Stop::Calls if !answer.text.trim().is_empty() => return Ok(answer.text),
            Stop::Done | Stop::Calls => "there were no words in its summary",
            Stop::Length => "it had no room for all of its summary",
            Stop::Withheld => "the provider did not let it write its summary",
            Stop::Paused => "it did not write its summary to the end",
        };
        Err(Unanswered::Failed(Failure::Rejected(why.to_owned())))
    }

    async fn ask_for_notes(
        &self,
        messages: &[Entry],
        room: Room,
        used: &mut Usage,
    ) -> Result<(Cow<'_, Provider>, Answer), Unanswered> {
        let question = Question {
            system: notes::WRITER,
            messages,
            earlier: 0,
            album: &Album::default(),
            tools: &[],
            calls: Calls::Welcome,
            room,
            chosen: self.choice.model.as_ref(),
            spending: self.spending,
            measured: None,
        };
        let mut nobody = Audience::nobody();
        let (provider, answer) = self.model.providers.ask(question, &mut nobody).await?;
        self.spending.keep(provider.model(), &answer.tokens).await?;
        let spent = spent(&provider, answer.tokens, self.spending);
        *used = std::mem::take(used).plus(spent);
        Ok((provider, answer))
    }

    /// What must not depend on anybody's summing up.
    async fn facts(&self, cut: Cut) -> Result<Facts, Ended> {
        let old = || self.reading.old(cut);
        let is_shown = self.reading.since(cut).own == 0;
        let asked = self.reading.asked().filter(|_| !is_shown);
        Ok(Facts {
            processes: self.running().await?,
            tasks: self.tasks().await.or_else(|| notes::shown_tasks(old())),
            asked: asked.map(Entry::in_words),
            ..Facts::default()
        })
    }

    /// The list of tasks as it is kept. Behind the first summary no row shows it any more.
    async fn tasks(&self) -> Option<String> {
        match self.past.tasks().await {
            Ok(tasks) => notes::tasks(&tasks),
            Err(why) => {
                tracing::warn!(%why, "a list of tasks was not read for a summary");
                None
            }
        }
    }

    async fn running(&self) -> Result<Vec<String>, Ended> {
        let Acted::Listed(all) = self.background.act(Act::List).await? else {
            return Ok(Vec::new());
        };
        let running = all.into_iter().filter(|one| one.state == State::Running);
        Ok(running
            .map(|one| format!("{}: {}", one.id, one.command))
            .collect())
    }
}

/// How many tokens of an answer there were until it was cut.
fn written(answer: &Answer) -> u32 {
    u32::try_from(answer.tokens.output).unwrap_or(u32::MAX)
}

fn unshortened(failure: &Failure) -> AgentError {
    let why = failure.why();
    AgentError::lasting(format!(
        "this conversation is longer than the model can read, and it could not be summed up ({why}); try again \
         later, or begin another with /new"
    ))
}
