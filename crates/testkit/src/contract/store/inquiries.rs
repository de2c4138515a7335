//! Questions that want words.

use angelia_core::approval::{Decision, Grant, Verdict};
use angelia_store::approvals::{Asked, Ruled};

use super::Told;
use super::asking::{asked, replies, turn_in, wish};
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
