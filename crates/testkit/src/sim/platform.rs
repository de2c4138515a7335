//! The made-up platform: a long-polled chat system with every bad habit of the real ones.
//!
//! It forgets a message once the gateway was told to have it, and not before. It may break the
//! connection, send a message again, send other chats' messages first, put a send off, refuse it,
//! let it hang, or show it and lose the answer.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use angelia_core::address::{AccountId, Platform};
use angelia_core::outbound::{Action, Capabilities, Dedupe, Reach, Receipt, SendError};
use angelia_core::text::{Limit, Unit};
use angelia_core::time::Span;
use angelia_platforms::health::Report;
use angelia_platforms::push::{NotTaken, Push};
use angelia_platforms::sink::{Arrival, Sink};
use angelia_platforms::{Adapter, Disconnected};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::sim::dice::Dice;
use crate::sim::plan::Trouble;
use crate::sim::weather::Weather;
use crate::sim::world::{Shared, Shown, Written};

/// How often an idle listener asks.
const POLL_EVERY: Duration = Duration::from_millis(500);

/// One account of the made-up platform, as one node sees it.
pub struct MadeUp {
    account: AccountId,
    dedupe: Dedupe,
    world: Shared,
    weather: Weather,
    dice: Mutex<Dice>,
}

/// What becomes of a send.
enum Fate {
    Shown,
    ShownAnswerLost,
    PutOff,
    Hanging,
    Refused,
}

impl MadeUp {
    /// The account as one node sees it.
    pub fn new(
        account: AccountId,
        dedupe: Dedupe,
        world: Shared,
        weather: Weather,
        dice: Dice,
    ) -> Self {
        Self {
            account,
            dedupe,
            world,
            weather,
            dice: Mutex::new(dice),
        }
    }

    fn happens(&self, chance: fn(&Trouble) -> u64) -> bool {
        let per_mille = chance(&self.weather.trouble());
        self.dice
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .happens(per_mille)
    }

    fn number(&self, upto: u64) -> u64 {
        self.dice
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .number(0..upto)
    }

    /// The next message to send: usually the oldest that is kept, sometimes one of another chat first,
    /// sometimes one that the gateway already has.
    fn next(&self) -> Option<Written> {
        let again = self.happens(|trouble| trouble.repeat);
        let other_first = self.happens(|trouble| trouble.reorder);
        let pick = self.number(8) as usize;
        let mut world = self.world.lock();
        let side = world.side(&self.account);
        if again && let Some(number) = side.told.iter().rev().nth(pick) {
            return side.written.get(number).cloned();
        }
        let kept: Vec<&Written> = side
            .written
            .values()
            .filter(|one| !side.told.contains(&one.number))
            .collect();
        let first = *kept.first()?;
        let other = kept.iter().find(|one| one.chat != first.chat);
        Some(
            other
                .filter(|_| other_first)
                .copied()
                .unwrap_or(first)
                .clone(),
        )
    }

    /// How far everything before has been told, so that a cursor never passes a kept message.
    fn cursor(&self, taken: u64) -> String {
        let mut world = self.world.lock();
        let side = world.side(&self.account);
        let kept = |number: &&u64| !side.told.contains(number) && **number != taken;
        let oldest = side.written.keys().find(kept);
        oldest
            .map_or(side.written.len() as u64, |number| number - 1)
            .to_string()
    }

    async fn hand_over(&self, written: Written, sink: &Sink) -> Result<(), Disconnected> {
        let cursor = Some(self.cursor(written.number));
        let arrival = Arrival {
            inbound: written.inbound(),
            cursor,
        };
        sink.take(arrival)
            .await
            .map_err(|closed| Disconnected(closed.to_string()))?;
        self.world.note(format!("told {}", written.text()));
        self.world
            .lock()
            .side(&self.account)
            .told
            .insert(written.number);
        Ok(())
    }

    fn fate(&self) -> Fate {
        if self.happens(|trouble| trouble.refuse) {
            Fate::Refused
        } else if self.happens(|trouble| trouble.rate_limit) {
            Fate::PutOff
        } else if self.happens(|trouble| trouble.slow_send) {
            Fate::Hanging
        } else if self.happens(|trouble| trouble.lost_answer) {
            Fate::ShownAnswerLost
        } else {
            Fate::Shown
        }
    }

    /// Half of the time the platform says when to come back.
    fn put_off(&self) -> SendError {
        let named = self.number(2) == 0;
        let soon = self.weather.now() + Span::seconds(self.number(90) as i64);
        SendError::Later {
            not_before: named.then_some(soon),
            why: "slow down".to_owned(),
        }
    }

    fn show(&self, shown: Shown) {
        let mut world = self.world.lock();
        let repeated = self.dedupe == Dedupe::ByKey
            && world
                .side(&self.account)
                .shown
                .iter()
                .any(|before| before.key == shown.key);
        world.history.push(format!(
            "shown {} {} {repeated}",
            shown.key,
            shown.text.len()
        ));
        if !repeated {
            world.side(&self.account).shown.push(shown);
        }
    }
}

#[async_trait]
impl Adapter for MadeUp {
    fn platform(&self) -> Platform {
        Platform::Api
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            text: Limit {
                max: 4096,
                unit: Unit::Utf16,
            },
            dedupe: self.dedupe,
            live: None,
        }
    }

    fn report(&self) -> Report {
        Report::house()
    }

    async fn listen(
        &self,
        _cursor: Option<String>,
        sink: &Sink,
        stop: &CancellationToken,
    ) -> Result<(), Disconnected> {
        while !stop.is_cancelled() {
            if self.happens(|trouble| trouble.disconnect) {
                return Err(Disconnected("the line went dead".to_owned()));
            }
            match self.next() {
                Some(written) => self.hand_over(written, sink).await?,
                None => tokio::time::sleep(POLL_EVERY).await,
            }
            tokio::time::sleep(Duration::from_millis(self.number(30))).await;
        }
        Ok(())
    }

    async fn pushed(&self, _push: Push<'_>, _sink: &Sink) -> Result<(), NotTaken> {
        Err(NotTaken::NotHere)
    }

    async fn perform(&self, action: Action) -> Result<Receipt, SendError> {
        let Action::Send { key, address, text } = action else {
            let why = "it is shown for ever".to_owned();
            return Err(SendError::Gone { why });
        };
        let shown = Shown {
            chat: address.chat.id,
            key,
            text,
        };
        let pause = Duration::from_millis(self.number(40));
        tokio::time::sleep(pause).await;
        let fate = self.fate();
        match fate {
            Fate::Shown => self.show(shown),
            Fate::ShownAnswerLost => {
                self.show(shown);
                tokio::time::sleep(pause).await;
                return Err(SendError::Unknown {
                    why: "the line went dead".to_owned(),
                });
            }
            Fate::PutOff => {
                return Err(self.put_off());
            }
            Fate::Hanging => {
                self.show(shown);
                std::future::pending::<()>().await;
            }
            Fate::Refused => {
                self.world.lock().side(&self.account).refused.insert(key);
                return Err(SendError::Refused {
                    reach: Reach::Message,
                    why: "no".to_owned(),
                });
            }
        }
        tokio::time::sleep(pause).await;
        Ok(Receipt(key.to_string()))
    }
}
