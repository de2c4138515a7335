//! Tells the end of a process to whoever started it: a message of the gateway's own, put into the inbox.
//!
//! The message is recognised by the process, so it is taken once, however often it is put in. That it was
//! taken is written down afterwards; a crash in between costs a second try that changes nothing. It goes
//! where its process was started, under the name of whoever started it.

use std::io;

use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::process::State;
use angelia_core::process::notice::{self, Told};
use angelia_process::held::Held;
use angelia_process::text;
use angelia_store::StoreError;
use angelia_store::intake::Accepted;
use angelia_store::processes::Process;

use super::Processes;
use crate::door::Door;

/// Raw bytes of the end of an output that its last words are made of.
const TAIL_BYTES: u64 = 16 * 1024;

impl Processes {
    /// Tells every end that is still to be told. A conversation that is full is told later.
    pub(super) async fn tell(&self, door: &Door) -> Result<(), StoreError> {
        let store = &self.ground.store;
        let untold = store.untold_processes(&self.home, limits::PROCESSES_PER_NODE);
        for process in untold.await? {
            let Some(message) = self.message(&process) else {
                continue;
            };
            match door.take(message, None).await? {
                Accepted::New(_) | Accepted::Duplicate(_) => (),
                Accepted::Refused(refusal) if refusal.may_pass_later() => continue,
                Accepted::Refused(why) => {
                    tracing::warn!(process = %process.id, %why, "the end of a process cannot be told");
                }
            }
            store.process_noticed(process.id).await?;
        }
        Ok(())
    }

    fn message(&self, process: &Process) -> Option<Inbound> {
        let State::Ended(end) = &process.state else {
            return None;
        };
        let told = Told {
            id: process.id,
            command: &self.ground.masker.shown(&process.command, Surface::Egress),
            end,
            output: &self.last_words(process),
        };
        let caller = &process.caller;
        Some(Inbound {
            address: caller.address.clone(),
            person: caller.person.clone(),
            event_key: EventKey::end_of(process.id),
            message_id: process.id.to_string(),
            text: notice::text(&told),
            context: Vec::new(),
            about: caller.about.clone(),
        })
    }

    /// The end of what it said, without secrets. Output that cannot be read does not keep the end from
    /// being told.
    fn last_words(&self, process: &Process) -> String {
        self.masked_tail(process).unwrap_or_else(|error| {
            tracing::warn!(process = %process.id, %error, "the output of a process cannot be read");
            String::new()
        })
    }

    fn masked_tail(&self, process: &Process) -> io::Result<String> {
        let (from, bytes) = tail(&self.held(process.id))?;
        let text = text::plain(&String::from_utf8_lossy(&bytes));
        Ok(self.pieces(process, from)?.shown(&text))
    }
}

/// The end of an output, and the place where that begins.
fn tail(held: &Held) -> io::Result<(u64, Vec<u8>)> {
    let total = held.output_bytes()?;
    let start = total.saturating_sub(TAIL_BYTES);
    let (mut from, mut bytes) = (start, Vec::new());
    while from < total {
        let piece = held.read(from, limits::LOG_PAGE_BYTES)?;
        if piece.bytes.is_empty() {
            break;
        }
        from = piece.next();
        bytes.extend(piece.bytes);
    }
    Ok((start, bytes))
}
