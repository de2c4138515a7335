//! A storm over processes, errands, nodes and their leases: everything ends once, and has one owner at a time.

use angelia_core::id::{ErrandId, NodeId, ProcessId};
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::process::errand::{Errand, Outcome};
use angelia_core::time::Span;
use angelia_store::Fenced;
use angelia_store::errands::{Answer, NewErrand};
use angelia_store::leases::{Boot, Held};
use angelia_store::processes::{Begun, Moved};
use angelia_store::turns::ClaimedTurn;
use angelia_store::watches::{Checked, Look};

use super::Told;
use super::given::Given;
use super::processes::{HOME, exited, turn_in, wish, works_since};
use super::storm::{Pot, Tally, play};
use super::watches::hit;
use super::{restarts, watches};
use crate::sim::dice::Dice;

/// What the players reach for, and what they note.
struct World<'g> {
    given: &'g Given,
    turns: Vec<ClaimedTurn>,
    processes: Pot<ProcessId>,
    errands: Pot<ErrandId>,
    nodes: Pot<NodeId>,
    held: Pot<Held>,
    ended: Tally<ProcessId>,
    noticed: Tally<ProcessId>,
    begun: Tally<ErrandId>,
    answered: Tally<ErrandId>,
    fences: Tally<(String, Fence)>,
}

/// Whatever is done about processes, errands and leases at once: an end is seen once and told once, an errand is begun
/// once and answered once, no fence is given twice, and nothing works in the end.
pub async fn work_ends_once_whoever_looks_after_it(given: &Given) -> Told {
    let mut turns = Vec::new();
    for chat in ["c0", "c1", "c2"] {
        turns.push(turn_in(given, chat).await?);
    }
    let world = World {
        given,
        turns,
        processes: Pot::default(),
        errands: Pot::default(),
        nodes: Pot::default(),
        held: Pot::default(),
        ended: Tally::default(),
        noticed: Tally::default(),
        begun: Tally::default(),
        answered: Tally::default(),
        fences: Tally::default(),
    };
    play(async |dice| world.throw(dice).await).await?;
    world.come_to_rest().await?;
    world.ended.at_most_once("ended again");
    world.noticed.at_most_once("was told again");
    world.begun.at_most_once("was begun again");
    world.answered.at_most_once("was answered again");
    world.fences.at_most_once("was given again");
    Ok(())
}

impl World<'_> {
    async fn throw(&self, dice: &mut Dice) -> Told {
        match (dice.number(0..10), self.processes.any(dice)) {
            (0..=1, _) => self.begin(dice).await,
            (2..=4, Some(process)) => self.look_after(dice, process).await,
            (5..=6, Some(process)) => self.send(dice, process).await,
            (7, Some(process)) => self.watch(dice, process).await,
            (8, _) => self.lease(dice).await,
            _ => self.boot(dice).await,
        }
    }

    async fn begin(&self, dice: &mut Dice) -> Told {
        let turn = &self.turns[usize::from(dice.happens(500))];
        // Under few names, so that several begin the same.
        let call = dice.number(0..8).to_string();
        let new = wish(self.given, turn, &call);
        if let Fenced::Done(Begun::New(process)) = self.given.store.begin_process(new).await? {
            self.processes.put(process.id);
        }
        Ok(())
    }

    async fn look_after(&self, dice: &mut Dice, id: ProcessId) -> Told {
        let (given, store) = (self.given, &self.given.store);
        match dice.number(0..7) {
            0 => _ = store.process_runs(id).await?,
            1 => _ = store.ask_to_end(id).await?,
            2 => {
                let ended = store.end_process(id, exited(given, 0)).await?;
                self.note_end(ended);
            }
            3 => {
                let ended = store.end_told_process(id, exited(given, 1)).await?;
                self.note_end(ended);
            }
            4 => {
                let turn = &self.turns[usize::from(dice.happens(500))];
                let read = store.consume_process(id, turn.turn, turn.fence).await?;
                assert!(matches!(read, Fenced::Done(_)), "the turn is ours");
            }
            5 => {
                if let Moved::Now(process) = store.process_noticed(id).await? {
                    self.noticed.note(process.id);
                }
            }
            _ => {
                for spent in store.spent_processes(HOME, 1).await? {
                    store.forget_process(spent.id).await?;
                }
            }
        }
        Ok(())
    }

    fn note_end(&self, ended: Moved) {
        if let Moved::Now(process) = ended {
            self.ended.note(process.id);
        }
    }

    async fn send(&self, dice: &mut Dice, process: ProcessId) -> Told {
        let (given, store) = (self.given, &self.given.store);
        match (dice.number(0..6), self.errands.any(dice)) {
            (0, Some(errand)) => store.answer_errand(errand, Outcome::Done).await?,
            (1, Some(errand)) => {
                if let Answer::Here(_) = store.errand_answer(errand).await? {
                    self.answered.note(errand);
                }
            }
            (2, Some(errand)) => {
                if store.withdraw_errand(errand).await? {
                    // What nobody has begun is nobody's to begin any more.
                    self.begun.note(errand);
                }
            }
            (3, _) => {
                for one in store.take_errands(HOME, given.node, 2).await? {
                    self.begun.note(one.id);
                }
            }
            (4, _) if dice.happens(100) => {
                let _swept = store.sweep_errands(limits::ERRANDS_KEPT).await?;
            }
            _ => {
                let new = NewErrand {
                    id: ErrandId::from_bits(given.number()),
                    process,
                    errand: Errand::CloseInput,
                    input: Vec::new(),
                };
                self.errands.put(new.id);
                let _asked = store.ask_errand(new).await?;
            }
        }
        Ok(())
    }

    async fn watch(&self, dice: &mut Dice, id: ProcessId) -> Told {
        let store = &self.given.store;
        match dice.number(0..3) {
            0 => {
                let mut looked = store.looked(id).await?.unwrap_or_default();
                looked.place += 10;
                let found = hit("ready");
                let _moved = store.look(id, Look { looked, found }).await?;
            }
            1 => {
                let checked = Checked {
                    before: 0,
                    bytes: dice.number(1..9),
                    update: Some("news".to_owned()),
                };
                let _moved = store.checked(id, checked).await?;
            }
            _ => {
                for news in store.untold_news(HOME, 5).await? {
                    store.news_told(news.process.id, news.number).await?;
                }
            }
        }
        Ok(())
    }

    async fn lease(&self, dice: &mut Dice) -> Told {
        let (given, store) = (self.given, &self.given.store);
        let name = format!("account/{}", dice.number(0..3));
        match (dice.number(0..4), self.held.any(dice)) {
            (0, Some(held)) => store.release_lease(&held).await?,
            (1, Some(held)) => _ = store.beat(given.node, &[held]).await?,
            (2, _) if dice.happens(300) => given.clock.advance(Span::minutes(1)),
            _ => {
                // Each taker is another boot, so nobody renews: whoever gets it gets another fence.
                let node = NodeId::from_bits(given.number());
                if let Some(fence) = store.take_lease(&name, node).await? {
                    self.fences.note((name.clone(), fence));
                    self.held.put(Held { name, fence });
                }
            }
        }
        Ok(())
    }

    async fn boot(&self, dice: &mut Dice) -> Told {
        let (given, store) = (self.given, &self.given.store);
        match (dice.number(0..7), self.nodes.any(dice)) {
            (0, Some(node)) => store.stop_node(node).await?,
            (1, Some(node)) => {
                let wish = restarts::wish(given, node, self.turns[2].batch.first());
                let _wished = store.wish_restart(wish).await?;
            }
            (2, Some(node)) => _ = store.call_off_restart(node, "no").await?,
            (3, Some(node)) => _ = store.come_back(node, "back").await?,
            (4, Some(node)) => {
                let turn = &self.turns[2];
                let notice = angelia_core::id::DeliveryId::from_bits(given.number());
                let notice = (notice, "going".to_owned());
                let told = store.tell_going(turn.turn, turn.fence, node, notice);
                let _whose = told.await?;
            }
            (5, _) => {
                store.tell("look").await?;
                let _swept = store.sweep_nodes(limits::NODE_KEPT).await?;
            }
            // Each at a home of its own: whoever starts at a home ends what ran there.
            _ => {
                let node = NodeId::from_bits(given.number());
                let boot = Boot {
                    node,
                    home: format!("h{node}"),
                    place: "tower".to_owned(),
                    version: "1.0.0".to_owned(),
                };
                store.start_node(boot).await?;
                self.nodes.put(node);
            }
        }
        Ok(())
    }

    /// Everything that still runs ends.
    async fn come_to_rest(&self) -> Told {
        for id in self.processes.all() {
            let ended = self.given.store.end_process(id, exited(self.given, 0));
            self.note_end(ended.await?);
        }
        for turn in &self.turns {
            let since = works_since(self.given, turn.session).await?;
            assert_eq!(since, None, "nothing works in the end");
        }
        let untold = watches::untold(self.given).await?;
        let numbers: std::collections::BTreeSet<_> = untold
            .iter()
            .map(|(id, number, _)| (*id, *number))
            .collect();
        assert_eq!(numbers.len(), untold.len(), "news are numbered");
        Ok(())
    }
}
