//! What holders do with background processes, as far as it stands in rows.
//!
//! There are no real processes in a simulated world. What a holder, and the part of a node that stands by
//! it, would write into the rows is written here: that a process says something, that it ends, that one was
//! never started. It happens whether nodes run or not. Everything else, above all what is told of it to
//! whom, is the gateway's own work.
//!
//! Some verbs are called twice, as somebody does whose answer was lost.

use std::sync::Arc;

use angelia_core::id::ProcessId;
use angelia_core::process::watch::scan::{Found, Last};
use angelia_core::process::watch::{News as Row, Notifications};
use angelia_core::process::{End, How, State};
use angelia_gateway::processes::Place;
use angelia_process::held::Program;
use angelia_process::spec::LOG_BYTES_MAX;
use angelia_store::Store;
use angelia_store::database::Database;
use angelia_store::processes::{Live, Moved, Process, Seen, Starter};
use angelia_store::watches::{Checked, DueCheck, Look};

use crate::sim::dice::Dice;
use crate::sim::ledger::processes::{Kind, News};
use crate::sim::marks;
use crate::sim::watch::Watch;
use crate::sim::weather::Weather;

/// The word that processes are watched for.
pub const WORD: &str = "ready";

/// All holders of all homes.
pub struct Holders {
    /// The rows themselves.
    pub store: Arc<Database>,
    /// The time of day.
    pub weather: Weather,
    /// Who notes what was done.
    pub watch: Watch,
    /// Their dice.
    pub dice: Dice,
    /// How often a process said something.
    pub said: u64,
}

impl Holders {
    /// Something happens to some of the processes of these homes.
    pub async fn go_on(&mut self, homes: &[String]) {
        if !self.watch.book(|book| book.processes.are_living()) {
            return;
        }
        for home in homes {
            let live = self.bare().live_processes(home).await;
            for live in live.expect("the bare store reads") {
                self.live_on(&live).await;
            }
            let due = self.bare().due_checks(home).await;
            for due in due.expect("the bare store reads") {
                self.check(&due).await;
            }
        }
    }

    async fn live_on(&mut self, live: &Live) {
        let id = live.process.id;
        match (&live.process.state, live.turn) {
            (State::Starting, Starter::Open) => (),
            (State::Starting, Starter::Closed) => {
                self.end(id, End::Failed("it was never started".to_owned()))
                    .await;
            }
            (State::Running | State::Ended(_), _) => {
                if self.dice.happens(250) {
                    self.say(live).await;
                }
                if self.dice.happens(100) {
                    let end = self.some_end(id).await;
                    self.end(id, end).await;
                }
            }
        }
    }

    async fn some_end(&mut self, id: ProcessId) -> End {
        match self.dice.number(0..5) {
            0 => End::Lost,
            1 => End::Itself(How::Signalled(9)),
            2 => {
                self.bare()
                    .ask_to_end(id)
                    .await
                    .expect("the bare store writes");
                End::Itself(How::Signalled(15))
            }
            code => End::Itself(How::Exited(code as i32 - 3)),
        }
    }

    async fn end(&mut self, id: ProcessId, end: End) {
        let at = self.weather.now();
        let seen = Seen { end, at };
        for time in 0..self.times() {
            let moved = self.bare().end_process(id, seen.clone()).await;
            match moved.expect("the bare store writes") {
                Moved::Now(row) if time == 0 => self.note(*row),
                Moved::Before(_) if time > 0 => (),
                other @ (Moved::Now(_) | Moved::Before(_) | Moved::Unknown) => {
                    self.watch.broke(format!("ended: {id} is {other:?}"))
                }
            }
        }
    }

    /// It says the word, if somebody looks for it.
    async fn say(&mut self, live: &Live) {
        let id = live.process.id;
        let looked = self.bare().looked(id).await.expect("the bare store reads");
        let Some(mut looked) = looked else {
            return;
        };
        let lines = self.words(&live.process.command);
        looked.place += lines.len() as u64;
        let found = Found {
            pattern: WORD.to_owned(),
            lines,
            count: 1,
            last: Last::Whole,
        };
        let found = Some(found);
        let look = Look { looked, found };
        for _ in 0..self.times() {
            let moved = self.bare().look(id, look.clone()).await;
            if let Moved::Now(row) = moved.expect("the bare store writes") {
                self.note(*row);
            }
        }
        self.note_news(&live.process.home).await;
    }

    /// Somebody asks whether it said something new.
    async fn check(&mut self, due: &DueCheck) {
        let words = self.words(&due.process.command);
        let checked = Checked {
            before: due.bytes,
            bytes: due.bytes + words.len() as u64,
            update: Some(words),
        };
        for _ in 0..self.times() {
            let id = due.process.id;
            let moved = self.bare().checked(id, checked.clone()).await;
            moved.expect("the bare store writes");
        }
        self.note_news(&due.process.home).await;
    }

    /// Words that nobody else says, with the mark of whoever began the process.
    fn words(&mut self, command: &str) -> String {
        self.said += 1;
        let own = marks::within(command).next().unwrap_or_default();
        format!("{WORD} {own} w{}e", self.said)
    }

    /// Notes what is to be told now.
    async fn note_news(&mut self, home: &str) {
        let untold = self.bare().untold_news(home, 1000).await;
        for untold in untold.expect("the bare store reads") {
            let (words, kind) = told(&untold.news);
            let news = News {
                words,
                kind,
                told: 0,
            };
            let id = untold.process.id;
            self.watch
                .book(|book| book.processes.news(id, untold.number, news));
        }
    }

    fn note(&self, row: Process) {
        self.watch.book(|book| book.processes.moved(row));
    }

    fn times(&mut self) -> u64 {
        1 + u64::from(self.dice.happens(200))
    }

    fn bare(&self) -> &dyn Store {
        self.store.as_ref()
    }
}

/// Words that the message about some news has.
fn told(news: &Row) -> (String, Kind) {
    match news {
        Row::Hit { lines, .. } => (lines.clone(), Kind::Kept),
        Row::Update { output } => (output.clone(), Kind::Update),
        Row::StruckOut { .. } | Row::Paused | Row::Resumed { .. } => (String::new(), Kind::Kept),
    }
}

/// Where processes are held. Nothing is ever there: what they do is played with their rows.
pub fn nowhere() -> Place {
    Place {
        folder: "/nowhere".into(),
        program: Program::at("/nowhere"),
        notifications: Notifications::All,
        log_bytes_max: LOG_BYTES_MAX,
        nice: 0,
    }
}
