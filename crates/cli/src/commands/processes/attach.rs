//! `angelia processes attach`: sits down at a process, as at a terminal of its own.
//!
//! ```text
//! keyboard ─ keys ─► outgoing ─ one call at a time, in order ─► the process
//! screen   ◄─ newest screenful, then as it comes ─ events  ◄─── the process
//! ```
//!
//! A process on a terminal gets every key as it is pressed and the size of this window; one with pipes
//! gets lines, and its output is shown without escapes. `Ctrl-]` leaves it running. A gateway that goes
//! away is waited for: the process does not notice, and neither a byte of its output nor a key that was
//! pressed meanwhile is lost. Whatever ends the sitting, the window is left as it was found: `window`
//! sees to that.
//!
//! Nothing is started or ended here, and nothing is kept.

mod keyboard;
mod modes;
mod outgoing;
mod screenful;
mod window;

use std::time::Duration;

use angelia_api::client::{Client, ClientError, LogEvent, LogEvents, LogForm, LogFrom};
use angelia_api::wire::v1::process::{LogPage, Process, ProcessMode};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::args::processes::Attach;
use crate::commands::sessions::Desk;
use crate::errors::Failure;
use crate::finding;
use crate::output::{self, Form, Output};
use keyboard::{Heard, Keyboard};
use outgoing::Outgoing;
use window::Window;

/// How much of what was said last is read to find the newest screenful in it.
const TAIL_BYTES: u64 = 64 * 1024;

/// How long what was typed last may take to arrive when somebody leaves.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How often a gateway that is gone is looked for, and how many times.
const LOOK_EVERY: Duration = Duration::from_millis(250);
const LOOKS: u32 = 480;

/// Why a sitting, or a part of it, is over.
enum Stopped {
    /// The process has ended.
    Ended(Box<Process>),
    /// The gateway is gone.
    Away,
    /// Whoever sat here leaves.
    Left,
}

pub(super) fn run(desk: &Desk<'_>, wish: &Attach) -> Result<(), Failure> {
    let process = desk.ask(desk.client.process(wish.id))?;
    let output = desk.start.output(Form::People);
    let ended = finding::wait(async {
        let mut sitting = Sitting::at(desk, &process)?;
        let stopped = sitting.sit().await;
        sitting.send_the_rest().await;
        // The window is as it was before anything more is said.
        drop(sitting);
        stopped
    })?;
    match ended {
        Stopped::Ended(process) => super::said(&output, &process),
        Stopped::Left | Stopped::Away => {
            output::aside(format_args!("left {}; it goes on", process.id));
            Ok(())
        }
    }
}

/// Somebody at a process.
struct Sitting<'a> {
    desk: &'a Desk<'a>,
    client: Client,
    process: &'a Process,
    output: Output,
    window: Window,
    keyboard: Keyboard,
    outgoing: Outgoing,
    signals: Signals,
    /// What is shown next.
    from: LogFrom,
}

/// The signals that concern a sitting.
struct Signals {
    resized: Signal,
    ends: [Signal; 3],
}

/// What a signal says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum News {
    /// Somebody wants us to end.
    End,
    /// The window has another size.
    Resized,
}

impl<'a> Sitting<'a> {
    fn at(desk: &'a Desk<'a>, process: &'a Process) -> Result<Self, Failure> {
        let signals = Signals::catch()?;
        greet(process);
        let window = Window::open(process.mode)?;
        Ok(Self {
            client: desk.client.clone(),
            outgoing: Outgoing::to(process.id, window.size()),
            keyboard: Keyboard::open()?,
            output: desk.start.output(Form::People),
            from: LogFrom::Tail(TAIL_BYTES),
            window,
            signals,
            process,
            desk,
        })
    }

    /// Sits until the process ends or the person leaves.
    async fn sit(&mut self) -> Result<Stopped, Failure> {
        let mut looks = 0;
        loop {
            let before = self.from;
            match self.while_connected().await? {
                Stopped::Away if looks >= LOOKS => return Err(self.gone()),
                Stopped::Away if self.from != before => looks = 0,
                Stopped::Away => looks += 1,
                over @ (Stopped::Ended(_) | Stopped::Left) => return Ok(over),
            }
            if looks == 1 {
                self.window
                    .note("the gateway is away; waiting for it to come back");
            }
            if let Stopped::Left = self.wait_a_moment().await? {
                return Ok(Stopped::Left);
            }
            // A gateway that is back may listen elsewhere.
            self.client =
                finding::client(&self.desk.start.home).unwrap_or_else(|_| self.client.clone());
        }
    }

    /// What was typed before leaving still goes, if it can.
    async fn send_the_rest(&mut self) {
        let sending = async {
            self.outgoing.start(&self.client);
            while self.outgoing.is_under_way() {
                // Nobody is there any more to be told what became of it.
                let _told = self.outgoing.done().await.is_ok();
                self.outgoing.start(&self.client);
            }
        };
        let _in_time = tokio::time::timeout(LAST_WORDS, sending).await.is_ok();
    }

    /// Keys are still heard: one of them may be the one that leaves.
    async fn wait_a_moment(&mut self) -> Result<Stopped, Failure> {
        let pause = tokio::time::sleep(LOOK_EVERY);
        tokio::pin!(pause);
        loop {
            tokio::select! {
                biased;
                news = self.signals.next() => if news == News::End {
                    return Ok(Stopped::Left);
                },
                heard = self.keyboard.next(), if self.outgoing.has_room() => {
                    if let Stopped::Left = self.heard(heard?) {
                        return Ok(Stopped::Left);
                    }
                }
                () = &mut pause => return Ok(Stopped::Away),
            }
        }
    }

    async fn while_connected(&mut self) -> Result<Stopped, Failure> {
        let mut events = match self.open().await {
            Ok(events) => events,
            Err(error) => return self.stopped(&error),
        };
        self.outgoing.tell_size(self.window.size());
        loop {
            self.outgoing.start(&self.client);
            tokio::select! {
                biased;
                news = self.signals.next() => match news {
                    News::End => return Ok(Stopped::Left),
                    News::Resized => self.outgoing.tell_size(self.window.size()),
                },
                heard = self.keyboard.next(), if self.outgoing.has_room() => {
                    if let Stopped::Left = self.heard(heard?) {
                        return Ok(Stopped::Left);
                    }
                }
                done = self.outgoing.done(), if self.outgoing.is_under_way() => {
                    if let Err(error) = done
                        && let Some(stopped) = self.not_taken(&error)?
                    {
                        return Ok(stopped);
                    }
                }
                event = events.next() => match event {
                    Ok(Some(LogEvent::Output(page))) => self.show(&page)?,
                    Ok(Some(LogEvent::End(process))) => return Ok(Stopped::Ended(process)),
                    Ok(None) => return Ok(Stopped::Away),
                    Err(error) => return self.stopped(&error),
                },
            }
        }
    }

    async fn open(&self) -> Result<LogEvents, ClientError> {
        let form = match self.process.mode {
            ProcessMode::Pty => LogForm::Terminal,
            ProcessMode::Pipe | ProcessMode::Unknown => LogForm::Plain,
        };
        self.client.follow(self.process.id, self.from, form).await
    }

    fn heard(&mut self, heard: Heard) -> Stopped {
        match heard {
            Heard::Keys(keys) => self.outgoing.write(&keys),
            Heard::EndOfInput if self.window.is_line_by_line() => self.outgoing.close(),
            Heard::EndOfInput => (),
            Heard::Leave(keys) => {
                self.outgoing.write(&keys);
                return Stopped::Left;
            }
        }
        Stopped::Away
    }

    /// What it means that a key or a size did not arrive. That a process has ended is told by its
    /// output, and one without an input can still be looked at.
    fn not_taken(&mut self, error: &ClientError) -> Result<Option<Stopped>, Failure> {
        match error {
            ClientError::Api { status: 409, .. } => {
                if self.outgoing.is_refused() {
                    self.window.note(&error.to_string());
                }
                Ok(None)
            }
            ClientError::Unreachable { .. } | ClientError::Api { status: 503, .. } => {
                Ok(Some(Stopped::Away))
            }
            ClientError::Api { .. } | ClientError::Address(_) | ClientError::Malformed { .. } => {
                Err(self.failed(error))
            }
        }
    }

    fn show(&mut self, page: &LogPage) -> Result<(), Failure> {
        let is_first = matches!(self.from, LogFrom::Tail(_));
        self.from = LogFrom::After(page.next);
        let text = match (is_first, page.from) {
            (true, 0) => screenful::newest(&page.text, self.window.rows()),
            (true, _) => screenful::newest_of_torn(&page.text, self.window.rows()),
            (false, _) => &page.text,
        };
        if !is_first && page.cut > 0 {
            let cut = page.cut;
            self.window.note(&format!("{cut} bytes were left out here"));
        }
        let text = match self.process.mode {
            ProcessMode::Pty => text.to_owned(),
            ProcessMode::Pipe | ProcessMode::Unknown => self.output.foreign(text),
        };
        self.window.shows(&text);
        self.output.piece(text)
    }

    /// Whether an error means that the gateway is gone, for a while perhaps.
    fn stopped(&self, error: &ClientError) -> Result<Stopped, Failure> {
        match error {
            ClientError::Unreachable { .. } | ClientError::Api { status: 503, .. } => {
                Ok(Stopped::Away)
            }
            ClientError::Api { .. } | ClientError::Address(_) | ClientError::Malformed { .. } => {
                Err(self.failed(error))
            }
        }
    }

    fn failed(&self, error: &ClientError) -> Failure {
        finding::failure(&self.desk.start.home, error)
    }

    fn gone(&self) -> Failure {
        finding::not_running(&self.desk.start.home)
    }
}

impl Signals {
    fn catch() -> Result<Self, Failure> {
        let caught = || {
            let ends = [
                signal(SignalKind::terminate())?,
                signal(SignalKind::interrupt())?,
                signal(SignalKind::hangup())?,
            ];
            let resized = signal(SignalKind::window_change())?;
            Ok(Self { resized, ends })
        };
        caught().map_err(|error: std::io::Error| {
            Failure::new(format!("signals cannot be caught: {error}"))
        })
    }

    async fn next(&mut self) -> News {
        let [terminate, interrupt, hang_up] = &mut self.ends;
        tokio::select! {
            biased;
            _ = terminate.recv() => News::End,
            _ = interrupt.recv() => News::End,
            _ = hang_up.recv() => News::End,
            _ = self.resized.recv() => News::Resized,
        }
    }
}

/// The first line: where we are, and the way out.
fn greet(process: &Process) {
    if output::is_typed() {
        let id = process.id;
        output::aside(format_args!("attached to {id}; Ctrl-] leaves it running"));
    }
}
