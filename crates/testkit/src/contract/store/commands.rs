//! Commands in chat: calls to stop, what is no part of the conversation, and who goes along.

use angelia_core::command::Plan;
use angelia_core::id::SessionId;
use angelia_core::intake;
use angelia_core::lease::Fence;
use angelia_core::session::key::{Isolation, Scope};
use angelia_core::time::Span;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::title::{Giver, Title};
use angelia_core::turn::journal::Step;
use angelia_core::whatsapp::aliases::Aliases;
use angelia_store::commands::Behind;
use angelia_store::sessions::{Anew, At, Authority, Begun, Switched};
use angelia_store::transcripts::Last;

use super::Told;
use super::given::{Given, done, is_lost};

pub(super) fn scope(given: &Given, chat: &str) -> Scope {
    let inbound = given.inbound(chat, "where");
    let route = intake::check(&inbound, Isolation::default(), &Aliases::default());
    route.expect("the message names its place").scope
}

async fn begin_anew(given: &Given, chat: &str) -> Result<SessionId, angelia_store::StoreError> {
    let session = SessionId::from_bits(given.number());
    let anew = Anew {
        at: At::Scope(scope(given, chat)),
        session,
        why: Reason::SessionReset,
        label: None,
        by: Authority::Place,
    };
    let begun = given.store.begin_anew(anew).await?;
    assert!(matches!(begun, Begun::Anew { .. }), "{begun:?}");
    Ok(session)
}

/// What waits is told by kind: words, and calls to stop.
pub async fn what_waits_behind_a_turn_is_told_by_kind(given: &Given) -> Told {
    given.say("c", "hello").await?;
    let turn = given.claim().await?;
    assert_eq!(given.store.behind(turn.turn).await?, Behind::default());
    for text in ["more", "/stop", "/status", "/usr/bin is a path"] {
        given.say("c", text).await?;
    }
    given.say("elsewhere", "/stop").await?;
    let behind = given.store.behind(turn.turn).await?;
    assert_eq!((behind.words, behind.stops), (2, 1));
    given.settle(&turn, &["hi"]).await?;
    assert_eq!(given.store.behind(turn.turn).await?, Behind::default());
    Ok(())
}

/// A call to stop is meant for the turn that ran when it came.
pub async fn a_call_to_stop_is_not_meant_for_a_later_turn(given: &Given) -> Told {
    given.say("c", "hello").await?;
    given.say("c", "/stop").await?;
    given.clock.advance(Span::seconds(1));
    let turn = given.claim().await?;
    assert_eq!(given.store.behind(turn.turn).await?.stops, 0);
    let batch = done(given.store.take_stops(turn.turn, turn.fence).await?);
    assert_eq!(batch, turn.batch);
    Ok(())
}

/// A turn answers the call that ends it, also for whoever takes it over.
pub async fn a_turn_takes_calls_to_stop_along(given: &Given) -> Told {
    let asked = given.say("c", "hello").await?;
    let turn = given.claim().await?;
    given.say("c", "more").await?;
    let stop = given.say("c", "/stop").await?;
    let late = Fence(turn.fence.0 + 1);
    assert!(is_lost(&given.store.take_stops(turn.turn, late).await?));
    for _ in 0..2 {
        let batch = done(given.store.take_stops(turn.turn, turn.fence).await?);
        let answered: Vec<_> = batch.iter().map(|one| one.inbox).collect();
        assert_eq!(answered, [asked.inbox, stop.inbox]);
    }
    given.clock.advance(Span::minutes(1));
    let orphan = given.orphan().await?;
    assert_eq!(orphan.batch.len(), 2);
    given.settle(&orphan, &["stopped"]).await?;
    for inbox in [asked.inbox, stop.inbox] {
        let story = given.store.story(inbox).await?.expect("it is stored");
        assert_eq!(story.deliveries.len(), 1);
    }
    assert_eq!(given.claim().await?.batch[0].inbound.text, "more");
    Ok(())
}

/// Neither a command nor its reply is given to a model.
pub async fn commands_are_no_part_of_what_was_said(given: &Given) -> Told {
    let place = given.say("c", "hello").await?;
    let turn = given.claim().await?;
    given.say("c", "/stop").await?;
    done(given.store.take_stops(turn.turn, turn.fence).await?);
    given.settle(&turn, &["hi"]).await?;
    given.say("c", "/status").await?;
    let command = given.claim().await?;
    given.settle(&command, &["all is well"]).await?;
    let rows = given.store.conversation(place.session, Last::All).await?;
    let rows = rows.expect("the conversation is there");
    let said: Vec<_> = rows
        .iter()
        .map(|row| row.entry.content.plain_text())
        .collect();
    assert_eq!(said, ["hello", "hi"]);
    let row = given
        .store
        .session(place.session)
        .await?
        .expect("there")
        .row;
    assert_eq!(row.preview, "hi");
    Ok(())
}

/// A place numbers its conversations by their beginning, and knows no other's.
pub async fn a_place_numbers_its_conversations(given: &Given) -> Told {
    let first = given.say("c", "hello").await?;
    given.say("d", "elsewhere").await?;
    let second = begin_anew(given, "c").await?;
    let rome = Title::clean("Rome").expect("it is short");
    given
        .store
        .set_title(first.session, rome.clone(), Giver::Person)
        .await?;
    let all = given.store.of_place(&scope(given, "c")).await?;
    let listed: Vec<_> = all.iter().map(|one| (one.number, one.id)).collect();
    assert_eq!(listed, [(1, first.session), (2, second)]);
    assert_eq!((&all[0].title, &all[1].title), (&rome, &None));
    Ok(())
}

/// Words behind the command that begins anew are answered in the new conversation.
pub async fn what_waits_goes_along_with_its_place(given: &Given) -> Told {
    given.say("c", "/new").await?;
    let turn = given.claim().await?;
    given.say("c", "one").await?;
    given.say("c", "two").await?;
    let new = begin_anew(given, "c").await?;
    let next = given.claim().await?;
    assert_eq!(
        (next.session, next.batch[0].inbound.text.as_str()),
        (new, "one")
    );
    given.settle(&turn, &["begun"]).await?;
    assert!(given.try_claim().await?.is_none(), "nothing is left behind");
    given.settle(&next, &["re: one"]).await?;
    let last = given.claim().await?;
    assert_eq!(
        (last.session, last.batch[0].inbound.text.as_str()),
        (new, "two")
    );
    Ok(())
}

/// What was written behind a command that leads elsewhere waits there until the command is answered, also
/// when its owner died on the way.
pub async fn nothing_overtakes_the_command_that_led_there(given: &Given) -> Told {
    given.say("c", "/new").await?;
    let turn = given.claim().await?;
    given.say("c", "before").await?;
    let plan = Plan::BeginAnew {
        session: SessionId::from_bits(given.number()),
        title: None,
    };
    let step = Step::Command { plan };
    let recorded = given.store.record_step(turn.turn, turn.fence, 1, step);
    done(recorded.await?);
    let new = begin_anew(given, "c").await?;
    given.say("c", "after").await?;
    assert!(given.try_claim().await?.is_none(), "the command is first");
    given.clock.advance(Span::minutes(1));
    assert!(given.try_claim().await?.is_none(), "also without its owner");
    let orphan = given.orphan().await?;
    given.settle(&orphan, &["begun"]).await?;
    for text in ["before", "after"] {
        let next = given.claim().await?;
        assert_eq!(
            (next.session, next.batch[0].inbound.text.as_str()),
            (new, text)
        );
        given.settle(&next, &["re"]).await?;
    }
    Ok(())
}

/// Where several places speak in one conversation, each leaves with its own words.
pub async fn what_others_wrote_stays_where_they_are(given: &Given) -> Told {
    let shared = given.say("c", "/new").await?;
    given.say("d", "hello").await?;
    let turn = given.claim().await?;
    let other = given.claim().await?;
    given.settle(&other, &["hi"]).await?;
    let at = At::Scope(scope(given, "d"));
    let led = given
        .store
        .switch(at, shared.session, Authority::Operator)
        .await?;
    assert!(matches!(led, Switched::Done { .. }), "{led:?}");
    given.say("c", "mine").await?;
    given.say("d", "theirs").await?;
    let new = begin_anew(given, "c").await?;
    let (here, isolation) = (scope(given, "c"), Isolation::default());
    for carried in [1, 0] {
        let moved = given
            .store
            .carry_over(shared.session, &here, isolation)
            .await?;
        assert_eq!(moved, carried);
    }
    let mine = given.claim().await?;
    assert_eq!(
        (mine.session, mine.batch[0].inbound.text.as_str()),
        (new, "mine")
    );
    given.settle(&turn, &["begun"]).await?;
    let theirs = given.claim().await?;
    assert_eq!(theirs.session, shared.session);
    assert_eq!(theirs.batch[0].inbound.text, "theirs");
    Ok(())
}
