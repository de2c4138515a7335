//! The scripted agent: what it does follows from the message's words and from how often it was begun.
//!
//! It first looks at what it was given: no commands, nothing of other places, and the past that the book
//! knows. It answers `re:` and the message, in pieces. It may use a tool on the way (begun and finished in
//! the journal, its effect counted in the world), begin processes and look at them (`background`), ask about
//! a command or for words (`asking`), let a program of its own work (`linked`), make the conversation shorter
//! (`compacting`), ask a model that is paid for (`spending`), hear what people say meanwhile (`steering`), fail,
//! panic, hang or flood.

mod asking;
mod background;
pub mod compacting;
mod linked;
mod spending;
mod steering;

use std::sync::Arc;
use std::time::Duration;

use angelia_agents::events::{Ended, Events};
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::inbound::Inbound;
use angelia_core::recovery::{self, CallRecovery, EffectClass};
use angelia_core::todo::{Status, Task};
use angelia_core::transcript::entry::Role;
use angelia_core::turn::busy::Steering;
use angelia_core::turn::journal::{self, Progress, Step};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::sim::dice::Dice;
use crate::sim::faulty::Faulty;
use crate::sim::habits::Habits;
use crate::sim::marks;
use crate::sim::watch::Watch;
use crate::sim::weather::Weather;
use crate::sim::world::Shared;

/// The name of the one tool call of a turn.
const CALL: &str = "call-1";

/// The scripted agent of one node.
pub struct Scripted {
    /// The world that its tools change.
    pub world: Shared,
    /// What goes wrong now.
    pub weather: Weather,
    /// The dice of the seed; each message has its own.
    pub dice: Dice,
    /// Who knows what was said before.
    pub watch: Watch,
    /// What it does how often.
    pub habits: Habits,
    /// The store, as its node sees it.
    pub store: Arc<Faulty>,
    /// Where its node holds processes.
    pub home: String,
    /// The node it runs on.
    pub node: usize,
    /// The message that ends the node.
    pub menace: Option<String>,
}

/// How long an answer takes where many write at once: long enough for all of them to wait.
const CROWDED: Duration = Duration::from_secs(25);

/// The answer that a message gets when nothing goes wrong.
pub fn answer_to(text: &str) -> String {
    format!("re:{text}")
}

#[async_trait]
impl Backend for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn steering(&self) -> Steering {
        Steering::Possible
    }

    async fn run(
        &self,
        mut input: Input,
        events: Events,
        _stop: CancellationToken,
    ) -> Result<(), AgentError> {
        self.look_inside(&mut input);
        let Some(message) = input.messages.last().cloned() else {
            return Err(AgentError::passing("there is nothing to answer"));
        };
        let text = message.text.clone();
        let is_menace = |one: &Arc<Inbound>| self.menace.as_ref() == Some(&one.text);
        if input.messages.iter().any(is_menace) {
            self.world.dies(self.node);
            std::future::pending::<()>().await;
        }
        let trouble = self.weather.trouble();
        let named = format!("{text} {}", message.event_key.as_str());
        let mut dice = self.dice.split(&named);
        self.look(&message, &input);
        if dice.happens(self.habits.looks_back) {
            self.look_back(&message, &input).await;
            if self.plan(&message, &input).await.is_err() {
                return Ok(());
            }
        }
        let [fails, panics, hangs, floods, tools, slow] = [
            trouble.agent_fails,
            trouble.agent_panics,
            trouble.agent_hangs,
            trouble.agent_floods,
            trouble.agent_tools,
            trouble.agent_slow,
        ]
        .map(|chance| dice.happens(chance));
        if tools
            && self
                .use_tool(&named, &input, &events, &mut dice)
                .await
                .is_err()
        {
            return Ok(());
        }
        let Ok(mut heard) = self.work(&message, &input, &events).await else {
            return Ok(());
        };
        if slow {
            tokio::time::sleep(Duration::from_secs(dice.number(5..60))).await;
        }
        self.wait_in_a_crowd(&message).await;
        if self.heed_more(&message, &events, &mut heard).await.is_err() {
            return Ok(());
        }
        let answer = format!("{}{}", answer_to(&text), steering::told(&heard));
        for piece in answer.split_inclusive('/') {
            tokio::time::sleep(Duration::from_millis(dice.number(0..60))).await;
            if events.text(piece).await.is_err() {
                return Ok(());
            }
            if panics {
                // Without the panic hook: a planned panic is no news for the terminal.
                std::panic::resume_unwind(Box::new("the script says so"));
            }
        }
        if hangs {
            std::future::pending::<()>().await;
        }
        if floods {
            let flood = format!(" {}", "x".repeat(1_100_000));
            let _ended = events.text(flood).await.is_err();
        }
        if fails {
            Err(AgentError::passing("the script says so"))
        } else {
            Ok(())
        }
    }

    async fn shorten(
        &self,
        input: Input,
        _focus: Option<String>,
        events: Events,
        _stop: CancellationToken,
    ) -> Result<(), AgentError> {
        let keys = input.messages.iter().map(|one| one.event_key.as_str());
        let mut dice = self.dice.split(&keys.collect::<String>());
        let done = self.compact(&[], &input, &events, &mut dice).await;
        if done.is_ok() {
            let _ended = events.text("shorter").await.is_err();
        }
        Ok(())
    }
}

impl Scripted {
    /// What it does before it answers; what it heard meanwhile.
    async fn work(
        &self,
        message: &Inbound,
        input: &Input,
        events: &Events,
    ) -> Result<Vec<String>, Ended> {
        self.play_along(message, input, events).await?;
        let heard = self.heed(message, input, events).await?;
        self.perhaps_compact(message, input, events).await?;
        Ok(heard)
    }

    /// Now and then the conversation is made shorter.
    async fn perhaps_compact(
        &self,
        message: &Inbound,
        input: &Input,
        events: &Events,
    ) -> Result<(), Ended> {
        let named = format!("{} {} shorter", message.text, message.event_key.as_str());
        let mut chance = self.dice.split(&named);
        match chance.happens(self.habits.compacts) {
            true => {
                let asked: Vec<String> =
                    input.messages.iter().map(|one| one.text.clone()).collect();
                self.compact(&asked, input, events, &mut chance).await
            }
            false => Ok(()),
        }
    }

    /// All that came with its messages was opened; from here on only what people wrote counts.
    fn look_inside(&self, input: &mut Input) {
        for message in &mut input.messages {
            if let Some(broken) = marks::unopened(message) {
                self.watch.broke(broken);
            }
            let written = marks::written(&message.text);
            Arc::make_mut(message).text = written;
        }
    }

    /// What it is told is its own.
    fn look(&self, message: &Inbound, input: &Input) {
        let told = input.context.said.iter().chain([&input.context.prompt]);
        for words in told.chain(&input.context.note) {
            self.is_own(message, words);
        }
        if let Some(command) = input.messages.iter().find(|one| one.text.starts_with('/')) {
            self.watch
                .broke(format!("the agent was given {}", command.text));
        }
    }

    /// What it reads is what was said. While it reads, another owner may settle the turn: then the book
    /// has moved, and what was read may be from before or after.
    async fn look_back(&self, message: &Inbound, input: &Input) {
        let book = || {
            self.watch.book(|book| {
                let session = book.session_of(message)?;
                Some((session, book.said(session)))
            })
        };
        let before = book();
        let past = match input.past.conversation().await {
            Ok(past) => past,
            // A store that does not answer now is asked again: no turn fails by it.
            Err(why) => return self.watch.broke(format!("past: it was not read: {why}")),
        };
        let texts: Vec<String> = past.iter().map(|row| row.content.plain_text()).collect();
        for words in &texts {
            self.is_own(message, words);
        }
        let asked = past.iter().zip(&texts);
        let asked = asked.filter(|(row, _)| row.role == Role::User);
        let read: Vec<&str> = asked.flat_map(|(_, words)| marks::within(words)).collect();
        if let (Some((session, said)), true) = (&before, before == book()) {
            let said: Vec<&str> = said.iter().flat_map(|words| marks::within(words)).collect();
            if said != read {
                self.watch.broke(format!(
                    "past: in {session} the agent reads {read:?}, said was {said:?}"
                ));
            }
        }
    }

    /// The tasks it finds are its conversation's own, and it leaves one for the next turn.
    async fn plan(&self, message: &Inbound, input: &Input) -> Result<(), Ended> {
        for task in input.past.tasks().await.unwrap_or_default() {
            self.is_own(message, &task.content);
        }
        let task = Task {
            id: "1".to_owned(),
            content: message.text.clone(),
            status: Status::Pending,
        };
        input.past.keep_tasks(vec![task]).await
    }

    async fn wait_in_a_crowd(&self, message: &Inbound) {
        if self.world.is_crowded(&message.address) {
            tokio::time::sleep(CROWDED).await;
        }
    }

    fn is_own(&self, message: &Inbound, words: &str) {
        let (account, chat) = (&message.address.account, &message.address.chat.id);
        if let Some(strange) = marks::strange(words, account, chat) {
            self.watch.broke(format!(
                "crossed: the agent of `{}` was told of {strange}",
                message.text
            ));
        }
    }

    /// Processes, questions and a model that is paid for. What the gateway tells about a process begins no other.
    async fn play_along(
        &self,
        message: &Inbound,
        input: &Input,
        events: &Events,
    ) -> Result<(), Ended> {
        let Some(claim) = self.store.claim_of(message) else {
            return Ok(());
        };
        let named = format!("{} along {}", message.text, message.event_key.as_str());
        let mut dice = self.dice.split(&named);
        let Habits {
            background,
            asks,
            inquires,
            linked,
            ..
        } = self.habits;
        let is_told = message.event_key.told_process().is_some();
        if dice.happens(background) && !is_told {
            self.begin(message, &claim, &mut dice).await?;
        }
        if dice.happens(asks) && !is_told {
            self.ask(&claim, input, events, &mut dice).await?;
        }
        if dice.happens(background) {
            self.look_after(message, input, &mut dice).await?;
        }
        if dice.happens(linked) {
            let with = (input, events);
            self.let_work(&claim, with, &mut dice).await?;
        }
        if dice.happens(inquires) && !is_told {
            self.inquire(message, &claim, (input, events)).await?;
        }
        if dice.happens(self.habits.spends) {
            self.spend(input, &mut dice).await?;
        }
        Ok(())
    }

    async fn use_tool(
        &self,
        text: &str,
        input: &Input,
        events: &Events,
        dice: &mut Dice,
    ) -> Result<(), Ended> {
        let effect = [EffectClass::Pure, EffectClass::Keyed, EffectClass::Unknown]
            [dice.number(0..3) as usize];
        match journal::progress(&input.journal, CALL) {
            Progress::Finished(_) => return Ok(()),
            Progress::Begun(class) if recovery::call(class) == CallRecovery::TellUnknown => {
                return finish(events, CALL, "outcome not known").await;
            }
            Progress::Begun(_) => (),
            Progress::Unbegun => {
                let step = Step::ToolBegun {
                    call: CALL.to_owned(),
                    tool: "made-up".to_owned(),
                    arguments: serde_json::json!({}),
                    effect,
                };
                events.record(step).await?;
            }
        }
        tokio::time::sleep(Duration::from_millis(dice.number(0..200))).await;
        let call = (text.to_owned(), format!("{effect:?}"));
        *self.world.lock().effects.entry(call).or_default() += 1;
        tokio::time::sleep(Duration::from_millis(dice.number(0..200))).await;
        finish(events, CALL, "done").await
    }
}

async fn finish(events: &Events, call: &str, output: &str) -> Result<(), Ended> {
    events.record(Step::finished(call, output)).await
}
