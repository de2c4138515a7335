//! What is spent by day and by person, and what is reserved before a call.

use std::sync::Arc;

use angelia_core::cost::Amount;
use angelia_core::cost::caps::{Call, Cap, Caps, Grant, Reached, Which};
use angelia_core::cost::prices::Written;
use angelia_core::limits::LEASE_TIME;
use angelia_core::time::Span;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::usage::{Cost, Micros, Tokens, Usage};
use angelia_core::turn::journal::Step;
use angelia_store::StoreError;
use angelia_store::costs::{Keep, Kept, Reserve, Reserved};
use angelia_store::turns::ClaimedTurn;

use super::Told;
use super::given::{Given, account, done, is_lost};

pub(super) fn amount(micros: u64) -> Amount {
    Amount {
        tokens: micros,
        micros: Some(Micros::new(micros)),
    }
}

pub(super) fn day_cap(micros: u64) -> Caps {
    let day = Cap {
        micros: Some(Micros::new(micros)),
        tokens: None,
    };
    Caps {
        day,
        ..Caps::default()
    }
}

/// A call whose tokens cost a millionth of a dollar each, with an answer of one length and no other.
pub(super) fn call(micros: u64) -> Call {
    let written = Written {
        input: 1.0,
        output: 1.0,
        ..Written::default()
    };
    Call {
        prompt: 0,
        answer: micros,
        least: micros,
        price: written.read(),
    }
}

pub(super) async fn reserve(
    given: &Given,
    turn: &ClaimedTurn,
    caps: Caps,
    micros: u64,
) -> Result<Reserved, StoreError> {
    let wanted = Reserve {
        turn: turn.turn,
        fence: turn.fence,
        call: call(micros),
        caps: Arc::new(caps),
    };
    given.store.reserve(wanted).await.map(done)
}

fn granted(micros: u64) -> Reserved {
    let (answer, most) = (micros, amount(micros));
    Reserved::Granted(Grant { answer, most })
}

async fn keep(given: &Given, turn: &ClaimedTurn, micros: u64, how: Kept) -> Told {
    let keep = Keep {
        turn: turn.turn,
        fence: turn.fence,
        used: amount(micros),
        how,
    };
    done(given.store.keep(keep).await?);
    Ok(())
}

fn refused(cap: u64) -> Reserved {
    Reserved::Refused(Reached::Money(Which::Day, Micros::new(cap)))
}

/// An answer that used so many tokens, each for a millionth of a dollar.
fn answer(micros: u64) -> Step {
    let spent = Usage {
        tokens: Tokens {
            output: micros,
            ..Tokens::default()
        },
        calls: 1,
        cost: Cost {
            estimated: Some(Micros::new(micros)),
            ..Cost::default()
        },
        ..Usage::default()
    };
    Step::Answer {
        row: Box::new(Entry::new(Role::Assistant, "words".to_owned())),
        spent: Some(Box::new(spent)),
    }
}

async fn spend(given: &Given, turn: &ClaimedTurn, seq: u32, micros: u64) -> Told {
    let recorded = given
        .store
        .record_step(turn.turn, turn.fence, seq, answer(micros));
    done(recorded.await?);
    Ok(())
}

async fn reserved(given: &Given) -> Result<u64, StoreError> {
    Ok(given.store.reserved().await?.tokens)
}

/// For the person, for everybody, once for each step, and on the day on which it was.
pub async fn what_a_step_used_is_counted_for_its_day_and_its_person(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    spend(given, &turn, 1, 10).await?;
    spend(given, &turn, 1, 10).await?;
    spend(given, &turn, 2, 5).await?;
    let person = turn.batch[0].inbound.person.id.clone();
    let today = given.store.spent_today(&account(), &person).await?;
    assert_eq!(today, amount(15));
    let nobody = given.store.spent_today(&account(), "nobody").await?;
    assert_eq!(nobody, Amount::default());
    given.clock.advance(Span::days(1));
    let turn = given.orphan().await?;
    spend(given, &turn, 3, 7).await?;
    let rows = given.store.spent(10).await?;
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.who.is_some(), row.calls, row.used.tokens))
        .collect();
    let expected = [(false, 1, 7), (true, 1, 7), (false, 2, 15), (true, 2, 15)];
    assert_eq!(told, expected);
    assert!(rows[0].day > rows[2].day);
    Ok(())
}

/// Whatever was spent, whatever is reserved and the most of one more call stay within the cap together.
pub async fn calls_that_are_made_at_once_stay_within_a_cap_together(given: &Given) -> Told {
    given.say("c1", "one").await?;
    given.say("c2", "two").await?;
    let (one, two) = (given.claim().await?, given.claim().await?);
    let caps = day_cap(100);
    assert_eq!(reserve(given, &one, caps, 60).await?, granted(60));
    assert_eq!(reserve(given, &two, caps, 60).await?, refused(100));
    assert_eq!(reserve(given, &two, caps, 40).await?, granted(40));
    assert_eq!(reserved(given).await?, 100);
    spend(given, &one, 1, 20).await?;
    assert_eq!(reserved(given).await?, 40, "its call is settled");
    assert_eq!(reserve(given, &one, caps, 41).await?, refused(100));
    assert_eq!(reserve(given, &one, caps, 40).await?, granted(40));
    Ok(())
}

/// A turn makes one call at a time: what it reserves takes the place of what it has open.
pub async fn a_call_that_comes_to_nothing_is_given_back(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let turn = given.claim().await?;
    let caps = day_cap(100);
    assert_eq!(reserve(given, &turn, caps, 90).await?, granted(90));
    assert_eq!(reserve(given, &turn, caps, 80).await?, granted(80));
    assert_eq!(reserved(given).await?, 80);
    done(given.store.give_back(turn.turn, turn.fence).await?);
    done(given.store.give_back(turn.turn, turn.fence).await?);
    assert_eq!(reserved(given).await?, 0);
    assert_eq!(given.store.spent(10).await?, []);
    Ok(())
}

/// Where a long answer does not fit, a short one is allowed, and no more than that is reserved.
pub async fn a_small_cap_allows_a_short_answer(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let turn = given.claim().await?;
    let wanted = Reserve {
        turn: turn.turn,
        fence: turn.fence,
        call: Call {
            least: 10,
            ..call(1000)
        },
        caps: Arc::new(day_cap(100)),
    };
    let told = given.store.reserve(wanted).await.map(done)?;
    assert_eq!(told, granted(100));
    assert_eq!(reserved(given).await?, 100);
    Ok(())
}

/// Nobody will ever tell what the call of somebody who died has used: it counts in full, once, on its day,
/// whatever becomes of the turn.
pub async fn a_call_that_was_cut_off_stays_counted(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let first = given.claim().await?;
    let caps = day_cap(100);
    assert_eq!(reserve(given, &first, caps, 70).await?, granted(70));
    given.clock.advance(LEASE_TIME);
    let second = given.orphan().await?;
    assert_eq!(reserved(given).await?, 70);
    let late = Reserve {
        turn: first.turn,
        fence: first.fence,
        call: call(1),
        caps: Arc::default(),
    };
    assert!(is_lost(&given.store.reserve(late).await?));
    assert!(is_lost(
        &given.store.give_back(first.turn, first.fence).await?
    ));
    assert_eq!(reserve(given, &second, caps, 31).await?, refused(100));
    assert_eq!(reserve(given, &second, caps, 30).await?, granted(30));
    spend(given, &second, 1, 5).await?;
    given.settle(&second, &["answer"]).await?;
    assert_eq!(reserved(given).await?, 70);
    let person = &first.batch[0].inbound.person.id;
    let in_doubt = given.store.reserved_today(&account(), person).await?;
    assert_eq!(in_doubt, amount(70));
    assert_eq!(given.store.reserved_in(first.session).await?, amount(70));
    given.clock.advance(Span::days(1));
    let tomorrow = given.store.reserved_today(&account(), person).await?;
    assert_eq!(tomorrow, Amount::default());
    Ok(())
}

/// Whoever hangs up can say how much it was at most, once.
pub async fn a_call_that_was_hung_up_counts_with_what_it_can_have_used(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let turn = given.claim().await?;
    let caps = day_cap(100);
    assert_eq!(reserve(given, &turn, caps, 90).await?, granted(90));
    keep(given, &turn, 20, Kept::Cut).await?;
    keep(given, &turn, 5, Kept::Cut).await?;
    assert_eq!(reserved(given).await?, 20);
    assert_eq!(reserve(given, &turn, caps, 81).await?, refused(100));
    assert_eq!(reserve(given, &turn, caps, 80).await?, granted(80));
    spend(given, &turn, 1, 10).await?;
    assert_eq!(
        reserved(given).await?,
        20,
        "its answer tells nothing of the call before"
    );
    Ok(())
}

/// Several calls that become one step count from the first on.
pub async fn calls_before_their_step_are_counted_until_it_tells(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let turn = given.claim().await?;
    let caps = day_cap(100);
    assert_eq!(reserve(given, &turn, caps, 60).await?, granted(60));
    keep(given, &turn, 30, Kept::Known).await?;
    assert_eq!(reserve(given, &turn, caps, 71).await?, refused(100));
    assert_eq!(reserve(given, &turn, caps, 70).await?, granted(70));
    keep(given, &turn, 40, Kept::Known).await?;
    assert_eq!(reserved(given).await?, 70);
    spend(given, &turn, 1, 70).await?;
    assert_eq!(reserved(given).await?, 0);
    assert_eq!(reserve(given, &turn, caps, 31).await?, refused(100));
    Ok(())
}

/// What was given up is in no step, and the next step tells of itself alone.
pub async fn calls_that_become_no_step_stay_counted_when_another_tells(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let turn = given.claim().await?;
    let caps = day_cap(100);
    assert_eq!(reserve(given, &turn, caps, 60).await?, granted(60));
    keep(given, &turn, 30, Kept::Known).await?;
    assert_eq!(reserve(given, &turn, caps, 50).await?, granted(50));
    for _ in 0..2 {
        done(given.store.cut_off(turn.turn, turn.fence).await?);
    }
    assert_eq!(reserved(given).await?, 80);
    spend(given, &turn, 1, 20).await?;
    assert_eq!(reserved(given).await?, 30, "the call under way is settled");
    assert_eq!(reserve(given, &turn, caps, 51).await?, refused(100));
    assert_eq!(reserve(given, &turn, caps, 50).await?, granted(50));
    given.clock.advance(LEASE_TIME);
    let late = given.orphan().await?;
    assert!(is_lost(&given.store.cut_off(turn.turn, turn.fence).await?));
    given.settle(&late, &["answer"]).await?;
    assert_eq!(reserved(given).await?, 80, "nobody tells of the last call");
    Ok(())
}

/// Each cap asks for its own sum; one of a conversation knows no days.
pub async fn a_person_and_a_conversation_have_caps_of_their_own(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let turn = given.claim().await?;
    spend(given, &turn, 1, 50).await?;
    let cap = Cap {
        micros: None,
        tokens: Some(60),
    };
    let person = Caps {
        person: cap,
        ..Caps::default()
    };
    let session = Caps {
        session: cap,
        ..Caps::default()
    };
    let reached = |which| Reserved::Refused(Reached::Tokens(which, 60));
    assert_eq!(
        reserve(given, &turn, person, 11).await?,
        reached(Which::Person)
    );
    assert_eq!(
        reserve(given, &turn, session, 11).await?,
        reached(Which::Session)
    );
    given.clock.advance(Span::days(1));
    let turn = given.orphan().await?;
    assert_eq!(reserve(given, &turn, person, 11).await?, granted(11));
    assert_eq!(
        reserve(given, &turn, session, 11).await?,
        reached(Which::Session)
    );
    Ok(())
}
