//! One message there, its reply back, whatever happens to the gateway meanwhile.
//!
//! The message is put in, its conversation is watched, and its story is read until it is over. When
//! the connection is lost or the gateway is stopping, all of that begins again, with the same
//! `message_id`: the gateway recognises it, so it is answered once. A gateway that stays away longer
//! than our patience is told; the message may be safe with it, and the words say so.

use std::time::Duration;

use angelia_api::client::{Client, ClientError, Events};
use angelia_api::wire::v1::delivery::{DeliveryKind, DeliveryState};
use angelia_api::wire::v1::event::Event;
use angelia_api::wire::v1::inbox::InboxRequest;
use angelia_api::wire::v1::message::{Message, MessageState};
use angelia_core::id::InboxId;
use angelia_core::time::Span;
use angelia_gateway::env::Env;

use super::growth::{self, Growth};
use crate::errors::Failure;
use crate::finding;
use crate::home::Home;
use crate::output::{self, Form, Output, Screen};

/// How long a gateway may stay away: longer than the usual drain of the one before it.
const PATIENCE: Span = Span::seconds(90);

/// How often we look whether it is back.
const KNOCK_EVERY: Duration = Duration::from_millis(100);

/// How often the story is read even if nothing is heard: events are hints and may be missed.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A message on its way.
pub(super) struct Exchange<'a> {
    pub(super) home: &'a Home,
    pub(super) request: &'a InboxRequest,
}

/// Why an attempt ended without a reply.
enum Stopped {
    /// Nobody answers now; trying again may help.
    Away,
    /// Trying again would not help.
    Failed(Failure),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Exchange<'_> {
    /// Sends the message and waits for the end of its story. Drafts are shown meanwhile.
    pub(super) async fn run(&self, view: &mut View) -> Result<Message, Failure> {
        let env = Env::system();
        let mut heard = env.steady();
        let mut told = false;
        loop {
            let before = view.contacts;
            match self.attempt(view).await {
                Ok(message) => return Ok(message),
                Err(Stopped::Failed(failure)) => return Err(failure),
                Err(Stopped::Away) if view.contacts > before => heard = env.steady(),
                Err(Stopped::Away) if env.elapsed(heard) > PATIENCE => return Err(self.gone()),
                Err(Stopped::Away) => (),
            }
            if !told {
                view.note("the gateway is away; waiting for it to come back");
                told = true;
            }
            tokio::time::sleep(KNOCK_EVERY).await;
        }
    }

    async fn attempt(&self, view: &mut View) -> Result<Message, Stopped> {
        let client = self.client()?;
        let accepted = client
            .inbox(self.request)
            .await
            .map_err(|error| self.stopped(&error))?;
        view.contacts += 1;
        let events = client.events(Some(accepted.session_id)).await;
        let mut events = events.map_err(|error| self.stopped(&error))?;
        loop {
            let message = self.look(&client, accepted.inbox_id).await?;
            if is_over(&message) {
                return Ok(message);
            }
            view.tell(&message);
            self.watch(&mut events, accepted.inbox_id, view).await?;
        }
    }

    /// The gateway may be another process than before, with another address.
    fn client(&self) -> Result<Client, Stopped> {
        let is_there = self
            .home
            .facts()
            .is_some_and(|facts| facts.address.is_some());
        if !is_there {
            return Err(Stopped::Away);
        }
        Ok(finding::client(self.home)?)
    }

    async fn look(&self, client: &Client, inbox: InboxId) -> Result<Message, Stopped> {
        client
            .message(inbox)
            .await
            .map_err(|error| self.stopped(&error))
    }

    /// Shows drafts until there is a reason to read the story again.
    async fn watch(
        &self,
        events: &mut Events,
        inbox: InboxId,
        view: &mut View,
    ) -> Result<(), Stopped> {
        let heard = async {
            while self.is_draft(events, inbox, view).await? {}
            Ok(())
        };
        tokio::time::timeout(LOOK_EVERY, heard)
            .await
            .unwrap_or(Ok(()))
    }

    /// Hears one event. Drafts are shown; anything that may have changed the story is none.
    async fn is_draft(
        &self,
        events: &mut Events,
        inbox: InboxId,
        view: &mut View,
    ) -> Result<bool, Stopped> {
        let event = events.next().await.map_err(|error| self.stopped(&error))?;
        match event.ok_or(Stopped::Away)? {
            Event::Draft(draft) if draft.inbox_ids.contains(&inbox) => view.grow(&draft.text)?,
            Event::Draft(_)
            | Event::Step(_)
            | Event::Message(_)
            | Event::Process(_)
            | Event::Approval(_)
            | Event::Session(_) => (),
            Event::Turn(_) | Event::Delivery(_) | Event::Lagged(_) => return Ok(false),
        }
        Ok(true)
    }

    fn stopped(&self, error: &ClientError) -> Stopped {
        match error {
            ClientError::Unreachable { .. } | ClientError::Api { status: 503, .. } => Stopped::Away,
            ClientError::Api { .. } | ClientError::Address(_) | ClientError::Malformed { .. } => {
                Stopped::Failed(finding::failure(self.home, error))
            }
        }
    }

    fn gone(&self) -> Failure {
        let seconds = PATIENCE.as_ms() / 1_000;
        Failure::new(format!(
            "the gateway did not come back within {seconds} seconds"
        ))
        .hint(
            "start it with `angelia serve`; if it had the message, the reply will be in \
             `angelia sessions list`",
        )
    }
}

/// Whether nothing more will happen to the message, and its reply can be read.
fn is_over(message: &Message) -> bool {
    let is_settled = match message.state {
        MessageState::Waiting | MessageState::Running | MessageState::Unknown => false,
        MessageState::Answered
        | MessageState::Failed
        | MessageState::Interrupted
        | MessageState::Abandoned => true,
    };
    let moves = |state| matches!(state, DeliveryState::Due | DeliveryState::Sending);
    is_settled
        && !message
            .deliveries
            .iter()
            .any(|delivery| moves(delivery.state))
}

/// What of the reply is on the screen.
pub(super) struct View {
    output: Output,
    shown: String,
    /// How many notices were shown.
    told: usize,
    /// How often the gateway took the message.
    contacts: u32,
}

impl View {
    /// Nothing yet.
    pub(super) fn on(output: Output) -> Self {
        Self {
            output,
            shown: String::new(),
            told: 0,
            contacts: 0,
        }
    }

    /// Whether a growing reply can be shown: elsewhere than on a terminal it is printed once, whole.
    fn is_live(&self) -> bool {
        self.output.form == Form::People && matches!(self.output.screen(), Screen::Terminal { .. })
    }

    fn note(&self, words: &str) {
        if self.is_live() {
            output::aside(words);
        }
    }

    /// Shows what is said before the reply, such as a question: whoever waits for the reply has to know
    /// what it waits for. This terminal is busy waiting, so the answer comes from another one.
    fn tell(&mut self, message: &Message) {
        let notices = message.deliveries.iter();
        let notices = notices.filter(|delivery| delivery.kind == DeliveryKind::Notice);
        for notice in notices.skip(self.told) {
            output::aside(self.output.foreign(&notice.text));
            output::aside("answer from another terminal: `angelia approvals list`");
            self.told += 1;
        }
    }

    fn grow(&mut self, draft: &str) -> Result<(), Failure> {
        if !self.is_live() {
            return Ok(());
        }
        let draft = self.output.foreign(draft);
        if let Growth::More(more) = growth::of_draft(&self.shown, &draft) {
            self.output.piece(more)?;
            self.shown.push_str(more);
        }
        Ok(())
    }

    /// Completes what is shown to the final text.
    pub(super) fn finish(&mut self, text: &str) -> Result<(), Failure> {
        let text = self.output.foreign(text);
        match growth::of_final(&self.shown, &text) {
            Growth::Nothing => (),
            Growth::More(more) => self.output.piece(more)?,
            Growth::Anew(whole) => self.output.piece(format_args!("\n{whole}"))?,
        }
        if text.ends_with('\n') {
            Ok(())
        } else {
            self.output.line("")
        }
    }
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
