//! One turn: the prompt, what the agent tells until it is answered, and what becomes of it if somebody dies.
//!
//! ```text
//! no prompt of this turn     → an agent that is ready → link: prompt under way → the prompt → listen
//! under way, agent lives     → listen from where the prompt began: nothing is lost, nothing is doubled
//! under way, agent died      → its last words; without an answer: another agent, told what happened
//! another turn's under way   → nobody waits for it any more: cancelled, then as above
//! settings are others        → another process, which takes the conversation up
//! others answered meanwhile  → another process, which is told the conversation anew
//! ```
//!
//! The last two are looked at before a turn's first prompt: what is under way goes on as it was begun.
//!
//! The reply is what the agent said since the prompt began, read from its log, so it is the same for
//! everybody who reads it. The answer, which may have no words, is a step of the journal before the prompt is
//! forgotten. A prompt that failed stays remembered, so whoever runs the turn again hears of the failure and does
//! not ask again; the next turn's takes its place.
//!
//! An agent that dies is started again once in a turn. A prompt is never given twice in silence.

use std::time::Duration;

use angelia_core::about::CommandOf;
use angelia_core::limits;
use angelia_core::link::{Before, Link, Memory, Prompt, Sequel, Stage};
use angelia_core::mask::Surface;
use angelia_process::held::{self, Found, Held};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use super::host::Desk;
use super::line::{Gone, Line};
use super::listen::Listening;
use super::peer::{self, Failure};
use super::reply::{self, Reply};
use super::session::{self, Seat};
use super::words;
use super::{Broken, Setup, sign_in};
use crate::events::{Ended, Events};
use crate::{AgentError, Input};

/// What is said when an agent has made its conversation shorter and says nothing about it.
const SHORTENED: &str = "(The agent has made its conversation shorter.)";

/// How often a turn goes on after its agent died.
const LIVES: usize = 2;

/// One turn.
pub(super) struct Turn<'a> {
    pub(super) setup: &'a Setup,
    pub(super) input: &'a Input,
    pub(super) events: &'a Events,
    pub(super) stop: &'a CancellationToken,
    pub(super) desk: &'a Desk<'a>,
    /// The agent's own command that it is given in place of what was said, to make its conversation shorter.
    pub(super) order: Option<String>,
    /// What stands behind the row of the link, once it was read.
    pub(super) sequel: OnceCell<Sequel>,
}

/// How the turn goes on.
enum Way {
    /// An agent waits for a prompt.
    Prompt(Seat, Before),
    /// The prompt is under way.
    Listen(Seat, Prompt),
}

impl Turn<'_> {
    /// Answers, or finds the answer that was given before. What the agent runs through us ends with the turn, unless
    /// the turn goes on elsewhere.
    pub(super) async fn answer(&self) -> Result<(), Broken> {
        let answered = self.answered().await;
        if !matches!(answered, Err(Broken::Ended)) || self.stop.is_cancelled() {
            self.desk.terminals.end().await;
        }
        answered
    }

    async fn answered(&self) -> Result<(), Broken> {
        if let Some(words) = reply::recorded(&self.input.journal) {
            if !words.is_empty() {
                self.events.text(words).await?;
            }
            return self.forget_prompt().await;
        }
        let mut gone = Gone::Silent;
        for _life in 0..LIVES {
            self.events.begin_answer().await?;
            match self.attempt().await {
                Err(Broken::Gone(why)) => gone = why,
                done => return done,
            }
            self.events.drop_answer().await?;
        }
        Err(Broken::Failed(self.died(&gone)))
    }

    async fn attempt(&self) -> Result<(), Broken> {
        let found = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Ok(()),
            found = self.way() => found?,
        };
        let (mut seat, prompt) = match found {
            Way::Listen(seat, prompt) => (seat, prompt),
            Way::Prompt(mut seat, before) => {
                let prompt = self.prompt(&mut seat, before).await?;
                (seat, prompt)
            }
        };
        self.listen(&mut seat, &prompt).await
    }

    /// How the turn goes on, by what is remembered and what still runs.
    async fn way(&self) -> Result<Way, Broken> {
        let link = self.input.links.link().await?;
        let link = link.seen_by(&self.setup.fingerprint());
        let turn = self.input.links.turn();
        let is_begun = link.prompt.as_ref().is_some_and(|it| it.turn == turn);
        let link = match is_begun {
            true => link,
            false => self.abreast(link).await?,
        };
        let Some(folder) = self.ready_folder(&link) else {
            return self.anew(&link).await;
        };
        let ours = link.under_way().filter(|it| it.turn == turn);
        let found = held::adopt(&folder)
            .await
            .map_err(|why| Gone::Died(why.to_string()))?;
        match (found, ours.cloned()) {
            (Found::Running(held), Some(prompt)) => self.taken_up(link, held, prompt).await,
            (Found::Running(held), None) => self.reused(link, held).await,
            (Found::Ended(_) | Found::Lost, Some(prompt)) => {
                self.left(link, Held::at(folder), prompt).await
            }
            (Found::Ended(_) | Found::Lost | Found::Absent, _) => self.anew(&link).await,
        }
    }

    /// The link as it holds for a turn that begins now: by the settings, and by what the conversation has become.
    async fn abreast(&self, link: Link) -> Result<Link, Broken> {
        let mark = self.setup.mark(&self.input.choice.agent);
        let link = link.set_up(&mark);
        match link.row.filter(|_| link.conversation.is_some()) {
            Some(row) => Ok(link.abreast(self.sequel(row).await?)),
            None => Ok(link),
        }
    }

    async fn sequel(&self, row: u64) -> Result<&Sequel, Ended> {
        let links = &self.input.links;
        self.sequel.get_or_try_init(|| links.sequel(row)).await
    }

    /// Where an agent is held that knows the conversation, if it still runs.
    fn ready_folder(&self, link: &Link) -> Option<std::path::PathBuf> {
        let agent = link.agent.as_ref().filter(|_| link.stage == Stage::Ready)?;
        link.conversation.as_ref()?;
        Some(self.setup.folder.join(agent))
    }

    /// Another agent.
    async fn anew(&self, link: &Link) -> Result<Way, Broken> {
        let seat = session::start(self.setup, self.input, link).await?;
        let before = seat.link.before(self.input.links.turn());
        Ok(Way::Prompt(seat, before))
    }

    /// The prompt of this turn was written down by an earlier attempt: the input of the agent tells whether
    /// it was also given.
    async fn taken_up(&self, link: Link, held: Held, prompt: Prompt) -> Result<Way, Broken> {
        let taken = held.input_bytes().await.map_err(Gone::from)?;
        let end = prompt.request + prompt.bytes;
        if taken > prompt.request && taken < end {
            // Half of it: the agent waits for the rest, and nobody knows what it was.
            return self.anew(&link).await;
        }
        let from = if taken >= end {
            prompt.log
        } else {
            held.output_bytes().map_err(lost)?
        };
        let mut seat = Seat {
            line: Line::open(held, from).await?,
            link,
        };
        if taken <= prompt.request {
            return Ok(Way::Prompt(seat, prompt.before));
        }
        if taken > end {
            // An answer of ours may have been cut off in its middle. An empty line ends it.
            seat.line.tell(b"\n").await?;
        }
        Ok(Way::Listen(seat, prompt))
    }

    /// An agent that runs. If it is still at work for a turn that has ended, it is stopped first.
    async fn reused(&self, link: Link, held: Held) -> Result<Way, Broken> {
        let other = link.under_way().cloned();
        let from = match &other {
            Some(prompt) => prompt.log,
            // What it said while nobody asked is passed over.
            None => held.output_bytes().map_err(lost)?,
        };
        let mut line = Line::open(held, from).await?;
        if let Some(prompt) = other
            && line.place() > prompt.request
            // One that failed may have its answer already, and need not be stopped.
            && line.response(prompt.request, Duration::ZERO).await.is_err()
            && self.quieted(&mut line, &link, &prompt).await.is_err()
        {
            return self.anew(&link).await;
        }
        // Who was started for this turn and not asked by then is told what its process left before it.
        let before = link.before(self.input.links.turn());
        let link = Link {
            prompt: None,
            ..link
        };
        Ok(Way::Prompt(Seat { line, link }, before))
    }

    /// An agent that died under way: its last words may hold the answer.
    async fn left(&self, link: Link, held: Held, prompt: Prompt) -> Result<Way, Broken> {
        let mut seat = Seat {
            line: Line::last_words(held, prompt.log).await?,
            link: link.clone(),
        };
        let id = prompt.request;
        match seat
            .line
            .response(id, limits::AGENT_STOP_TIME.to_std())
            .await
        {
            Ok(_) => {
                let held = seat.line.held().clone();
                seat.line = Line::last_words(held, prompt.log).await?;
                Ok(Way::Listen(seat, prompt))
            }
            Err(_) => self.anew(&link).await,
        }
    }

    /// Gives the agent this turn's words. That it is about to be given them is remembered first.
    async fn prompt(&self, seat: &mut Seat, before: Before) -> Result<Prompt, Broken> {
        let past = match seat.link.memory {
            Memory::Ours => Some(self.input.past.conversation().await?),
            Memory::Its => None,
        };
        let told = (seat.link.memory, before);
        let (context, past) = (&self.input.context, past.as_deref());
        let mut words = match self.command() {
            Some(command) => words::command(command, context, past, told),
            None => words::prompt(context, past, told),
        };
        words.extend(words::pictures(self.input, seat.link.sight).await);
        let held = seat.line.held().clone();
        let said = held.output_bytes().map_err(lost)?;
        seat.line.catch_up(said).await?;
        seat.learn_commands(&self.input.choice.agent);
        let log = seat.line.unread();
        seat.line = Line::open(held, log).await?;
        let params = json!({ "sessionId": seat.conversation(), "prompt": words });
        let request = seat.line.place();
        let line = peer::request(request, "session/prompt", &params);
        let prompt = Prompt {
            turn: self.input.links.turn(),
            start: seat.link.starts,
            request,
            bytes: line.len() as u64,
            log,
            before,
        };
        seat.link.prompt = Some(prompt.clone());
        seat.link.row = self.row_before(&seat.link).await?;
        self.input.links.keep(seat.link.clone()).await?;
        seat.line.tell(&line).await?;
        Ok(prompt)
    }

    /// The row behind which the link is to look from now on. A command leaves no row unless it is followed, so until
    /// then the link goes on looking behind the last turn that has some.
    async fn row_before(&self, link: &Link) -> Result<Option<u64>, Ended> {
        match (&self.order, link.row) {
            (Some(_), Some(row)) => Ok(Some(row)),
            (Some(_), None) | (None, _) => self.last_row(link).await.map(Some),
        }
    }

    /// The last row before this turn.
    async fn last_row(&self, link: &Link) -> Result<u64, Ended> {
        let row = link.row.unwrap_or_default();
        Ok(self.sequel(row).await?.last)
    }

    /// The agent's own command that it is given, if the turn is one.
    fn command(&self) -> Option<&str> {
        match (&self.order, &self.input.messages[..]) {
            (Some(order), _) => Some(order),
            (None, [one]) if one.about.command_of == CommandOf::Agent => Some(&one.text),
            (None, _) => None,
        }
    }

    /// Listens until the prompt is answered, and writes the answer down.
    async fn listen(&self, seat: &mut Seat, prompt: &Prompt) -> Result<(), Broken> {
        let mut listening = Listening::new(self.input, self.events, seat);
        let awaited = (self.setup.silence, prompt.request);
        let heard = tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            heard = listening.until_answered(&mut seat.line, awaited, self.desk) => Some(heard),
        };
        if let Some(Ok(_)) = &heard {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => (),
                rest = listening.rest(&mut seat.line) => rest?,
            }
        }
        let open = listening.open();
        let reply = listening.reply;
        seat.learn_commands(&self.input.choice.agent);
        match heard {
            None => self.stopped(seat, prompt, open).await,
            // What it said is what people are told of the stop. A second row would say it again.
            Some(Ok(outcome)) if self.stop.is_cancelled() => {
                let memory = remembers(seat, &outcome);
                self.let_go(seat, memory).await
            }
            Some(Ok(outcome)) => self.finish(seat, reply, outcome).await,
            Some(Err(Broken::Gone(Gone::Silent))) => Err(self.hung(seat).await),
            Some(Err(broken)) => Err(broken),
        }
    }

    async fn finish(
        &self,
        seat: &Seat,
        mut reply: Reply,
        outcome: Result<Value, Failure>,
    ) -> Result<(), Broken> {
        let result = match outcome {
            Ok(result) => result,
            Err(why) => return Err(Broken::Failed(self.failed(seat, &why).await)),
        };
        let is_silent = self.order.is_some() && reply.is_empty();
        let done = is_silent.then_some(SHORTENED);
        if let Some(remark) = reply::remark(&result).or(done) {
            let said = reply.add_remark(remark);
            self.events.text(said).await?;
        }
        let step = reply.step(&result, &self.setup.name, &self.input.terms.masker);
        self.events.record(step).await?;
        let link = self.done(seat.link.clone()).await?;
        Ok(self.input.links.keep(link).await?)
    }

    /// The link of an agent that has done what it was prompted for. A command that was followed leaves a row too.
    async fn done(&self, link: Link) -> Result<Link, Ended> {
        let row = match &self.order {
            Some(_) => Some(self.last_row(&link).await?),
            None => link.row,
        };
        Ok(Link {
            prompt: None,
            memory: Memory::Its,
            row,
            ..link
        })
    }

    /// The prompt is over.
    async fn let_go(&self, seat: &mut Seat, memory: Memory) -> Result<(), Broken> {
        seat.link.prompt = None;
        seat.link.memory = memory;
        self.input.links.keep(seat.link.clone()).await?;
        Ok(())
    }

    /// The turn is to end: the agent is asked to stop, and ended if it does not.
    async fn stopped(
        &self,
        seat: &mut Seat,
        prompt: &Prompt,
        open: Vec<Value>,
    ) -> Result<(), Broken> {
        for id in open {
            let cancelled = Ok(super::permission::cancelled());
            // One that cannot be told is ended below.
            let _gone = seat
                .line
                .tell(&peer::answer(&id, &cancelled))
                .await
                .is_err();
        }
        let link = seat.link.clone();
        // Its commands end meanwhile, since it is not served any more and there is little time.
        let terminals = &self.desk.terminals;
        let quieted = self.quieted(&mut seat.line, &link, prompt);
        let (quieted, ()) = tokio::join!(quieted, terminals.end());
        let memory = match quieted {
            Ok(outcome) => remembers(seat, &outcome),
            Err(_) => {
                seat.line.end().await;
                seat.link.memory
            }
        };
        self.let_go(seat, memory).await
    }

    /// Asks the agent to stop what it is at, and waits until it has.
    async fn quieted(
        &self,
        line: &mut Line,
        link: &Link,
        prompt: &Prompt,
    ) -> Result<Result<Value, Failure>, Gone> {
        let params = json!({ "sessionId": link.conversation });
        line.tell(&peer::notice("session/cancel", &params)).await?;
        let patience = limits::AGENT_CANCEL_TIME.to_std();
        line.response(prompt.request, patience).await
    }

    /// An agent that says nothing is ended; the next message starts another.
    async fn hung(&self, seat: &Seat) -> Broken {
        seat.line.end().await;
        let minutes = self.setup.silence.as_secs().div_ceil(60);
        let why = format!(
            "its agent said nothing for {minutes} min, so it was ended; send the message again, or \
             raise `agent.silence` if it needs more time"
        );
        Broken::Failed(AgentError::lasting(why))
    }

    async fn forget_prompt(&self) -> Result<(), Broken> {
        let link = self.input.links.link().await?;
        let turn = self.input.links.turn();
        if link
            .prompt
            .as_ref()
            .is_some_and(|prompt| prompt.turn == turn)
        {
            let link = self.done(link).await?;
            self.input.links.keep(link).await?;
        }
        Ok(())
    }

    async fn failed(&self, seat: &Seat, failure: &Failure) -> AgentError {
        let masker = &self.input.terms.masker;
        let shown = |why: &str| masker.shown(why, Surface::Log).into_owned();
        if failure.code == peer::SIGN_IN {
            let told = greeting(seat).await;
            let why = format!("its agent {}", sign_in::wanted(failure, &told));
            return AgentError::lasting(shown(&why));
        }
        AgentError::passing(shown(&format!("its agent failed: {}", failure.message)))
    }

    fn died(&self, gone: &Gone) -> AgentError {
        let why = match gone {
            Gone::Died(why) => why,
            Gone::Silent => "it does not read what it is told",
        };
        tracing::warn!(why, "an agent died twice in one turn");
        AgentError::lasting(
            "its agent ended in the middle of the answer, and once more when it was started again; look at what was done before you send the message again",
        )
    }
}

/// Who knows what was said before, once a prompt came to this.
fn remembers(seat: &Seat, outcome: &Result<Value, Failure>) -> Memory {
    match outcome {
        Ok(_) => Memory::Its,
        Err(_) => seat.link.memory,
    }
}

/// What an agent said of itself when it was greeted, which is the first thing in its log; nothing if that is not
/// kept any more.
async fn greeting(seat: &Seat) -> Value {
    let held = seat.line.held().clone();
    let Ok(mut line) = Line::last_words(held, 0).await else {
        return Value::Null;
    };
    let patience = limits::AGENT_CANCEL_TIME.to_std();
    let told = line.response(session::HELLO, patience).await;
    told.ok().and_then(Result::ok).unwrap_or_default()
}

/// The log of an agent that cannot be read.
fn lost(why: std::io::Error) -> Gone {
    Gone::Died(why.to_string())
}
