//! The in-door: steps 3 to 5 of a message's path, for listeners and for the HTTP interface alike.
//!
//! Whoever is let in is taken, with what they may do. Whoever is not is passed over, or answered with a code: nothing
//! of what they wrote is kept.

use std::sync::Arc;

use angelia_core::about::{CommandOf, Commands};
use angelia_core::access::code::{self, Code};
use angelia_core::access::{self, Policy, Stranger, rank};
use angelia_core::address::{AccountId, Moved, Person};
use angelia_core::agent::{self, routes::Routes};
use angelia_core::command::{self, AccessWish, Command, Reading};
use angelia_core::id::KnockId;
use angelia_core::inbound::Inbound;
use angelia_core::intake::{self, Refusal};
use angelia_core::limits;
use angelia_core::profile::rules::Multiplexing;
use angelia_core::session::key::{Isolation, Scope};
use angelia_core::text;
use angelia_core::turn::manners::Manners;
use angelia_platforms::sink::{Arrival, Event};
use angelia_store::access::{Knocked, NewKnock, Recognised};
use angelia_store::intake::{Accept, Accepted, Away};
use angelia_store::{Store, StoreError};

use crate::agents::Agents;
use crate::feed::{Change, Frame};
use crate::ground::Ground;
use crate::phase::Phase;
use crate::standing::{Sender, Standing};

/// Why the door did not take a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Shut {
    /// The node is stopping.
    #[error("the gateway is stopping")]
    Draining,
    /// The store did not answer; the message may or may not be durable.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The in-door of one node.
#[derive(Clone)]
pub struct Door {
    ground: Ground,
    profiles: Arc<Multiplexing>,
    routes: Arc<Routes>,
    standing: Standing,
    busy: Arc<Manners>,
}

/// What stands in place of a code that was not looked at.
pub(crate) const LOCKED: &str = "locked";

/// What stands in place of a code that is wrong.
const WRONG: &str = "wrong";

impl Door {
    /// The door of a node: who may come in, whose conversations messages belong to, who answers them, and what
    /// they do to the answer that is being made.
    pub fn new(
        ground: Ground,
        access: Policy,
        profiles: Multiplexing,
        agents: &Agents,
        busy: Manners,
    ) -> Self {
        let standing = Standing {
            ground: ground.clone(),
            policy: Arc::new(access),
        };
        Self {
            ground,
            profiles: Arc::new(profiles),
            routes: Arc::clone(agents.routes()),
            standing,
            busy: Arc::new(busy),
        }
    }

    /// Who may speak, and as what.
    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// What happens to those who write while an answer is being made.
    pub(crate) fn manners(&self) -> Arc<Manners> {
        Arc::clone(&self.busy)
    }

    /// Takes a message of somebody who is let in, for the profile and the agent that it goes to. When this
    /// returns `New`, the message is durable.
    pub async fn accept(
        &self,
        mut inbound: Inbound,
        cursor: Option<String>,
    ) -> Result<Accepted, Shut> {
        if self.ground.phase.now() != Phase::Running {
            return Err(Shut::Draining);
        }
        let sender = self.standing.sender(&inbound).await?;
        if !self.standing.admits(&inbound, &sender) {
            metrics::counter!("angelia_accept_total", "outcome" => "stranger").increment(1);
            self.turn_away(inbound, cursor).await?;
            return Ok(Accepted::Refused(Refusal::Stranger));
        }
        self.bar(&mut inbound, &sender);
        inbound.about.profile = self.profiles.profile(&inbound).cloned();
        inbound.about.agent = self.routes.decide(&inbound);
        inbound.about.command_of = self.command_of(&inbound).await?;
        let manner = self.busy.at(&inbound.address);
        let mut inbound = command::opened(inbound, manner);
        // What stood behind a command may be one itself.
        self.bar(&mut inbound, &sender);
        self.hide_code(&mut inbound).await?;
        Ok(self.enter(inbound, cursor).await?)
    }

    /// Takes what the adapter of an account heard. When this returns, it is durable, known, or refused for good.
    pub(crate) async fn hear(&self, account: &AccountId, arrival: &Arrival) -> Result<(), Shut> {
        let Arrival { event, cursor } = arrival;
        let inbound = match event {
            Event::Message(inbound) => (**inbound).clone(),
            Event::Moved(moved) => return self.follow(account, moved, cursor.clone()).await,
        };
        match self.accept(inbound.clone(), cursor.clone()).await? {
            Accepted::Refused(refusal) if refusal.may_pass_later() => {
                self.make_room_for_others(inbound, cursor.clone()).await?;
            }
            Accepted::Refused(refusal) => {
                tracing::info!(%account, %refusal, "a message was not taken");
            }
            Accepted::New(_) | Accepted::Duplicate(_) => (),
        }
        Ok(())
    }

    /// Lets the conversations of a chat go on where it is now.
    async fn follow(
        &self,
        account: &AccountId,
        moved: &Moved,
        cursor: Option<String>,
    ) -> Result<(), Shut> {
        if self.ground.phase.now() != Phase::Running {
            return Err(Shut::Draining);
        }
        let followed = self.ground.store.move_chat(account, moved, cursor).await?;
        let (from, to) = (&moved.from, &moved.to);
        tracing::warn!(%account, from, to, conversations = followed,
            "a group has another id now; where your settings name the old one, write the new one");
        Ok(())
    }

    /// Turns a message away for which there is no room, and tells its sender. When this returns, both are durable.
    async fn make_room_for_others(
        &self,
        inbound: Inbound,
        cursor: Option<String>,
    ) -> Result<(), StoreError> {
        let (env, account) = (&self.ground.env, inbound.address.account.clone());
        let away = Away {
            inbound,
            inbox: env.inbox_id(),
            notice: (env.delivery_id(), intake::turned_away()),
            cursor,
        };
        self.ground.store.turn_away(away).await?;
        metrics::counter!("angelia_accept_total", "outcome" => "turned_away").increment(1);
        tracing::info!(%account, "a message was turned away: too many wait in its conversation");
        self.ground.bells.outbox(&account).ring();
        Ok(())
    }

    /// Marks a message that names a command which is not its sender's.
    fn bar(&self, inbound: &mut Inbound, sender: &Sender) {
        let barred = rank::barred(&self.standing.policy, inbound, sender.role);
        inbound.about.commands = match barred {
            None => Commands::Free,
            Some(_) => Commands::Barred,
        };
    }

    /// Whose the command is that a message may be: that of the agent which would answer there, if it has told of one
    /// that is called so.
    async fn command_of(&self, inbound: &Inbound) -> Result<CommandOf, StoreError> {
        let Some(name) = command::unknown(inbound) else {
            return Ok(CommandOf::House);
        };
        let (store, place) = (&self.ground.store, self.place_of(inbound).await?);
        let Some(place) = place else {
            return Ok(CommandOf::House);
        };
        let Some(session) = store.peek(&place).await? else {
            return Ok(CommandOf::House);
        };
        let link = store.link(session).await?.unwrap_or_default();
        let led = inbound.about.agent.as_ref();
        let agent = agent::of_turn(led, store.agent(session).await?);
        let is_its = link
            .commands_of(&agent)
            .is_some_and(|theirs| theirs.has(&name));
        Ok(match is_its {
            true => CommandOf::Agent,
            false => CommandOf::House,
        })
    }

    /// Answers a stranger with a code, if they get one. They learn nothing else.
    async fn turn_away(&self, inbound: Inbound, cursor: Option<String>) -> Result<(), StoreError> {
        if access::stranger(&self.standing.policy, &inbound) == Stranger::Ignored {
            return Ok(());
        }
        let name = inbound.person.name.as_deref();
        let name = name.map(|name| text::preview(name, limits::PREVIEW_CHARS));
        let env = &self.ground.env;
        let account = inbound.address.account.clone();
        let knock = NewKnock {
            id: env.knock_id(),
            delivery: env.delivery_id(),
            address: inbound.address,
            person: Person {
                id: inbound.person.id,
                name: name.filter(|name| !name.is_empty()),
            },
            event_key: inbound.event_key,
            cursor,
        };
        match self.ground.store.knock(knock).await? {
            Knocked::Answered(knock) => {
                tracing::info!(%account, knock = %knock.id, "a stranger asks to be let in");
                self.ground.bells.outbox(&account).ring();
            }
            Knocked::Unanswered(why) => {
                tracing::debug!(%account, %why, "a stranger was not answered");
            }
        }
        Ok(())
    }

    /// Codes are never stored: in place of one that an operator wrote stands the knock that it was made for.
    async fn hide_code(&self, inbound: &mut Inbound) -> Result<(), StoreError> {
        if command::call(&inbound.text).is_none() || !mentions_access(&inbound.text) {
            return Ok(());
        }
        if let Reading::Command(Command::Access(AccessWish::Approve(what))) = command::read(inbound)
        {
            let meant = match (what.parse::<KnockId>(), Code::read(&what)) {
                (Ok(knock), _) => knock.to_string(),
                (Err(_), None) => WRONG.to_owned(),
                (Err(_), Some(code)) => self.recognise(code).await?,
            };
            inbound.text = format!("/access approve {meant}");
        }
        inbound.text = code::hide(&inbound.text);
        Ok(())
    }

    async fn recognise(&self, code: Code) -> Result<String, StoreError> {
        Ok(match self.ground.store.recognise(code, None).await? {
            Recognised::Knock(knock) => knock.to_string(),
            Recognised::Wrong => WRONG.to_owned(),
            Recognised::Locked(_) => LOCKED.to_owned(),
        })
    }

    /// The same door before another view of the store.
    pub(crate) fn writing_to(&self, store: Arc<dyn Store>) -> Self {
        let ground = Ground {
            store,
            ..self.ground.clone()
        };
        let standing = Standing {
            ground: ground.clone(),
            ..self.standing.clone()
        };
        Self {
            ground,
            standing,
            ..self.clone()
        }
    }

    /// The place that a message speaks in; nothing for one that would be refused.
    pub(crate) async fn place_of(&self, inbound: &Inbound) -> Result<Option<Scope>, StoreError> {
        let isolation = self.ground.rules.isolation;
        self.ground.store.place_of(inbound, isolation).await
    }

    /// How groups are divided into conversations.
    pub(crate) fn isolation(&self) -> Isolation {
        self.ground.rules.isolation
    }

    /// Takes a message of the gateway's own, also while it is stopping: the next start answers it. It
    /// belongs to a conversation that exists, so it keeps profile and agent of that one, whatever the rules
    /// say by now. It waits its turn, whatever the words did that led to it.
    pub(crate) async fn take(
        &self,
        mut inbound: Inbound,
        cursor: Option<String>,
    ) -> Result<Accepted, StoreError> {
        inbound.about.busy = None;
        inbound.about.gathers = None;
        self.enter(inbound, cursor).await
    }

    async fn enter(
        &self,
        inbound: Inbound,
        cursor: Option<String>,
    ) -> Result<Accepted, StoreError> {
        let env = &self.ground.env;
        let fresh = env.session_id();
        let reading = command::read(&inbound);
        let shown = self.ground.feed.is_watched().then(|| shown(&inbound));
        let message = Accept {
            inbound,
            inbox: env.inbox_id(),
            session: fresh,
            rules: Arc::clone(&self.ground.rules),
            cursor,
        };
        let accepted = self.ground.store.accept(message).await?;
        metrics::counter!("angelia_accept_total", "outcome" => outcome(&accepted)).increment(1);
        if let Accepted::New(place) = &accepted {
            self.ground.bells.inbox.ring();
            if reading.stops() {
                self.ground.bells.stops.ring(|| place.session);
            } else {
                // Any words may be the answer that a turn waits for.
                self.ground.bells.approvals.ring(|| place.session);
            }
            let (inbox, session, at) = (place.inbox, place.session, env.now());
            if session == fresh {
                self.ground.feed.publish_change(session, Change::Began, at);
            }
            if let Some(inbound) = shown {
                self.ground.feed.publish(|feed| Frame::Message {
                    inbox,
                    session,
                    inbound: feed.keep(inbound.text.len(), inbound),
                    at,
                });
            }
        }
        Ok(accepted)
    }
}

/// Whether a code may stand in a text, wherever the command that takes it stands.
fn mentions_access(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| word.trim_start_matches('/').eq_ignore_ascii_case("access"))
}

/// What watchers see of a message: not the history that a program brought along.
fn shown(inbound: &Inbound) -> Inbound {
    let Inbound {
        address,
        person,
        event_key,
        message_id,
        text,
        pictures,
        attached,
        context: _,
        about,
    } = inbound;
    Inbound {
        address: address.clone(),
        person: person.clone(),
        event_key: event_key.clone(),
        message_id: message_id.clone(),
        text: text.clone(),
        pictures: pictures.clone(),
        attached: attached.clone(),
        context: Vec::new(),
        about: about.clone(),
    }
}

fn outcome(accepted: &Accepted) -> &'static str {
    match accepted {
        Accepted::New(_) => "new",
        Accepted::Duplicate(_) => "duplicate",
        Accepted::Refused(_) => "refused",
    }
}
