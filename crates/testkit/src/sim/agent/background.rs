//! The agent and background processes: it begins some, looks at its own, and tries those of others.
//!
//! Beginning is what the gateway does without its holder: the row under the turn's fence, until the store
//! answers. Looking goes through the gateway itself. Of a process that lives only its state is asked;
//! waiting for one that has ended reads its end.

use std::time::Duration;

use angelia_agents::Input;
use angelia_agents::background::act::{Act, Acted};
use angelia_agents::events::Ended;
use angelia_core::id::ProcessId;
use angelia_core::inbound::Inbound;
use angelia_core::process::{Caller, Mode, Notice, State, Watch};
use angelia_core::time::Span;
use angelia_store::processes::{Begun, NewProcess, Processes as _};
use angelia_store::{Fenced, StoreError};

use super::Scripted;
use crate::sim::dice::Dice;
use crate::sim::faulty::Claim;
use crate::sim::holders::WORD;
use crate::sim::ledger::Spot;
use crate::sim::marks;

/// Pause before a verb that the store did not take is tried again.
const AGAIN: Duration = Duration::from_millis(200);

impl Scripted {
    /// Begins a process, or finds the one that this turn began before.
    pub(super) async fn begin(
        &self,
        message: &Inbound,
        claim: &Claim,
        dice: &mut Dice,
    ) -> Result<(), Ended> {
        let new = self.new_process(message, claim, dice);
        let begun = insist(|| self.store.begin_process(new.clone())).await;
        let Fenced::Done(begun) = begun else {
            return Err(Ended);
        };
        let (Begun::New(process) | Begun::Before(process)) = begun else {
            return Ok(());
        };
        tokio::time::sleep(Duration::from_millis(dice.number(0..300))).await;
        if process.state == State::Starting {
            insist(|| self.store.process_runs(process.id)).await;
        }
        Ok(())
    }

    fn new_process(&self, message: &Inbound, claim: &Claim, dice: &mut Dice) -> NewProcess {
        let own = marks::within(&message.text).next().unwrap_or_default();
        let bits = u128::from(dice.bits()) << 64 | u128::from(claim.turn.fence.0 as u64);
        NewProcess {
            id: ProcessId::from_bits(bits),
            turn: claim.turn.turn,
            fence: claim.turn.fence,
            call: "background-1".to_owned(),
            node: claim.node,
            home: self.home.clone(),
            command: format!("go on {own}"),
            workdir: None,
            mode: Mode::Pipe,
            caller: Caller {
                address: message.address.clone(),
                person: message.person.clone(),
                about: message.about.clone(),
                key: claim.turn.key.clone(),
            },
            watch: watch(dice),
        }
    }

    /// Looks at some processes: its own, whose ends it may read, and those of others.
    pub(super) async fn look_after(
        &self,
        message: &Inbound,
        input: &Input,
        dice: &mut Dice,
    ) -> Result<(), Ended> {
        let here = (
            message.address.account.clone(),
            marks::origin(&message.address.chat.id).to_owned(),
        );
        let known = self.watch.book(|book| {
            let known = book.processes.0.values();
            let spots = known.map(|known| (known.row.id, known.spot.clone()));
            spots.collect::<Vec<_>>()
        });
        let known = known.into_iter().rev().take(8);
        for (id, spot) in known {
            if dice.happens(400) {
                self.look_at(id, (spot, &here), input).await?;
            }
        }
        Ok(())
    }

    async fn look_at(
        &self,
        id: ProcessId,
        (there, here): (Spot, &Spot),
        input: &Input,
    ) -> Result<(), Ended> {
        let name = id.to_string();
        let Acted::Looked(looked) = input.background.act(Act::Poll(name.clone())).await? else {
            return Ok(());
        };
        if there != *here {
            let law = format!("crossed: {here:?} has seen {id} of {there:?}");
            self.watch.broke(law);
        }
        if matches!(looked.state, State::Ended(_)) {
            input.background.act(Act::Wait(name, Span::ms(0))).await?;
        }
        Ok(())
    }
}

fn watch(dice: &mut Dice) -> Watch {
    let notices = [Notice::Wanted, Notice::Wanted, Notice::Unwanted];
    Watch {
        notice: notices[dice.number(0..3) as usize],
        every: dice.happens(300).then(|| Span::seconds(30)),
        patterns: match dice.happens(400) {
            true => vec![WORD.to_owned()],
            false => Vec::new(),
        },
    }
}

async fn insist<T, W>(verb: impl Fn() -> W) -> T
where
    W: Future<Output = Result<T, StoreError>>,
{
    loop {
        if let Ok(done) = verb().await {
            return done;
        }
        tokio::time::sleep(AGAIN).await;
    }
}
