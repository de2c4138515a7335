//! What commands read before they say or do something.

use angelia_core::command::reply::{self, Status};
use angelia_core::cost::Amount;
use angelia_core::cost::words::{self, Share, Told};
use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::time::Timestamp;
use angelia_store::commands::PlaceSession;
use angelia_store::processes::{Living, ProcessFilter};
use angelia_store::transcripts::Undo;
use angelia_store::usage::Used;
use angelia_store::views::Range;

use super::{Errand, Lost};
use crate::connections;

impl Errand<'_> {
    /// The conversations of the place, oldest first.
    pub(super) async fn of_place(&self) -> Result<Vec<PlaceSession>, Lost> {
        let (store, scope) = (&self.commands.ground.store, self.scope().await?);
        self.ask(|| store.of_place(&scope)).await
    }

    /// What undoing the last turns would hide.
    pub(super) async fn rewind(&self, turns: u32) -> Result<Option<Undo>, Lost> {
        let store = &self.commands.ground.store;
        self.ask(|| store.rewind_plan(self.claimed.session, turns))
            .await
    }

    /// What runs in the background for the conversation.
    pub(super) async fn processes(&self) -> Result<String, Lost> {
        let told = self.living(Some(self.claimed.session)).await?;
        Ok(reply::processes(&told, self.commands.ground.env.now()))
    }

    /// What goes on everywhere.
    pub(super) async fn going_on(&self) -> Result<String, Lost> {
        let store = &self.commands.ground.store;
        let counts = self.ask(|| store.counts()).await?;
        let told = self.living(None).await?;
        let now = self.commands.ground.env.now();
        // This very command is a turn, too.
        let running = counts.running.saturating_sub(1);
        Ok(reply::agents((running, counts.waiting), &told, now))
    }

    /// How the accounts are connected.
    pub(super) fn platforms(&self) -> String {
        let commands = self.commands;
        let all = connections::of(
            &commands.closing.adapters,
            &commands.holdings.elsewhere(),
            commands.ground.env.now(),
        );
        let told = all
            .into_iter()
            .map(|one| (one.account.0, one.state, one.why));
        reply::platforms(&told.collect::<Vec<_>>())
    }

    /// The newest processes that live, of a conversation or of all: each by its id, since when, and its words.
    async fn living(
        &self,
        session: Option<SessionId>,
    ) -> Result<Vec<(String, Timestamp, String)>, Lost> {
        let store = &self.commands.ground.store;
        let filter = ProcessFilter {
            session,
            living: Living::Only,
        };
        let range = || Range {
            after: None,
            limit: limits::LISTED_IN_CHAT,
        };
        let page = self.ask(|| store.processes(filter, range())).await?;
        let masker = &self.commands.ground.masker;
        let told = page.items.into_iter().map(|one| {
            let command = masker.shown(&one.command, Surface::Output).into_owned();
            (one.id.to_string(), one.started_at, command)
        });
        Ok(told.collect())
    }

    /// What was used in the conversation, and today by whoever asks.
    pub(super) async fn usage(&self) -> Result<String, Lost> {
        let (store, inbound) = (&self.commands.ground.store, self.inbound());
        let session = self.claimed.session;
        let used = self.ask(|| store.usage(session)).await?;
        let (account, person) = (&inbound.address.account, &inbound.person.id);
        let told = Told {
            session: Share {
                used: used.as_ref().map(of_lines).unwrap_or_default(),
                unpriced: used.as_ref().map(unpriced).unwrap_or_default(),
                open: self.ask(|| store.reserved_in(session)).await?,
            },
            person: Share {
                used: self.ask(|| store.spent_today(account, person)).await?,
                unpriced: 0,
                open: self.ask(|| store.reserved_today(account, person)).await?,
            },
            caps: *self.commands.budget.caps,
        };
        Ok(words::usage(&told))
    }

    pub(super) async fn status(&self) -> Result<String, Lost> {
        let (store, session) = (&self.commands.ground.store, self.claimed.session);
        let Some(detail) = self.ask(|| store.session(session)).await? else {
            return Ok(reply::conversation_gone());
        };
        let all = self.of_place().await?;
        let here = all.into_iter().find(|one| one.id == session);
        let asked = self.rewind(u32::MAX).await?;
        let used = self.ask(|| store.usage(session)).await?.unwrap_or_default();
        let status = Status {
            session,
            title: here.and_then(|one| one.title),
            agent: self.own_agent().await?,
            model: self.own_model().await?,
            usual_model: self.models().await?.usual,
            turns: asked.map_or(0, |asked| asked.turns),
            created_at: detail.row.created_at,
            tokens: (used.total.tokens.input, used.total.tokens.output),
            work: self.work,
            home: self.home().await?,
            waiting: self.waiting().await?,
        };
        Ok(reply::status(&status, self.commands.ground.env.now()))
    }
}

/// All that a conversation used, its summaries among it.
fn of_lines(used: &Used) -> Amount {
    amounts(used).fold(Amount::default(), Amount::plus)
}

/// The tokens among these of models without a price.
fn unpriced(used: &Used) -> u64 {
    let unpriced = amounts(used).filter(|amount| amount.micros.is_none());
    unpriced.fold(Amount::default(), Amount::plus).tokens
}

/// What each model used, for each thing it was used for.
fn amounts(used: &Used) -> impl Iterator<Item = Amount> {
    used.lines.iter().map(|line| Amount {
        tokens: line.used.tokens.all(),
        micros: line.used.cost.actual.or(line.used.cost.estimated),
    })
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
