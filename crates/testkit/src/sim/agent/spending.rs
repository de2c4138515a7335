//! The agent asks a model that is paid for: it reserves, is billed, and tells what it used or hangs up.
//!
//! Whoever makes the model bills when it is asked, whatever becomes of the agent. So the bill can be held
//! against the cap, however nodes die between the reservation and the telling.

use std::time::Duration;

use angelia_agents::Input;
use angelia_agents::events::Ended;
use angelia_agents::spending::{Allowance, Most};
use angelia_core::limits;
use angelia_core::transcript::usage::Tokens;
use angelia_store::costs::Costs as _;

use super::Scripted;
use crate::sim::dice::Dice;

/// Nobody knows its price; the cap is in tokens.
const MODEL: &str = "made-up";

impl Scripted {
    /// Asks once, if the cap has room.
    pub(super) async fn spend(&self, input: &Input, dice: &mut Dice) -> Result<(), Ended> {
        let most = Most {
            prompt: dice.number(10..200),
            answer: dice.number(50..400) as u32,
        };
        let day = self.store.today().await;
        let Allowance::Granted(answer) = input.spending.reserve(MODEL, most).await? else {
            return Ok(());
        };
        // Around midnight nobody here can say on which day it was reserved.
        let (Ok(before), Ok(day)) = (day, self.store.today().await) else {
            return input.spending.give_back().await;
        };
        if before != day {
            return input.spending.give_back().await;
        }
        match dice.number(0..5) {
            0 => input.spending.give_back().await,
            1 => self.hang_up(input, (most, day), dice).await,
            _ => {
                let used = Tokens {
                    input: dice.number(1..most.prompt),
                    output: dice.number(1..u64::from(answer)),
                    ..Tokens::default()
                };
                self.bill(day, used.all());
                pause(dice.number(0..200)).await;
                input.spending.keep(MODEL, &used).await
            }
        }
    }

    /// A model writes no faster than the limit says, and is heard for a while.
    async fn hang_up(
        &self,
        input: &Input,
        (most, day): (Most, String),
        dice: &mut Dice,
    ) -> Result<(), Ended> {
        let ms = dice.number(0..400);
        pause(ms).await;
        let written = ms * limits::ANSWER_TOKENS_PER_SECOND / 1000;
        self.bill(day, most.prompt + written.min(most.answer.into()));
        input.spending.hang_up().await
    }

    fn bill(&self, day: String, tokens: u64) {
        *self.world.lock().billed.entry(day).or_default() += tokens;
    }
}

async fn pause(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}
