//! The agent as a program of its own: started once, prompted once for a turn, and found again after a crash.
//!
//! The ways are those of agents that speak the Agent Client Protocol: the name is kept before the program is
//! started, the prompt before it is given, the answer is a step before the prompt is forgotten.

use std::time::Duration;

use angelia_agents::Input;
use angelia_agents::events::{Ended, Events};
use angelia_core::link::{Link, Prompt, Stage};
use angelia_core::recovery::EffectClass;
use angelia_core::turn::journal::{self, Progress, Step};

use super::{Scripted, finish};
use crate::sim::dice::Dice;
use crate::sim::faulty::Claim;
use crate::sim::programs::{Name, Programs};

/// The name of what the program does in the journal.
const CALL: &str = "call-4";

/// How often a turn goes on after its program died.
const LIVES: usize = 2;

/// Chances of a thousand: a program dies at work; somebody needs room.
const DIES: u64 = 100;
const NEEDS_ROOM: u64 = 150;

impl Scripted {
    /// Lets a program of the conversation's own work on the turn.
    pub(super) async fn let_work(
        &self,
        claim: &Claim,
        (input, events): (&Input, &Events),
        dice: &mut Dice,
    ) -> Result<(), Ended> {
        match journal::progress(&input.journal, CALL) {
            Progress::Finished(_) => return self.forget_prompt(input).await,
            Progress::Begun(_) => (),
            Progress::Unbegun => {
                let step = Step::ToolBegun {
                    call: CALL.to_owned(),
                    tool: "program".to_owned(),
                    arguments: serde_json::json!({}),
                    effect: EffectClass::Keyed,
                };
                events.record(step).await?;
            }
        }
        if dice.happens(NEEDS_ROOM)
            && let Some(spare) = input.links.spare().await?
        {
            self.programs(|programs| programs.end(&(self.home.clone(), spare)));
        }
        for _life in 0..LIVES {
            let name = self.prompted(claim, input).await?;
            moment(dice).await;
            if dice.happens(DIES) {
                self.programs(|programs| programs.end(&name));
            } else {
                break;
            }
        }
        finish(events, CALL, "answered").await?;
        self.forget_prompt(input).await
    }

    /// A program that has heard the prompt of this turn.
    async fn prompted(&self, claim: &Claim, input: &Input) -> Result<Name, Ended> {
        let (turn, link) = (input.links.turn(), input.links.link().await?);
        let found = link.agent.clone().filter(|_| link.stage == Stage::Ready);
        let found = found.map(|name| (self.home.clone(), name));
        let found = found.filter(|name| self.programs(|programs| programs.runs(name)));
        let ours = link.under_way().is_some_and(|prompt| prompt.turn == turn);
        let (name, link) = match found {
            Some(name) if ours && self.programs(|all| all.has_heard(&name, turn)) => {
                return Ok(name);
            }
            Some(name) => (name, link),
            None => self.started(claim, input, &link).await?,
        };
        let before = link.before(turn);
        let prompt = Prompt {
            turn,
            start: link.starts,
            request: 0,
            bytes: 1,
            log: 0,
            before,
        };
        let prompt = Some(prompt);
        input.links.keep(Link { prompt, ..link }).await?;
        self.lawful(claim, |programs| programs.prompt(&name, turn, before));
        Ok(name)
    }

    async fn started(
        &self,
        claim: &Claim,
        input: &Input,
        link: &Link,
    ) -> Result<(Name, Link), Ended> {
        let session = input.links.session();
        if let Some(former) = &link.agent {
            self.programs(|all| all.end(&(self.home.clone(), former.clone())));
        }
        let link = link.restarted(|number| format!("{session}.{number}"));
        input.links.keep(link.clone()).await?;
        let name = (self.home.clone(), link.agent.clone().unwrap_or_default());
        self.lawful(claim, |programs| programs.start(&name));
        let link = Link {
            stage: Stage::Ready,
            conversation: Some("c".to_owned()),
            ..link
        };
        input.links.keep(link.clone()).await?;
        Ok((name, link))
    }

    async fn forget_prompt(&self, input: &Input) -> Result<(), Ended> {
        let link = input.links.link().await?;
        let turn = input.links.turn();
        if link
            .prompt
            .as_ref()
            .is_none_or(|prompt| prompt.turn != turn)
        {
            return Ok(());
        }
        let prompt = None;
        input.links.keep(Link { prompt, ..link }).await
    }

    fn programs<T>(&self, look: impl FnOnce(&mut Programs) -> T) -> T {
        look(&mut self.world.lock().programs)
    }

    /// A node that has lost its turn may still reach its own programs: nobody can keep it from that.
    fn lawful(&self, claim: &Claim, act: impl FnOnce(&mut Programs) -> Option<String>) {
        let broken = self.programs(act);
        let newest = self.watch.newest(claim.turn.turn);
        if newest == Some(claim.turn.fence) {
            broken.into_iter().for_each(|law| self.watch.broke(law));
        }
    }
}

async fn moment(dice: &mut Dice) {
    tokio::time::sleep(Duration::from_millis(dice.number(0..3_000))).await;
}
