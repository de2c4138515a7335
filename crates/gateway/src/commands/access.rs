//! `/access` and `/whoami`: who may speak, told and changed in a chat.
//!
//! A code that an operator wrote never comes here: the door has put the id of its knock in its place.

use angelia_core::access::grant::{By, Grant};
use angelia_core::access::{rank, words};
use angelia_core::command::{AccessWish, Plan};
use angelia_core::id::{DeliveryId, GrantId, KnockId};
use angelia_core::toolset::Role;
use angelia_store::access::{Admit, Admitted, GrantFilter, Which};
use angelia_store::views::Range;

use super::{Errand, Intent, Lost};
use crate::door::LOCKED;

impl Errand<'_> {
    pub(super) async fn whoami(&self) -> Result<String, Lost> {
        let (standing, inbound) = (self.commands.door.standing(), self.inbound());
        let sender = self.ask(|| standing.sender(inbound)).await?;
        let (role, address) = (sender.role, &inbound.address);
        let may = rank::commands(&standing.policy, address, role);
        Ok(words::whoami((address, &inbound.person.id), role, &may))
    }

    pub(super) async fn access(&self, wish: AccessWish) -> Result<Intent, Lost> {
        match wish {
            AccessWish::List => self.who_may_speak().await.map(Intent::Say),
            AccessWish::Approve(what) => Ok(self.let_in(&what)),
            AccessWish::Revoke(what) => self.take_back(&what).await,
        }
    }

    async fn who_may_speak(&self) -> Result<String, Lost> {
        let ground = &self.commands.ground;
        let store = &ground.store;
        let waiting = self.ask(|| store.knocks(Range::default())).await?;
        let waiting: Vec<_> = waiting
            .items
            .iter()
            .map(|knock| (knock.id, &knock.holder, knock.asked_at))
            .collect();
        let held = self
            .ask(|| store.grants(GrantFilter::Held, Range::default()))
            .await?;
        Ok(words::list(&waiting, &held.items, ground.env.now()))
    }

    fn let_in(&self, what: &str) -> Intent {
        let env = &self.commands.ground.env;
        match what.parse::<KnockId>() {
            Ok(knock) => Intent::Do(Plan::LetIn {
                knock,
                grant: env.grant_id(),
                delivery: env.delivery_id(),
            }),
            Err(_) if what == LOCKED => Intent::Say(words::locked()),
            Err(_) => Intent::Say(words::wrong_code()),
        }
    }

    async fn take_back(&self, what: &str) -> Result<Intent, Lost> {
        let store = &self.commands.ground.store;
        let held = self
            .ask(|| store.grants(GrantFilter::Held, Range::default()))
            .await?;
        let is_meant = |grant: &&Grant| {
            let holder = &grant.holder;
            grant.id.to_string() == what || format!("{}:{}", holder.account, holder.person) == what
        };
        Ok(match held.items.iter().find(is_meant) {
            Some(grant) => Intent::Do(Plan::TakeBack {
                grant: grant.id,
                called: words::person(&grant.holder),
            }),
            None => Intent::Say(words::no_grant()),
        })
    }

    pub(super) async fn admit(
        &self,
        knock: KnockId,
        grant: GrantId,
        delivery: DeliveryId,
    ) -> Result<String, Lost> {
        let ground = &self.commands.ground;
        let admit = Admit {
            knock,
            grant,
            delivery,
            role: Role::Member,
            by: self.operator(),
            why: None,
        };
        Ok(
            match self.ask(|| ground.store.admit(admit.clone())).await? {
                Admitted::Now(grant) => {
                    ground.bells.outbox(&grant.holder.account).ring();
                    words::granted(&grant)
                }
                Admitted::Before(grant) => words::granted(&grant),
                Admitted::Nobody => words::nobody_waits(),
            },
        )
    }

    pub(super) async fn revoke(&self, grant: GrantId, called: &str) -> Result<String, Lost> {
        let (store, by) = (&self.commands.ground.store, self.operator());
        let taken = || store.take_back(Which::Id(grant), by.clone(), None);
        // Whether it was taken back now or by whoever had this turn before.
        let _taken = self.ask(taken).await?;
        Ok(words::revoked(called))
    }

    fn operator(&self) -> By {
        let inbound = self.inbound();
        By::Person {
            account: inbound.address.account.clone(),
            person: inbound.person.id.clone(),
        }
    }
}
