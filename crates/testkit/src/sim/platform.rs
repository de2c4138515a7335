//! The made-up platform: a long-polled chat system with every bad habit of the real ones.
//!
//! It forgets a message once the gateway was told to have it, and not before. It may break the
//! connection, send a message again, send other chats' messages first, put a send off, refuse it,
//! let it hang, or show it and lose the answer. On the account where repeats are shown, messages can be changed:
//! a change may be put off, hang, be made without an answer, or find that somebody took the message away.
//! A group may become another one. What is sent to where it was is led along, as the adapters of such platforms do.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use angelia_core::address::{AccountId, Platform};
use angelia_core::media::enclosure::{self, Enclosure};
use angelia_core::outbound::{Action, Capabilities, Dedupe, Live, Reach, Receipt, SendError};
use angelia_core::text::{Limit, Unit};
use angelia_core::time::Span;
use angelia_platforms::health::Report;
use angelia_platforms::pail::{Pail, Unfetched};
use angelia_platforms::push::{NotTaken, Push};
use angelia_platforms::sink::{Arrival, Sink};
use angelia_platforms::{Adapter, Disconnected};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::sim::dice::Dice;
use crate::sim::marks;
use crate::sim::plan::Trouble;
use crate::sim::weather::Weather;
use crate::sim::world::{Shared, Shown, There, Written, platform};

/// How fast messages may be changed: faster than anywhere, so that much happens in a short answer.
const LIVE: Live = Live {
    pace: Span::ms(30),
    group_pace: Span::ms(90),
    typing: Span::seconds(5),
};

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
        let event = self.world.lock().side(&self.account).event(&written);
        let arrival = Arrival { event, cursor };
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

    /// Shows a message, once where repeats are recognised. Returns what it is known by.
    fn show(&self, mut shown: Shown) -> Receipt {
        let mut world = self.world.lock();
        let side = world.side(&self.account);
        let mut before = side.shown.iter().filter(|one| one.key == shown.key);
        let before = before.next().filter(|_| self.dedupe == Dedupe::ByKey);
        let before = before.map(|one| one.receipt.clone());
        let repeated = before.is_some();
        shown.receipt = before.unwrap_or_else(|| format!("m{}", side.shown.len() + 1));
        let receipt = Receipt(shown.receipt.clone());
        let line = format!("shown {} {} {repeated}", shown.key, shown.text.len());
        if !repeated {
            side.shown.push(shown);
        }
        world.history.push(line);
        receipt
    }

    /// Changes a message, or takes it away. Nothing if it is not there.
    fn change(&self, receipt: &Receipt, text: Option<&str>) -> Option<()> {
        let mut world = self.world.lock();
        let side = world.side(&self.account);
        let mut there = side.shown.iter_mut().filter(|one| one.is_there());
        let found = there.find(|one| one.receipt == receipt.0)?;
        match text {
            Some(text) => text.clone_into(&mut found.text),
            None => found.there = There::Gone,
        }
        let line = format!("changed {} {}", receipt.0, text.map_or(0, str::len));
        world.history.push(line);
        Some(())
    }

    /// A change that can be asked for twice, with the troubles that it can have.
    async fn amend(&self, receipt: Receipt, text: Option<String>) -> Result<Receipt, SendError> {
        let pause = Duration::from_millis(self.number(40));
        tokio::time::sleep(pause).await;
        let fate = self.fate();
        let text = match fate {
            Fate::PutOff => return Err(self.put_off()),
            // Somebody was faster, and took the message away.
            Fate::Refused => None,
            Fate::Shown | Fate::ShownAnswerLost | Fate::Hanging => text,
        };
        let changed = self.change(&receipt, text.as_deref());
        match fate {
            Fate::Hanging => std::future::pending().await,
            Fate::ShownAnswerLost => Err(SendError::Unknown {
                why: "the line went dead".to_owned(),
            }),
            Fate::Refused => Err(gone()),
            Fate::Shown | Fate::PutOff => changed.map(|()| receipt).ok_or_else(gone),
        }
    }
}

fn gone() -> SendError {
    SendError::Gone {
        why: "there is no such message".to_owned(),
    }
}

/// What people see of files.
fn pictured(files: &[(Enclosure, PathBuf)]) -> String {
    let files: Vec<Enclosure> = files.iter().map(|(file, _)| file.clone()).collect();
    enclosure::note(&files)
}

#[async_trait]
impl Adapter for MadeUp {
    fn platform(&self) -> Platform {
        platform(&self.account)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            text: Limit {
                max: 4096,
                unit: Unit::Utf16,
            },
            dedupe: self.dedupe,
            // Where repeats are shown, messages can be changed: the harsher of the platforms has everything.
            live: (self.dedupe == Dedupe::None).then_some(LIVE),
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

    async fn fetch(&self, remote: &str, pail: &mut dyn Pail) -> Result<(), Unfetched> {
        tokio::time::sleep(Duration::from_millis(self.number(2_000))).await;
        match self.fate() {
            Fate::Hanging => std::future::pending().await,
            Fate::PutOff | Fate::ShownAnswerLost => {
                Err(Unfetched::NotNow("the line went dead".to_owned()))
            }
            Fate::Refused => Err(Unfetched::Never("it is gone".to_owned())),
            Fate::Shown => {
                for piece in remote.as_bytes().chunks(7) {
                    pail.pour(piece).await?;
                }
                Ok(())
            }
        }
    }

    async fn perform(&self, action: Action) -> Result<Receipt, SendError> {
        let (key, address, text) = match action {
            Action::Send {
                key, address, text, ..
            } => (key, address, text),
            Action::SendFiles {
                key,
                address,
                files,
                ..
            } => (key, address, pictured(&files)),
            Action::Edit { receipt, text, .. } => return self.amend(receipt, Some(text)).await,
            Action::Delete { receipt, .. } => return self.amend(receipt, None).await,
            Action::Typing { .. } | Action::React { .. } => return Ok(Receipt(String::new())),
        };
        let shown = Shown {
            chat: marks::origin(&address.chat.id).to_owned(),
            id: address.chat.id,
            key,
            receipt: String::new(),
            text,
            there: There::Yes,
        };
        let pause = Duration::from_millis(self.number(40));
        tokio::time::sleep(pause).await;
        let fate = self.fate();
        let receipt = match fate {
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
                std::future::pending().await
            }
            Fate::Refused => {
                self.world.lock().side(&self.account).refused.insert(key);
                return Err(SendError::Refused {
                    reach: Reach::Message,
                    why: "no".to_owned(),
                });
            }
        };
        tokio::time::sleep(pause).await;
        Ok(receipt)
    }
}
