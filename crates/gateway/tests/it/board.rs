//! A platform in memory on which messages can be changed: it numbers them, shows them, and does what it is told to
//! do wrong.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use angelia_core::address::Platform;
use angelia_core::media::enclosure::{self, Enclosure};
use angelia_core::outbound::{
    Action, Button, Capabilities, Dedupe, Live, Receipt, SendError, Sign,
};
use angelia_core::text::{Limit, Unit};
use angelia_core::time::{Span, Timestamp};
use angelia_platforms::health::Report;
use angelia_platforms::pail::{Pail, Unfetched};
use angelia_platforms::push::{NotTaken, Push};
use angelia_platforms::sink::Sink;
use angelia_platforms::{Adapter, Disconnected};
use async_trait::async_trait;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub(crate) const PACE: Span = Span::ms(1_000);

/// What becomes of a call instead of its ordinary answer.
#[derive(Debug, Clone)]
pub(crate) enum Trouble {
    /// Nothing is done: later, not before so long.
    Flood(Duration),
    /// It is done, and nobody hears of it.
    Lost,
    /// Nothing is done, and there is never an answer.
    Hangs,
}

/// What was asked, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) at: Instant,
    pub(crate) what: &'static str,
    pub(crate) text: String,
}

#[derive(Debug, Default)]
struct Wall {
    shown: BTreeMap<u64, (String, String)>,
    buttons: BTreeMap<u64, Vec<Button>>,
    asked: Vec<Asked>,
    troubles: BTreeMap<&'static str, VecDeque<Option<Trouble>>>,
    next: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Board {
    wall: Arc<Mutex<Wall>>,
    began: Instant,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            wall: Arc::default(),
            began: Instant::now(),
        }
    }
}

impl Board {
    /// What a chat shows, from top to bottom.
    pub(crate) fn texts(&self, chat: &str) -> Vec<String> {
        let wall = self.wall.lock().unwrap();
        let of_chat = wall.shown.values().filter(|(where_, _)| where_ == chat);
        of_chat.map(|(_, text)| text.clone()).collect()
    }

    /// What can be pressed.
    pub(crate) fn buttons(&self) -> Vec<Button> {
        let wall = self.wall.lock().unwrap();
        wall.buttons.values().flatten().cloned().collect()
    }

    /// What was asked of one kind.
    pub(crate) fn asked(&self, what: &str) -> Vec<Asked> {
        let wall = self.wall.lock().unwrap();
        let asked = wall.asked.iter().filter(|one| one.what == what);
        asked.cloned().collect()
    }

    /// What becomes of the next calls of one kind, in order.
    pub(crate) fn will(&self, what: &'static str, troubles: Vec<Option<Trouble>>) {
        self.wall
            .lock()
            .unwrap()
            .troubles
            .insert(what, troubles.into());
    }

    /// Somebody takes a message away.
    pub(crate) fn lose(&self, text: &str) {
        let mut wall = self.wall.lock().unwrap();
        wall.shown.retain(|_, (_, shown)| shown != text);
    }

    /// Waits until a chat shows something that is wanted.
    pub(crate) async fn until(&self, chat: &str, wanted: impl Fn(&[String]) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(600);
        while !wanted(&self.texts(chat)) {
            assert!(Instant::now() < deadline, "{:?}", self.texts(chat));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    fn note(&self, action: &Action) -> Option<Trouble> {
        let (what, text) = match action {
            Action::Send { text, .. } => ("send", text.as_str()),
            Action::SendFiles { files, .. } => ("send", files[0].0.name.as_str()),
            Action::Edit { text, .. } => ("edit", text.as_str()),
            Action::Delete { .. } => ("delete", ""),
            Action::Typing { .. } => ("typing", ""),
            Action::React { sign, .. } => ("react", signed(*sign)),
        };
        let mut wall = self.wall.lock().unwrap();
        wall.asked.push(Asked {
            at: Instant::now(),
            what,
            text: text.to_owned(),
        });
        let troubles = wall.troubles.get_mut(what);
        troubles.and_then(|troubles| troubles.pop_front().flatten())
    }

    fn change(&self, action: Action) -> Result<Receipt, SendError> {
        let mut wall = self.wall.lock().unwrap();
        let gone = || SendError::Gone {
            why: "no such message".to_owned(),
        };
        match action {
            Action::Send {
                address,
                text,
                buttons,
                ..
            } => {
                wall.next += 1;
                let number = wall.next;
                wall.buttons.insert(number, buttons);
                wall.shown.insert(number, (address.chat.id, text));
                Ok(Receipt(number.to_string()))
            }
            Action::SendFiles { address, files, .. } => {
                wall.next += 1;
                let number = wall.next;
                let files: Vec<Enclosure> = files.into_iter().map(|(file, _)| file).collect();
                let note = enclosure::note(&files);
                wall.shown.insert(number, (address.chat.id, note));
                Ok(Receipt(number.to_string()))
            }
            Action::Edit { receipt, text, .. } => {
                let number: u64 = receipt.0.parse().unwrap();
                wall.buttons.remove(&number);
                wall.shown.get_mut(&number).ok_or_else(gone)?.1 = text;
                Ok(receipt)
            }
            Action::Delete { receipt, .. } => {
                let number: u64 = receipt.0.parse().unwrap();
                wall.shown.remove(&number).ok_or_else(gone)?;
                Ok(receipt)
            }
            Action::Typing { .. } => Ok(Receipt(String::new())),
            Action::React { message, .. } => Ok(Receipt(message)),
        }
    }
}

fn signed(sign: Option<Sign>) -> &'static str {
    match sign {
        Some(Sign::Working) => "working",
        Some(Sign::Done) => "done",
        Some(Sign::Failed) => "failed",
        None => "none",
    }
}

#[async_trait]
impl Adapter for Board {
    fn platform(&self) -> Platform {
        Platform::Telegram
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            text: Limit {
                max: 4096,
                unit: Unit::Utf16,
            },
            dedupe: Dedupe::None,
            live: Some(Live {
                pace: PACE,
                group_pace: Span::ms(3_000),
                typing: Span::seconds(5),
            }),
        }
    }

    fn report(&self) -> Report {
        Report::house()
    }

    async fn listen(
        &self,
        _cursor: Option<String>,
        _sink: &Sink,
        stop: &CancellationToken,
    ) -> Result<(), Disconnected> {
        stop.cancelled().await;
        Ok(())
    }

    async fn pushed(&self, _push: Push<'_>, _sink: &Sink) -> Result<(), NotTaken> {
        Err(NotTaken::NotHere)
    }

    async fn fetch(&self, _remote: &str, _pail: &mut dyn Pail) -> Result<(), Unfetched> {
        Err(Unfetched::Never("there is nothing to fetch".to_owned()))
    }

    async fn perform(&self, action: Action) -> Result<Receipt, SendError> {
        let trouble = self.note(&action);
        tokio::time::sleep(Duration::from_millis(40)).await;
        match trouble {
            None => self.change(action),
            Some(Trouble::Flood(pause)) => {
                // The house is built in the same moment, and its clock begins here.
                let passed = self.began.elapsed() + pause;
                let passed = i64::try_from(passed.as_millis()).unwrap();
                Err(SendError::Later {
                    not_before: Some(Timestamp::from_ms(1_800_000_000_000 + passed)),
                    why: "slow down".to_owned(),
                })
            }
            Some(Trouble::Lost) => {
                let _unheard = self.change(action);
                let why = "the line was cut".to_owned();
                Err(SendError::Unknown { why })
            }
            Some(Trouble::Hangs) => std::future::pending().await,
        }
    }
}
