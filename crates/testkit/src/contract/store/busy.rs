//! Conversations that are at work: what steers a turn, and what becomes of what does not.

use angelia_core::id::{DeliveryId, SessionId};
use angelia_core::inbound::Inbound;
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::media::attached::{Attached, Sort};
use angelia_core::time::Span;
use angelia_core::transcript::entry::{Attention, Entry, Role};
use angelia_core::turn::busy::Mode;
use angelia_core::turn::journal::{self, Recorded, Steered, Step};
use angelia_core::turn::manners::Gathering;
use angelia_store::Change;
use angelia_store::busy::Along;
use angelia_store::intake::{Accepted, Place};
use angelia_store::transcripts::{Branch, Last, Then};
use angelia_store::turns::{ClaimedTurn, Waiting};
use angelia_store::views::OutboxFilter;

use super::Told;
use super::given::{Given, done, first, is_lost};

async fn says(given: &Given, text: &str, mode: Mode) -> Result<Place, angelia_store::StoreError> {
    let mut inbound = given.inbound("c", text);
    inbound.about.busy = Some(mode);
    match given.store.accept(given.at_the_door(inbound)).await? {
        Accepted::New(place) => Ok(place),
        other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => panic!("{other:?}"),
    }
}

pub(super) fn step(waiting: &[Waiting]) -> Step {
    let said = waiting.iter().map(|one| Steered {
        inbox: one.inbox,
        text: format!("[Anna] {}", one.inbound.text),
    });
    Step::Steered {
        said: said.collect(),
    }
}

async fn take(
    given: &Given,
    turn: &ClaimedTurn,
    seq: u32,
    step: &Step,
) -> Result<Along, angelia_store::StoreError> {
    let taken = given
        .store
        .take_along(turn.turn, turn.fence, seq, step.clone());
    Ok(done(taken.await?))
}

fn texts(waiting: &[Waiting]) -> Vec<&str> {
    waiting
        .iter()
        .map(|one| one.inbound.text.as_str())
        .collect()
}

/// Words that steer are told in order; what waits, what came before the turn and what stands behind a command
/// are not.
pub async fn words_steer_the_turn_that_ran_when_they_came(given: &Given) -> Told {
    given.say("c", "hello").await?;
    says(given, "early", Mode::Steer).await?;
    given.clock.advance(Span::seconds(1));
    let turn = given.claim().await?;
    assert!(given.store.steering(turn.turn).await?.is_empty());
    given.say("c", "waits").await?;
    says(given, "one", Mode::Steer).await?;
    says(given, "now", Mode::Interrupt).await?;
    says(given, "two", Mode::Steer).await?;
    given.say("c", "/stop").await?;
    given.say("c", "/new").await?;
    says(given, "in the new one", Mode::Steer).await?;
    let steers = given.store.steering(turn.turn).await?;
    assert_eq!(texts(&steers), ["one", "two"]);
    let behind = given.store.behind(turn.turn).await?;
    assert_eq!((behind.words, behind.interrupts), (6, 1));
    given.settle(&turn, &["hi"]).await?;
    assert!(given.store.steering(turn.turn).await?.is_empty());
    Ok(())
}

/// A message is the turn's together with the step that says so, and once.
pub async fn what_is_taken_along_is_in_the_journal_and_answered_once(given: &Given) -> Told {
    let asked = given.say("c", "hello").await?;
    let turn = given.claim().await?;
    let along = says(given, "and faster", Mode::Steer).await?;
    let step = step(&given.store.steering(turn.turn).await?);
    let late = Fence(turn.fence.0 + 1);
    let lost = given
        .store
        .take_along(turn.turn, late, 1, step.clone())
        .await?;
    assert!(is_lost(&lost));
    for _ in 0..2 {
        let Along::Taken(batch) = take(given, &turn, 1, &step).await? else {
            panic!("it waits")
        };
        let answers: Vec<_> = batch.iter().map(|one| one.inbox).collect();
        assert_eq!(answers, [asked.inbox, along.inbox]);
    }
    assert_eq!(
        take(given, &turn, 2, &step).await?,
        Along::Gone,
        "not twice"
    );
    assert!(given.store.steering(turn.turn).await?.is_empty());
    given.clock.advance(Span::minutes(1));
    let orphan = given.orphan().await?;
    assert_eq!(orphan.journal[0].step, step);
    assert_eq!(texts(&orphan.batch), ["hello", "and faster"]);
    given.settle(&orphan, &["done"]).await?;
    for inbox in [asked.inbox, along.inbox] {
        let story = given.store.story(inbox).await?.expect("it is stored");
        assert_eq!(story.deliveries.len(), 1);
    }
    assert!(given.try_claim().await?.is_none());
    Ok(())
}

/// A turn that ends first leaves the words to a turn of their own.
pub async fn what_no_turn_took_along_is_answered_by_itself(given: &Given) -> Told {
    given.say("c", "hello").await?;
    let turn = given.claim().await?;
    says(given, "too late", Mode::Steer).await?;
    let step = step(&given.store.steering(turn.turn).await?);
    given.settle(&turn, &["hi"]).await?;
    let lost = given
        .store
        .take_along(turn.turn, turn.fence, 1, step)
        .await?;
    assert!(is_lost(&lost));
    let next = given.claim().await?;
    assert_eq!(texts(&next.batch), ["too late"]);
    Ok(())
}

/// The conversation has the words where they were said, by whom; they begin no turn, so that an undo takes the
/// whole turn back.
pub async fn words_stand_where_they_were_taken_along(given: &Given) -> Told {
    let place = given.say("c", "hello").await?;
    let turn = given.claim().await?;
    says(given, "and faster", Mode::Steer).await?;
    let step = step(&given.store.steering(turn.turn).await?);
    let _taken = take(given, &turn, 2, &step).await?;
    let at = given.clock.now();
    let steps = [Step::words("working"), step, Step::words("ready")];
    let journal: Vec<Recorded> = (1..)
        .zip(steps)
        .map(|(seq, step)| Recorded { seq, at, step })
        .collect();
    let mut settle = given.settlement(&turn, &["working\n\nready"]);
    settle.entries = journal::rows(&journal);
    done(given.store.settle_turn(settle).await?);
    let rows = given.store.conversation(place.session, Last::All).await?;
    let rows = rows.expect("the conversation is there");
    let said: Vec<_> = rows
        .iter()
        .map(|row| (row.entry.content.plain_text(), row.name.as_deref()))
        .collect();
    let anna = Some("Anna");
    assert_eq!(
        said,
        [
            ("hello".to_owned(), anna),
            ("working".to_owned(), None),
            ("and faster".to_owned(), anna),
            ("ready".to_owned(), None)
        ]
    );
    let along = |entry: &Entry| (entry.role.clone(), entry.attention);
    assert_eq!(along(&rows[2].entry), (Role::User, Attention::Along));
    let undo = given.store.rewind_plan(place.session, 1).await?;
    assert_eq!(undo.expect("there is a turn").from, rows[0].seq);
    Ok(())
}

/// Who was cut off while it took words along settles without them: they are in the journal, so they were said.
pub async fn words_that_nobody_heard_of_stand_there_all_the_same(given: &Given) -> Told {
    let place = given.say("c", "hello").await?;
    let turn = given.claim().await?;
    for more in ["and faster", "and louder"] {
        says(given, more, Mode::Steer).await?;
        let step = step(&given.store.steering(turn.turn).await?);
        let seq = if more == "and faster" { 1 } else { 2 };
        let _taken = take(given, &turn, seq, &step).await?;
    }
    given.settle(&turn, &["interrupted"]).await?;
    let rows = given.store.conversation(place.session, Last::All).await?;
    let rows = rows.expect("the conversation is there");
    let said = rows.iter().map(|row| row.entry.content.plain_text());
    let all = ["hello", "and faster", "and louder", "interrupted"];
    assert!(said.eq(all), "{rows:?}");
    assert_eq!(rows[1].entry.attention, Attention::Along);
    Ok(())
}

/// The newest words are told of once, with how many wait before them, and not again for a while.
pub async fn who_waits_is_told_once_in_a_while(given: &Given) -> Told {
    given.say("c", "hello").await?;
    let turn = given.claim().await?;
    given.say("c", "right behind").await?;
    assert_eq!(
        given.store.untold(turn.turn).await?,
        None,
        "an afterthought"
    );
    given.clock.advance(Span::minutes(2));
    says(given, "and then", Mode::Steer).await?;
    given.say("c", "/stop").await?;
    let untold = given.store.untold(turn.turn).await?.expect("it waits");
    assert_eq!(untold.waiting.inbound.text, "and then");
    assert_eq!(untold.newcomer.mode, Mode::Steer);
    assert_eq!(
        (untold.newcomer.before, untold.newcomer.working),
        (1, Span::minutes(2))
    );
    let inbox = untold.waiting.inbox;
    for _ in 0..2 {
        let notice = (DeliveryId::from_bits(given.number()), "wait".to_owned());
        let told = given
            .store
            .tell_waiting(turn.turn, turn.fence, inbox, notice);
        done(told.await?);
    }
    let told = given.store.deliveries(OutboxFilter::All, first(10)).await?;
    let told = told.items;
    assert_eq!(told.len(), 1);
    assert_eq!(
        (told[0].text.as_str(), &told[0].address.chat.id),
        ("wait", &"c".to_owned())
    );
    given.clock.advance(Span::seconds(31));
    assert_eq!(
        given.store.untold(turn.turn).await?,
        None,
        "nobody wrote since"
    );
    given.say("c", "hello?").await?;
    assert!(given.store.untold(turn.turn).await?.is_some());
    Ok(())
}

async fn adds(given: &Given, text: &str) -> Result<Place, angelia_store::StoreError> {
    adds_this(given, given.inbound("c", text)).await
}

async fn adds_this(
    given: &Given,
    mut inbound: Inbound,
) -> Result<Place, angelia_store::StoreError> {
    inbound.about.gathers = Some(Gathering::Together);
    match given.store.accept(given.at_the_door(inbound)).await? {
        Accepted::New(place) => Ok(place),
        other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => panic!("{other:?}"),
    }
}

/// Where nothing runs nobody waits. What one person says while a turn runs is one question, once a moment has
/// passed in which nothing more came.
pub async fn what_is_said_in_one_go_is_answered_together(given: &Given) -> Told {
    adds(given, "hello").await?;
    let turn = given.claim().await?;
    assert_eq!(texts(&turn.batch), ["hello"]);
    let mut places = vec![adds(given, "one").await?, adds(given, "two").await?];
    given.clock.advance(Span::ms(200));
    given.settle(&turn, &["hi"]).await?;
    assert!(given.try_claim().await?.is_none(), "more may come");
    places.push(adds(given, "three").await?);
    // When the first of them may be answered; whether more came since is seen then.
    let left = Span::ms(limits::GATHER_TIME.as_ms() - 200);
    assert_eq!(given.store.next_gathered().await?, Some(left));
    given.clock.advance(Span::ms(200));
    assert!(given.try_claim().await?.is_none(), "it came since");
    given.clock.advance(Span::ms(150));
    let turn = given.claim().await?;
    assert_eq!(texts(&turn.batch), ["one", "two", "three"]);
    assert_eq!(turn.asked, 3);
    given.clock.advance(Span::minutes(1));
    let orphan = given.orphan().await?;
    assert_eq!((orphan.asked, orphan.batch.len()), (3, 3));
    given.settle(&orphan, &["all of it"]).await?;
    for place in &places {
        let story = given.store.story(place.inbox).await?.expect("it is stored");
        assert_eq!(story.deliveries[0].text, "all of it");
        assert_eq!(story.deliveries[0].inbox_ids.len(), 3);
    }
    assert!(given.try_claim().await?.is_none());
    Ok(())
}

/// Each message is a row of the conversation, all of them are one turn, and asked again they are one question.
pub async fn what_was_gathered_is_taken_back_together(given: &Given) -> Told {
    let first = adds(given, "hello").await?;
    let turn = given.claim().await?;
    adds(given, "one").await?;
    adds(given, "two").await?;
    given.settle(&turn, &["hi"]).await?;
    given.clock.advance(Span::seconds(1));
    let turn = given.claim().await?;
    given.settle(&turn, &["all of it"]).await?;
    let rows = given.store.conversation(first.session, Last::All).await?;
    let rows = rows.expect("the conversation is there");
    let said: Vec<_> = rows
        .iter()
        .map(|row| row.entry.content.plain_text())
        .collect();
    assert_eq!(said, ["hello", "hi", "one", "two", "all of it"]);
    let undo = given.store.rewind_plan(first.session, 1).await?;
    let undo = undo.expect("there is a turn");
    assert_eq!((undo.from, undo.text.as_str()), (rows[2].seq, "one\ntwo"));
    Ok(())
}

/// A turn that ended before it could open what came along leaves it to whoever asks the question again, also in a branch.
pub async fn what_was_not_opened_is_there_when_it_is_asked_again(given: &Given) -> Told {
    let first = adds(given, "hello").await?;
    let turn = given.claim().await?;
    adds(given, "one").await?;
    let mut two = given.inbound("c", "two");
    two.attached.push(Attached::new(Sort::File, "plan"));
    adds_this(given, two).await?;
    given.settle(&turn, &["hi"]).await?;
    given.clock.advance(Span::seconds(1));
    let turn = given.claim().await?;
    given.settle(&turn, &["stopped"]).await?;
    let branch = Branch {
        session: first.session,
        id: SessionId::from_bits(given.number()),
        up_to: None,
        then: Then::Stay,
    };
    let elsewhere = branch.id;
    let made = given.store.branch(branch).await?;
    assert!(matches!(made, Change::Done(_)), "{made:?}");
    for session in [first.session, elsewhere] {
        let undo = given.store.rewind_plan(session, 1).await?;
        let undo = undo.expect("there is a turn");
        assert_eq!(undo.text, "one\ntwo\n[file]");
        let left = undo.unopened.expect("a file was not opened");
        let remotes = left.attached.iter().map(|one| one.remote.as_str());
        assert_eq!(
            (left.text.as_str(), remotes.collect::<Vec<_>>()),
            ("one\ntwo", vec!["plan"])
        );
    }
    Ok(())
}

/// Words of somebody else, a command and what is answered by itself stand between; a clock that is set back
/// makes nobody wait.
pub async fn only_neighbours_are_answered_together(given: &Given) -> Told {
    adds(given, "hello").await?;
    let turn = given.claim().await?;
    adds(given, "one").await?;
    given.say("c", "by itself").await?;
    adds(given, "two").await?;
    given.say("c", "/status").await?;
    adds(given, "three").await?;
    given.settle(&turn, &["hi"]).await?;
    given.clock.advance(Span::hours(-1));
    for text in ["one", "by itself", "two", "/status", "three"] {
        let turn = given.claim().await?;
        assert_eq!(texts(&turn.batch), [text]);
        given.settle(&turn, &["so"]).await?;
    }
    Ok(())
}

/// What only tells something is answered beside the turn, once, unless it stands behind a command that is to be
/// followed in its turn.
pub async fn commands_that_only_tell_are_answered_beside_the_turn(given: &Given) -> Told {
    given.say("c", "hello").await?;
    let turn = given.claim().await?;
    given.say("c", "more").await?;
    let status = given.say("c", "/status").await?;
    given.say("c", "/nwe").await?;
    given.say("c", "/new").await?;
    given.say("c", "/status").await?;
    let asides = given.store.asides(turn.turn).await?;
    assert_eq!(texts(&asides), ["/status", "/nwe"]);
    assert_eq!(given.store.behind(turn.turn).await?.asides, 2);
    for _ in 0..2 {
        let notice = (
            DeliveryId::from_bits(given.number()),
            "all is well".to_owned(),
        );
        let told = given
            .store
            .answer_aside(turn.turn, turn.fence, status.inbox, notice);
        let _batch = done(told.await?);
    }
    let told = given.store.deliveries(OutboxFilter::All, first(10)).await?;
    assert_eq!(told.items.len(), 1);
    assert_eq!(texts(&given.store.asides(turn.turn).await?), ["/nwe"]);
    given.settle(&turn, &["hi"]).await?;
    let story = given
        .store
        .story(status.inbox)
        .await?
        .expect("it is stored");
    assert_eq!(story.deliveries.len(), 2);
    assert_eq!(texts(&given.claim().await?.batch), ["more"]);
    Ok(())
}
