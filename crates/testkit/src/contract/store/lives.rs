//! Whether a conversation goes on with a message, and what interruptions leave behind.

use std::num::NonZeroU32;
use std::sync::Arc;

use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::news::News;
use angelia_core::session::reset::notice::{Audience, Facts, Past};
use angelia_core::session::reset::{ResetPolicies, policy};
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_core::transcript::ending::{Life, Reason};
use angelia_core::turn::outcome::Outcome;
use angelia_store::StoreError;
use angelia_store::intake::{Accept, Accepted};
use angelia_store::sessions::{Change, Force, Record};
use angelia_store::turns::{Resumed, Settle};
use serde_json::json;

use super::Told;
use super::given::{Given, done};

/// Rules under which a silence of an hour ends a conversation.
pub(super) fn hourly() -> Arc<Rules> {
    let everywhere = policy::Written {
        mode: Some("idle".to_owned()),
        idle_minutes: Some(60),
        ..policy::Written::default()
    };
    let resets = ResetPolicies::read(&everywhere, &Default::default(), &[]).value;
    Arc::new(Rules {
        resets,
        ..Rules::default()
    })
}

/// A message at the door under the hourly rules.
pub(super) fn under_hourly(given: &Given, chat: &str, text: &str) -> Accept {
    Accept {
        rules: hourly(),
        ..given.at_the_door(given.inbound(chat, text))
    }
}

async fn say_hourly(given: &Given, chat: &str) -> Result<SessionId, StoreError> {
    let accepted = given
        .store
        .accept(under_hourly(given, chat, "hello"))
        .await?;
    let Accepted::New(place) = accepted else {
        panic!("it should be taken, not {accepted:?}")
    };
    Ok(place.session)
}

/// What is stored of a conversation.
pub(super) async fn record(given: &Given, session: SessionId) -> Result<Record, StoreError> {
    let found = given.store.lookup(session).await?;
    Ok(found.expect("the conversation is stored"))
}

async fn life(given: &Given, session: SessionId) -> Result<Life, StoreError> {
    Ok(record(given, session).await?.standing.life)
}

/// Ends a turn in another way than by an answer.
async fn end_turn(given: &Given, outcome: Outcome) -> Told {
    let turn = given.orphan().await?;
    let settle = Settle {
        outcome,
        ..given.settlement(&turn, &[])
    };
    done(given.store.settle_turn(settle).await?);
    Ok(())
}

/// The old one ends with its reason, the new one is the next of its place and says why it began.
pub async fn after_a_silence_a_message_begins_anew(given: &Given) -> Told {
    given.answered("c1", &["an answer"]).await?;
    given.clock.advance(Span::minutes(61));
    let new = say_hourly(given, "c1").await?;
    let begun = record(given, new).await?;
    assert_eq!(begun.generation, 2);
    let turn = given.claim().await?;
    let Some(News::ByItself {
        earlier,
        facts,
        past,
        audience,
    }) = turn.news
    else {
        panic!("the turn has news, not {:?}", turn.news)
    };
    let minutes = NonZeroU32::new(60).expect("60 is not zero");
    assert_eq!(facts, Facts::Idle { minutes });
    assert_eq!((past, audience), (Past::Answered, Audience::Agent));
    assert_eq!(life(given, earlier).await?, Life::Ended(Reason::Idle));
    assert_eq!(given.store.peek(&begun.scope).await?, Some(new));
    Ok(())
}

/// At the very end of the time allowed it goes on.
pub async fn a_silence_that_is_allowed_ends_nothing(given: &Given) -> Told {
    let old = say_hourly(given, "c1").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["an answer"]).await?;
    given.clock.advance(Span::minutes(60));
    assert_eq!(say_hourly(given, "c1").await?, old);
    Ok(())
}

/// Who still waits for an answer is not sent away, and neither is a command that runs.
pub async fn work_under_way_keeps_a_conversation(given: &Given) -> Told {
    let waiting = say_hourly(given, "c1").await?;
    given.clock.advance(Span::minutes(61));
    assert_eq!(
        say_hourly(given, "c1").await?,
        waiting,
        "it was not answered"
    );
    let turn = given.claim().await?;
    given.clock.advance(Span::minutes(61));
    assert_eq!(
        say_hourly(given, "c1").await?,
        waiting,
        "it is being answered"
    );
    given.settle(&turn, &[]).await?;
    for _ in 0..2 {
        let turn = given.claim().await?;
        given.settle(&turn, &[]).await?;
    }
    let since = Some(given.clock.now());
    given.store.set_work(waiting, since).await?;
    given.clock.advance(Span::minutes(61));
    assert_eq!(say_hourly(given, "c1").await?, waiting, "a command runs");
    let turn = given.claim().await?;
    given.settle(&turn, &[]).await?;
    given.clock.advance(Span::hours(24));
    let new = say_hourly(given, "c1").await?;
    assert_ne!(new, waiting, "it has run for too long to keep anything");
    Ok(())
}

/// A new beginning is told by one turn, whoever runs it, and by no other.
pub async fn news_are_told_by_the_first_turn_until_it_is_settled(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    let turn = given.claim().await?;
    given.settle(&turn, &[]).await?;
    assert_eq!(given.store.suspend(old).await?, Change::Done);
    let new = given.say("c1", "again").await?.session;
    given.say("c1", "and again").await?;
    let first = given.claim().await?;
    assert!(matches!(
        first.news,
        Some(News::ByItself {
            facts: Facts::Stopped,
            ..
        })
    ));
    assert_eq!(record(given, new).await?.news, None, "the turn has them");
    given.clock.advance(Span::minutes(1));
    let after_a_crash = given.orphan().await?;
    assert_eq!(after_a_crash.news, first.news);
    given.settle(&after_a_crash, &[]).await?;
    assert_eq!(given.claim().await?.news, None);
    Ok(())
}

/// A command is answered without the agent, so it does not use up what the agent is to be told.
pub async fn a_command_leaves_the_news_to_the_agent(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    let turn = given.claim().await?;
    given.settle(&turn, &[]).await?;
    given.store.suspend(old).await?;
    given.say("c1", "/status").await?;
    given.say("c1", "hello again").await?;
    let command = given.claim().await?;
    assert_eq!(command.news, None);
    given.settle(&command, &[]).await?;
    assert!(given.claim().await?.news.is_some());
    Ok(())
}

/// What was stopped stays stopped, and its choices stay with it.
pub async fn a_suspended_conversation_begins_anew(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    let turn = given.claim().await?;
    given.settle(&turn, &["an answer"]).await?;
    let chosen = ModelOverride::of(&json!({"model": "m"}));
    given.store.set_model_override(old, chosen.clone()).await?;
    given
        .store
        .mark_resume(old, Interrupted::RestartTimeout)
        .await?;
    given.store.suspend(old).await?;
    let new = given.say("c1", "again").await?.session;
    assert_ne!(new, old);
    assert_eq!(life(given, old).await?, Life::Ended(Reason::Suspended));
    let new = record(given, new).await?;
    assert_eq!(new.model_override, None);
    assert_eq!((new.standing.mark, new.standing.suspended_at), (None, None));
    assert_eq!(record(given, old).await?.model_override, chosen);
    Ok(())
}

/// A message that comes again begins nothing, however its conversation stands by now.
pub async fn a_message_that_comes_again_does_not_begin_anew(given: &Given) -> Told {
    let message = given.at_the_door(given.inbound("c1", "hello"));
    let Accepted::New(place) = given.store.accept(message.clone()).await? else {
        panic!("it should be taken")
    };
    given.store.suspend(place.session).await?;
    let again = given.at_the_door(message.inbound);
    let again = given.store.accept(again).await?;
    assert_eq!(again, Accepted::Duplicate(place.clone()));
    assert_eq!(life(given, place.session).await?, Life::Live);
    Ok(())
}

/// Nobody wished for it, so nobody notices it.
pub async fn an_accidental_end_heals(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    let accident = Reason::AgentClose;
    given.store.end(old, accident, Force::Plain).await?;
    assert_eq!(given.say("c1", "again").await?.session, old);
    assert_eq!(life(given, old).await?, Life::Live);
    Ok(())
}

/// An end that somebody wished for is not undone, and needs no words.
pub async fn an_end_by_a_boundary_stays(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    given
        .store
        .end(old, Reason::SessionReset, Force::Plain)
        .await?;
    let new = given.say("c1", "again").await?.session;
    assert_ne!(new, old);
    assert_eq!(record(given, new).await?.news, None);
    assert_eq!(life(given, old).await?, Life::Ended(Reason::SessionReset));
    Ok(())
}

/// Within the window it is the same conversation, and the mark stays until something is answered.
pub async fn an_interrupted_conversation_is_taken_up(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    let turn = given.claim().await?;
    given.settle(&turn, &[]).await?;
    given
        .store
        .mark_resume(old, Interrupted::RestartTimeout)
        .await?;
    let mark = record(given, old).await?.standing.mark;
    given.clock.advance(Span::hours(1));
    assert_eq!(given.say("c1", "again").await?.session, old);
    assert_eq!(record(given, old).await?.standing.mark, mark);
    let turn = given.claim().await?;
    assert_eq!(
        turn.resumed,
        Resumed::Conversation(mark.expect("it was marked"))
    );
    given.settle(&turn, &["an answer"]).await?;
    assert_eq!(record(given, old).await?.standing.mark, None);
    Ok(())
}

/// Later than that nobody remembers what it was about.
pub async fn an_interruption_too_long_ago_begins_anew(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    let turn = given.claim().await?;
    given.settle(&turn, &[]).await?;
    given
        .store
        .mark_resume(old, Interrupted::ShutdownTimeout)
        .await?;
    given.clock.advance(Span::ms(3_600_001));
    let new = given.say("c1", "again").await?.session;
    let expired = Life::Ended(Reason::ResumePendingExpired);
    assert_eq!(life(given, old).await?, expired);
    let news = record(given, new).await?.news;
    assert!(matches!(
        news,
        Some(News::ByItself {
            facts: Facts::ResumeExpired,
            audience: Audience::AgentAndChat,
            ..
        })
    ));
    Ok(())
}

/// A turn that lost its owner marks its conversation with the time at which it was opened.
pub async fn a_turn_without_its_owner_marks_its_conversation(given: &Given) -> Told {
    let session = given.say("c1", "hello").await?.session;
    let opened = given.clock.now();
    given.claim().await?;
    given.clock.advance(Span::minutes(10));
    let orphan = given.orphan().await?;
    let mark = record(given, session).await?.standing.mark;
    let mark = mark.expect("it is marked");
    assert_eq!(
        (mark.at, mark.reason),
        (opened, Interrupted::RestartInterrupted)
    );
    let why = Interrupted::RestartInterrupted;
    let age = Span::minutes(10);
    assert_eq!(orphan.resumed, Resumed::Turn { why, age });
    Ok(())
}

/// A turn that was given back is marked with the time and the reason of that.
pub async fn a_released_turn_marks_its_conversation(given: &Given) -> Told {
    let session = given.say("c1", "hello").await?.session;
    let turn = given.claim().await?;
    given.clock.advance(Span::minutes(5));
    let why = Interrupted::ShutdownTimeout;
    let released = given.store.release_turn(turn.turn, turn.fence, why);
    done(released.await?);
    let at = given.clock.now();
    given.clock.advance(Span::minutes(2));
    let again = given.orphan().await?;
    let age = Span::minutes(2);
    assert_eq!(again.resumed, Resumed::Turn { why, age });
    let mark = record(given, session).await?.standing.mark;
    assert_eq!(mark.map(|mark| mark.at), Some(at));
    given.settle(&again, &["an answer"]).await?;
    assert_eq!(record(given, session).await?.standing.mark, None);
    Ok(())
}

/// The mark of an earlier interruption says nothing about a later turn.
pub async fn an_older_mark_does_not_age_a_younger_turn(given: &Given) -> Told {
    let session = given.say("c1", "hello").await?.session;
    given
        .store
        .mark_resume(session, Interrupted::RestartTimeout)
        .await?;
    given.clock.advance(Span::minutes(50));
    given.claim().await?;
    given.clock.advance(Span::minutes(20));
    let age = given.orphan().await?.resumed.age();
    assert_eq!(age, Some(Span::minutes(20)));
    Ok(())
}

/// The third death of a turn stops its conversation, in the same transaction.
pub async fn a_turn_that_is_given_up_suspends_its_conversation(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    given.claim().await?;
    for _ in 0..limits::TURN_ATTEMPTS - 1 {
        given.clock.advance(Span::minutes(1));
        given.orphan().await?;
    }
    given.clock.advance(Span::minutes(1));
    end_turn(given, Outcome::Abandoned).await?;
    assert!(record(given, old).await?.standing.suspended_at.is_some());
    let new = given.say("c1", "again").await?.session;
    assert_ne!(new, old);
    let news = record(given, new).await?.news;
    assert!(matches!(
        news,
        Some(News::ByItself {
            facts: Facts::Stopped,
            ..
        })
    ));
    Ok(())
}

/// A turn that comes too late leaves its mark, so that the next message begins anew and says so.
pub async fn a_turn_that_is_too_late_leaves_its_mark(given: &Given) -> Told {
    let old = given.say("c1", "hello").await?.session;
    given.claim().await?;
    given.clock.advance(Span::hours(2));
    end_turn(given, Outcome::TooLate).await?;
    assert_eq!(record(given, old).await?.standing.suspended_at, None);
    let new = given.say("c1", "again").await?.session;
    assert_ne!(new, old);
    let expired = Life::Ended(Reason::ResumePendingExpired);
    assert_eq!(life(given, old).await?, expired);
    Ok(())
}

/// A clock that is set back neither ends nor revives anything.
pub async fn the_last_activity_never_goes_back(given: &Given) -> Told {
    let session = given.say("c1", "hello").await?.session;
    let turn = given.claim().await?;
    given.settle(&turn, &[]).await?;
    let active_at = record(given, session).await?.standing.active_at;
    given.clock.advance(Span::hours(-5));
    given.say("c1", "earlier").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &[]).await?;
    given.store.touch(session, None).await?;
    assert_eq!(record(given, session).await?.standing.active_at, active_at);
    Ok(())
}
