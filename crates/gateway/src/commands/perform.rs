//! Does what a plan says, and words what came of it.
//!
//! Every verb here may be repeated: the same plan performed again changes nothing more. Whoever performs
//! it last gives the reply.

use angelia_core::command::Plan;
use angelia_core::command::reply::{self, Titled};
use angelia_core::id::SessionId;
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::media::Picture;
use angelia_core::media::attached::Attached;
use angelia_core::transcript::title::{Claim, Giver, Title};
use angelia_store::Change;
use angelia_store::intake::Accepted;
use angelia_store::transcripts::{Branch, By, Hide, Seen, Then};

use super::place::Led;
use super::{Errand, Lost};
use crate::feed::Change as Heard;

impl Errand<'_> {
    /// Does what the plan says; those who watch hear of it once it stands.
    pub(super) async fn perform_and_tell(&self, plan: &Plan) -> Result<String, Lost> {
        let reply = self.perform(plan).await?;
        let (ground, here) = (&self.commands.ground, self.claimed.session);
        let tell = |session, heard| {
            let at = ground.env.now();
            ground.feed.publish_change(session, heard, at);
        };
        match plan {
            Plan::BeginAnew { session, .. } => {
                tell(here, Heard::Ended);
                tell(*session, Heard::Began);
            }
            Plan::Resume { session, .. } => {
                tell(here, Heard::Ended);
                tell(*session, Heard::Resumed);
            }
            Plan::Branch { session, .. } => {
                tell(here, Heard::Ended);
                tell(*session, Heard::Branched);
            }
            Plan::Entitle { .. } => tell(here, Heard::Renamed),
            Plan::Undo { .. } | Plan::Retry { .. } => tell(here, Heard::Rewound),
            Plan::Model { .. } => tell(here, Heard::Model),
            Plan::Agent { .. } => tell(here, Heard::Agent),
            // It is about other people, not about this conversation.
            Plan::LetIn { .. }
            | Plan::TakeBack { .. }
            | Plan::Restart { .. }
            | Plan::Home
            | Plan::Display { .. } => (),
        }
        Ok(reply)
    }

    async fn perform(&self, plan: &Plan) -> Result<String, Lost> {
        match plan {
            Plan::BeginAnew { session, title } => self.begin_anew(*session, title.as_ref()).await,
            Plan::Resume { session, called } => self.switch_to(*session, called).await,
            Plan::Entitle { title } => {
                let titled = self.entitle(self.claimed.session, Some(title)).await?;
                Ok(reply::entitled(&titled))
            }
            Plan::Undo { from, turns, quote } => {
                self.hide(*from).await?;
                Ok(reply::undone(*turns, quote))
            }
            Plan::Retry {
                from,
                text,
                pictures,
                attached,
            } => self.ask_again(*from, (text, pictures, attached)).await,
            Plan::Branch { session, title } => self.branch(*session, title.as_ref()).await,
            Plan::Model { model } => self.choose_model(model.as_ref()).await,
            Plan::Agent { agent } => self.choose_agent(agent.as_ref()).await,
            Plan::LetIn {
                knock,
                grant,
                delivery,
            } => self.admit(*knock, *grant, *delivery).await,
            Plan::TakeBack { grant, called } => self.revoke(*grant, called).await,
            Plan::Home => self.make_home().await,
            Plan::Display { name, value } => self.choose_display(name, value).await,
            Plan::Restart { delivery } => self.wish_restart(*delivery).await,
        }
    }

    async fn branch(&self, id: SessionId, title: Option<&Title>) -> Result<String, Lost> {
        let store = &self.commands.ground.store;
        let branch = Branch {
            session: self.claimed.session,
            id,
            up_to: None,
            then: Then::Move(self.scope().await?),
        };
        let made = self.ask(|| store.branch(branch.clone())).await?;
        // The place goes there with it, unless it became another one meanwhile.
        if !matches!(made, Change::Done(_)) || self.lead_to(id).await? == Led::Nowhere {
            return Ok(reply::conversation_gone());
        }
        let titled = self.entitle(id, title).await?;
        Ok(reply::branched(&titled))
    }

    /// The messages that were written behind the command are meant for where it leads.
    pub(super) async fn carry_over(&self) -> Result<(), Lost> {
        let store = &self.commands.ground.store;
        let (from, isolation) = (self.claimed.session, self.commands.door.isolation());
        let (mut place, mut carried) = (Some(self.scope().await?), 0);
        while let Some(scope) = place {
            let carry = || store.carry_over(from, &scope, isolation);
            carried += self.ask(carry).await?;
            place = self.moved_from(&scope).await?;
        }
        if carried > 0 {
            self.commands.ground.bells.inbox.ring();
        }
        Ok(())
    }

    pub(super) async fn entitle(
        &self,
        session: SessionId,
        title: Option<&Title>,
    ) -> Result<Titled, Lost> {
        let Some(wish) = title else {
            return Ok(Titled::Unasked);
        };
        let store = &self.commands.ground.store;
        let set = || store.set_title(session, Some(wish.clone()), Giver::Person);
        match self.ask(set).await? {
            None | Some(Claim::Set | Claim::MovesFrom(_) | Claim::Keeps) => {
                Ok(Titled::Set(wish.clone()))
            }
            Some(Claim::Taken(_)) => Ok(Titled::Taken {
                free: self.ask(|| store.next_title(wish.clone())).await?,
                wish: wish.clone(),
            }),
        }
    }

    async fn hide(&self, from: u64) -> Result<(), Lost> {
        let hide = Hide {
            session: self.claimed.session,
            by: By::Turn(self.claimed.turn, self.claimed.fence),
            from,
            seen: Seen::Anything,
        };
        match self
            .ask(|| self.commands.ground.store.hide_from(hide))
            .await?
        {
            Change::Done(_) => Ok(()),
            // Only a turn that is no longer ours is told so.
            Change::Unknown | Change::Busy | Change::Moved => Err(Lost),
        }
    }

    /// The question comes in again before the first one is hidden: refused, it leaves all as it is. Its
    /// key names this turn, so it comes in once.
    async fn ask_again(
        &self,
        from: u64,
        (text, pictures, attached): (&str, &[Picture], &[Attached]),
    ) -> Result<String, Lost> {
        let question = Inbound {
            event_key: EventKey::again_in(self.claimed.turn),
            text: text.to_owned(),
            pictures: pictures.to_vec(),
            attached: attached.to_vec(),
            ..self.inbound().clone()
        };
        let door = &self.commands.door;
        match self.ask(|| door.take(question.clone(), None)).await? {
            Accepted::New(_) | Accepted::Duplicate(_) => {
                self.hide(from).await?;
                Ok(reply::asked_again(text))
            }
            Accepted::Refused(_) => Ok(reply::too_many_wait()),
        }
    }
}
