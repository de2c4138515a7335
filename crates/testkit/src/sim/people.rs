//! What people write, and what they do when they see a question: they agree, refuse, say something that is no answer, or
//! nothing at all; at once, late, or too late; some of them twice.

use std::collections::BTreeMap;
use std::time::Duration;

use angelia_core::address::AccountId;
use angelia_core::display::{Displays, Layer};
use serde_json::Map;
use tokio::time::Instant;

use crate::sim::dice::Dice;
use crate::sim::habits::{self, Moves};
use crate::sim::marks::GROUPS;
use crate::sim::plan::Plan;
use crate::sim::world::{self, Shared, Written};

/// How a question begins.
pub const QUESTION: &str = "I want to run a command";

/// How a question begins that wants words.
pub const INQUIRY: &str = "Which way shall it be?";

/// What they say.
const ANSWERS: [&str; 10] = [
    "/approve",
    "/approve",
    "/approve session",
    "/approve session",
    "/approve always",
    "/approve all",
    "/deny",
    "/deny not today",
    "/deny all",
    "/approve perhaps",
];

/// What they say to a question that offers choices, some of them: by a button, in words, or by a number that stands for
/// nothing.
const CHOSEN: [&str; 4] = ["/answer 1", "/answer 2", "/answer 7", "/answer Right"];

/// What a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Yes,
    Words,
}

/// What a message wants, if it is a question.
fn wanted(text: &str) -> Option<Wanted> {
    match text {
        _ if text.starts_with(QUESTION) => Some(Wanted::Yes),
        _ if text.starts_with(INQUIRY) => Some(Wanted::Words),
        _ => None,
    }
}

/// All people.
pub struct People {
    /// Where they write.
    pub world: Shared,
    /// Their dice.
    pub dice: Dice,
    /// How much of what is shown on each account they have read.
    read: BTreeMap<AccountId, usize>,
    /// What they will write.
    later: Vec<(Instant, Written)>,
}

impl People {
    /// People who have read nothing yet.
    pub fn new(world: Shared, dice: Dice) -> Self {
        Self {
            world,
            dice,
            read: BTreeMap::new(),
            later: Vec::new(),
        }
    }

    /// They read what is new, and write what is due.
    pub fn go_on(&mut self) {
        for (account, chat, wanted) in self.asked() {
            for _ in 0..self.answers() {
                let written = Written {
                    account: account.clone(),
                    chat: chat.clone(),
                    number: 0,
                    command: match wanted {
                        Wanted::Yes => Some(self.answer()),
                        Wanted::Words => self.chosen(),
                    },
                };
                let at = Instant::now() + self.delay();
                self.later.push((at, written));
            }
        }
        let now = Instant::now();
        let due = self.later.extract_if(.., |(at, _)| *at <= now);
        for (_, written) in due {
            self.world.write(written);
        }
    }

    /// Where somebody has seen a question since the last time.
    fn asked(&mut self) -> Vec<(AccountId, String, Wanted)> {
        let mut asked = Vec::new();
        for (account, side) in &self.world.lock().sides {
            let read = self.read.entry(account.clone()).or_default();
            let new = side.shown.iter().skip(*read);
            let new = new.filter_map(|shown| Some((&shown.chat, wanted(&shown.text)?)));
            asked.extend(new.map(|(chat, wanted)| (account.clone(), chat.clone(), wanted)));
            *read = side.shown.len();
        }
        asked
    }

    /// How often a question is answered by whoever sees it.
    fn answers(&mut self) -> u64 {
        [0, 1, 1, 1, 1, 2][self.dice.number(0..6) as usize]
    }

    fn answer(&mut self) -> String {
        ANSWERS[self.dice.number(0..ANSWERS.len() as u64) as usize].to_owned()
    }

    /// A command that answers what wants words; nothing if somebody answers in words of their own.
    fn chosen(&mut self) -> Option<String> {
        let number = self.dice.number(0..2 * CHOSEN.len() as u64) as usize;
        CHOSEN.get(number).map(|&said| said.to_owned())
    }

    fn delay(&mut self) -> Duration {
        let most = [1_000, 20_000, 20_000, 200_000][self.dice.number(0..4) as usize];
        Duration::from_millis(self.dice.number(0..most))
    }
}

/// Words that say themselves what they do while an answer is being made.
fn said_with(plan: &Plan, written: &Written, dice: &Dice) -> Option<String> {
    let words = written.text();
    let mut dice = dice.split(&words);
    let manner = ["/steer", "/steer", "/queue", "/background"][dice.number(0..4) as usize];
    dice.happens(plan.habits.manners)
        .then(|| format!("{manner} {words}"))
}

/// What a chat is called: where groups become others, the first is one.
pub(super) fn chat(plan: &Plan, number: u64) -> String {
    match (plan.habits.moves, number) {
        (Moves::Once, 0) => format!("{GROUPS}0"),
        (Moves::Once | Moves::Never, number) => format!("c{number}"),
    }
}

/// What people write, in order.
pub(super) fn letters(plan: &Plan, dice: &Dice) -> Vec<Written> {
    let mut dice = dice.split("letters");
    let mut numbers = BTreeMap::new();
    let mut list = Vec::new();
    for _ in 0..plan.messages {
        let account = world::accounts()[dice.number(0..2) as usize].clone();
        let chat = chat(plan, dice.number(0..plan.chats as u64));
        let number = numbers
            .entry(account.clone())
            .and_modify(|n| *n += 1)
            .or_insert(1);
        let is_command = dice.happens(plan.habits.commands);
        let command = is_command.then(|| habits::command(&mut dice, *number));
        let mut written = Written {
            account,
            chat,
            number: *number,
            command,
        };
        if written.command.is_none() {
            written.command = said_with(plan, &written, &dice);
        }
        list.push(written);
    }
    list
}

/// What they want to see: replies as they grow, and nothing about tools, which no delivery is about.
pub fn display() -> Displays {
    let written = Map::from_iter([("tool_progress".to_owned(), "off".into())]);
    let (everywhere, _nothing_wrong) = Layer::read(&written);
    Displays {
        everywhere,
        ..Displays::default()
    }
}
