//! A storm at the door and in the outbox: strangers, grants, pictures, couriers and operators at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use angelia_core::access::code::SALT_BYTES;
use angelia_core::access::grant::By;
use angelia_core::id::{DeliveryId, GrantId, KnockId};
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::media::file::{FileKind, Kept};
use angelia_core::media::{Kind, MediaId, Picture};
use angelia_core::outbound::{Dedupe, DeliveryKind};
use angelia_core::time::Span;
use angelia_core::toolset::Role;
use angelia_store::Fenced;
use angelia_store::access::{Admitted, GrantFilter, Knocked, Which};
use angelia_store::media::Brought;

use super::Told;
use super::access::{admit, code, give, stranger};
use super::given::{Given, account, done, first, shown};
use super::stickers::described;
use super::storm::{Pot, Tally, play};
use crate::sim::dice::Dice;

/// What the players reach for, and what they note.
struct World<'g> {
    given: &'g Given,
    knocks: Pot<KnockId>,
    sending: Pot<(DeliveryId, Fence)>,
    planned: Pot<DeliveryId>,
    pictures: Pot<MediaId>,
    admitted: Tally<KnockId>,
    taken_back: Tally<GrantId>,
    sent: Tally<DeliveryId>,
}

/// Whoever comes, is let in, brings something, sends, retries and drops at once: nobody is let in twice by one knock,
/// a person has one grant, and what went out went out once.
pub async fn the_door_and_the_outbox_keep_their_books(given: &Given) -> Told {
    let world = World {
        given,
        knocks: Pot::default(),
        sending: Pot::default(),
        planned: Pot::default(),
        pictures: Pot::default(),
        admitted: Tally::default(),
        taken_back: Tally::default(),
        sent: Tally::default(),
    };
    play(async |dice| world.throw(dice).await).await?;
    world.come_to_rest().await?;
    world.admitted.at_most_once("let somebody in again");
    world.taken_back.at_most_once("was taken back again");
    world.sent.at_most_once("was sent again");
    world.check_grants().await
}

impl World<'_> {
    async fn throw(&self, dice: &mut Dice) -> Told {
        match dice.number(0..10) {
            0..=2 => self.knock(dice).await,
            3..=4 => self.grant(dice).await,
            5 => self.bring(dice).await,
            6 => self.answer().await,
            _ => self.send(dice).await,
        }
    }

    async fn knock(&self, dice: &mut Dice) -> Told {
        let (given, store) = (self.given, &self.given.store);
        match (dice.number(0..5), self.knocks.any(dice)) {
            (0, Some(knock)) => {
                if let Admitted::Now(_) = store.admit(admit(given, knock)).await? {
                    self.admitted.note(knock);
                }
            }
            (1, _) => {
                let code = code(dice.bits().to_le_bytes()[0] % 4);
                let _recognised = store.recognise(code, None).await?;
            }
            (2, _) => {
                let _swept = store.sweep_knocks(2).await?;
            }
            _ => {
                let person = format!("p{}", dice.number(0..6));
                if let Knocked::Answered(knock) = store.knock(stranger(given, &person)).await? {
                    self.knocks.put(knock.id);
                }
            }
        }
        Ok(())
    }

    async fn grant(&self, dice: &mut Dice) -> Told {
        let (given, store) = (self.given, &self.given.store);
        let person = format!("p{}", dice.number(0..4));
        if dice.happens(400) {
            let which = Which::Person(account(), person);
            if let Some(grant) = store.take_back(which, By::Token, None).await? {
                self.taken_back.note(grant.id);
            }
            return Ok(());
        }
        let _given = store.give(give(given, &person, Role::Member)).await?;
        Ok(())
    }

    async fn bring(&self, dice: &mut Dice) -> Told {
        let (given, store) = (self.given, &self.given.store);
        let number = dice.number(0..6).to_le_bytes();
        match (dice.number(0..5), self.pictures.any(dice)) {
            (0, Some(id)) => store.keep_bytes(id, Arc::from(&b"bytes"[..])).await?,
            (1, _) => {
                let file = Kept {
                    id: MediaId::of(&[&number[..], b"file"].concat()),
                    kind: FileKind::Pdf,
                    bytes: 10,
                };
                let _brought = store.keep_file(file).await?;
            }
            (2, _) if dice.happens(300) => {
                let id = format!("u{}", dice.number(0..4));
                store.keep_sticker(described(&id, "a cat")).await?;
            }
            (2, _) if dice.happens(300) => {
                given.clock.advance(limits::MEDIA_UNUSED);
                let _forgotten = store.forget_media(2).await?;
            }
            _ => {
                let picture = Picture {
                    id: MediaId::of(&number),
                    kind: Kind::Png,
                    bytes: 1_000,
                    size: None,
                    name: None,
                };
                let id = picture.id;
                if store.keep_media(picture).await? == Brought::Kept {
                    self.pictures.put(id);
                }
            }
        }
        Ok(())
    }

    /// Something to send.
    async fn answer(&self) -> Told {
        let chat = format!("c{}", self.given.number() % 3);
        self.given.say(&chat, "a question").await?;
        if let Some(turn) = self.given.try_claim().await? {
            let settle = self.given.settlement(&turn, &["one ", "two"]);
            let ids: Vec<DeliveryId> = settle.deliveries.iter().map(|(id, _)| *id).collect();
            if let Fenced::Done(()) = self.given.store.settle_turn(settle).await? {
                ids.into_iter().for_each(|id| self.planned.put(id));
            }
        }
        Ok(())
    }

    async fn send(&self, dice: &mut Dice) -> Told {
        let (given, store) = (self.given, &self.given.store);
        match (dice.number(0..8), self.planned.any(dice)) {
            (0, Some(id)) => _ = store.retry_delivery(id).await?,
            (1, Some(id)) if dice.happens(300) => _ = store.drop_delivery(id).await?,
            (2, _) if dice.happens(200) => given.clock.advance(Span::minutes(5)),
            (3..=5, _) => self.confirm(dice).await?,
            _ => self.carry(dice).await?,
        }
        Ok(())
    }

    /// Something that a courier took was shown.
    async fn confirm(&self, dice: &mut Dice) -> Told {
        let Some((id, fence)) = self.sending.any(dice) else {
            return Ok(());
        };
        let confirmed = self.given.store.confirm_delivery(id, fence, shown());
        if let Fenced::Done(_) = confirmed.await? {
            self.sent.note(id);
        }
        Ok(())
    }

    /// A courier of one of two boots takes what can be sent.
    async fn carry(&self, dice: &mut Dice) -> Told {
        let (given, store) = (self.given, &self.given.store);
        let node = angelia_core::id::NodeId::from_bits(500 + u128::from(dice.number(0..2)));
        let Some(fence) = store.take_lease("account/api", node).await? else {
            return Ok(());
        };
        let account = account();
        let recovered = store.recover_deliveries(&account, fence, Dedupe::ByKey);
        let _whose = recovered.await?;
        let claimed = store.claim_deliveries(&account, fence, 2).await?;
        let Fenced::Done(claimed) = claimed else {
            return Ok(());
        };
        for delivery in claimed {
            if delivery.kind == DeliveryKind::Code {
                let bits = dice.bits().to_le_bytes()[0] % 4;
                let sealed = code(bits).seal([bits; SALT_BYTES]);
                let _issued = store.issue_code(delivery.id, fence, sealed).await?;
            }
            self.sending.put((delivery.id, fence));
        }
        given.clock.advance(Span::ms(1));
        Ok(())
    }

    /// A last courier sends what is left; what was confirmed before is not among it.
    async fn come_to_rest(&self) -> Told {
        let (given, store) = (self.given, &self.given.store);
        while let Some(turn) = given.try_claim().await? {
            given.settle(&turn, &["yes"]).await?;
        }
        let fence = given.new_courier().await?;
        let account = account();
        let recovered = store.recover_deliveries(&account, fence, Dedupe::ByKey);
        done(recovered.await?);
        loop {
            let claimed = done(store.claim_deliveries(&account, fence, 100).await?);
            if claimed.is_empty() {
                return Ok(());
            }
            for delivery in claimed {
                let confirmed = store.confirm_delivery(delivery.id, fence, shown());
                done(confirmed.await?);
                self.sent.note(delivery.id);
            }
        }
    }

    async fn check_grants(&self) -> Told {
        let held = self
            .given
            .store
            .grants(GrantFilter::Held, first(100))
            .await?;
        let people: BTreeSet<_> = held.items.iter().map(|one| &one.holder.person).collect();
        assert_eq!(people.len(), held.items.len(), "a person has one grant");
        Ok(())
    }
}
