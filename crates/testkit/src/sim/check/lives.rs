//! What became of conversations, compared with the book.
//!
//! Every message that was accepted is answered by one turn, in the conversation that its place spoke in
//! when its time came; a question is asked again once; a new beginning is told as often as it should be;
//! what is visible is what was said and not taken back, and for the rest of it there is one summary.

use std::collections::BTreeMap;

use angelia_core::command::{Command, Plan, Reading as Read};
use angelia_core::id::SessionId;
use angelia_core::inbound::{EventKey, Role};
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::entry::Visibility;
use angelia_core::turn::outcome::Outcome;
use angelia_store::Store;
use angelia_store::views::{Entry, Order, Range, Reading, SessionFilter, Shown};

use crate::sim::agent::compacting::stands_for;
use crate::sim::ledger::{Began, Ledger, PastWas, Spot, Taken};
use crate::sim::marks;
use crate::sim::world::{PORCH, Shared};

/// Looks at all conversations. Returns the laws that were broken.
pub async fn check(store: &dyn Store, world: &Shared, book: &Ledger) -> Vec<String> {
    let said = all_said(store).await;
    let mut broken = Vec::new();
    nothing_is_lost(world, book, &mut broken);
    everything_is_answered_once(book, &mut broken);
    questions_are_asked_again_once(book, &mut broken);
    for spot in book.spots() {
        places_are_answered_where_they_speak(&spot, book, &mut broken);
    }
    conversations_are_of_one_place(book, &mut broken);
    beginnings_are_told_once(book, &mut broken);
    rows_say_what_was_said(&said, book, &mut broken);
    summaries_stand_for_the_rest(&said, book, &mut broken);
    broken
}

fn nothing_is_lost(world: &Shared, book: &Ledger, broken: &mut Vec<String>) {
    for (account, side) in &world.lock().sides {
        for number in &side.told {
            let key = EventKey::of_update(&number.to_string());
            let is_it = |one: &Taken| one.key == key && one.spot.0 == *account;
            // Of a stranger nothing is kept.
            let is_owed = account.0 != PORCH || book.strangers.owed.contains(number);
            let is_known = side.is_move(*number)
                || book.away.holds(account, &key)
                || book.taken.iter().any(is_it);
            if is_owed && !is_known {
                broken.push(format!("lost: {account} was told that we have {number}"));
            }
        }
    }
}

fn everything_is_answered_once(book: &Ledger, broken: &mut Vec<String>) {
    for taken in book.standing() {
        let (spot, text) = (&taken.spot, &taken.text);
        match taken.answered.len() {
            1 => (),
            0 => broken.push(format!("lost: {spot:?} `{text}` was never answered")),
            more => broken.push(format!("doubled: `{text}` was answered by {more} turns")),
        }
    }
}

/// A question that is asked again has the platform's name of the `/retry` that asks.
fn questions_are_asked_again_once(book: &Ledger, broken: &mut Vec<String>) {
    for taken in &book.taken {
        if taken.reading() != Read::Command(Command::Retry) {
            continue;
        }
        let again = book.taken.iter().filter(|one| {
            one.message == taken.message && one.spot == taken.spot && one.key != taken.key
        });
        let (count, outcome) = (
            again.count(),
            book.turn_of(taken).and_then(|turn| turn.outcome.as_ref()),
        );
        let must = match outcome {
            Some(Outcome::Completed { text }) => {
                Some(usize::from(text.starts_with("Asking again")))
            }
            Some(_) | None => None,
        };
        if count > 1 || must.is_some_and(|must| must != count) {
            let (spot, message) = (&taken.spot, &taken.message);
            broken.push(format!(
                "retry: message {message} of {spot:?} asked {count} times, must {must:?}"
            ));
        }
    }
}

/// Walks the messages of a place in their order, and with them where it speaks.
fn places_are_answered_where_they_speak(spot: &Spot, book: &Ledger, broken: &mut Vec<String>) {
    let mut here: Option<SessionId> = None;
    for taken in book.taken.iter().filter(|one| one.spot == *spot) {
        here = taken.began.or(here);
        let Some(turn) = book.turn_of(taken) else {
            continue;
        };
        // What a running turn takes along is answered where that turn is.
        let is_along = turn.batch.first() != Some(&taken.inbox);
        let is_stop = taken.reading().stops() || is_along;
        if let Some(here) = here.filter(|here| *here != turn.session && !is_stop) {
            let (text, session) = (&taken.text, turn.session);
            broken.push(format!(
                "astray: `{text}` of {spot:?} was answered in {session}, but is of {here}"
            ));
        }
        here = match (leads_to(turn.plan.as_ref()), &turn.outcome) {
            _ if is_along => here,
            (None, _) => here,
            (Some(there), Some(Outcome::Completed { .. })) => Some(there),
            // Given up on the way: nobody can say how far it came.
            (Some(_), _) => None,
        };
    }
}

/// Nobody is answered in the conversation of another chat, nor in one that is beside theirs.
fn conversations_are_of_one_place(book: &Ledger, broken: &mut Vec<String>) {
    let mut places: BTreeMap<SessionId, &Spot> = BTreeMap::new();
    for taken in &book.taken {
        let Some(turn) = book.turn_of(taken) else {
            continue;
        };
        let place = *places.entry(turn.session).or_insert(&taken.spot);
        if *place != taken.spot {
            let (text, session) = (&taken.text, turn.session);
            broken.push(format!(
                "crossed: `{text}` was answered in {session}, which is of {place:?}"
            ));
        }
    }
}

fn leads_to(plan: Option<&Plan>) -> Option<SessionId> {
    match plan? {
        Plan::BeginAnew { session, .. }
        | Plan::Resume { session, .. }
        | Plan::Branch { session, .. } => Some(*session),
        Plan::Entitle { .. }
        | Plan::Undo { .. }
        | Plan::Retry { .. }
        | Plan::Model { .. }
        | Plan::Agent { .. }
        | Plan::LetIn { .. }
        | Plan::TakeBack { .. }
        | Plan::Restart { .. }
        | Plan::Home
        | Plan::Display { .. } => None,
    }
}

fn beginnings_are_told_once(book: &Ledger, broken: &mut Vec<String>) {
    let mut expected: BTreeMap<SessionId, u32> = BTreeMap::new();
    for (session, began) in &book.began {
        let heard = book.taken.iter().filter(|one| one.is_words());
        let mut heard = heard.filter_map(|one| book.turn_of(one));
        if is_told(began) && heard.any(|turn| turn.session == *session) {
            expected.insert(*session, 1);
        }
    }
    for session in book.began.keys().chain(book.notices.keys()) {
        let told = book.notices.get(session).copied().unwrap_or(0);
        let must = expected.get(session).copied().unwrap_or(0);
        if told != must {
            broken.push(format!(
                "news: the beginning of {session} was told {told} times, not {must}"
            ));
        }
    }
}

fn is_told(began: &Began) -> bool {
    let is_always = matches!(began.why, Reason::Suspended | Reason::ResumePendingExpired);
    let is_policy = matches!(began.why, Reason::Idle | Reason::Daily);
    is_always || (is_policy && began.past == PastWas::Answered)
}

fn rows_say_what_was_said(
    said: &BTreeMap<SessionId, Vec<Entry>>,
    book: &Ledger,
    broken: &mut Vec<String>,
) {
    for (session, rows) in said {
        let asked = rows.iter().filter(|row| row.role == Role::User);
        let shown = asked.filter(|row| row.visibility == Visibility::Visible);
        let shown: Vec<String> = shown.map(|row| marks::written(&row.text)).collect();
        let must = book.shown(*session);
        if shown != must {
            broken.push(format!(
                "rows: {session} shows {shown:?}, said was {must:?}"
            ));
        }
    }
    // Copies have no turn.
    let written = said.values().flatten();
    let written = written.filter(|row| row.role == Role::User && row.turn.is_some());
    let mut times: BTreeMap<String, i64> = BTreeMap::new();
    written.for_each(|row| *times.entry(marks::written(&row.text)).or_default() += 1);
    let words = book.standing().filter(|one| one.is_words());
    // What a turn took along as an answer stands with the question that it answered.
    let is_row = |one: &&Taken| {
        let turn = book.turn_of(one);
        turn.is_none_or(|turn| turn.says(one.inbox))
    };
    let words = words.filter(is_row);
    words.for_each(|one| *times.entry(one.text.clone()).or_default() -= 1);
    for (text, more) in times.into_iter().filter(|(_, more)| *more != 0) {
        broken.push(format!(
            "rows: `{text}` stands there {more} times too often"
        ));
    }
}

fn summaries_stand_for_the_rest(
    said: &BTreeMap<SessionId, Vec<Entry>>,
    book: &Ledger,
    broken: &mut Vec<String>,
) {
    for (session, rows) in said {
        let shown = rows
            .iter()
            .filter(|row| row.visibility == Visibility::Visible);
        let found: Vec<usize> = shown.filter_map(|row| stands_for(&row.text)).collect();
        let must = book.aside(*session);
        if found.iter().sum::<usize>() != must || found.len() > 1 {
            broken.push(format!(
                "summary: those of {session} stand for {found:?} messages, not {must}"
            ));
        }
    }
}

/// All rows of all conversations, hidden ones too.
pub(super) async fn all_said(store: &dyn Store) -> BTreeMap<SessionId, Vec<Entry>> {
    let range = Range {
        after: None,
        limit: 200,
    };
    let sessions = store.sessions(SessionFilter::default(), range).await;
    let mut said = BTreeMap::new();
    for session in sessions.expect("the bare store reads").items {
        said.insert(session.id, said_in(store, session.id).await);
    }
    said
}

async fn said_in(store: &dyn Store, session: SessionId) -> Vec<Entry> {
    let reading = Reading {
        order: Order::Ascending,
        shown: Shown::All,
    };
    let (mut said, mut after) = (Vec::new(), None);
    loop {
        let range = Range { after, limit: 200 };
        let page = store.transcript(session, reading, range).await;
        let page = page
            .expect("the bare store reads")
            .expect("a listed session exists");
        said.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return said,
        }
    }
}
