//! A storm over turns: whatever is done in them at once, what people said is answered once.

use std::collections::BTreeMap;
use std::sync::Mutex;

use angelia_core::approval::{Grant, Verdict};
use angelia_core::id::{ApprovalId, DeliveryId, InboxId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::outbound::Receipt;
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::time::Span;
use angelia_core::transcript::entry::Role as Speaker;
use angelia_core::turn::busy::Mode;
use angelia_core::turn::journal::Step;
use angelia_store::Fenced;
use angelia_store::approvals::{Asked, Ruled};
use angelia_store::costs::{Keep, Kept, Reserve};
use angelia_store::drafts::Role;
use angelia_store::intake::Accepted;
use angelia_store::leases::Held;
use angelia_store::links::Resting;
use angelia_store::media::Opened;
use angelia_store::transcripts::Last;
use angelia_store::turns::ClaimedTurn;

use super::Told;
use super::given::Given;
use super::storm::{Pot, Tally, answer_all, open, play};
use super::{asking, busy, costs, drafts, glimpses, links};
use crate::sim::dice::Dice;

/// What the players reach for, and what they note.
struct World<'g> {
    given: &'g Given,
    /// Turns that somebody claimed; many of them are not theirs any more.
    turns: Pot<ClaimedTurn>,
    questions: Pot<ApprovalId>,
    drafts: Pot<DeliveryId>,
    /// What was said for the agent, each in words of its own.
    said: Mutex<BTreeMap<InboxId, String>>,
    settled: Tally<TurnId>,
    fences: Tally<(String, Fence)>,
    decided: Tally<ApprovalId>,
    /// The last fence under which somebody got each turn, as far as it was told.
    newest: Mutex<BTreeMap<TurnId, Fence>>,
}

/// What may become of a write in a turn that somebody claimed a while ago.
enum Judge {
    /// Perhaps it is still theirs.
    Perhaps,
    /// Somebody else was told that it is theirs, before the write was asked for.
    Overtaken,
}

impl Judge {
    /// What was written, if it was; nobody writes who was overtaken.
    #[track_caller]
    fn see<T>(&self, whose: Fenced<T>) -> Option<T> {
        let Fenced::Done(value) = whose else {
            return None;
        };
        assert!(
            matches!(self, Self::Perhaps),
            "who was overtaken has written"
        );
        Some(value)
    }
}

/// Whatever turns do at once: every message is answered by one turn, which ends once, under a fence of its own.
pub async fn what_is_said_is_answered_once_whatever_turns_do(given: &Given) -> Told {
    let world = World {
        given,
        turns: Pot::default(),
        questions: Pot::default(),
        drafts: Pot::default(),
        said: Mutex::default(),
        settled: Tally::default(),
        fences: Tally::default(),
        decided: Tally::default(),
        newest: Mutex::default(),
    };
    play(async |dice| world.throw(dice).await).await?;
    world.come_to_rest().await?;
    world.settled.at_most_once("was settled again");
    world.fences.at_most_once("was given again");
    world.decided.at_most_once("was decided again");
    world.check_words().await
}

impl World<'_> {
    async fn throw(&self, dice: &mut Dice) -> Told {
        if dice.happens(30) {
            // Somebody stands still past all leases, and goes on as if nothing had been.
            self.given.clock.advance(Span::minutes(5));
        }
        match dice.number(0..10) {
            0..=2 => self.say(dice).await,
            3..=4 => self.claim(dice).await,
            _ => match self.turns.any(dice) {
                Some(turn) => self.work(dice, &turn).await,
                None => Ok(()),
            },
        }
    }

    async fn say(&self, dice: &mut Dice) -> Told {
        let number = self.given.number();
        let text = match dice.number(0..8) {
            0 => "/stop".to_owned(),
            1 => "/status".to_owned(),
            2 => "yes".to_owned(),
            _ => format!("words {number}"),
        };
        let chat = format!("c{}", dice.number(0..4));
        let mut inbound = self.given.inbound(&chat, &text);
        inbound.about.busy = match dice.number(0..3) {
            0 => Some(Mode::Steer),
            1 => Some(Mode::Interrupt),
            _ => None,
        };
        let taken = self.given.at_the_door(inbound);
        let accepted = self.given.store.accept(taken).await?;
        if let (Accepted::New(place), true) = (accepted, text.starts_with("words")) {
            open(&self.said).insert(place.inbox, text);
        }
        Ok(())
    }

    async fn claim(&self, dice: &mut Dice) -> Told {
        let claimed = if dice.happens(300) {
            self.given.store.claim_orphan(self.given.node).await?
        } else {
            let turn = TurnId::from_bits(self.given.number());
            self.given.store.claim_turn(self.given.node, turn).await?
        };
        if let Some(turn) = claimed {
            self.fences.note((turn.lease.clone(), turn.fence));
            let mut newest = open(&self.newest);
            let fence = newest.entry(turn.turn).or_insert(turn.fence);
            *fence = turn.fence.max(*fence);
            self.turns.put(turn);
        }
        Ok(())
    }

    fn judge(&self, turn: &ClaimedTurn) -> Judge {
        match open(&self.newest).get(&turn.turn) {
            Some(newest) if *newest > turn.fence => Judge::Overtaken,
            Some(_) | None => Judge::Perhaps,
        }
    }

    /// Something that is done in a turn, whoever has it by now.
    async fn work(&self, dice: &mut Dice, turn: &ClaimedTurn) -> Told {
        match dice.number(0..7) {
            0..=1 => self.end(dice, turn).await,
            2 => self.note(dice, turn).await,
            3 => self.look_behind(dice, turn).await,
            4 => self.ask(dice, turn).await,
            5 => self.spend(dice, turn).await,
            _ => self.show(dice, turn).await,
        }
    }

    async fn end(&self, dice: &mut Dice, turn: &ClaimedTurn) -> Told {
        let judge = self.judge(turn);
        if dice.happens(200) {
            let why = Interrupted::ShutdownTimeout;
            let released = self.given.store.release_turn(turn.turn, turn.fence, why);
            judge.see(released.await?);
            return Ok(());
        }
        let settle = self.given.settlement(turn, &["one ", "two"]);
        let settled = self.given.store.settle_turn(settle).await?;
        if judge.see(settled).is_some() {
            self.settled.note(turn.turn);
        }
        Ok(())
    }

    async fn note(&self, dice: &mut Dice, turn: &ClaimedTurn) -> Told {
        let judge = self.judge(turn);
        let (store, id, fence) = (&self.given.store, turn.turn, turn.fence);
        match dice.number(0..4) {
            0 => {
                let seq = u32::try_from(self.given.number()).unwrap_or(u32::MAX);
                let step = Step::Moved {
                    directory: format!("/{seq}"),
                };
                judge.see(store.record_step(id, fence, seq, step).await?);
            }
            1 => {
                judge.see(store.keep_tasks(id, fence, Vec::new()).await?);
            }
            2 => {
                let opened = Opened {
                    inbox: turn.batch[0].inbox,
                    inbound: (*turn.batch[0].inbound).clone(),
                    files: Vec::new(),
                };
                judge.see(store.open_message(id, fence, opened).await?);
            }
            _ => {
                let held = Held {
                    name: turn.lease.clone(),
                    fence,
                };
                let _lost = store.beat(self.given.node, &[held]).await?;
            }
        }
        Ok(())
    }

    /// What came while the turn ran.
    async fn look_behind(&self, dice: &mut Dice, turn: &ClaimedTurn) -> Told {
        let judge = self.judge(turn);
        let (store, id, fence) = (&self.given.store, turn.turn, turn.fence);
        let notice = || {
            (
                DeliveryId::from_bits(self.given.number()),
                "told".to_owned(),
            )
        };
        match dice.number(0..4) {
            0 => {
                let waiting = store.steering(id).await?;
                if !waiting.is_empty() {
                    let seq = u32::try_from(self.given.number()).unwrap_or(u32::MAX);
                    let step = busy::step(&waiting);
                    judge.see(store.take_along(id, fence, seq, step).await?);
                }
            }
            1 => {
                if let Some(aside) = store.asides(id).await?.first() {
                    let answered = store.answer_aside(id, fence, aside.inbox, notice());
                    judge.see(answered.await?);
                }
            }
            2 => {
                if let Some(untold) = store.untold(id).await? {
                    let told = store.tell_waiting(id, fence, untold.waiting.inbox, notice());
                    judge.see(told.await?);
                }
            }
            _ => {
                judge.see(store.take_stops(id, fence).await?);
            }
        }
        Ok(())
    }

    async fn ask(&self, dice: &mut Dice, turn: &ClaimedTurn) -> Told {
        let judge = self.judge(turn);
        let store = &self.given.store;
        let question = self.questions.any(dice);
        match (dice.number(0..6), question) {
            (0, Some(id)) => {
                let verdict = match dice.number(0..3) {
                    0 => Verdict::Denied(None),
                    1 => Verdict::Granted(Grant::Always),
                    _ => Verdict::Granted(Grant::Once),
                };
                if let Ruled::Now(_) = store.decide_approval(id, verdict).await? {
                    self.decided.note(id);
                }
            }
            (1, Some(id)) => store.shut_question(id).await?,
            (2, Some(id)) => _ = store.revoke_agreement(id).await?,
            (3, _) => {
                for one in store.expire_approvals().await? {
                    self.decided.note(one.id);
                }
            }
            (4, _) => {
                let notice = DeliveryId::from_bits(self.given.number());
                let taken = store.take_replies(turn.turn, turn.fence, notice).await?;
                for one in judge.see(taken).unwrap_or_default().decided {
                    self.decided.note(one.id);
                }
            }
            _ => {
                let call = dice.number(0..3).to_string();
                let mark = dice.bits().to_le_bytes()[0] % 3;
                let wish = asking::wish(self.given, turn, &call, mark);
                let asked = store.ask_for_approval(wish).await?;
                if let Some(Asked::New(asked)) = judge.see(asked) {
                    self.questions.put(asked.id);
                }
            }
        }
        Ok(())
    }

    async fn spend(&self, dice: &mut Dice, turn: &ClaimedTurn) -> Told {
        let judge = self.judge(turn);
        let (store, id, fence) = (&self.given.store, turn.turn, turn.fence);
        match dice.number(0..4) {
            0 => {
                let wanted = Reserve {
                    turn: id,
                    fence,
                    call: costs::call(30),
                    caps: std::sync::Arc::new(costs::day_cap(100)),
                };
                judge.see(store.reserve(wanted).await?);
            }
            1 => {
                let keep = Keep {
                    turn: id,
                    fence,
                    used: costs::amount(10),
                    how: Kept::Known,
                };
                judge.see(store.keep(keep).await?);
            }
            2 => {
                judge.see(store.cut_off(id, fence).await?);
            }
            _ => {
                judge.see(store.give_back(id, fence).await?);
            }
        }
        assert!(store.reserved().await?.tokens <= 100, "the cap holds");
        Ok(())
    }

    async fn show(&self, dice: &mut Dice, turn: &ClaimedTurn) -> Told {
        let judge = self.judge(turn);
        let (given, store) = (self.given, &self.given.store);
        match (dice.number(0..7), self.drafts.any(dice)) {
            (0, Some(draft)) => store.keep_draft(draft, Receipt("r".to_owned())).await?,
            (1, Some(draft)) => store.forget_draft(draft).await?,
            (2, _) => {
                let link = links::link("a.1");
                let kept = store.keep_link(turn.turn, turn.fence, links::HOME, link);
                judge.see(kept.await?);
            }
            (3, _) => {
                let resting: Vec<Resting> = store.resting_agents(links::HOME, 3).await?;
                for one in &resting {
                    let _gone = store.let_agent_go(one).await?;
                }
            }
            (4, _) => {
                let (left, over) = (glimpses::left(turn, "so far"), turn.turn);
                let over = dice.happens(300).then_some(over).into_iter().collect();
                let left = store.leave_glimpses(given.node, vec![left], over);
                left.await?;
            }
            (5, _) => store.sweep_glimpses().await?,
            _ => self.begin_draft(turn).await?,
        }
        Ok(())
    }

    /// Begins to show a reply, if nobody else has the account.
    async fn begin_draft(&self, turn: &ClaimedTurn) -> Told {
        let (given, store) = (self.given, &self.given.store);
        let Some(courier) = store.take_lease("account/api", given.node).await? else {
            return Ok(());
        };
        let place = u32::try_from(given.number()).unwrap_or(u32::MAX);
        let new = drafts::draft(given, turn, courier, (Role::Reply, place));
        let id = new.id;
        if let Fenced::Done(_) = store.begin_draft(new).await? {
            self.drafts.put(id);
        }
        Ok(())
    }

    /// Answers whatever is left.
    async fn come_to_rest(&self) -> Told {
        let note = |turn: &ClaimedTurn| {
            self.fences.note((turn.lease.clone(), turn.fence));
            self.settled.note(turn.turn);
        };
        answer_all(self.given, note).await
    }

    /// Everything that was said stands in its conversation, once.
    async fn check_words(&self) -> Told {
        let said = open(&self.said).clone();
        for (inbox, text) in said {
            let story = self.given.store.story(inbox).await?;
            let story = story.expect("it is kept");
            assert!(story.turn.is_some(), "`{text}` has a turn");
            let rows = self.given.store.conversation(story.session, Last::All);
            let rows = rows.await?.expect("the conversation is there");
            let times = rows
                .iter()
                .filter(|row| row.entry.role == Speaker::User)
                .filter(|row| row.entry.content.plain_text() == text)
                .count();
            assert_eq!(times, 1, "`{text}` was said once");
        }
        Ok(())
    }
}
