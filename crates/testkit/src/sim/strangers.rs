//! People whom nobody let in yet: they write, are answered with a code, and tell it to the operator, soon, late or
//! never. The operator lets in whoever tells a code. Some write in a group, where strangers hear nothing.
//!
//! Laws they hold: a code lets in the person that it was given to, and nobody else; after its hour it lets in
//! nobody.

use std::sync::Arc;
use std::time::Duration;

use angelia_core::access::code::Code;
use angelia_core::access::grant::By;
use angelia_core::address::AccountId;
use angelia_core::id::{DeliveryId, GrantId, KnockId};
use angelia_core::limits::access::CODE_LIFE;
use angelia_core::time::Timestamp;
use angelia_core::toolset::Role;
use angelia_store::StoreError;
use angelia_store::access::{Access, Admit, Admitted, Recognised};
use tokio::time::Instant;

use crate::sim::dice::Dice;
use crate::sim::faulty::Faulty;
use crate::sim::marks;
use crate::sim::watch::Watch;
use crate::sim::weather::Weather;
use crate::sim::world::{PORCH, Shared, Written};

/// All strangers, and the operator.
pub struct Strangers {
    /// Where they write.
    pub world: Shared,
    /// The time of day.
    pub weather: Weather,
    /// What was seen.
    pub watch: Watch,
    /// Their dice.
    pub dice: Dice,
    /// The operator's view of the store.
    pub desk: Arc<Faulty>,
    people: Vec<Stranger>,
}

struct Stranger {
    chat: String,
    /// When they write, the next one last.
    writes: Vec<Instant>,
    /// How much of what is shown they have read.
    read: usize,
    /// The last code that they saw, and when.
    code: Option<(Code, Timestamp)>,
    errand: Errand,
}

/// What becomes of a code.
enum Errand {
    /// They have seen none.
    None,
    /// They will tell it.
    At(Instant),
    /// They will tell it when its hour is over.
    Late,
    /// It is told, or never will be.
    Over,
}

impl Strangers {
    /// A few of them.
    pub fn new(
        (world, weather, watch): (Shared, Weather, Watch),
        desk: Arc<Faulty>,
        mut dice: Dice,
    ) -> Self {
        let now = Instant::now();
        let count = dice.number(0..4);
        let people = (0..count).map(|number| {
            let mut writes: Vec<Instant> = (0..dice.number(1..5))
                .map(|_| now + Duration::from_millis(dice.number(0..45_000)))
                .collect();
            writes.sort_unstable_by(|a, b| b.cmp(a));
            Stranger {
                chat: format!("p{number}"),
                writes,
                read: 0,
                code: None,
                errand: Errand::None,
            }
        });
        let mut people: Vec<Stranger> = people.collect();
        people.extend(passers_by(&mut dice, now));
        Self {
            people,
            world,
            weather,
            watch,
            dice,
            desk,
        }
    }

    /// Whether they have nothing left to do.
    pub fn are_done(&self) -> bool {
        let is_done =
            |one: &Stranger| one.writes.is_empty() && !matches!(one.errand, Errand::At(_));
        self.people.iter().all(is_done)
    }

    /// Whether somebody waits for the end of a code's hour.
    pub fn are_late(&self) -> bool {
        let is_late = |one: &Stranger| matches!(one.errand, Errand::Late);
        self.people.iter().any(is_late)
    }

    /// The hour is over: who waited for that tells their code now.
    pub fn an_hour_passed(&mut self) {
        for stranger in &mut self.people {
            if matches!(stranger.errand, Errand::Late) {
                stranger.errand = Errand::At(Instant::now());
            }
        }
    }

    /// They write what is due, read what is new, and tell their codes.
    pub async fn go_on(&mut self) {
        for number in 0..self.people.len() {
            self.write(number);
            self.read(number);
            self.tell(number).await;
        }
    }

    fn write(&mut self, number: usize) {
        let stranger = &mut self.people[number];
        let due = stranger.writes.pop_if(|at| *at <= Instant::now());
        if due.is_none() {
            return;
        }
        let written = Written {
            account: AccountId(PORCH.to_owned()),
            chat: stranger.chat.clone(),
            number: 0,
            command: None,
        };
        let person = person(&stranger.chat);
        let number = self.world.write(written);
        self.watch.book(|book| {
            if book.strangers.inside.contains(&person) {
                book.strangers.owed.insert(number);
            }
        });
    }

    fn read(&mut self, number: usize) {
        let stranger = &mut self.people[number];
        let mut world = self.world.lock();
        let side = world.side(&AccountId(PORCH.to_owned()));
        let new = side.shown.iter().skip(stranger.read);
        let mine = new.filter(|shown| shown.chat == stranger.chat);
        let mut codes = mine.filter_map(|shown| code_in(&shown.text));
        let last = codes.next_back();
        stranger.read = side.shown.len();
        let Some(code) = last else {
            return;
        };
        stranger.code = Some((code, self.weather.now()));
        if matches!(stranger.errand, Errand::None) {
            stranger.errand = match self.dice.number(0..12) {
                0 => Errand::Over,
                1 => Errand::Late,
                _ => Errand::At(Instant::now() + Duration::from_secs(self.dice.number(0..120))),
            };
        }
    }

    async fn tell(&mut self, number: usize) {
        let stranger = &self.people[number];
        let (Errand::At(at), Some((code, seen_at))) = (&stranger.errand, stranger.code.clone())
        else {
            return;
        };
        if *at > Instant::now() {
            return;
        }
        let person = person(&stranger.chat);
        let age = if self.weather.now() <= seen_at + CODE_LIFE {
            Age::Holds
        } else {
            Age::Over
        };
        if age == Age::Holds {
            let wanted = person.clone();
            self.watch.book(|book| book.strangers.wanted.insert(wanted));
        }
        match self.let_in(code).await {
            // The store did not answer: the operator tries again.
            Err(_) => return,
            Ok(None) => (),
            Ok(Some(inside)) => self.is_in(&person, &inside, age),
        }
        let after = [5, 40].map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let stranger = &mut self.people[number];
        stranger.errand = Errand::Over;
        stranger.writes.extend(after);
        stranger.writes.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Somebody was let in by a code.
    fn is_in(&self, person: &str, inside: &str, age: Age) {
        self.world.note(format!("let in {inside}"));
        if age == Age::Over {
            self.watch
                .broke(format!("access: {person} got in by a code after its end"));
        }
        if inside != person {
            self.watch
                .broke(format!("access: {inside} got in by the code of {person}"));
        }
        let inside = inside.to_owned();
        self.watch.book(|book| book.strangers.inside.insert(inside));
    }

    /// The operator lets in whoever was given the code; returns who that is.
    async fn let_in(&mut self, code: Code) -> Result<Option<String>, StoreError> {
        let Recognised::Knock(knock) = self.desk.recognise(code, None).await? else {
            return Ok(None);
        };
        let admit = self.admission(knock);
        Ok(match self.desk.admit(admit).await? {
            Admitted::Now(grant) | Admitted::Before(grant) => Some(grant.holder.person),
            Admitted::Nobody => None,
        })
    }

    fn admission(&mut self, knock: KnockId) -> Admit {
        let mut bits = || u128::from(self.dice.bits()) << 64 | u128::from(self.dice.bits());
        Admit {
            knock,
            grant: GrantId::from_bits(bits()),
            delivery: DeliveryId::from_bits(bits()),
            role: Role::Member,
            by: By::Token,
            why: None,
        }
    }
}

/// Somebody who writes in a group, where strangers hear nothing at all.
fn passers_by(dice: &mut Dice, now: Instant) -> Option<Stranger> {
    let mut writes: Vec<Instant> = (0..dice.number(0..3))
        .map(|_| now + Duration::from_millis(dice.number(0..45_000)))
        .collect();
    writes.sort_unstable_by(|a, b| b.cmp(a));
    (!writes.is_empty()).then(|| Stranger {
        chat: format!("{}0", marks::GROUPS),
        writes,
        read: 0,
        code: None,
        errand: Errand::None,
    })
}

/// Whether a code still holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Age {
    Holds,
    Over,
}

fn person(chat: &str) -> String {
    marks::person(&AccountId(PORCH.to_owned()), chat)
}

fn code_in(text: &str) -> Option<Code> {
    let mut words = text.split_whitespace();
    words.find_map(|word| Code::read(word).filter(|code| code.reveal() == word))
}
