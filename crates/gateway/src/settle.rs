//! What a turn leaves behind: drafts and steps to see, steps in the journal, and one end.
//!
//! Writes are tried again until the store answers or the lease is lost. A write that happened although
//! its answer was lost is recognised the second time: a step by its place, a settled turn by being
//! closed.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::address::{AccountId, Address};
use angelia_core::command::reply;
use angelia_core::delivery::plan;
use angelia_core::delivery::quote::Quotes;
use angelia_core::display::{Display, Switch};
use angelia_core::id::TurnId;
use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::media::directives;
use angelia_core::media::enclosure::{self, Enclosure};
use angelia_core::outbound::{Capabilities, Dedupe};
use angelia_core::stream::Manner;
use angelia_core::stream::glimpse::{self, Glimpse};
use angelia_core::text::complaint::{self, Reader};
use angelia_core::text::{Limit, Unit};
use angelia_core::time::Span;
use angelia_core::turn::journal::{self, Recorded, Step};
use angelia_core::turn::outcome::Outcome;
use angelia_core::turn::shown::Shown;
use angelia_platforms::Adapter;
use angelia_store::turns::{ClaimedTurn, Settle, Waiting};
use angelia_store::{Fenced, StoreError};

use crate::agents::Agents;
use crate::enclosing;
use crate::feed::Frame;
use crate::footer;
use crate::ground::Ground;
use crate::leases::Grip;
use crate::sketches::{Pen, Subject, Work};
use crate::speaking;

/// Pause before a write that the store did not take is tried again.
const AGAIN: Span = Span::ms(200);

/// The state of a turn that has not ended.
pub(crate) const RUNNING: &str = "running";

/// What replies are planned for when their account is not configured any more: small parts, so that
/// whoever delivers them one day can.
const UNKNOWN_ACCOUNT: Capabilities = Capabilities {
    text: Limit {
        max: 2000,
        unit: Unit::Chars,
    },
    dedupe: Dedupe::None,
    live: None,
};

/// Closes turns.
#[derive(Clone)]
pub(crate) struct Closing {
    /// The common ground.
    pub(crate) ground: Ground,
    /// The platforms that replies go to.
    pub(crate) adapters: Arc<BTreeMap<AccountId, Arc<dyn Adapter>>>,
    /// Who answers.
    pub(crate) agents: Agents,
}

impl Closing {
    /// Tells watchers that the turn is in `state`.
    pub(crate) fn announce(&self, claimed: &ClaimedTurn, state: &'static str) {
        metrics::counter!("angelia_turn_total", "state" => state).increment(1);
        let messages = claimed.batch.iter().map(|waiting| waiting.inbox);
        if state != RUNNING {
            self.ground.feed.followers.ended(messages.clone());
        }
        let at = self.ground.env.now();
        self.ground.feed.publish(|_| Frame::Turn {
            turn: claimed.turn,
            session: claimed.session,
            inbox_ids: messages.collect(),
            state,
            at,
        });
    }

    /// Shows the reply as it stands.
    pub(crate) fn show(&self, claimed: &ClaimedTurn, text: &str) {
        let text = &*directives::words(text, directives::Text::Growing);
        let messages = claimed.batch.iter().map(|waiting| waiting.inbox);
        self.ground.feed.followers.grew(messages.clone(), text);
        self.ground.feed.publish(|feed| Frame::Draft {
            turn: claimed.turn,
            session: claimed.session,
            inbox_ids: messages.collect(),
            address: Arc::new(last(claimed).inbound.address.clone()),
            text: feed.keep(text.len(), text.to_owned()),
        });
    }

    /// Writes a step into the journal. If the turn is no longer ours, the agent must not go on.
    pub(crate) async fn record(
        &self,
        claimed: &ClaimedTurn,
        (seq, step): (u32, Step),
        grip: &Grip,
    ) -> Fenced<()> {
        let recorded = self
            .insist(grip, || {
                self.ground
                    .store
                    .record_step(claimed.turn, claimed.fence, seq, step.clone())
            })
            .await;
        if recorded == Fenced::Done(()) {
            let at = self.ground.env.now();
            self.tell_step(claimed, &Recorded { seq, at, step });
        }
        recorded
    }

    /// Shows a step that is in the journal.
    pub(crate) fn tell_step(&self, claimed: &ClaimedTurn, recorded: &Recorded) {
        if self.ground.feed.is_watched()
            && let Some(shown) = Shown::of(recorded)
        {
            self.show_step(claimed, Some(recorded.seq), shown);
        }
    }

    /// Tells watchers which messages a running turn answers now.
    pub(crate) fn announce_batch(&self, claimed: &ClaimedTurn, batch: &[Waiting]) {
        let at = self.ground.env.now();
        self.ground.feed.publish(|_| Frame::Turn {
            turn: claimed.turn,
            session: claimed.session,
            inbox_ids: batch.iter().map(|waiting| waiting.inbox).collect(),
            state: RUNNING,
            at,
        });
    }

    /// Shows what the turn does. `seq` is its place in the journal, if it is there.
    pub(crate) fn show_step(&self, claimed: &ClaimedTurn, seq: Option<u32>, shown: Shown) {
        let at = self.ground.env.now();
        self.ground.feed.publish(|feed| {
            let shown = shown.fit_to_be_seen(&self.ground.masker);
            Frame::Step {
                turn: claimed.turn,
                session: claimed.session,
                seq,
                step: feed.keep(shown.bytes(), shown),
                at,
            }
        });
    }

    /// Closes the turn and plans its reply.
    pub(crate) async fn settle(&self, claimed: &ClaimedTurn, outcome: Outcome, grip: &Grip) {
        self.settle_parted(claimed, (outcome, &[]), grip).await;
    }

    /// Begins to show a turn's reply, where replies are shown while they grow.
    pub(crate) async fn sketch(&self, claimed: &ClaimedTurn) -> Pen {
        let asked = &last(claimed).inbound;
        let place = (&asked.address, &*asked.message_id);
        self.sketch_in(claimed.turn, place, notice(claimed)).await
    }

    /// The same of a turn that is on another node.
    pub(crate) async fn sketch_of(&self, turn: TurnId, glimpse: &Glimpse) -> Pen {
        let place = (&glimpse.address, &*glimpse.message_id);
        self.sketch_in(turn, place, glimpse.notice.clone()).await
    }

    async fn sketch_in(
        &self,
        turn: TurnId,
        (address, message): (&Address, &str),
        notice: Option<String>,
    ) -> Pen {
        let Some(live) = self.capabilities(address).live else {
            return Pen::default();
        };
        let display = self.display(address).await;
        self.ground.sketches.begin(Subject {
            turn,
            address: address.clone(),
            live,
            quotes: Quotes::of(address, message, display.reply_to_mode),
            display,
            notice,
        })
    }

    /// What other nodes see of a reply that has grown this far.
    pub(crate) fn glimpse(
        &self,
        claimed: &ClaimedTurn,
        (text, breaks): (&str, &[usize]),
    ) -> Glimpse {
        let asked = &last(claimed).inbound;
        let work = match self.ground.sketches.work(claimed.turn) {
            Some(Work::Asking) => glimpse::Work::Asking,
            Some(Work::Going | Work::Over) | None => glimpse::Work::Going,
        };
        Glimpse {
            session: claimed.session,
            messages: claimed.batch.iter().map(|waiting| waiting.inbox).collect(),
            address: asked.address.clone(),
            message_id: asked.message_id.clone(),
            notice: notice(claimed),
            text: text.to_owned(),
            breaks: breaks.to_vec(),
            thoughts: String::new(),
            work,
            steps: Vec::new(),
        }
    }

    /// What is shown in a chat. If the store does not answer, nobody waits for what people chose there.
    async fn display(&self, address: &Address) -> Display {
        let (store, chat) = (&self.ground.store, &address.chat.id);
        let choices = store.chat_choices(&address.account, chat).await;
        self.ground.note("turn", &choices);
        let choices = choices.unwrap_or_default();
        self.ground.displays.in_chat(address, &choices)
    }

    fn capabilities(&self, address: &Address) -> Capabilities {
        let adapter = self.adapters.get(&address.account);
        adapter.map_or(UNKNOWN_ACCOUNT, |adapter| adapter.capabilities())
    }

    /// Who reads the replies there.
    fn reader(&self, address: &Address) -> Reader {
        let adapter = self.adapters.get(&address.account);
        adapter.map_or(Reader::Program, |adapter| Reader::on(adapter.platform()))
    }

    /// The message that the reply quotes, where people read along.
    async fn quotes(&self, claimed: &ClaimedTurn) -> Option<Quotes> {
        let address = &last(claimed).inbound.address;
        self.capabilities(address).live?;
        quotes(claimed, &self.display(address).await)
    }

    /// The texts of the deliveries that carry the reply. What names a file is no words; if there are no others, the
    /// files say enough.
    async fn parts(
        &self,
        claimed: &ClaimedTurn,
        (outcome, breaks): (&Outcome, &[usize]),
        files: &[Vec<Enclosure>],
    ) -> Vec<String> {
        let address = &last(claimed).inbound.address;
        let capabilities = self.capabilities(address);
        let notice = notice(claimed);
        let (reply, breaks) = match self.reader(address) {
            Reader::Program => (outcome.reply(), breaks.to_vec()),
            Reader::People => {
                complaint::shown_parted(&outcome.reply(), breaks, &self.ground.masker)
            }
        };
        let Some(live) = capabilities.live else {
            let reply = directives::words(&reply, directives::Text::Whole).into_owned();
            let reply = Some(reply).filter(|reply| !reply.is_empty() || files.is_empty());
            let texts = notice.into_iter().chain(reply);
            let parts = texts.flat_map(|text| plan::plan(&text, &capabilities));
            return parts.collect();
        };
        let display = self.display(address).await;
        let thoughts = journal::thoughts(&claimed.journal).unwrap_or_default();
        let (models, policy) = (
            self.agents.models(&claimed.agent),
            self.ground.media.policy(),
        );
        let footer = footer::of(
            (claimed, outcome),
            &display,
            &models,
            policy.user.as_deref(),
        );
        let thoughts = self.ground.masker.shown(thoughts, Surface::Reply);
        let is_thinking_shown = display.show_reasoning == Switch::On;
        let reply = plan::Live {
            notice: notice.as_deref(),
            text: &reply,
            breaks: &breaks,
            ending: outcome.ending(),
            thoughts: is_thinking_shown.then_some((&*thoughts, display.reasoning_style)),
            footer: &footer,
        };
        let pace = live.pace_in(address.chat.kind);
        plan::live(&reply, &Manner::live(capabilities.text, pace))
    }

    /// The answer, with a word about each file that is not sent; and those that are, with its sound if it is spoken.
    async fn enclosed(
        &self,
        claimed: &ClaimedTurn,
        outcome: &Outcome,
    ) -> (Outcome, Vec<Vec<Enclosure>>) {
        let Outcome::Completed { text } = outcome else {
            return (outcome.clone(), Vec::new());
        };
        let wanted = directives::read(text).wanted;
        let enclosed = enclosing::enclose(&self.ground, &wanted).await;
        let mut files = enclosure::messages(enclosed.files);
        files.extend(self.spoken(claimed, text).await.map(|sound| vec![sound]));
        let mut text = text.clone();
        for line in enclosed.unsent {
            text = format!("{text}\n{line}");
        }
        (Outcome::Completed { text }, files)
    }

    /// The sound of the answer, if anything can speak and the chat wants it.
    async fn spoken(&self, claimed: &ClaimedTurn, text: &str) -> Option<Enclosure> {
        self.ground.media.speaker()?;
        let display = self.display(&last(claimed).inbound.address).await;
        speaking::of(&self.ground, (claimed, text), &display).await
    }

    /// Closes the turn and plans its reply, which is parted there.
    pub(crate) async fn settle_parted(
        &self,
        claimed: &ClaimedTurn,
        (outcome, breaks): (Outcome, &[usize]),
        grip: &Grip,
    ) {
        let account = &last(claimed).inbound.address.account;
        let (said, files) = self.enclosed(claimed, &outcome).await;
        let parts = self.parts(claimed, (&said, breaks), &files).await;
        let state = outcome.name();
        let settle = Settle {
            quotes: self.quotes(claimed).await,
            turn: claimed.turn,
            fence: claimed.fence,
            outcome,
            entries: journal::rows(&claimed.journal),
            compacted: journal::compacted(&claimed.journal),
            deliveries: parts
                .into_iter()
                .map(|text| (self.ground.env.delivery_id(), text))
                .collect(),
            files: files
                .into_iter()
                .map(|files| (self.ground.env.delivery_id(), files))
                .collect(),
        };
        let settled = self
            .insist(grip, || self.ground.store.settle_turn(settle.clone()))
            .await;
        self.ground.bells.outbox(account).ring();
        if settled == Fenced::Done(()) {
            self.ground.bells.transcript.ring();
            // An end that this turn held back may have to be told now.
            self.ground.bells.processes.ring();
            self.announce(claimed, state);
        }
    }

    /// Leaves the turn to whoever starts next. If this fails, its lease ends by itself and the
    /// attempt counts.
    pub(crate) async fn release(&self, claimed: &ClaimedTurn) {
        let why = self.ground.phase.going().interrupts();
        let released = self
            .ground
            .store
            .release_turn(claimed.turn, claimed.fence, why)
            .await;
        self.ground.note("turn", &released);
        self.ground.bells.orphans.ring();
    }

    /// Writes until the store answers. A lost lease ends the turn as `Lost`, and so does a node whose
    /// patience has run out: the row stays open for whoever starts next.
    pub(crate) async fn insist<T, W>(&self, grip: &Grip, write: impl Fn() -> W) -> Fenced<T>
    where
        W: Future<Output = Result<Fenced<T>, StoreError>>,
    {
        let phase = self.ground.phase.clone();
        let written = tokio::select! {
            biased;
            written = self.write(grip, write) => written,
            () = phase.out_of_patience_for(limits::STOP_TIME) => Fenced::Lost,
        };
        if matches!(written, Fenced::Lost) {
            grip.lost().cancel();
        }
        written
    }

    async fn write<T, W>(&self, grip: &Grip, write: impl Fn() -> W) -> Fenced<T>
    where
        W: Future<Output = Result<Fenced<T>, StoreError>>,
    {
        while !grip.lost().is_cancelled() {
            let written = match write().await {
                Err(StoreError::Overtaken) => Ok(Fenced::Lost),
                written => written,
            };
            self.ground.note("turn", &written);
            if let Ok(fenced) = written {
                return fenced;
            }
            tokio::time::sleep(AGAIN.to_std()).await;
        }
        Fenced::Lost
    }
}

/// What stands above the reply: that the conversation is new, or that it is beside that of its place.
fn notice(claimed: &ClaimedTurn) -> Option<String> {
    let news = claimed.news.and_then(|news| news.for_chat());
    let asked = &claimed.batch.first()?.inbound;
    let is_beside = asked.about.beside.is_some();
    news.or_else(|| is_beside.then(|| reply::beside(&asked.gist())))
}

fn quotes(claimed: &ClaimedTurn, display: &Display) -> Option<Quotes> {
    let inbound = &last(claimed).inbound;
    Quotes::of(&inbound.address, &inbound.message_id, display.reply_to_mode)
}

fn last(claimed: &ClaimedTurn) -> &Waiting {
    claimed
        .batch
        .last()
        .expect("a claimed turn has at least one message")
}
