//! Hears an agent while it answers: words become the reply, calls become steps, requests are served.
//!
//! Requests are served beside each other and beside the listening, since an agent may ask for one thing while
//! it waits for another. Silence ends the listening, unless the agent waits for us.
//!
//! Some agents answer the prompt before they have said all of it. So what comes right behind the answer is
//! heard too, until it is quiet for a moment.

use std::collections::BTreeMap;
use std::time::Duration;

use angelia_core::limits;
use angelia_core::mask::Masker;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::Broken;
use super::host::{Desk, Served, Wish};
use super::line::{Gone, Line};
use super::peer::{self, FAILED, Failure, Message};
use super::reply::Reply;
use super::session::Seat;
use super::steps::Steps;
use super::update::{self, Update};
use crate::Input;
use crate::events::{Ended, Events};

/// Requests of one agent that are served at once. One more is refused.
const SERVED_MAX: usize = 64;

/// How long it has to be quiet behind an answer until all of it was said. Every turn waits so long, so it is
/// short: agents that answer too early are late by a few milliseconds.
const QUIET: Duration = Duration::from_millis(100);

/// How long words behind an answer are waited for at most, by whoever never is quiet.
const TAIL_MAX: Duration = Duration::from_secs(1);

/// The requests that are served.
type Serving<'d> = FuturesUnordered<BoxFuture<'d, Result<(Value, Served), Ended>>>;

/// What is heard of one prompt.
pub(super) struct Listening<'a> {
    events: &'a Events,
    masker: &'a Masker,
    steps: Steps<'a>,
    conversation: String,
    /// What the agent said.
    pub(super) reply: Reply,
    /// Questions that wait for an answer, by the agent's own names as JSON.
    questions: BTreeMap<String, Value>,
}

impl<'a> Listening<'a> {
    /// Hears the agent of `seat`.
    pub(super) fn new(input: &'a Input, events: &'a Events, seat: &Seat) -> Self {
        let prefix = format!("acp.{}", seat.link.starts);
        let masker = &*input.terms.masker;
        Self {
            events,
            masker,
            steps: Steps::new(events, &input.journal, masker, prefix),
            conversation: seat.conversation().to_owned(),
            reply: Reply::default(),
            questions: BTreeMap::new(),
        }
    }

    /// The questions that nobody will answer any more, by the agent's own names.
    pub(super) fn open(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.questions).into_values().collect()
    }

    /// Hears until the request `id` is answered.
    pub(super) async fn until_answered(
        &mut self,
        line: &mut Line,
        (silence, id): (Duration, u64),
        desk: &Desk<'_>,
    ) -> Result<Result<Value, Failure>, Broken> {
        let mut serving: Serving<'_> = FuturesUnordered::new();
        loop {
            let patience = match serving.is_empty() {
                true => silence,
                // Somebody may be asked, or a command run: the turn itself ends that.
                false => limits::TURN_LENGTH_MAX.to_std(),
            };
            tokio::select! {
                biased;
                () = self.steps.growth_is_due() => self.steps.show_growth(),
                Some(served) = serving.next(), if !serving.is_empty() => {
                    let (id, outcome) = served?;
                    self.questions.remove(&id.to_string());
                    line.tell(&peer::answer(&id, &outcome)).await?;
                }
                heard = timeout(patience, line.hear()) => {
                    match heard.map_err(|_| Gone::Silent)?? {
                        Message::Response { id: of, outcome } if of == id => return Ok(outcome),
                        // Whoever has ended waits for nothing any more.
                        Message::Request { .. } if line.is_over() => (),
                        Message::Request { id, method, params } => {
                            let wish = self.wish(id, method, params);
                            self.serve(line, (wish, desk), &mut serving).await?;
                        }
                        Message::Notice { method, params } if method == "session/update" => {
                            self.show(update::read(&params, &self.conversation)).await?;
                        }
                        Message::Response { .. } | Message::Notice { .. } | Message::Noise => (),
                    }
                }
            }
        }
    }

    /// Hears what comes right behind the answer, and writes down what was still to be written.
    pub(super) async fn rest(&mut self, line: &mut Line) -> Result<(), Ended> {
        self.tail(line).await?;
        self.steps.end().await
    }

    /// An agent that ends by then has said all it had to say.
    async fn tail(&mut self, line: &mut Line) -> Result<(), Ended> {
        let until = Instant::now() + TAIL_MAX;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            let Ok(Ok(heard)) = timeout(QUIET.min(left), line.hear()).await else {
                return Ok(());
            };
            match heard {
                Message::Notice { method, params } if method == "session/update" => {
                    self.show(update::read(&params, &self.conversation)).await?;
                }
                // One that cannot be told so is gone, and is not heard again.
                Message::Request { id, method, .. } => drop(line.refuse(&id, &method).await),
                Message::Response { .. } | Message::Notice { .. } | Message::Noise => (),
            }
        }
    }

    fn wish(&mut self, id: Value, method: String, params: Value) -> Wish {
        let call = self.steps.name("request ", &id.to_string());
        if method == "session/request_permission" {
            self.questions.insert(id.to_string(), id.clone());
        }
        let about = params["toolCall"]["toolCallId"].as_str();
        let known = about.and_then(|own| self.steps.known(own)).cloned();
        Wish {
            call,
            id,
            method,
            params,
            known,
        }
    }

    async fn serve<'d>(
        &self,
        line: &mut Line,
        (wish, desk): (Wish, &'d Desk<'_>),
        serving: &mut Serving<'d>,
    ) -> Result<(), Gone> {
        if serving.len() >= SERVED_MAX {
            let full = Failure::new(FAILED, "too many requests wait; try again");
            return line.tell(&peer::answer(&wish.id, &Err(full))).await;
        }
        serving.push(Box::pin(desk.serve(wish)));
        Ok(())
    }

    async fn show(&mut self, update: Update) -> Result<(), Ended> {
        match update {
            Update::Said(words) => {
                let more = self.reply.say(&words);
                if !more.is_empty() {
                    self.events.text(more).await?;
                }
                Ok(())
            }
            Update::Call(call) => {
                self.reply.pause();
                self.steps.call(*call).await
            }
            Update::Plan(entries) => self.steps.plan(entries).await,
            Update::Thought(words) => {
                self.reply.think(&words, self.masker);
                self.events.think(words);
                Ok(())
            }
            Update::Other => Ok(()),
        }
    }
}
