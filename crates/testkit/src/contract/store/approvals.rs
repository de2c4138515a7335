//! Approvals.

use angelia_core::approval::{Decider, Decision, Grant, Verdict};
use angelia_core::id::{ApprovalId, DeliveryId, SessionId};
use angelia_core::limits;
use angelia_core::outbound::DeliveryKind;
use angelia_core::time::Span;
use angelia_store::approvals::{ApprovalFilter, Asked, Replies, Ruled, Standing};
use angelia_store::views::Range;
use angelia_store::{Change, StoreError};

use super::Told;
use super::asking::{
    asked, decision, granted, in_room, put_in, replies, ruled, texts_of, turn_in, wish,
};
use super::given::{Given, done, first, is_lost};

const GRANTED: Verdict = Verdict::Granted(Grant::Once);

/// The row is there before anybody is asked, and a call made again finds it.
pub async fn a_call_asks_once_however_often_it_is_made(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let new = wish(given, &turn, "1", 1);
    assert!(!given.store.is_answered(new.clone()).await?);
    let Asked::New(question) = done(given.store.ask_for_approval(new.clone()).await?) else {
        panic!("somebody should be asked");
    };
    assert_eq!(question.matter, new.matter);
    assert_eq!((question.session, question.turn), (turn.session, turn.turn));
    assert_eq!(question.expires_at, given.clock.now() + Span::minutes(10));
    assert_eq!(question.decided, None);
    assert!(given.store.is_answered(new.clone()).await?);
    let again = done(given.store.ask_for_approval(new).await?);
    assert_eq!(again, Asked::Before(question.clone()));
    assert_eq!(texts_of(given, &turn).await?, ["may I 1?"]);
    assert_eq!(given.store.approval(question.id).await?, Some(*question));
    Ok(())
}

/// The message that shows it is planned with it, is no part of the reply, and goes first.
pub async fn the_question_is_shown_before_the_reply(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    asked(given, &turn, "1", 1).await?;
    asked(given, &turn, "2", 2).await?;
    given.settle(&turn, &["done", "and more"]).await?;
    let story = given.store.story(turn.batch[0].inbox).await?;
    let kinds: Vec<_> = story
        .expect("it is stored")
        .deliveries
        .into_iter()
        .map(|one| (one.kind, one.part, one.text))
        .collect();
    let notice = |text: &str| (DeliveryKind::Notice, 1, text.to_owned());
    let reply = |part, text: &str| (DeliveryKind::Reply, part, text.to_owned());
    let expected = [
        notice("may I 1?"),
        notice("may I 2?"),
        reply(1, "done"),
        reply(2, "and more"),
    ];
    assert_eq!(kinds, expected);
    let fence = given.courier().await?;
    assert_eq!(given.claim_texts(fence).await?, ["may I 1?"]);
    Ok(())
}

/// A turn that is somebody else's by now asks nobody and takes nothing along.
pub async fn only_the_owner_of_a_turn_asks(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    given.clock.advance(Span::minutes(5));
    given.orphan().await?;
    let refused = given.store.ask_for_approval(wish(given, &turn, "1", 1));
    assert!(is_lost(&refused.await?));
    let notice = DeliveryId::from_bits(given.number());
    let refused = given.store.take_replies(turn.turn, turn.fence, notice);
    assert!(is_lost(&refused.await?));
    Ok(())
}

/// Whoever comes second changes nothing.
pub async fn a_question_is_decided_once(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    let store = &given.store;
    let denied = Verdict::Denied(Some("not now".to_owned()));
    let now = ruled(store.decide_approval(question.id, denied).await?);
    let decided = now.decided.clone().expect("it is decided");
    assert_eq!(
        (decided.decision, decided.by, decided.at),
        (Decision::Denied, Decider::Operator, given.clock.now())
    );
    assert_eq!(decided.reason.as_deref(), Some("not now"));
    let again = store.decide_approval(question.id, GRANTED).await?;
    assert_eq!(again, Ruled::Before(Box::new(now.clone())));
    let made_again = store.ask_for_approval(wish(given, &turn, "1", 1)).await?;
    assert_eq!(done(made_again), Asked::Before(Box::new(now)));
    let unknown = ApprovalId::from_bits(given.number());
    assert_eq!(
        store.decide_approval(unknown, GRANTED).await?,
        Ruled::Unknown
    );
    Ok(())
}

/// Once is for the call, a conversation's grant for the same command there, and for no other.
pub async fn a_grant_covers_one_exact_command(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let store = &given.store;
    let once = asked(given, &turn, "1", 1).await?;
    ruled(store.decide_approval(once.id, GRANTED).await?);
    let same = asked(given, &turn, "2", 1).await?;
    let kept = Verdict::Granted(Grant::Conversation);
    ruled(store.decide_approval(same.id, kept).await?);
    let conversation = Some(Grant::Conversation);
    assert!(store.is_answered(wish(given, &turn, "3", 1)).await?);
    assert!(!store.is_answered(wish(given, &turn, "4", 2)).await?);
    assert_eq!(granted(given, &turn, "3", 1).await?, conversation);
    assert_eq!(granted(given, &turn, "4", 2).await?, None);
    given.settle(&turn, &["done"]).await?;
    let next = turn_in(given, "c1").await?;
    assert_eq!(granted(given, &next, "1", 1).await?, conversation);
    let elsewhere = turn_in(given, "c2").await?;
    assert_eq!(granted(given, &elsewhere, "1", 1).await?, None);
    Ok(())
}

/// What a person agreed to for always is that person's; what an operator did is everybody's.
pub async fn always_holds_for_whoever_agreed_or_for_all(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    asked(given, &turn, "1", 1).await?;
    given.say("c1", "/approve always").await?;
    assert_eq!(replies(given, &turn).await?.decided.len(), 1);
    let by_operator = asked(given, &turn, "2", 2).await?;
    let always = Verdict::Granted(Grant::Always);
    ruled(given.store.decide_approval(by_operator.id, always).await?);
    let same_person = turn_in(given, "c2").await?;
    for mark in [1, 2] {
        let found = granted(given, &same_person, &mark.to_string(), mark).await?;
        assert_eq!(found, Some(Grant::Always));
    }
    let mut inbound = given.inbound("c3", "do something");
    inbound.person.id = "u2".to_owned();
    put_in(given, inbound).await?;
    let other = given.claim().await?;
    assert_eq!(granted(given, &other, "1", 1).await?, None);
    assert_eq!(granted(given, &other, "2", 2).await?, Some(Grant::Always));
    Ok(())
}

/// What holds can be seen, also when its conversation is gone, and be taken back.
pub async fn agreements_are_listed_and_taken_back(given: &Given) -> Told {
    let (store, turn) = (&given.store, turn_in(given, "c1").await?);
    let here = asked(given, &turn, "1", 1).await?;
    let kept = Verdict::Granted(Grant::Conversation);
    ruled(store.decide_approval(here.id, kept).await?);
    let always = asked(given, &turn, "2", 2).await?;
    given.say("c1", "/approve always").await?;
    replies(given, &turn).await?;
    let listed = store.agreements(first(10)).await?.items;
    let seen: Vec<_> = listed.iter().map(|one| (one.id, one.session)).collect();
    assert_eq!(seen, [(always.id, None), (here.id, Some(turn.session))]);
    assert_eq!(listed[0].command, "rm -r 2");
    let holder = listed[0].holder.as_ref().map(|(_, person)| person);
    assert_eq!(
        (holder, listed[0].by),
        (Some(&always.person.id), Decider::Asker)
    );
    assert_eq!(
        (&listed[1].holder, listed[1].by),
        (&None, Decider::Operator)
    );
    given.settle(&turn, &["done"]).await?;
    let deleted = store.delete(vec![turn.session]).await?;
    assert_eq!(deleted, Change::Done(vec![turn.session]));
    assert_eq!(store.agreements(first(10)).await?.items, listed[..1]);
    let revoked = store.revoke_agreement(always.id).await?;
    assert_eq!(revoked.as_ref(), Some(&listed[0]));
    assert_eq!(store.revoke_agreement(always.id).await?, None);
    let next = turn_in(given, "c1").await?;
    assert_eq!(granted(given, &next, "1", 2).await?, None);
    Ok(())
}

/// An agreement is never used for another command under the same call.
pub async fn a_call_that_asks_about_something_else_is_not_granted(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    ruled(given.store.decide_approval(question.id, GRANTED).await?);
    let other = given.store.ask_for_approval(wish(given, &turn, "1", 2));
    assert_eq!(done(other.await?), Asked::Differs);
    Ok(())
}

/// Answers are taken along in their order, each for the oldest question that is open.
pub async fn an_answer_decides_the_oldest_question(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let one = asked(given, &turn, "1", 1).await?;
    let two = asked(given, &turn, "2", 2).await?;
    let three = asked(given, &turn, "3", 3).await?;
    let yes = given.say("c1", "/approve").await?;
    given.say("c1", "words for later").await?;
    let no = given.say("c1", "/deny too risky").await?;
    given.say("elsewhere", "/approve").await?;
    let taken = replies(given, &turn).await?;
    let ids: Vec<_> = taken.decided.iter().map(|one| one.id).collect();
    assert_eq!(ids, [one.id, two.id]);
    let decided = taken.decided[1].decided.clone().expect("it is decided");
    assert_eq!(decided.by, Decider::Asker);
    assert_eq!(decided.reason.as_deref(), Some("too risky"));
    let batch: Vec<_> = taken
        .batch
        .expect("it grew")
        .iter()
        .map(|one| one.inbox)
        .collect();
    assert_eq!(batch, [turn.batch[0].inbox, yes.inbox, no.inbox]);
    assert_eq!(decision(given, &three).await?, None);
    assert_eq!(replies(given, &turn).await?, Replies::default());
    given.settle(&turn, &["done"]).await?;
    let answered = given.store.story(yes.inbox).await?.expect("it is stored");
    assert_eq!(
        answered.turn.map(|turn| turn.state),
        Some("completed".to_owned())
    );
    assert_eq!(
        given.claim().await?.batch[0].inbound.text,
        "words for later"
    );
    Ok(())
}

/// One answer for every question that is open.
pub async fn an_answer_may_be_for_all(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    for mark in 1..=3 {
        asked(given, &turn, &mark.to_string(), mark).await?;
    }
    given.say("c1", "/approve all session").await?;
    given.say("c1", "/approve").await?;
    let taken = replies(given, &turn).await?;
    let decisions: Vec<_> = taken
        .decided
        .iter()
        .filter_map(|one| one.decided.as_ref().map(|decided| decided.decision))
        .collect();
    assert_eq!(decisions, [Decision::Granted(Grant::Conversation); 3]);
    assert_eq!(
        taken.batch.expect("it grew").len(),
        2,
        "nothing was left for the second"
    );
    Ok(())
}

/// Who says yes before the question exists has agreed to nothing.
pub async fn an_answer_is_newer_than_its_question(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    given.say("c1", "/approve always").await?;
    let question = asked(given, &turn, "1", 1).await?;
    assert_eq!(replies(given, &turn).await?, Replies::default());
    assert_eq!(decision(given, &question).await?, None);
    given.say("c1", "/approve").await?;
    assert_eq!(replies(given, &turn).await?.decided.len(), 1);
    let once = Decision::Granted(Grant::Once);
    assert_eq!(decision(given, &question).await?, Some(once));
    Ok(())
}

/// Somebody else in the room decides nothing, and is told so at once.
pub async fn nobody_else_answers(given: &Given) -> Told {
    put_in(given, in_room(given, "u1", "do something")).await?;
    let turn = given.claim().await?;
    let question = asked(given, &turn, "1", 1).await?;
    let place = put_in(given, in_room(given, "u2", "/approve")).await?;
    assert_eq!(place.session, turn.session, "they share the conversation");
    let taken = replies(given, &turn).await?;
    assert!(taken.decided.is_empty());
    assert_eq!(taken.batch.expect("it grew").len(), 2);
    assert_eq!(decision(given, &question).await?, None);
    let told = texts_of(given, &turn).await?;
    assert!(
        told[1].starts_with("Only Person u1 or an operator"),
        "{told:?}"
    );
    put_in(given, in_room(given, "u1", "/approve")).await?;
    assert_eq!(replies(given, &turn).await?.decided.len(), 1);
    Ok(())
}

/// Who misspells an answer hears of it while the question is open.
pub async fn an_answer_that_is_not_understood_is_told_so(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    given.say("c1", "/approve for ever").await?;
    let taken = replies(given, &turn).await?;
    assert!(taken.decided.is_empty() && taken.batch.is_some());
    assert_eq!(decision(given, &question).await?, None);
    let told = texts_of(given, &turn).await?;
    assert!(told[1].contains("nothing was approved"), "{told:?}");
    Ok(())
}

/// Nobody answering is no.
pub async fn a_question_ends_with_its_time(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    given.clock.advance(Span::ms(599_999));
    assert!(given.store.expire_approvals().await?.is_empty());
    given.clock.advance(Span::ms(1));
    let expired = given.store.expire_approvals().await?;
    let ids: Vec<_> = expired.iter().map(|one| one.id).collect();
    assert_eq!(ids, [question.id]);
    assert!(given.store.expire_approvals().await?.is_empty());
    assert_eq!(decision(given, &question).await?, Some(Decision::Expired));
    let late = given.store.decide_approval(question.id, GRANTED).await?;
    assert!(matches!(late, Ruled::Before(_)));
    Ok(())
}

/// What came too late grants nothing, also when nobody has looked since.
pub async fn an_answer_after_the_time_decides_nothing(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    given.clock.advance(Span::minutes(10));
    given.say("c1", "/approve").await?;
    assert_eq!(replies(given, &turn).await?, Replies::default());
    given.store.expire_approvals().await?;
    assert_eq!(decision(given, &question).await?, Some(Decision::Expired));
    Ok(())
}

/// An operator who comes too late finds the question over, and what came in time in the chat stands, however
/// late somebody looks.
pub async fn an_operator_after_the_time_decides_nothing(given: &Given) -> Told {
    let (one, two) = (turn_in(given, "c1").await?, turn_in(given, "c2").await?);
    let first = asked(given, &one, "1", 1).await?;
    let second = asked(given, &two, "1", 1).await?;
    given.say("c1", "/approve").await?;
    given.clock.advance(Span::minutes(10));
    let taken = replies(given, &given.orphan().await?).await?;
    assert_eq!(taken.decided[0].id, first.id);
    let ruled = given.store.decide_approval(second.id, GRANTED).await?;
    assert!(matches!(ruled, Ruled::Before(_)));
    assert_eq!(decision(given, &second).await?, Some(Decision::Expired));
    Ok(())
}

/// Whoever may not answer cannot fill the turn by trying; whoever may is heard all the same.
pub async fn strangers_answers_do_not_fill_the_turn(given: &Given) -> Told {
    put_in(given, in_room(given, "u1", "do something")).await?;
    let turn = given.claim().await?;
    let question = asked(given, &turn, "1", 1).await?;
    let mut answered = 0;
    for _ in 0..limits::BATCH_WITH_ANSWERS_MAX + 2 {
        put_in(given, in_room(given, "u2", "/approve")).await?;
        let batch = replies(given, &turn).await?.batch;
        answered = batch.map_or(answered, |batch| batch.len());
    }
    assert_eq!(answered, limits::BATCH_WITH_ANSWERS_MAX);
    put_in(given, in_room(given, "u1", "/approve")).await?;
    assert_eq!(replies(given, &turn).await?.decided.len(), 1);
    let granted = Some(Decision::Granted(Grant::Once));
    assert_eq!(decision(given, &question).await?, granted);
    Ok(())
}

/// A turn that ends takes its questions back, and an answer that comes later decides nothing.
pub async fn a_question_ends_with_its_turn(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    given.say("c1", "/approve").await?;
    given.settle(&turn, &["stopped"]).await?;
    assert_eq!(decision(given, &question).await?, Some(Decision::Withdrawn));
    let own = given.claim().await?;
    assert_eq!(own.batch[0].inbound.text, "/approve");
    Ok(())
}

/// Whoever takes the turn over finds the question, and the answer that came meanwhile.
pub async fn a_question_outlives_its_owner(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    given.clock.advance(Span::minutes(1));
    given.say("c1", "/approve").await?;
    let orphan = given.orphan().await?;
    let again = given.store.ask_for_approval(wish(given, &orphan, "1", 1));
    assert_eq!(
        done(again.await?),
        Asked::Before(Box::new(question.clone()))
    );
    let taken = replies(given, &orphan).await?;
    assert_eq!(taken.decided.len(), 1);
    assert_eq!(texts_of(given, &orphan).await?, ["may I 1?"]);
    Ok(())
}

/// There is room for so many questions and no more.
pub async fn too_many_questions_are_refused(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    for call in 0..limits::APPROVALS_PER_SESSION {
        asked(given, &turn, &call.to_string(), 1).await?;
    }
    let more = given.store.ask_for_approval(wish(given, &turn, "more", 1));
    assert_eq!(done(more.await?), Asked::Full);
    Ok(())
}

/// Open ones or all, of one conversation or of all.
pub async fn questions_are_listed_newest_first(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let one = asked(given, &turn, "1", 1).await?;
    let two = asked(given, &turn, "2", 2).await?;
    ruled(given.store.decide_approval(one.id, GRANTED).await?);
    let elsewhere = turn_in(given, "c2").await?;
    let three = asked(given, &elsewhere, "1", 3).await?;
    let listed = async |session: Option<SessionId>, standing| {
        let filter = ApprovalFilter { session, standing };
        let page = given.store.approvals(filter, first(10)).await?;
        let ids = page.items.into_iter().map(|one| one.id);
        Ok::<_, StoreError>(ids.collect::<Vec<_>>())
    };
    let (here, nowhere) = (
        Some(turn.session),
        Some(SessionId::from_bits(given.number())),
    );
    assert_eq!(
        listed(None, Standing::Any).await?,
        [three.id, two.id, one.id]
    );
    assert_eq!(listed(None, Standing::Open).await?, [three.id, two.id]);
    assert_eq!(listed(here, Standing::Any).await?, [two.id, one.id]);
    assert_eq!(listed(here, Standing::Open).await?, [two.id]);
    assert!(listed(nowhere, Standing::Any).await?.is_empty());
    let range = |after| Range { after, limit: 2 };
    let filter = ApprovalFilter::default();
    let page = given.store.approvals(filter, range(None)).await?;
    let rest = given.store.approvals(filter, range(page.next)).await?;
    assert_eq!(rest.items.len(), 1);
    assert_eq!((rest.items[0].id, rest.next), (one.id, None));
    Ok(())
}

/// Nothing of what was asked or agreed to there is left.
pub async fn deleting_a_conversation_takes_its_questions_along(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    let kept = Verdict::Granted(Grant::Conversation);
    ruled(given.store.decide_approval(question.id, kept).await?);
    given.settle(&turn, &["done"]).await?;
    let deleted = given.store.delete(vec![turn.session]).await?;
    assert_eq!(deleted, Change::Done(vec![turn.session]));
    assert_eq!(given.store.approval(question.id).await?, None);
    let next = turn_in(given, "c1").await?;
    assert_eq!(granted(given, &next, "1", 1).await?, None);
    Ok(())
}

/// A conversation that goes on from a summary is the same conversation.
pub async fn what_was_agreed_to_goes_along_into_a_continuation(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let question = asked(given, &turn, "1", 1).await?;
    let kept = Verdict::Granted(Grant::Conversation);
    ruled(given.store.decide_approval(question.id, kept).await?);
    given.settle(&turn, &["done"]).await?;
    let child = SessionId::from_bits(given.number());
    given.store.compact_into(turn.session, child).await?;
    let next = turn_in(given, "c1").await?;
    assert_eq!(next.session, child);
    let conversation = Some(Grant::Conversation);
    assert_eq!(granted(given, &next, "1", 1).await?, conversation);
    Ok(())
}
