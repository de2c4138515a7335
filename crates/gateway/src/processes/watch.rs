//! Looks at what processes say: for wanted words as it is said, and for new output from time to time.
//!
//! Whoever looks begins where the row says and writes down how far it went, with what it found: a crash, or
//! a second one who looks, repeats and loses nothing. A process has not ended before all it said was looked
//! at. What is found goes into the rows without secrets, and from there into the inbox (`tell`).

use std::io;

use angelia_core::limits;
use angelia_core::mask::pieces::{Patience, ready};
use angelia_core::mask::surface_of;
use angelia_core::process::notice;
use angelia_core::process::watch::scan::{Found, Last};
use angelia_process::held::{Held, HeldError};
use angelia_process::text;
use angelia_store::StoreError;
use angelia_store::processes::{Moved, Process};
use angelia_store::watches::{Checked, DueCheck, Looked};

use super::Processes;
use super::looking::Looking;

/// Raw bytes of new output that an update is made of.
const UPDATE_BYTES: u64 = 8 * 1024;

/// What became of someone who looks.
enum Along {
    /// All that was looked at is written down.
    Written,
    /// Somebody else has looked, or the watch is over: the row says how it goes on.
    AskAgain,
}

impl Processes {
    /// Looks for wanted words to the end of the process, or of the watch.
    pub(super) async fn watch(&self, process: &Process) -> Result<(), HeldError> {
        let store = &self.ground.store;
        while let Some(looked) = self
            .ground
            .insist("processes", || store.looked(process.id))
            .await
        {
            match self.look_along(process, looked).await? {
                Along::Written => return Ok(()),
                Along::AskAgain => (),
            }
        }
        Ok(())
    }

    async fn look_along(&self, process: &Process, looked: Looked) -> Result<Along, HeldError> {
        let patterns = &process.watch.patterns;
        let mut follow = self.held(process.id).follow(looked.place).await?;
        let mut looking = Looking::from(looked, self.ground.env.now());
        while let Some(piece) = follow.next().await? {
            let found = looking.read(patterns, &piece);
            if (found.is_some() || looking.is_due(self.ground.env.now()))
                && let Along::AskAgain = self.write_look(process, &mut looking, found).await
            {
                return Ok(Along::AskAgain);
            }
        }
        let found = looking.finish(patterns);
        if found.is_none() && looking.unwritten() == 0 {
            return Ok(Along::Written);
        }
        Ok(self.write_look(process, &mut looking, found).await)
    }

    async fn write_look(
        &self,
        process: &Process,
        looking: &mut Looking,
        found: Option<Found>,
    ) -> Along {
        let has_found = found.is_some();
        let look = looking.look(found.map(|found| self.masked(process, found)));
        let store = &self.ground.store;
        let written = self
            .ground
            .insist("processes", || store.look(process.id, look.clone()))
            .await;
        if has_found {
            self.ground.bells.processes.ring();
        }
        match written {
            Moved::Now(now) if now.watch.patterns == process.watch.patterns => {
                looking.wrote(self.ground.env.now());
                Along::Written
            }
            Moved::Now(_) | Moved::Before(_) | Moved::Unknown => Along::AskAgain,
        }
    }

    /// Asks every process whose time has come for new output.
    pub(super) async fn check(&self) -> Result<(), StoreError> {
        let store = &self.ground.store;
        for due in store.due_checks(&self.home).await? {
            let checked = self.new_output(&due).unwrap_or_else(|error| {
                let id = due.process.id;
                tracing::warn!(process = %id, %error, "the output of a process cannot be read");
                nothing_new(&due)
            });
            store.checked(due.process.id, checked).await?;
        }
        Ok(())
    }

    fn new_output(&self, due: &DueCheck) -> io::Result<Checked> {
        let (process, held) = (&due.process, self.held(due.process.id));
        if !self.place.notifications.tell_updates(&process.watch) {
            return Ok(nothing_new(due));
        }
        let bytes = held.output_bytes()?;
        if bytes <= due.bytes {
            return Ok(nothing_new(due));
        }
        let (from, said) = said_since(&held, due.bytes, bytes)?;
        let said = self.pieces(process, from)?.shown(&said);
        let update = notice::update(&said);
        Ok(Checked {
            before: due.bytes,
            bytes,
            update: Some(update.to_owned()).filter(|update| !update.is_empty()),
        })
    }

    /// Found words for the rows: without secrets, and without a word that is still being said.
    fn masked(&self, process: &Process, mut found: Found) -> Found {
        if found.last == Last::Open {
            let whole = ready(found.lines.as_bytes(), Patience::Word);
            found.lines.truncate(whole);
        }
        let surface = surface_of(&process.command);
        let lines = self.ground.masker.shown(&found.lines, surface);
        found.lines = lines.trim_end().to_owned();
        found
    }
}

fn nothing_new(due: &DueCheck) -> Checked {
    Checked {
        before: due.bytes,
        bytes: due.bytes,
        update: None,
    }
}

/// The end of what was said between two places, and where that begins.
fn said_since(held: &Held, from: u64, to: u64) -> io::Result<(u64, String)> {
    let begin = from.max(to.saturating_sub(UPDATE_BYTES));
    let piece = held.read(begin, limits::LOG_PAGE_BYTES)?;
    let said = text::plain(&String::from_utf8_lossy(&piece.bytes));
    Ok((piece.from, said))
}
