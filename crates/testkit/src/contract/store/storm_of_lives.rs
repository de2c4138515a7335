//! A storm over conversations: whatever becomes of them at once, each stays whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use angelia_core::agent::AgentName;
use angelia_core::display::chat::Choice;
use angelia_core::id::{DeliveryId, InboxId, SessionId};
use angelia_core::session::key::Isolation;
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::rules::Rules;
use angelia_core::stream::progress::Mode;
use angelia_core::time::Span;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::title::{Giver, Title};
use angelia_store::Change;
use angelia_store::intake::{Accepted, Away, Pair};
use angelia_store::sessions::{Anew, At, Authority, Begun, Compacted, Force};
use angelia_store::transcripts::{Branch, By, Hide, Said, Seen, Then};
use angelia_store::usage::Counted;
use serde_json::json;

use super::Told;
use super::given::{Given, account, first};
use super::storm::{Pot, answer_all, open, play};
use super::{chats, commands, replacing, usage};
use crate::sim::dice::Dice;

/// What the players reach for, and what they note.
struct World<'g> {
    given: &'g Given,
    sessions: Pot<SessionId>,
    said: Mutex<BTreeSet<InboxId>>,
    /// Conversations that somebody deleted.
    deleted: Mutex<BTreeSet<SessionId>>,
    /// What was counted for each.
    used: Mutex<BTreeMap<SessionId, u64>>,
}

/// Whatever becomes of conversations at once: nobody waits for ever, no number of a row is given twice, no title is had
/// twice, and what was used is what was counted.
pub async fn conversations_stay_whole_whatever_becomes_of_them(given: &Given) -> Told {
    let world = World {
        given,
        sessions: Pot::default(),
        said: Mutex::default(),
        deleted: Mutex::default(),
        used: Mutex::default(),
    };
    play(async |dice| world.throw(dice).await).await?;
    world.come_to_rest().await?;
    world.check_messages().await?;
    world.check_conversations().await
}

impl World<'_> {
    async fn throw(&self, dice: &mut Dice) -> Told {
        match (dice.number(0..12), self.sessions.any(dice)) {
            (0..=2, _) | (_, None) => self.say(dice).await,
            (3..=4, _) => self.answer().await,
            (5..=6, Some(session)) => self.lead(dice, session).await,
            (7, Some(session)) => self.set(dice, session).await,
            (8, Some(session)) => self.end(dice, session).await,
            (9..=10, Some(session)) => self.rewrite(dice, session).await,
            (_, Some(_)) => self.arrange(dice).await,
        }
    }

    async fn say(&self, dice: &mut Dice) -> Told {
        let inbound = match dice.number(0..5) {
            // A group that becomes another in the middle of it.
            0 => chats::in_group(self.given, "-5", "hello"),
            1 => chats::in_group(self.given, "-1005", "hello"),
            chat => self.given.inbound(&format!("c{}", chat - 2), "hello"),
        };
        let message = self.given.at_the_door(inbound);
        if let Accepted::New(place) = self.given.store.accept(message).await? {
            open(&self.said).insert(place.inbox);
            self.sessions.put(place.session);
        }
        Ok(())
    }

    async fn answer(&self) -> Told {
        if let Some(turn) = self.given.try_claim().await? {
            let settle = self.given.settlement(&turn, &["hi"]);
            let _whose = self.given.store.settle_turn(settle).await?;
        }
        Ok(())
    }

    /// Where a place speaks.
    async fn lead(&self, dice: &mut Dice, session: SessionId) -> Told {
        let (given, store) = (self.given, &self.given.store);
        let scope = commands::scope(given, &format!("c{}", dice.number(0..3)));
        let new = SessionId::from_bits(given.number());
        match dice.number(0..5) {
            0 => {
                let anew = Anew {
                    at: At::Scope(scope),
                    session: new,
                    why: Reason::SessionReset,
                    label: None,
                    by: Authority::Place,
                };
                if let Begun::Anew { .. } = store.begin_anew(anew).await? {
                    self.sessions.put(new);
                }
            }
            1 => {
                let at = At::Scope(scope);
                let _led = store.switch(at, session, Authority::Operator).await?;
            }
            2 => {
                if let Compacted::Done = store.compact_into(session, new).await? {
                    self.sessions.put(new);
                }
            }
            3 => {
                let isolation = Isolation::default();
                let _carried = store.carry_over(session, &scope, isolation).await?;
            }
            _ => {
                let branch = Branch {
                    session,
                    id: new,
                    up_to: None,
                    then: match dice.number(0..3) {
                        0 => Then::Stay,
                        1 => Then::Move(scope),
                        _ => Then::MoveAll,
                    },
                };
                if let Change::Done(_) = store.branch(branch).await? {
                    self.sessions.put(new);
                }
            }
        }
        Ok(())
    }

    /// What is noted about a conversation.
    async fn set(&self, dice: &mut Dice, session: SessionId) -> Told {
        let store = &self.given.store;
        match dice.number(0..9) {
            0 => _ = store.suspend(session).await?,
            1 => {
                let why = Interrupted::RestartTimeout;
                let _changed = store.mark_resume(session, why).await?;
            }
            2 => _ = store.clear_resume(session).await?,
            3 => {
                let chosen = ModelOverride::of(&json!({"model": "m"}));
                let _changed = store.set_model_override(session, chosen).await?;
            }
            4 => {
                let chosen = Some(AgentName::main());
                let _changed = store.set_agent(session, chosen).await?;
            }
            5 => _ = store.touch(session, Some(7)).await?,
            6 => _ = store.set_work(session, None).await?,
            7 => {
                let title = Title::clean(["one", "two"][usize::from(dice.happens(500))]);
                let title = title.expect("it is short");
                let _claim = store.set_title(session, title, Giver::Person).await?;
            }
            _ => {
                let input = dice.number(1..100);
                let mut account = usage::more(session, "m", input);
                account.call = Some(self.given.number().to_string());
                if let Change::Done(Counted::Now) = store.account(account).await? {
                    *open(&self.used).entry(session).or_default() += input;
                }
            }
        }
        Ok(())
    }

    async fn end(&self, dice: &mut Dice, session: SessionId) -> Told {
        let (given, store) = (self.given, &self.given.store);
        match dice.number(0..8) {
            0..=1 => {
                let why = Reason::AgentClose;
                let _changed = store.end(session, why, Force::Plain).await?;
            }
            2 => _ = store.prune(Span::days(5)).await?,
            3 => _ = store.expire(Arc::new(Rules::default()), 10).await?,
            4 => {
                let gone = store.delete(vec![session]).await?;
                if let Change::Done(gone) = gone {
                    open(&self.deleted).extend(gone);
                }
            }
            5 => {
                let emptied = store.delete_if_empty(session).await?;
                if emptied == Change::Done(angelia_store::deletion::Emptied::Deleted) {
                    open(&self.deleted).insert(session);
                }
            }
            6 => {
                let gone = store.forget_ended(Span::ms(0), 1).await?;
                open(&self.deleted).extend(gone);
            }
            _ => given.clock.advance(Span::minutes(1)),
        }
        Ok(())
    }

    /// What stands in a conversation.
    async fn rewrite(&self, dice: &mut Dice, session: SessionId) -> Told {
        let store = &self.given.store;
        match dice.number(0..6) {
            0 => {
                let hide = Hide {
                    session,
                    by: By::Anyone,
                    from: dice.number(1..6),
                    seen: Seen::Anything,
                };
                let _changed = store.hide_from(hide).await?;
            }
            1 => {
                _ = store
                    .rewrite(replacing::instead(session, &["anew"]))
                    .await?
            }
            2 => {
                let summary = replacing::instead(session, &["in short"]);
                let _changed = store.compact(summary).await?;
            }
            _ => {
                let row = |text: &str| Said::from(Entry::new(Role::User, text.to_owned()));
                let _changed = store.append(session, vec![row("a"), row("b")]).await?;
            }
        }
        Ok(())
    }

    /// What is noted about places and people.
    async fn arrange(&self, dice: &mut Dice) -> Told {
        let (given, store) = (self.given, &self.given.store);
        match dice.number(0..7) {
            0 => {
                let choice = Choice::Lines(Mode::All);
                store.choose_for_chat(&account(), "c0", choice).await?;
            }
            1 => store.make_home(&given.inbound("c0", "x").address).await?,
            2 => {
                let pair = Pair {
                    one: format!("1555{}@s.whatsapp.net", dice.number(0..3)),
                    other: format!("998{}@lid", dice.number(0..3)),
                };
                let _learnt = store.learn_alias(pair).await?;
            }
            3 => _ = store.cursor(&account()).await?,
            4 => _ = store.move_chat(&account(), &chats::moved(), None).await?,
            5 => {
                let away = Away {
                    inbound: given.inbound("c0", "too much"),
                    inbox: InboxId::from_bits(given.number()),
                    notice: (DeliveryId::from_bits(given.number()), "not now".to_owned()),
                    cursor: Some("2".to_owned()),
                };
                store.turn_away(away).await?;
            }
            _ => _ = store.index_more(10).await?,
        }
        Ok(())
    }

    async fn come_to_rest(&self) -> Told {
        answer_all(self.given, |_| ()).await
    }

    /// Every message was answered, or went with its conversation.
    async fn check_messages(&self) -> Told {
        let said = open(&self.said).clone();
        for inbox in said {
            if let Some(story) = self.given.store.story(inbox).await? {
                assert!(story.turn.is_some(), "{inbox} was answered");
            }
        }
        Ok(())
    }

    async fn check_conversations(&self) -> Told {
        let (deleted, used) = (open(&self.deleted).clone(), open(&self.used).clone());
        let mut titles = BTreeSet::new();
        let sessions: BTreeSet<SessionId> = self.sessions.all().into_iter().collect();
        for session in sessions {
            let record = self.given.store.lookup(session).await?;
            let is_gone = deleted.contains(&session);
            assert_eq!(record.is_none(), is_gone, "{session} is there or deleted");
            let Some(record) = record else { continue };
            if let Some(title) = record.title {
                assert!(titles.insert(title.clone()), "`{title}` is had once");
            }
            let rows = self.given.store.rows(session, first(1000)).await?;
            let rows = rows.expect("the conversation is there").items;
            let numbers: BTreeSet<u64> = rows.iter().map(|row| row.seq).collect();
            assert_eq!(numbers.len(), rows.len(), "a number is given once");
            let counted = self.given.store.usage(session).await?;
            let counted = counted
                .expect("the conversation is there")
                .total
                .tokens
                .input;
            let noted = used.get(&session).copied().unwrap_or_default();
            assert_eq!(counted, noted, "what was used is what was counted");
        }
        Ok(())
    }
}
