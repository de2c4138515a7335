//! *accept*, as it is written into the book, and the bugs that are planted at the door.

use angelia_core::id::SessionId;
use angelia_core::inbound::{EventKey, Inbound, Role};
use angelia_core::transcript::ending::Reason;
use angelia_store::StoreError;
use angelia_store::intake::{Accept, Accepted};
use angelia_store::sessions::{Anew, At, Authority};
use angelia_store::views::{Order, Range, Reading, SessionFilter, SessionRow, Shown};

use super::Faulty;
use crate::sim::ledger::{Began, PastWas};
use crate::sim::marks;
use crate::sim::sabotage::Sabotage;

impl Faulty {
    /// Accepts a message and notes what became of it.
    pub(super) async fn take(&self, mut message: Accept) -> Result<Accepted, StoreError> {
        let inbound = message.inbound.clone();
        let before = self.spoken_in(&inbound).await?;
        if self.sabotage == Sabotage::HastyPolicy
            && let Some(row) = &before
        {
            self.begin_hastily(row.id).await?;
        }
        if self.sabotage == Sabotage::RetryUnkeyed && is_asked_again(&inbound) {
            let number = self.throw(|dice| dice.bits()).to_string();
            message.inbound.event_key = EventKey::in_chat("again", &number);
        }
        let fresh = message.session;
        let inbound = message.inbound.clone();
        if self.sabotage == Sabotage::BesideForgotten {
            message.inbound.about.beside = None;
        }
        let accepted = self.inner.accept(message).await?;
        if let Accepted::New(place) = &accepted {
            let began = (place.session == fresh).then_some(fresh);
            let story = self.inner.story(place.inbox).await?;
            let at = story.map(|story| story.received_at).unwrap_or_default();
            let broken = self
                .watch
                .book(|book| book.accepted(&inbound, (place, at), began));
            broken.into_iter().for_each(|law| self.watch.broke(law));
            if let (Some(began), Some(earlier)) = (began, before) {
                self.note_beginning(began, earlier.id).await?;
            }
        }
        Ok(accepted)
    }

    /// The conversation that a chat speaks in now, or the one beside it that the message is of.
    async fn spoken_in(&self, inbound: &Inbound) -> Result<Option<SessionRow>, StoreError> {
        let chat = marks::origin(&inbound.address.chat.id);
        Ok(match self.spoken_as(inbound, marks::became(chat)).await? {
            Some(row) => Some(row),
            None => self.spoken_as(inbound, chat.to_owned()).await?,
        })
    }

    /// The same, by an id that the chat has, or had.
    async fn spoken_as(
        &self,
        inbound: &Inbound,
        chat: String,
    ) -> Result<Option<SessionRow>, StoreError> {
        let address = &inbound.address;
        let filter = SessionFilter {
            chat: Some(chat),
            ..SessionFilter::default()
        };
        let range = Range {
            after: None,
            limit: 200,
        };
        let mut rows = self.inner.sessions(filter, range).await?.items.into_iter();
        let here = |row: &SessionRow| {
            let beside = row.key.as_str().split_once(":beside:");
            let is_it = beside.map(|(_, began)| began) == inbound.about.beside.as_deref();
            row.current && row.address.account == address.account && is_it
        };
        Ok(rows.find(here))
    }

    async fn begin_hastily(&self, here: SessionId) -> Result<(), StoreError> {
        let bits = self.throw(|dice| (dice.happens(200), dice.bits(), dice.bits()));
        if let (true, high, low) = bits {
            let anew = Anew {
                at: At::Session(here),
                session: SessionId::from_bits(u128::from(high) << 64 | u128::from(low)),
                why: Reason::Idle,
                label: None,
                by: Authority::Place,
            };
            self.inner.begin_anew(anew).await?;
        }
        Ok(())
    }

    async fn note_beginning(&self, began: SessionId, earlier: SessionId) -> Result<(), StoreError> {
        let detail = self.inner.session(earlier).await?;
        let why = detail
            .and_then(|detail| detail.row.ended)
            .map(|(_, why)| why);
        let reading = Reading {
            order: Order::Descending,
            shown: Shown::All,
        };
        let range = Range {
            after: None,
            limit: 200,
        };
        let said = self.inner.transcript(earlier, reading, range).await?;
        let said = said.map(|page| page.items).unwrap_or_default();
        let past = if said.iter().any(|entry| entry.role == Role::Assistant) {
            PastWas::Answered
        } else {
            PastWas::Empty
        };
        match why {
            Some(why) => self.watch.book(|book| {
                book.began.insert(began, Began { earlier, why, past });
            }),
            None => self
                .watch
                .broke(format!("{earlier} goes on beside {began}")),
        }
        Ok(())
    }
}

/// The made-up platform numbers its updates; a question that is asked again is named after its turn.
fn is_asked_again(inbound: &Inbound) -> bool {
    inbound.event_key != EventKey::of_update(&inbound.message_id)
}
