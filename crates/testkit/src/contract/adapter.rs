//! What every adapter promises, whichever platform is behind it.
//!
//! Each case is an async function over a [`stage::Stage`]: an adapter, and the other side of its connection as far
//! as there is one, which a case can make write, repeat, fall silent or refuse. `hearing` is about what comes in,
//! `bringing` about what comes with it, `changing` about messages that are there, `enclosing` about files that go out, `speaking` about what goes out, `basics` about both. A platform of the house has no other side and keeps the
//! basics.
//!
//! [`run`] plays all cases and returns the score card that `docs/platforms.md` shows. A case that fails panics with
//! its own words. A case goes into its area's file and into the list below.

pub mod basics;
pub mod bringing;
pub mod changing;
pub mod enclosing;
pub mod hearing;
pub mod speaking;
pub mod stage;

use std::pin::Pin;

use stage::{Other, Stage};

type Playing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A case that needs nothing but the adapter.
struct Basic {
    says: &'static str,
    play: for<'a> fn(&'a dyn Stage) -> Playing<'a>,
}

/// A case that needs the other side.
struct Whole {
    says: &'static str,
    play: for<'a> fn(&'a dyn Stage, &'a dyn Other) -> Playing<'a>,
}

const BASICS: [Basic; 3] = [
    Basic {
        says: "stops within a second",
        play: |stage| Box::pin(basics::stops_within_a_second(stage)),
    },
    Basic {
        says: "a text at the limit goes through, one over it is never sent",
        play: |stage| Box::pin(basics::keeps_the_limit_of_its_texts(stage)),
    },
    Basic {
        says: "a send that is repeated shows once, or the adapter says that it may not",
        play: |stage| Box::pin(basics::knows_whether_repeats_show(stage)),
    },
];

const WHOLES: [Whole; 26] = [
    Whole {
        says: "an update that comes again has the same event key",
        play: |stage, other| Box::pin(hearing::knows_a_redelivery(stage, other)),
    },
    Whole {
        says: "a correction is the message that it corrects",
        play: |stage, other| Box::pin(hearing::knows_a_correction(stage, other)),
    },
    Whole {
        says: "a group that becomes another is told by both ids",
        play: |stage, other| Box::pin(hearing::tells_what_a_group_has_become(stage, other)),
    },
    Whole {
        says: "the cursor never passes an update that was not taken",
        play: |stage, other| Box::pin(hearing::passes_nothing_that_was_not_taken(stage, other)),
    },
    Whole {
        says: "goes on behind the cursor after a restart",
        play: |stage, other| Box::pin(hearing::goes_on_behind_its_cursor(stage, other)),
    },
    Whole {
        says: "a cursor of another account's platform skips nothing",
        play: |stage, other| Box::pin(hearing::does_not_trust_a_foreign_cursor(stage, other)),
    },
    Whole {
        says: "what was written before it listened is heard",
        play: |stage, other| Box::pin(hearing::hears_what_waited(stage, other)),
    },
    Whole {
        says: "unknown updates are counted and not fatal",
        play: |stage, other| Box::pin(hearing::counts_what_it_does_not_know(stage, other)),
    },
    Whole {
        says: "an outage of the platform is waited out",
        play: |stage, other| Box::pin(hearing::waits_out_an_outage(stage, other)),
    },
    Whole {
        says: "answers that break off in the middle lose nothing",
        play: |stage, other| Box::pin(hearing::loses_nothing_to_half_answers(stage, other)),
    },
    Whole {
        says: "tells that it is down, and why, and never its secret",
        play: |stage, other| Box::pin(hearing::tells_that_it_is_down(stage, other)),
    },
    Whole {
        says: "two accounts of one platform do not mix",
        play: |stage, other| Box::pin(hearing::keeps_accounts_apart(stage, other)),
    },
    Whole {
        says: "a limit of the platform's pace is due at the named moment",
        play: |stage, other| Box::pin(speaking::comes_back_when_told(stage, other)),
    },
    Whole {
        says: "a refusal reaches as far as what it is about",
        play: |stage, other| Box::pin(speaking::says_how_far_a_refusal_reaches(stage, other)),
    },
    Whole {
        says: "a lost answer is unknown, what was never sent is not",
        play: |stage, other| Box::pin(speaking::knows_doubt_from_failure(stage, other)),
    },
    Whole {
        says: "what comes with a message is brought whenever it is asked for",
        play: |stage, other| Box::pin(bringing::brings_what_came(stage, other)),
    },
    Whole {
        says: "a file that is gone is told from one that is late",
        play: |stage, other| Box::pin(bringing::knows_why_it_brings_nothing(stage, other)),
    },
    Whole {
        says: "a message that was sent can be changed, twice like once",
        play: |stage, other| Box::pin(changing::changes_what_it_sent(stage, other)),
    },
    Whole {
        says: "what is gone is said to be gone",
        play: |stage, other| Box::pin(changing::knows_what_is_gone(stage, other)),
    },
    Whole {
        says: "a press says what its button was made to say, and is answered",
        play: |stage, other| Box::pin(changing::hears_its_buttons(stage, other)),
    },
    Whole {
        says: "an answer quotes what it answers, and goes out without it",
        play: |stage, other| Box::pin(speaking::quotes_what_it_answers(stage, other)),
    },
    Whole {
        says: "a file goes out as what it is",
        play: |stage, other| Box::pin(enclosing::sends_files_as_what_they_are(stage, other)),
    },
    Whole {
        says: "pictures that go together are one message",
        play: |stage, other| Box::pin(enclosing::sends_albums(stage, other)),
    },
    Whole {
        says: "what is not taken as a picture goes out as a file",
        play: |stage, other| Box::pin(enclosing::sends_what_is_no_picture_as_a_file(stage, other)),
    },
    Whole {
        says: "what became of a file is told like what became of words",
        play: |stage, other| Box::pin(enclosing::knows_what_became_of_a_file(stage, other)),
    },
    Whole {
        says: "its secret is in no error",
        play: |stage, other| Box::pin(speaking::keeps_its_secret(stage, other)),
    },
];

/// How one adapter did.
#[derive(Debug, Clone)]
pub struct Card {
    /// The platform.
    pub name: String,
    /// For each case in order whether it holds, or does not apply.
    pub marks: Vec<Mark>,
}

/// How a case went. One that fails does not return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It holds.
    Holds,
    /// There is no other side that it could be about.
    DoesNotApply,
}

/// Plays all cases, each on a stage of its own.
pub async fn run<S: Stage, F: AsyncFn() -> S>(name: &str, build: F) -> Card {
    let mut marks = Vec::new();
    for case in &BASICS {
        (case.play)(&build().await).await;
        marks.push(Mark::Holds);
    }
    for case in &WHOLES {
        let stage = build().await;
        marks.push(match stage.other() {
            Some(other) => {
                (case.play)(&stage, other).await;
                Mark::Holds
            }
            None => Mark::DoesNotApply,
        });
    }
    Card {
        name: name.to_owned(),
        marks,
    }
}

/// The table of all cards, for people.
pub fn table(cards: &[Card]) -> String {
    let names: Vec<&str> = cards.iter().map(|card| card.name.as_str()).collect();
    let head = format!("| what is promised | {} |", names.join(" | "));
    let line = format!("|---|{}", ":-:|".repeat(cards.len()));
    let says = BASICS.iter().map(|case| case.says);
    let says = says.chain(WHOLES.iter().map(|case| case.says));
    let rows = says.enumerate().map(|(number, says)| {
        let marks = cards.iter().map(|card| match card.marks[number] {
            Mark::Holds => "yes",
            Mark::DoesNotApply => "–",
        });
        let marks: Vec<&str> = marks.collect();
        format!("| {says} | {} |", marks.join(" | "))
    });
    [head, line]
        .into_iter()
        .chain(rows)
        .collect::<Vec<_>>()
        .join("\n")
}
