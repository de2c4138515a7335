//! The line to one running agent: what it says is read from its holder's log, what it is told goes through
//! its holder's socket.
//!
//! ```text
//! log, from a place on ─▶ lines ─▶ messages
//! messages ─▶ input, at the place where it ends
//! ```
//!
//! A request of ours has the place of its first byte in the agent's input for a number. So no two requests
//! have the same, no counter has to be remembered, and whether a request was ever made can be asked of the
//! holder: its input is longer than the number.
//!
//! What is read here may be read again from the same place by whoever comes next. A message that the agent
//! sends for nobody is nobody's: unknown requests are refused, never left without an answer.

use std::time::Duration;

use angelia_core::limits;
use angelia_process::held::{Follow, Held, HeldError};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::lines::Lines;
use super::peer::{self, Failure, Message};
use super::permission;
use super::update::{self, Advertised};

/// How long an agent may take to read what it is told.
const TELL_TIME: Duration = Duration::from_secs(30);

/// How long an agent is quiet that has repeated a conversation to its end. It is only started now and then, so there
/// is time.
const CALM: Duration = Duration::from_millis(500);

/// How long one may take for that.
const CALM_MAX: Duration = Duration::from_secs(10);

/// Why an agent cannot be talked to any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gone {
    /// Its process ended, or cannot be reached.
    Died(String),
    /// It does not answer, or does not read.
    Silent,
}

impl From<HeldError> for Gone {
    fn from(error: HeldError) -> Self {
        Self::Died(error.to_string())
    }
}

/// The line to one agent.
#[derive(Debug)]
pub(super) struct Line {
    held: Held,
    follow: Follow,
    lines: Lines,
    /// Where its input ends; nothing if it has ended itself.
    place: Option<u64>,
    /// How much of its output was read.
    read: u64,
    /// What it told last of its own commands, with what it calls the conversation.
    commands: Option<Advertised>,
}

impl Line {
    /// Opens a line to an agent that runs; its words are heard from the place `from` of its output on.
    pub(super) async fn open(held: Held, from: u64) -> Result<Self, Gone> {
        let place = held.input_bytes().await?;
        Self::over(held, from, Some(place)).await
    }

    /// Opens what is left of a line to an agent that has ended: its last words.
    pub(super) async fn last_words(held: Held, from: u64) -> Result<Self, Gone> {
        Self::over(held, from, None).await
    }

    async fn over(held: Held, from: u64, place: Option<u64>) -> Result<Self, Gone> {
        let follow = held.follow(from).await?;
        Ok(Self {
            held,
            follow,
            lines: Lines::default(),
            place,
            read: from,
            commands: None,
        })
    }

    /// The process.
    pub(super) fn held(&self) -> &Held {
        &self.held
    }

    /// The number that the next request will have.
    pub(super) fn place(&self) -> u64 {
        self.place.unwrap_or_default()
    }

    /// Whether there is nobody at the other end, so that there are only words to be heard.
    pub(super) fn is_over(&self) -> bool {
        self.place.is_none()
    }

    /// Tells it something.
    pub(super) async fn tell(&mut self, line: &[u8]) -> Result<(), Gone> {
        let Some(place) = self.place else {
            return Ok(());
        };
        let told = timeout(TELL_TIME, self.held.write(line)).await;
        told.map_err(|_| Gone::Silent)??;
        self.place = Some(place + line.len() as u64);
        Ok(())
    }

    /// Asks for something; the number of the request.
    pub(super) async fn ask(&mut self, method: &str, params: &Value) -> Result<u64, Gone> {
        let id = self.place();
        self.tell(&peer::request(id, method, params)).await?;
        Ok(id)
    }

    /// Waits for the next message. Nothing is missed if this is dropped.
    pub(super) async fn hear(&mut self) -> Result<Message, Gone> {
        loop {
            let lines = std::iter::from_fn(|| self.lines.next());
            let mut messages = lines.map(|line| peer::read(&line));
            if let Some(message) = messages.find(|it| *it != Message::Noise) {
                self.note(&message);
                return Ok(message);
            }
            match self.follow.next().await? {
                Some(piece) => {
                    self.read = piece.next();
                    self.lines.push(&piece);
                }
                None => return Err(Gone::Died("it ended".to_owned())),
            }
        }
    }

    fn note(&mut self, message: &Message) {
        if let Message::Notice { method, params } = message
            && method == "session/update"
            && let Some(told) = update::commands(params)
        {
            self.commands = Some(told);
        }
    }

    fn pass_over(&mut self) {
        while let Some(line) = self.lines.next() {
            self.note(&peer::read(&line));
        }
    }

    /// Where the line begins that it is in the middle of, or will begin.
    pub(super) fn unread(&self) -> u64 {
        self.read.saturating_sub(self.lines.unread() as u64)
    }

    /// What it has told of its own commands since this was asked last.
    pub(super) fn commands(&mut self) -> Option<Advertised> {
        self.commands.take()
    }

    /// Passes over what was said up to that place, which is there already.
    pub(super) async fn catch_up(&mut self, place: u64) -> Result<(), Gone> {
        let reading = self.read_up_to(place);
        timeout(TELL_TIME, reading)
            .await
            .map_err(|_| Gone::Silent)?
    }

    async fn read_up_to(&mut self, place: u64) -> Result<(), Gone> {
        self.pass_over();
        while self.read < place {
            let Some(piece) = self.follow.next().await? else {
                return Ok(());
            };
            self.read = piece.next();
            self.lines.push(&piece);
            self.pass_over();
        }
        Ok(())
    }

    /// Waits for the answer to a request, at most so long. All else that is said meanwhile is dropped, as
    /// what an agent says while it takes a conversation up again was said before.
    pub(super) async fn response(
        &mut self,
        id: u64,
        patience: Duration,
    ) -> Result<Result<Value, Failure>, Gone> {
        let until = Instant::now() + patience;
        loop {
            let heard = tokio::time::timeout_at(until, self.hear()).await;
            match heard.map_err(|_| Gone::Silent)?? {
                Message::Response { id: of, outcome } if of == id => return Ok(outcome),
                Message::Request { id, method, .. } => self.refuse(&id, &method).await?,
                Message::Response { .. } | Message::Notice { .. } | Message::Noise => (),
            }
        }
    }

    /// Hears what was said before out, and drops it.
    pub(super) async fn calm(&mut self) -> Result<(), Gone> {
        let until = Instant::now() + CALM_MAX;
        loop {
            let calm = until.min(Instant::now() + CALM);
            match tokio::time::timeout_at(calm, self.hear()).await {
                Err(_) => return Ok(()),
                Ok(Ok(Message::Request { id, method, .. })) => self.refuse(&id, &method).await?,
                Ok(heard) => drop(heard?),
            }
            if Instant::now() >= until {
                return Ok(());
            }
        }
    }

    /// Answers a request that is nobody's here.
    pub(super) async fn refuse(&mut self, id: &Value, method: &str) -> Result<(), Gone> {
        let answer = permission::unserved(method);
        self.tell(&peer::answer(id, &answer)).await
    }

    /// Ends the agent: asked first, killed then.
    pub(super) async fn end(&self) {
        if let Err(error) = self.held.kill(limits::KILL_GRACE).await {
            tracing::warn!(%error, "an agent cannot be ended");
        }
    }
}
