//! Tells news and ends of processes to whoever started them: messages of the gateway's own, put into the
//! inbox.
//!
//! A message is recognised by the process and its number, so it is taken once, however often it is put in.
//! That it was taken is written down afterwards; a crash in between costs a second try that changes nothing.
//! It goes where its process was started, under the name of whoever started it; a conversation that is full
//! is told later, in the same order. Whether a turn is running there does not matter here.

use std::borrow::Cow;
use std::collections::BTreeSet;

use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::intake::Refusal;
use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::process::notice::{self, Told};
use angelia_core::process::{End, State};
use angelia_process::text;
use angelia_store::StoreError;
use angelia_store::intake::Accepted;
use angelia_store::processes::Process;
use angelia_store::watches::Untold;

use super::Processes;
use crate::door::Door;

/// News that one look tells: all that can wait.
const NEWS_AT_ONCE: usize = limits::PROCESSES_PER_NODE * limits::NEWS_WAITING_MAX;

/// What became of a message.
#[derive(PartialEq, Eq)]
enum Put {
    /// It is in the inbox, or does not have to be.
    There,
    /// There is no room for it now.
    Later,
}

/// Raw bytes of the end of an output that its last words are made of.
const TAIL_BYTES: u64 = 16 * 1024;

impl Processes {
    /// Tells everything that is still to be told.
    pub(super) async fn tell(&self, door: &Door) -> Result<(), StoreError> {
        let store = &self.ground.store;
        // Ends are read first: whatever a process said before its end is then among the news.
        let ended = store.untold_processes(&self.home, limits::PROCESSES_PER_NODE);
        let ended = ended.await?;
        let mut later = BTreeSet::new();
        for untold in store.untold_news(&self.home, NEWS_AT_ONCE).await? {
            let id = untold.process.id;
            if later.contains(&id) || self.put(door, self.news(&untold)).await? == Put::Later {
                later.insert(id);
                continue;
            }
            store.news_told(id, untold.number).await?;
        }
        for process in ended {
            if !later.contains(&process.id) {
                self.tell_end(door, &process).await?;
            }
        }
        Ok(())
    }

    /// Tells an end, if it is one that is told.
    async fn tell_end(&self, door: &Door, process: &Process) -> Result<(), StoreError> {
        let State::Ended(end) = &process.state else {
            return Ok(());
        };
        let is_told = self.place.notifications.tell_end(&process.watch, end);
        if is_told && self.put(door, self.end(process, end)).await? == Put::Later {
            return Ok(());
        }
        self.ground.store.process_noticed(process.id).await?;
        Ok(())
    }

    async fn put(&self, door: &Door, message: Inbound) -> Result<Put, StoreError> {
        let id = message.message_id.clone();
        Ok(match door.take(message, None).await? {
            Accepted::New(_) | Accepted::Duplicate(_) => Put::There,
            Accepted::Refused(Refusal::Read) => Put::There,
            Accepted::Refused(refusal) if refusal.may_pass_later() => Put::Later,
            Accepted::Refused(why) => {
                tracing::warn!(process = id, %why, "a process cannot be told about");
                Put::There
            }
        })
    }

    fn news(&self, untold: &Untold) -> Inbound {
        let (process, number) = (&untold.process, untold.number);
        let text = notice::news(process.id, &self.command(process), &untold.news);
        let key = EventKey::news_of(process.id, number);
        message(process, key, text)
    }

    fn end(&self, process: &Process, end: &End) -> Inbound {
        let told = Told {
            id: process.id,
            command: &self.command(process),
            end,
            output: &text::plain(&self.end_of(process, TAIL_BYTES)),
        };
        message(process, EventKey::end_of(process.id), notice::text(&told))
    }

    /// What it ran, without secrets.
    fn command<'a>(&self, process: &'a Process) -> Cow<'a, str> {
        self.ground.masker.shown(&process.command, Surface::Egress)
    }
}

fn message(process: &Process, event_key: EventKey, text: String) -> Inbound {
    let caller = &process.caller;
    Inbound {
        address: caller.address.clone(),
        person: caller.person.clone(),
        event_key,
        message_id: process.id.to_string(),
        text,
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: caller.about.clone(),
    }
}
