//! What people and operators do in a run, beside what goes wrong in it.
//!
//! Some runs have a policy that ends conversations, some a short time in which interrupted ones are
//! taken up, some have commands among the messages, in some the agent reads what was said before, makes it
//! shorter, begins processes, asks about commands or for words, or has a program of its own, and some have one message that ends every node which takes it up. In some, groups become
//! others, and in a few more is written in one chat than can wait there.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::cost::caps::Caps;
use angelia_core::session::reset::ResetPolicies;
use angelia_core::session::reset::policy::Written;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_core::turn::manners::{Acks, Gathering};
use angelia_gateway::spending::Budget;

use crate::sim::dice::Dice;

/// The habits of one run.
#[derive(Debug, Clone)]
pub struct Habits {
    /// How many of a thousand messages are commands.
    pub commands: u64,
    /// How many of a thousand words say themselves what they do while an answer is being made.
    pub manners: u64,
    /// Whether people write several messages at a time.
    pub pace: Pace,
    /// Whether who writes meanwhile is told.
    pub acks: Acks,
    /// Whether what one writes meanwhile is answered together.
    pub gathering: Gathering,
    /// In how many of a thousand turns the agent reads what was said before.
    pub looks_back: u64,
    /// In how many of a thousand turns the agent begins a process, and how often it looks after some.
    pub background: u64,
    /// In how many of a thousand turns the agent asks about a command.
    pub asks: u64,
    /// In how many of a thousand turns the agent makes the conversation shorter.
    pub compacts: u64,
    /// In how many of a thousand turns the agent asks a model that is paid for.
    pub spends: u64,
    /// Tokens that it may be paid for in a day.
    pub cap: u64,
    /// In how many of a thousand turns the agent wants to be told something.
    pub inquires: u64,
    /// In how many of a thousand turns a program of its own works for the agent.
    pub linked: u64,
    /// How long a question about a command is open.
    pub patience: Span,
    /// When conversations begin anew by themselves.
    pub reset: Reset,
    /// How long after an interruption a conversation is still taken up; nothing: as by default.
    pub window: Option<Span>,
    /// Whether one message ends the nodes.
    pub menace: Menace,
    /// What is hard in particular.
    pub strain: Strain,
    /// Whether groups become others.
    pub moves: Moves,
    /// Whether more is written in one chat than can wait there.
    pub crowd: Crowd,
}

/// Whether groups become others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// There are none.
    Never,
    /// Each of them does, once.
    Once,
}

/// Whether more is written in one chat than can wait there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crowd {
    /// Never.
    None,
    /// Once.
    Once,
}

/// What is hard in particular, so that rare meetings are not rare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strain {
    /// Nothing.
    None,
    /// Every verb takes its time, so that nodes end in the midst of commands.
    SlowStore,
    /// The store fails often, and much of what is written in few chats are commands.
    FailingStore,
    /// Nodes stand still again and again while their agents work.
    Freezing,
    /// People write many messages at a time, steer, stop and ask beside, and nodes go and come back meanwhile.
    Lively,
}

/// How people write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// One message now and then.
    Even,
    /// Several within a moment, and then none for a while.
    Bursts,
}

/// When conversations begin anew by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reset {
    /// Never.
    Never,
    /// After a minute of silence.
    Idle,
    /// After a minute of silence, or at the hour at which every run begins.
    Both,
}

/// Whether one message ends every node that takes it up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Menace {
    /// None does.
    None,
    /// One does.
    OneMessage,
}

/// Draws the habits of a run.
pub fn draw(dice: &Dice) -> Habits {
    let mut dice = dice.split("habits");
    let commands = [0, 0, 150, 350, 600][dice.number(0..5) as usize];
    let looks_back = [0, 500, 1000][dice.number(0..3) as usize];
    let resets = [Reset::Never, Reset::Never, Reset::Idle, Reset::Both];
    let reset = resets[dice.number(0..4) as usize];
    let window = (dice.number(0..4) == 0).then(|| Span::seconds(dice.number(5..60) as i64));
    let menace = dice.number(0..12) == 0;
    let strain = match dice.number(0..12) {
        0..3 => Strain::SlowStore,
        3..5 => Strain::FailingStore,
        5..7 => Strain::Freezing,
        7..9 => Strain::Lively,
        _ => Strain::None,
    };
    let background = [0, 0, 150, 400, 700][dice.number(0..5) as usize];
    let asks = [0, 0, 150, 400][dice.number(0..4) as usize];
    let patience = Span::seconds(dice.number(10..300) as i64);
    let compacts = [0, 0, 100, 400][dice.number(0..4) as usize];
    let inquires = [0, 0, 0, 200][dice.number(0..4) as usize];
    let linked = [0, 0, 300, 1000][dice.number(0..4) as usize];
    let mut money = dice.split("money");
    let spends = [0, 300, 1000][money.number(0..3) as usize];
    let cap = money.number(300..4000);
    let mut talk = dice.split("talk");
    let manners = [0, 0, 200, 500][talk.number(0..4) as usize];
    let pace = [Pace::Even, Pace::Even, Pace::Bursts][talk.number(0..3) as usize];
    let acks = [Acks::Told, Acks::Silent][talk.number(0..2) as usize];
    let gathering = [Gathering::Together, Gathering::Apart][talk.number(0..2) as usize];
    let mut places = dice.split("places");
    let moves = [Moves::Never, Moves::Never, Moves::Once][places.number(0..3) as usize];
    let crowd = match places.number(0..8) {
        0 => Crowd::Once,
        _ => Crowd::None,
    };
    let habits = Habits {
        moves,
        crowd,
        manners,
        pace,
        acks,
        gathering,
        commands: if strain == Strain::FailingStore {
            450
        } else {
            commands
        },
        looks_back,
        background,
        asks,
        compacts,
        inquires,
        linked,
        spends,
        cap,
        patience,
        reset,
        window,
        menace: Menace::None,
        strain,
    };
    match (menace, strain) {
        (true, _) => menaced(habits),
        (false, Strain::Lively) => lively(habits),
        (false, _) => habits,
    }
}

fn lively(habits: Habits) -> Habits {
    Habits {
        commands: 200,
        manners: 600,
        pace: Pace::Bursts,
        gathering: Gathering::Together,
        ..habits
    }
}

/// Nothing else ends a conversation where one message ends nodes.
fn menaced(habits: Habits) -> Habits {
    Habits {
        commands: 0,
        manners: 0,
        // What is answered together with it would be given up with it.
        gathering: Gathering::Apart,
        pace: Pace::Even,
        background: 0,
        asks: 0,
        inquires: 0,
        reset: Reset::Never,
        window: None,
        menace: Menace::OneMessage,
        // Messages are told from others by their numbers.
        moves: Moves::Never,
        crowd: Crowd::None,
        strain: Strain::None,
        ..habits
    }
}

impl Habits {
    /// What may be spent.
    pub fn budget(&self) -> Budget {
        let mut caps = Caps::default();
        caps.day.tokens = Some(self.cap);
        Budget {
            caps: Arc::new(caps),
            prices: Arc::default(),
        }
    }

    /// The rules of conversations that the operator chose. People read along, so they are told.
    pub fn rules(&self) -> Rules {
        let mode = match self.reset {
            Reset::Never => "none",
            Reset::Idle => "idle",
            Reset::Both => "both",
        };
        let written = Written {
            mode: Some(mode.to_owned()),
            at_hour: Some(8),
            idle_minutes: Some(1),
            notify_exclude_platforms: Some(Vec::new()),
            ..Written::default()
        };
        let usual = Rules::default();
        Rules {
            resets: ResetPolicies::read(&written, &BTreeMap::new(), &[]).value,
            resume_window: self.window.or(usual.resume_window),
            ..usual
        }
    }
}

/// A command that somebody writes as the message `number`.
pub fn command(dice: &mut Dice, number: u64) -> String {
    match dice.number(0..20) {
        0 => "/new".to_owned(),
        1 => format!("/new n{number}"),
        2 | 3 => "/undo".to_owned(),
        4 => format!("/undo {}", dice.number(1..4)),
        5 | 6 | 16 | 17 => "/retry".to_owned(),
        7 => "/branch".to_owned(),
        8 => format!("/branch b{number}"),
        9 => format!("/title t{number}"),
        10 | 11 => format!("/resume {}", dice.number(1..4)),
        12 | 13 => "/stop".to_owned(),
        14 => ["/status", "/sessions", "/compress"][dice.number(0..3) as usize].to_owned(),
        18 | 19 => "/restart".to_owned(),
        _ => ["/nwe", "/undo all", "/stop now"][dice.number(0..3) as usize].to_owned(),
    }
}
