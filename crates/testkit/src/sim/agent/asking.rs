//! The agent and people: it asks about dangerous commands and runs what it may, and it asks for words.
//!
//! As every tool does, it asks before it writes down that its call has begun. The commands are few and the
//! same everywhere, so that an agreement meets the question of another conversation.

use angelia_agents::Input;
use angelia_agents::consent::{Answer, Inquiry, Question, Sort, Told};
use angelia_agents::events::{Ended, Events};
use angelia_core::inbound::Inbound;
use angelia_core::recovery::EffectClass;
use angelia_core::turn::journal::{self, Progress, Step};

use super::{Scripted, finish};
use crate::sim::dice::Dice;
use crate::sim::faulty::Claim;
use crate::sim::people::INQUIRY;

/// The name of the call that asks.
const CALL: &str = "call-2";

/// The name of the call that wants words.
const INQUIRING: &str = "call-3";

/// The answers that it offers.
const CHOICES: [&str; 2] = ["left", "right"];

impl Scripted {
    /// Asks for one command, and runs it if that is agreed to.
    pub(super) async fn ask(
        &self,
        claim: &Claim,
        input: &Input,
        events: &Events,
        dice: &mut Dice,
    ) -> Result<(), Ended> {
        match journal::progress(&input.journal, CALL) {
            Progress::Finished(_) => return Ok(()),
            Progress::Begun(_) => return finish(events, CALL, "outcome not known").await,
            Progress::Unbegun => (),
        }
        let number = dice.number(0..3) as u8;
        let what = [number; 32];
        let question = Question {
            call: CALL.to_owned(),
            sort: Sort::Command,
            command: format!("erase number {number}"),
            workdir: None,
            backend: "local".to_owned(),
            reasons: vec!["the script says so".to_owned()],
            fingerprint: what,
        };
        if let Answer::Refused(_) = input.consent.ask(question).await? {
            return Ok(());
        }
        let step = Step::ToolBegun {
            call: CALL.to_owned(),
            tool: "made-up".to_owned(),
            arguments: serde_json::json!({}),
            effect: EffectClass::Unknown,
        };
        events.record(step).await?;
        let turn = claim.turn.turn;
        let broken = self.watch.book(|book| book.questions.ran(turn, CALL, what));
        broken.into_iter().for_each(|law| self.watch.broke(law));
        finish(events, CALL, "done").await
    }

    /// Asks for words, and looks whether they are those that were said.
    pub(super) async fn inquire(
        &self,
        message: &Inbound,
        claim: &Claim,
        (input, events): (&Input, &Events),
    ) -> Result<(), Ended> {
        match journal::progress(&input.journal, INQUIRING) {
            Progress::Finished(_) => return Ok(()),
            Progress::Begun(_) => (),
            Progress::Unbegun => {
                let step = Step::ToolBegun {
                    call: INQUIRING.to_owned(),
                    tool: "made-up".to_owned(),
                    arguments: serde_json::json!({}),
                    effect: EffectClass::Keyed,
                };
                events.record(step).await?;
            }
        }
        let inquiry = Inquiry {
            call: INQUIRING.to_owned(),
            question: INQUIRY.to_owned(),
            choices: CHOICES.map(str::to_owned).to_vec(),
        };
        let words = match input.consent.inquire(inquiry).await? {
            Told::Answered(words) => Some(words),
            Told::Nothing(_) => None,
        };
        if let Some(words) = &words {
            self.is_own(message, words);
        }
        let turn = claim.turn.turn;
        let broken = self
            .watch
            .book(|book| book.questions.told(turn, INQUIRING, words.as_deref()));
        broken.into_iter().for_each(|law| self.watch.broke(law));
        finish(events, INQUIRING, "told").await
    }
}
