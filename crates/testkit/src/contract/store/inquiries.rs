//! Questions that want words.

use angelia_core::approval::{Decision, Grant, Verdict};
use angelia_core::id::ApprovalId;
use angelia_store::approvals::{Approval, Asked, Ruled};

use super::Told;
use super::asking::{asked, decision, in_room, put_in, replies, texts_of, turn_in, wish};
use super::given::{Given, done};

const GRANTED: Verdict = Verdict::Granted(Grant::Once);

/// They are the answer, by number or as they are, and belong to the turn that asked.
pub async fn words_answer_what_wants_them(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let early = given.say("c1", "said before").await?;
    let mut new = wish(given, &turn, "1", 7);
    new.matter.choices = Some(vec!["red".to_owned(), "blue".to_owned()]);
    let asked = done(given.store.ask_for_approval(new).await?);
    assert!(matches!(asked, Asked::New(_)), "{asked:?}");
    let taken = replies(given, &turn).await?;
    assert_eq!(taken.batch, None, "what was said before is no answer");
    let answer = given.say("c1", "2").await?;
    let behind = given.store.behind(turn.turn).await?;
    assert_eq!((behind.words, behind.inquiries), (2, 1));
    let taken = replies(given, &turn).await?;
    let decided = taken.decided[0].decided.clone().expect("it is decided");
    assert_eq!(
        (decided.decision, decided.reason.as_deref()),
        (Decision::Answered, Some("blue"))
    );
    let batch = taken.batch.expect("the answer goes along");
    assert_eq!(batch.last().map(|one| one.inbox), Some(answer.inbox));
    assert_eq!(given.store.behind(turn.turn).await?.inquiries, 0);
    given.settle(&turn, &["blue it is"]).await?;
    let next = given.claim().await?;
    assert_eq!(next.batch[0].inbox, early.inbox, "the rest waits its turn");
    assert_eq!(next.batch.len(), 1);
    Ok(())
}

/// A yes decides nothing that wants words, and words nothing that wants a yes.
pub async fn an_answer_fits_its_question(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let command = asked(given, &turn, "1", 1).await?;
    let mut new = wish(given, &turn, "2", 2);
    new.matter.choices = Some(Vec::new());
    done(given.store.ask_for_approval(new.clone()).await?);
    let store = &given.store;
    let words = Verdict::Answered("yes".to_owned());
    assert_eq!(
        store.decide_approval(command.id, words.clone()).await?,
        Ruled::Unfit
    );
    assert_eq!(store.decide_approval(new.id, GRANTED).await?, Ruled::Unfit);
    given.say("c1", "/approve all").await?;
    let taken = replies(given, &turn).await?;
    let ids: Vec<_> = taken.decided.iter().map(|one| one.id).collect();
    assert_eq!(ids, [command.id]);
    assert!(matches!(
        store.decide_approval(new.id, words).await?,
        Ruled::Now(_)
    ));
    Ok(())
}

/// By its number or in words, once, and not the oldest if another is named. A yes goes on deciding what wants a yes.
pub async fn a_command_answers_the_question_that_it_names(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let command = asked(given, &turn, "1", 1).await?;
    let mut ids = Vec::new();
    for call in ["2", "3", "4"] {
        let mut new = wish(given, &turn, call, 7);
        new.matter.choices = Some(vec!["red".to_owned(), "blue".to_owned()]);
        done(given.store.ask_for_approval(new.clone()).await?);
        ids.push(new.id);
    }
    given.say("c1", &format!("/answer {} 2", ids[1])).await?;
    given.say("c1", &format!("/answer {} 1", ids[1])).await?;
    given
        .say("c1", &format!("/answer {} 1", command.id))
        .await?;
    let pressed = replies(given, &turn).await?;
    assert_eq!(said(&pressed.decided), [(ids[1], "blue")]);
    let batch = pressed.batch.map(|batch| batch.len());
    assert_eq!(batch, Some(2), "what decides nothing stays where it is");
    given.say("c1", "/answer green").await?;
    given.say("c1", "/answer RED").await?;
    let typed = replies(given, &turn).await?;
    assert_eq!(said(&typed.decided), [(ids[0], "green"), (ids[2], "red")]);
    assert_eq!(decision(given, &command).await?, None);
    Ok(())
}

fn said(decided: &[Approval]) -> Vec<(ApprovalId, &str)> {
    let mut all = Vec::new();
    for one in decided {
        let words = one.decided.as_ref().and_then(|one| one.reason.as_deref());
        all.push((one.id, words.unwrap_or_default()));
    }
    all
}

/// They are told so.
pub async fn only_whoever_was_asked_answers_by_a_command(given: &Given) -> Told {
    put_in(given, in_room(given, "u1", "do something")).await?;
    let turn = given.claim().await?;
    let mut new = wish(given, &turn, "1", 7);
    new.matter.choices = Some(vec!["red".to_owned(), "blue".to_owned()]);
    done(given.store.ask_for_approval(new.clone()).await?);
    let words = format!("/answer {} 2", new.id);
    put_in(given, in_room(given, "u2", &words)).await?;
    let taken = replies(given, &turn).await?;
    assert_eq!((taken.decided, taken.batch.is_some()), (Vec::new(), true));
    let told = texts_of(given, &turn).await?;
    let refused = "Only Person u1 or an operator of this gateway can answer this question.";
    assert_eq!(told[1], refused);
    put_in(given, in_room(given, "u1", &words)).await?;
    let taken = replies(given, &turn).await?;
    assert_eq!(said(&taken.decided), [(new.id, "blue")]);
    Ok(())
}
