//! The verbs over the life of conversations.

use std::sync::Arc;

use angelia_core::address::{ChatKind, Platform};
use angelia_core::id::SessionId;
use angelia_core::intake;
use angelia_core::session::key::{Isolation, Scope};
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::news::News;
use angelia_core::session::reset::Reason as Due;
use angelia_core::session::reset::notice::Facts;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_core::transcript::ending::{Life, Reason};
use angelia_core::whatsapp::aliases::Aliases;
use angelia_store::StoreError;
use angelia_store::intake::Accepted;
use angelia_store::sessions::{
    Anew, At, Authority, Begun, Change, Expired, Force, InThread, OfOrigin, Switched,
};
use serde_json::json;

use super::Told;
use super::given::Given;
use super::lives::{hourly, record, under_hourly};

/// The place of a private chat.
pub(super) fn place(given: &Given, chat: &str) -> Scope {
    let message = given.inbound(chat, "x");
    let route = intake::check(&message, Isolation::default(), &Aliases::default());
    route.expect("a private chat has a place").scope
}

fn anew(given: &Given, chat: &str) -> Anew {
    Anew {
        at: At::Scope(place(given, chat)),
        session: SessionId::from_bits(given.number()),
        why: Reason::SessionReset,
        label: None,
        by: Authority::Place,
    }
}

pub(super) async fn life(given: &Given, session: SessionId) -> Result<Life, StoreError> {
    Ok(record(given, session).await?.standing.life)
}

/// A conversation whose one message was answered.
pub(super) async fn rested(given: &Given, chat: &str) -> Result<SessionId, StoreError> {
    let session = given.say(chat, "hello").await?.session;
    let turn = given.claim().await?;
    given.settle(&turn, &["an answer"]).await?;
    Ok(session)
}

async fn switch(given: &Given, chat: &str, to: SessionId) -> Result<Switched, StoreError> {
    let at = At::Scope(place(given, chat));
    given.store.switch(at, to, Authority::Place).await
}

/// Whoever asks for it has a new conversation of the same place, and the old one is over.
pub async fn a_conversation_begins_anew_when_somebody_asks(given: &Given) -> Told {
    let old = rested(given, "c1").await?;
    let chosen = ModelOverride::of(&json!({"model": "m"}));
    given.store.set_model_override(old, chosen).await?;
    given.store.touch(old, Some(7)).await?;
    let wish = anew(given, "c1");
    let begun = given.store.begin_anew(wish.clone()).await?;
    assert_eq!(begun, Begun::Anew { earlier: old });
    assert_eq!(life(given, old).await?, Life::Ended(Reason::SessionReset));
    let (before, new) = (
        record(given, old).await?,
        record(given, wish.session).await?,
    );
    assert_eq!((&new.scope, &new.key), (&before.scope, &before.key));
    assert_eq!((&new.origin, &new.label), (&before.origin, &before.label));
    assert_eq!((new.generation, new.prompt_tokens), (2, 0));
    assert_eq!((new.model_override, new.link), (None, None));
    assert_eq!(new.news, Some(News::Asked { earlier: old }));
    assert_eq!(given.say("c1", "again").await?.session, wish.session);
    Ok(())
}

/// A caller who lost the answer asks again.
pub async fn asking_again_for_the_same_conversation_changes_nothing(given: &Given) -> Told {
    rested(given, "c1").await?;
    let wish = anew(given, "c1");
    given.store.begin_anew(wish.clone()).await?;
    assert_eq!(given.store.begin_anew(wish.clone()).await?, Begun::Before);
    assert_eq!(life(given, wish.session).await?, Life::Live);
    assert_eq!(record(given, wish.session).await?.generation, 2);
    Ok(())
}

/// There is nothing to begin anew where nobody has spoken.
pub async fn a_place_without_a_conversation_is_unknown(given: &Given) -> Told {
    let wish = anew(given, "c1");
    assert_eq!(given.store.begin_anew(wish.clone()).await?, Begun::Unknown);
    let at = At::Session(SessionId::from_bits(given.number()));
    let by_session = Anew { at, ..wish.clone() };
    assert_eq!(given.store.begin_anew(by_session).await?, Begun::Unknown);
    assert!(given.store.lookup(wish.session).await?.is_none());
    let nobody = SessionId::from_bits(given.number());
    assert_eq!(switch(given, "c1", nobody).await?, Switched::UnknownPlace);
    Ok(())
}

/// A boundary takes the place of an accident, and of no other reason.
pub async fn the_first_reason_stays_unless_it_was_an_accident(given: &Given) -> Told {
    let session = rested(given, "c1").await?;
    let store = &given.store;
    let (accident, reset) = (Reason::WsOrphanReap, Reason::SessionReset);
    assert_eq!(
        store.end(session, accident, Force::Plain).await?,
        Change::Done
    );
    let again = store.end(session, reset, Force::Plain).await?;
    assert_eq!(again, Change::Unchanged);
    assert_eq!(
        store.end(session, reset, Force::Boundary).await?,
        Change::Done
    );
    let late = store.end(session, Reason::Idle, Force::Boundary).await?;
    assert_eq!(late, Change::Unchanged);
    assert_eq!(life(given, session).await?, Life::Ended(reset));
    let nobody = SessionId::from_bits(given.number());
    assert_eq!(
        store.end(nobody, reset, Force::Plain).await?,
        Change::Unknown
    );
    Ok(())
}

/// Somebody goes back to what their place has spoken in before; it is open and active again.
pub async fn a_place_is_led_back_to_an_earlier_conversation(given: &Given) -> Told {
    let old = rested(given, "c1").await?;
    let wish = anew(given, "c1");
    given.store.begin_anew(wish.clone()).await?;
    given.store.suspend(old).await?;
    given.clock.advance(Span::days(3));
    let switched = switch(given, "c1", old).await?;
    let earlier = wish.session;
    assert_eq!(switched, Switched::Done { earlier });
    assert_eq!(
        life(given, earlier).await?,
        Life::Ended(Reason::SessionSwitch)
    );
    let standing = record(given, old).await?.standing;
    assert_eq!((standing.life, standing.suspended_at), (Life::Live, None));
    assert_eq!(standing.active_at, given.clock.now());
    assert_eq!(given.store.peek(&place(given, "c1")).await?, Some(old));
    assert_eq!(switch(given, "c1", old).await?, Switched::Same);
    assert_eq!(given.say("c1", "again").await?.session, old);
    Ok(())
}

/// What others said is not reached by naming it, and what does not exist not at all.
pub async fn a_place_reaches_no_conversation_of_others(given: &Given) -> Told {
    let mine = rested(given, "c1").await?;
    let mut message = given.inbound("c2", "a secret");
    message.person.id = "u2".to_owned();
    let taken = given.store.accept(given.at_the_door(message)).await?;
    let Accepted::New(theirs) = taken else {
        panic!("it should be taken")
    };
    assert_eq!(
        switch(given, "c1", theirs.session).await?,
        Switched::Forbidden
    );
    let nobody = SessionId::from_bits(given.number());
    assert_eq!(switch(given, "c1", nobody).await?, Switched::UnknownTarget);
    assert_eq!(given.store.peek(&place(given, "c1")).await?, Some(mine));
    let reachable = given.store.reachable(At::Session(mine), 10).await?;
    assert!(reachable.is_empty(), "{reachable:?}");
    Ok(())
}

/// One person's private chats of one account are theirs alone.
pub async fn a_person_reaches_their_other_private_chats(given: &Given) -> Told {
    let (one, two) = (rested(given, "c1").await?, rested(given, "c2").await?);
    let reachable = given.store.reachable(At::Session(one), 10).await?;
    let reachable: Vec<_> = reachable.iter().map(|record| record.id).collect();
    assert_eq!(reachable, [two]);
    assert_eq!(
        switch(given, "c1", two).await?,
        Switched::Done { earlier: one }
    );
    Ok(())
}

/// Only the route of the place that moves is changed; nothing that others still speak in ends.
pub async fn two_places_may_speak_in_one_conversation(given: &Given) -> Told {
    let (one, two) = (rested(given, "c1").await?, rested(given, "c2").await?);
    let before = record(given, one).await?;
    let at = At::Scope(place(given, "c2"));
    given.store.switch(at, one, Authority::Operator).await?;
    assert_eq!(life(given, two).await?, Life::Ended(Reason::SessionSwitch));
    let after = record(given, one).await?;
    assert_eq!(
        (&after.origin, &after.scope),
        (&before.origin, &before.scope)
    );
    assert_eq!(given.store.peek(&place(given, "c1")).await?, Some(one));
    switch(given, "c2", two).await?;
    assert_eq!(
        life(given, one).await?,
        Life::Live,
        "the first place is still there"
    );
    Ok(())
}

/// Whoever speaks in it from wherever is answered one after the other.
pub async fn two_places_of_one_conversation_take_turns(given: &Given) -> Told {
    let one = rested(given, "c1").await?;
    rested(given, "c2").await?;
    let at = At::Scope(place(given, "c2"));
    given.store.switch(at, one, Authority::Operator).await?;
    given.say("c1", "from here").await?;
    assert_eq!(given.say("c2", "from there").await?.session, one);
    let first = given.claim().await?;
    assert!(given.try_claim().await?.is_none(), "one turn at a time");
    given.settle(&first, &[]).await?;
    let second = given.claim().await?;
    assert_eq!((first.session, second.session), (one, one));
    assert!(second.fence > first.fence);
    Ok(())
}

/// A stop and a mark are said once; a stop forbids the mark.
pub async fn marks_are_set_and_taken_away(given: &Given) -> Told {
    let session = rested(given, "c1").await?;
    let (store, why) = (&given.store, Interrupted::RestartTimeout);
    assert_eq!(store.clear_resume(session).await?, Change::Unchanged);
    assert_eq!(store.mark_resume(session, why).await?, Change::Done);
    given.clock.advance(Span::minutes(1));
    assert_eq!(store.mark_resume(session, why).await?, Change::Done);
    let mark = record(given, session).await?.standing.mark;
    assert_eq!(mark.map(|mark| mark.at), Some(given.clock.now()), "renewed");
    assert_eq!(store.clear_resume(session).await?, Change::Done);
    assert_eq!(store.suspend(session).await?, Change::Done);
    assert_eq!(store.suspend(session).await?, Change::Unchanged);
    assert_eq!(store.mark_resume(session, why).await?, Change::Unchanged);
    let nobody = SessionId::from_bits(given.number());
    assert_eq!(store.suspend(nobody).await?, Change::Unknown);
    assert_eq!(store.mark_resume(nobody, why).await?, Change::Unknown);
    assert_eq!(store.clear_resume(nobody).await?, Change::Unknown);
    Ok(())
}

/// What is old is put away for good; what is stopped or at work stays.
pub async fn old_conversations_are_put_away(given: &Given) -> Told {
    let (old, stopped) = (rested(given, "c1").await?, rested(given, "c2").await?);
    let busy = rested(given, "c3").await?;
    let waiting = given.say("c4", "hello").await?.session;
    given.store.suspend(stopped).await?;
    let since = Some(given.clock.now());
    given.store.set_work(busy, since).await?;
    given.clock.advance(Span::days(5));
    let young = rested_elsewhere(given).await?;
    assert_eq!(
        given.store.prune(Span::days(5)).await?,
        0,
        "not at the very day"
    );
    given.clock.advance(Span::ms(1));
    assert_eq!(given.store.prune(Span::days(-1)).await?, 0);
    assert_eq!(given.store.prune(Span::days(5)).await?, 1);
    assert_eq!(given.store.prune(Span::days(5)).await?, 0);
    assert_eq!(life(given, old).await?, Life::Ended(Reason::IdleTimeout));
    for kept in [stopped, busy, waiting, young] {
        assert_eq!(life(given, kept).await?, Life::Live);
    }
    assert_eq!(given.store.peek(&place(given, "c1")).await?, None);
    let new = given.say("c1", "again").await?.session;
    assert_eq!(record(given, new).await?.generation, 2);
    Ok(())
}

/// A conversation in a place where nobody waits.
async fn rested_elsewhere(given: &Given) -> Result<SessionId, StoreError> {
    let session = given.say("c5", "hello").await?.session;
    given.store.touch(session, None).await?;
    Ok(session)
}

/// An end by policy is found once by those who tidy up, and told to whoever writes next.
pub async fn what_expires_is_told_once_to_each(given: &Given) -> Told {
    let (due, busy) = (rested(given, "c1").await?, rested(given, "c2").await?);
    let since = Some(given.clock.now());
    given.store.set_work(busy, since).await?;
    let chosen = ModelOverride::of(&json!({"model": "m"}));
    given.store.set_model_override(due, chosen).await?;
    given.clock.advance(Span::minutes(61));
    let none = given.store.expire(Arc::new(Rules::default()), 10).await?;
    assert!(none.is_empty(), "without a policy nothing expires");
    let expired = given.store.expire(hourly(), 10).await?;
    let why = Due::Idle;
    assert_eq!(expired, [Expired { session: due, why }]);
    assert!(given.store.expire(hourly(), 10).await?.is_empty());
    let ended = record(given, due).await?;
    assert_eq!(ended.standing.life, Life::Ended(Reason::Idle));
    assert_eq!(ended.expired_at, Some(given.clock.now()));
    assert_eq!(given.store.model_override(due).await?, None);
    // However late, and under whatever rules by then.
    given.clock.advance(Span::days(9));
    let new = given.say("c1", "again").await?.session;
    let news = record(given, new).await?.news;
    assert!(matches!(
        news,
        Some(News::ByItself {
            facts: Facts::Idle { .. },
            ..
        })
    ));
    Ok(())
}

/// No more than asked for at once.
pub async fn expiries_come_in_portions(given: &Given) -> Told {
    for chat in ["c1", "c2", "c3"] {
        given
            .store
            .accept(under_hourly(given, chat, "hello"))
            .await?;
        let turn = given.claim().await?;
        given.settle(&turn, &[]).await?;
    }
    given.clock.advance(Span::minutes(61));
    assert_eq!(given.store.expire(hourly(), 2).await?.len(), 2);
    assert_eq!(given.store.expire(hourly(), 2).await?.len(), 1);
    Ok(())
}

/// The first conversation of all is alone.
pub async fn whether_anyone_spoke_before(given: &Given) -> Told {
    assert!(!given.store.has_any().await?);
    rested(given, "c1").await?;
    assert!(!given.store.has_any().await?);
    rested(given, "c2").await?;
    assert!(given.store.has_any().await?);
    Ok(())
}

/// Everything that was said about it can be read.
pub async fn a_conversation_can_be_looked_up(given: &Given) -> Told {
    let session = rested(given, "c1").await?;
    let found = record(given, session).await?;
    assert_eq!(found.scope, place(given, "c1"));
    assert_eq!(found.key.as_str(), "agent:main:api:dm:c1");
    assert_eq!((found.generation, found.label.as_str()), (1, "Anna"));
    let origin = found.origin.expect("it began with a message");
    assert_eq!(origin.address, found.address);
    assert_eq!(found.person.as_deref(), Some("u1"));
    assert_eq!(found.created_at, given.clock.now());
    let nobody = SessionId::from_bits(given.number());
    assert!(given.store.lookup(nobody).await?.is_none());
    assert_eq!(given.store.peek(&place(given, "c2")).await?, None);
    Ok(())
}

/// In a chat of several people one is meant, or nobody.
pub async fn the_conversation_of_a_chat_is_one_persons(given: &Given) -> Told {
    let mut sessions = Vec::new();
    for person in ["u1", "u2"] {
        let mut message = given.inbound("g1", "hello");
        message.address.chat.kind = ChatKind::Group;
        message.person.id = person.to_owned();
        let Accepted::New(place) = given.store.accept(given.at_the_door(message)).await? else {
            panic!("it should be taken")
        };
        sessions.push(place.session);
    }
    let ask = async |person: Option<&str>, thread: InThread| {
        let asked = OfOrigin {
            platform: Platform::Api,
            chat: "g1".to_owned(),
            thread,
            person: person.map(str::to_owned),
        };
        given.store.of_origin(asked).await
    };
    assert_eq!(
        ask(None, InThread::Any).await?,
        None,
        "it could be either's"
    );
    assert_eq!(ask(Some("u1"), InThread::Any).await?, Some(sessions[0]));
    assert_eq!(ask(Some("u3"), InThread::Any).await?, None);
    let thread = InThread::Named("t".to_owned());
    assert_eq!(ask(Some("u1"), thread).await?, None);
    given
        .store
        .end(sessions[1], Reason::SessionReset, Force::Plain)
        .await?;
    assert_eq!(ask(None, InThread::None).await?, Some(sessions[0]));
    Ok(())
}

/// A choice is a conversation's own, and the same choice again is no change.
pub async fn a_model_is_chosen_for_one_conversation(given: &Given) -> Told {
    let (one, two) = (rested(given, "c1").await?, rested(given, "c2").await?);
    let secret = json!({"model": "m", "provider": "p", "api_key": "sk"});
    let chosen = ModelOverride::of(&secret);
    let store = &given.store;
    let set = store.set_model_override(one, chosen.clone()).await?;
    assert_eq!(set, Change::Done);
    let again = store.set_model_override(one, chosen.clone()).await?;
    assert_eq!(again, Change::Unchanged);
    assert_eq!(store.model_override(one).await?, chosen);
    assert_eq!(store.model_override(two).await?, None);
    assert_eq!(store.set_model_override(one, None).await?, Change::Done);
    assert_eq!(store.model_override(one).await?, None);
    let nobody = SessionId::from_bits(given.number());
    let unknown = store.set_model_override(nobody, chosen).await?;
    assert_eq!(unknown, Change::Unknown);
    Ok(())
}

/// A size that is not told stays as it was; none is a size too.
pub async fn a_touch_notes_the_time_and_the_size(given: &Given) -> Told {
    let session = rested(given, "c1").await?;
    given.clock.advance(Span::minutes(3));
    assert_eq!(given.store.touch(session, Some(70)).await?, Change::Done);
    given.clock.advance(Span::minutes(3));
    given.store.touch(session, None).await?;
    let found = record(given, session).await?;
    assert_eq!(
        (found.prompt_tokens, found.standing.active_at),
        (70, given.clock.now())
    );
    given.store.touch(session, Some(0)).await?;
    assert_eq!(record(given, session).await?.prompt_tokens, 0);
    let nobody = SessionId::from_bits(given.number());
    assert_eq!(given.store.touch(nobody, None).await?, Change::Unknown);
    Ok(())
}
