//! One server's life: started, listed, listened to; when it ends, started again after a pause.
//!
//! ```text
//! Starting ─▶ Ready ─▶ (it died) Starting ─▶ Ready …
//!     └────────▶ Down, a pause ─▶ Starting     └▶ Down …
//! ```
//!
//! A server that died is started again at once, and what it offered still holds meanwhile: a call waits
//! for it. If that does not work it is down and offers nothing, and is tried again after pauses that
//! grow.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use angelia_core::time::Span;
use angelia_core::toolset;
use angelia_process::environment::Environment;
use angelia_process::piped;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::client::{self, Greeting, Line, Open, Trouble};
use super::complaints;
use super::listing::{self, Listing};
use super::settings::{Settings, Way};
use super::state::{Now, Ready, Report, next};
use crate::model::provider::Secret;
use crate::tools::source::Offer;

/// How soon after a change of its list a server's next change is looked at.
const LIST_EVERY: Span = Span::ms(200);

/// One server.
pub struct Server {
    pub(super) settings: Settings,
    /// Its name among the sources of tools.
    pub(super) source: String,
    masker: Arc<Masker>,
    pub(super) now: watch::Sender<Now>,
    /// What it offers when it is not there.
    pub(super) nothing: Arc<[Offer]>,
}

impl fmt::Debug for Server {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = format_args!("mcp::Server({})", self.settings.name);
        out.write_fmt(server)
    }
}

impl Server {
    /// A server that nobody has started yet: `keep` does. The masker knows its secrets.
    pub fn new(settings: Settings, masker: Arc<Masker>) -> Self {
        Self {
            source: format!("{}{}", toolset::SERVER, settings.name),
            settings,
            masker,
            now: watch::Sender::new(Now::Starting(Listing::default())),
            nothing: Arc::default(),
        }
    }

    /// How it is.
    pub fn report(&self) -> Report {
        let now = self.now.borrow();
        let listing = now.listing();
        Report {
            name: self.settings.name.clone(),
            state: now.state(),
            tools: listing.map_or(0, |listing| listing.offers.len()),
            left_out: listing.map_or(0, |listing| listing.left_out),
            why: now.why().map(str::to_owned),
        }
    }

    /// Waits until it has started or failed to, if it does so for the first time.
    pub async fn tried(&self) {
        let is_new = |now: &Now| matches!(now, Now::Starting(old) if old.offers.is_empty());
        let mut watching = self.now.subscribe();
        // The sender is ours, so the wait ends only when there is nothing to wait for.
        let _waited = watching.wait_for(|now| !is_new(now)).await.is_ok();
    }

    /// Keeps it running until `stop`. Then it has ended, with everything it started.
    pub async fn keep(self: Arc<Self>, stop: CancellationToken) {
        let (mut failures, mut greeting) = (0, Greeting::Handshake);
        while !stop.is_cancelled() {
            let trouble = self.live(greeting, &stop).await;
            if stop.is_cancelled() {
                break;
            }
            if let (Trouble::Refused(_), Greeting::Handshake) = (&trouble, greeting) {
                greeting = Greeting::Plain;
                continue;
            }
            greeting = Greeting::Handshake;
            let stayed = self.now.borrow().age(Instant::now());
            let pause;
            (failures, pause) = next(failures, stayed);
            self.fell(&trouble, pause);
            tokio::select! {
                biased;
                () = stop.cancelled() => (),
                () = sleep(pause) => (),
            }
        }
        self.now.send_replace(Now::Ended);
    }

    /// Notes that it is not there. One that is started again at once is only starting.
    fn fell(&self, trouble: &Trouble, pause: Duration) {
        let why = self.masker.shown(trouble.words(), Surface::Egress);
        let why: String = why.chars().take(limits::WHY_CHARS_MAX).collect();
        tracing::warn!(server = self.settings.name, why, "an MCP server is gone");
        let listing = self.now.borrow().listing().cloned().unwrap_or_default();
        self.now.send_replace(match pause.is_zero() {
            true => Now::Starting(listing),
            false => Now::Down(why),
        });
    }

    /// Everything from its start to its end.
    async fn live(&self, greeting: Greeting, stop: &CancellationToken) -> Trouble {
        match &self.settings.way {
            Way::Program { words, variables } => {
                self.in_program(greeting, (words, variables), stop).await
            }
            Way::Address { url, headers } => {
                let opening = client::over_http(greeting, url, headers);
                tokio::select! {
                    biased;
                    () = stop.cancelled() => stopped(),
                    trouble = self.converse(opening) => trouble,
                }
            }
            Way::Nowhere(why) => {
                self.fell(&Trouble::Unreached(why.clone()), Duration::MAX);
                stop.cancelled().await;
                stopped()
            }
        }
    }

    async fn in_program(
        &self,
        greeting: Greeting,
        (words, variables): (&[String], &[(String, Secret)]),
        stop: &CancellationToken,
    ) -> Trouble {
        let given = variables.iter();
        let environment = given.fold(Environment::inherited(), |all, (name, value)| {
            all.given(name, value.reveal())
        });
        let (mut kept, pipes) = match piped::start(words, &environment) {
            Ok(started) => started,
            Err(error) => {
                let program = words.first().map_or("", String::as_str);
                return Trouble::Unreached(format!("`{program}` cannot be started: {error}"));
            }
        };
        let opening = client::over_pipes(greeting, pipes.output, pipes.input);
        let complaining = async {
            complaints::log(&self.settings.name, pipes.errors, &self.masker).await;
            std::future::pending::<()>().await;
        };
        let gone = async {
            kept.exited().await;
            // Its last words may still be on their way.
            sleep(limits::OUTPUT_DRAIN.to_std()).await;
        };
        let trouble = tokio::select! {
            biased;
            () = stop.cancelled() => stopped(),
            trouble = self.converse(opening) => trouble,
            () = gone => Trouble::Lost("it ended".to_owned()),
            () = complaining => stopped(),
        };
        let ended = kept.end().await;
        match (trouble, ended.ok().and_then(|ended| ended.code())) {
            (Trouble::Lost(why), Some(code)) => Trouble::Lost(format!("{why} (exit code {code})")),
            (trouble, _) => trouble,
        }
    }

    /// Greets it, lists its tools, and then listens until the connection ends.
    async fn converse(&self, opening: impl Future<Output = Result<Open, Trouble>>) -> Trouble {
        let begin = async {
            let open = opening.await?;
            let told = open.line.list().await?;
            Ok((open, told))
        };
        let begun = timeout(self.settings.start_time.to_std(), begin).await;
        let (open, told) = match begun {
            Ok(Ok(begun)) => begun,
            Ok(Err(trouble)) => return trouble,
            Err(_) => {
                let seconds = self.settings.start_time.to_std().as_secs_f32();
                return Trouble::Lost(format!(
                    "it did not list its tools within {seconds} seconds"
                ));
            }
        };
        let ready = Ready {
            line: open.line.clone(),
            listing: listing::list(told, &self.settings),
            since: Instant::now(),
            broken: CancellationToken::new(),
        };
        let (line, broken) = (ready.line.clone(), ready.broken.clone());
        self.offer(ready);
        let closed = open.closed();
        tokio::pin!(closed);
        loop {
            tokio::select! {
                biased;
                () = &mut closed => return Trouble::Lost("it hung up".to_owned()),
                () = broken.cancelled() => return Trouble::Lost("it does not answer any more".to_owned()),
                () = line.changed() => self.list_again(&line).await,
            }
        }
    }

    /// Shows what it has. A list that is the same as before stays the very same.
    fn offer(&self, mut ready: Ready) {
        let before = self.now.borrow().listing().cloned();
        if let Some(before) = before.filter(|before| *before == ready.listing) {
            ready.listing = before;
        }
        let Listing { offers, left_out } = &ready.listing;
        let (server, tools) = (&self.settings.name, offers.len());
        tracing::info!(server, tools, left_out, "an MCP server is ready");
        self.now.send_replace(Now::Ready(Box::new(ready)));
    }

    /// Takes its new list; keeps the old one if it does not tell.
    async fn list_again(&self, line: &Line) {
        let told = timeout(self.settings.time.to_std(), line.list()).await;
        let ready = match &*self.now.borrow() {
            Now::Ready(ready) => Some(ready.as_ref().clone()),
            Now::Starting(_) | Now::Down(_) | Now::Ended => None,
        };
        if let (Ok(Ok(told)), Some(ready)) = (told, ready) {
            let listing = listing::list(told, &self.settings);
            self.offer(Ready { listing, ..ready });
        }
        sleep(LIST_EVERY.to_std()).await;
    }
}

fn stopped() -> Trouble {
    Trouble::Lost("the gateway is stopping".to_owned())
}
