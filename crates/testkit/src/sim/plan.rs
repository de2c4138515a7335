//! What a seed means: how many nodes, messages and kills, and how often what goes wrong.
//!
//! Seeds differ in temper. Some are calm, so that faults of the harness itself show; most have all
//! kinds of trouble at once; some have one kind only, so that a failure points at its cause.

use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;
use angelia_core::turn::manners::{Chosen, Manners};

use crate::sim::dice::Dice;
use crate::sim::habits::{self, Habits, Menace, Strain};

/// The trouble of one run, in per mille of the occasions.
#[derive(Debug, Clone, Copy, Default)]
pub struct Trouble {
    /// How many milliseconds a verb takes before and after it is done, at most, beside the usual few.
    pub verb_ms: u64,
    /// A verb fails before it is done.
    pub store_before: u64,
    /// A verb fails after it is done.
    pub store_after: u64,
    /// The platform's connection breaks while listening.
    pub disconnect: u64,
    /// The platform sends an update again.
    pub repeat: u64,
    /// The platform sends a later update of another chat first.
    pub reorder: u64,
    /// A send is put off.
    pub rate_limit: u64,
    /// A send is shown and its answer lost.
    pub lost_answer: u64,
    /// A send hangs.
    pub slow_send: u64,
    /// A send is refused for good.
    pub refuse: u64,
    /// An agent fails in the middle.
    pub agent_fails: u64,
    /// An agent panics.
    pub agent_panics: u64,
    /// An agent never ends.
    pub agent_hangs: u64,
    /// An agent says more than can be kept.
    pub agent_floods: u64,
    /// An agent uses a tool.
    pub agent_tools: u64,
    /// An agent thinks for longer than a lease lasts.
    pub agent_slow: u64,
}

/// One run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How many gateways share the store.
    pub nodes: usize,
    /// How many chats there are on each account.
    pub chats: usize,
    /// How many messages people write in all.
    pub messages: usize,
    /// Over how long they write.
    pub writing: Span,
    /// How often a node is killed.
    pub kills: usize,
    /// How often a node is stopped in order.
    pub stops: usize,
    /// How often a clock jumps.
    pub jumps: usize,
    /// How often a node stands still for longer than its leases last, and then goes on.
    pub freezes: usize,
    /// What a message does while its conversation is being answered.
    pub busy: Mode,
    /// What goes wrong.
    pub trouble: Trouble,
    /// What people and operators do.
    pub habits: Habits,
}

impl Plan {
    /// What happens to those who write meanwhile. In some runs they are told, in some they are gathered.
    pub fn manners(&self) -> Manners {
        let chosen = Chosen {
            acks: Some(self.habits.acks),
            gathering: Some(self.habits.gathering),
            ..Chosen::default()
        };
        Manners {
            places: [("api".to_owned(), chosen)].into(),
            ..Manners::from(self.busy)
        }
    }
}

/// Draws a plan.
pub fn draw(dice: &Dice) -> Plan {
    let habits = habits::draw(dice);
    let mut dice = dice.split("plan");
    let temper = dice.number(0..10);
    let mut plan = Plan {
        nodes: dice.number(1..5) as usize,
        chats: dice.number(1..5) as usize,
        messages: dice.number(8..60) as usize,
        writing: Span::seconds(dice.number(2..180) as i64),
        kills: dice.number(0..14) as usize,
        stops: dice.number(0..4) as usize,
        jumps: dice.number(0..8) as usize,
        freezes: dice.number(0..8) as usize,
        busy: [Mode::Queue, Mode::Queue, Mode::Steer, Mode::Interrupt][dice.number(0..4) as usize],
        trouble: everything(&mut dice),
        habits,
    };
    match temper {
        0 => {
            plan = Plan {
                trouble: Trouble::default(),
                ..undisturbed(plan)
            }
        }
        1 => {
            plan.trouble = Trouble {
                agent_tools: 500,
                agent_slow: 200,
                ..Trouble::default()
            }
        }
        2 => plan = undisturbed(plan),
        _ => (),
    }
    match plan.habits.menace {
        Menace::None => strained(plan),
        Menace::OneMessage => menaced(plan),
    }
}

fn strained(mut plan: Plan) -> Plan {
    match plan.habits.strain {
        Strain::None => (),
        Strain::SlowStore => plan.trouble.verb_ms = 800,
        Strain::Lively => {
            plan.chats = plan.chats.min(2);
            plan.messages += 20;
            plan.stops += 3;
        }
        Strain::FailingStore => {
            plan.chats = 1;
            plan.messages += 20;
            plan.trouble.store_before *= 3;
            plan.trouble.store_after = 150 + plan.trouble.store_after * 4;
        }
        Strain::Freezing => {
            plan.nodes = plan.nodes.max(2);
            plan.writing = Span::minutes(4);
            plan.freezes = 2 * plan.freezes + 8;
            plan.trouble.agent_slow = 700;
            plan.trouble.agent_tools = 700;
            plan.habits.linked = 1000;
        }
    }
    plan
}

/// Only the one message ends nodes, so that whoever else suffers suffers from it.
fn menaced(plan: Plan) -> Plan {
    Plan {
        busy: Mode::Queue,
        trouble: Trouble {
            agent_tools: plan.trouble.agent_tools,
            ..Trouble::default()
        },
        ..undisturbed(plan)
    }
}

fn undisturbed(plan: Plan) -> Plan {
    Plan {
        kills: 0,
        stops: 0,
        jumps: 0,
        freezes: 0,
        ..plan
    }
}

fn everything(dice: &mut Dice) -> Trouble {
    let mut upto = |most: u64| dice.number(0..most);
    Trouble {
        verb_ms: 0,
        store_before: upto(40),
        store_after: upto(40),
        disconnect: upto(80),
        repeat: upto(200),
        reorder: upto(200),
        rate_limit: upto(150),
        lost_answer: upto(100),
        slow_send: upto(30),
        refuse: upto(20),
        agent_fails: upto(60),
        agent_panics: upto(30),
        agent_hangs: upto(20),
        agent_floods: upto(15),
        agent_tools: upto(600),
        agent_slow: upto(700),
    }
}
