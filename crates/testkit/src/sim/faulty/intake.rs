//! The in-door, through the faults.

use angelia_core::address::AccountId;
use angelia_core::inbound::Inbound;
use angelia_core::session::key::{Isolation, Scope};
use angelia_core::whatsapp::aliases::Alias;
use angelia_store::StoreError;
use angelia_store::intake::{Accept, Accepted, Away, Intake, Pair};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::sabotage::Sabotage;

#[async_trait]
impl Intake for Faulty {
    async fn accept(&self, message: Accept) -> Result<Accepted, StoreError> {
        self.before().await?;
        let lost = self.sabotage == Sabotage::LostIntake && self.throw(|dice| dice.happens(50));
        if self.sabotage == Sabotage::EarlyAck || lost {
            return Ok(self.promise(message));
        }
        let done = self.take(message).await?;
        self.after().await?;
        Ok(done)
    }

    async fn turn_away(&self, away: Away) -> Result<(), StoreError> {
        self.before().await?;
        let inbound = away.inbound.clone();
        if self.sabotage != Sabotage::AwayForgotten {
            self.inner.turn_away(away).await?;
        }
        self.watch.book(|book| book.turned_away(&inbound));
        self.after().await
    }

    async fn cursor(&self, account: &AccountId) -> Result<Option<String>, StoreError> {
        self.before().await?;
        self.inner.cursor(account).await
    }

    async fn place_of(
        &self,
        inbound: &Inbound,
        isolation: Isolation,
    ) -> Result<Option<Scope>, StoreError> {
        self.before().await?;
        self.inner.place_of(inbound, isolation).await
    }

    async fn learn_alias(&self, pair: Pair) -> Result<Vec<Alias>, StoreError> {
        self.before().await?;
        let learned = self.inner.learn_alias(pair).await?;
        self.after().await?;
        Ok(learned)
    }
}
