use angelia_core::transcript::ending::Reason;
use proptest::prelude::*;

use super::super::given::{id, link, runtime, session, store};
use super::*;

fn title(text: &str) -> Title {
    let clean = Title::clean(text).expect("it is short");
    clean.expect("it says something")
}

async fn call(store: &Database, number: i64, text: &str) -> Option<Claim> {
    let claim = store.set_title(id(number), Some(title(text)), Giver::Person);
    claim.await.expect("the store works")
}

#[tokio::test]
async fn a_title_moves_along_when_the_conversation_goes_on() {
    let store = store();
    for number in 1..=4 {
        session(&store, number).await;
    }
    link(&store, 2, 1, "continuation").await;
    link(&store, 3, 2, "continuation").await;
    link(&store, 4, 1, "branch").await;
    assert_eq!(call(&store, 1, "plan").await, Some(Claim::Set));
    assert_eq!(call(&store, 4, "plan").await, Some(Claim::Taken(id(1))));
    assert_eq!(call(&store, 3, "plan").await, Some(Claim::MovesFrom(id(1))));
    assert_eq!(call(&store, 1, "plan").await, Some(Claim::Taken(id(3))));
    assert_eq!(store.find("plan").await, Ok(Found::One(id(3))));
}

#[tokio::test]
async fn ends_and_last_words_are_part_of_the_links() {
    let store = store();
    for number in 1..=3 {
        session(&store, number).await;
    }
    link(&store, 2, 1, "continuation").await;
    link(&store, 3, 1, "continuation").await;
    let ended = store.write(|tx| {
        let why = Reason::Compression.as_str();
        tx.run(
            "UPDATE sessions SET ended_at = 1, end_reason = ?1 WHERE seq = 2",
            [why],
        )
    });
    ended.await.unwrap();
    let family = store.family(id(1)).await.unwrap().unwrap();
    assert_eq!(family.tip(id(1)), id(2), "the one that went on itself");
}

fn tree() -> impl Strategy<Value = Vec<(i64, usize)>> {
    prop::collection::vec((1..=6i64, 0..5usize), 6)
}

const KINDS: [&str; 4] = ["continuation", "branch", "delegate", "parent"];

proptest! {
    /// D2: no two sessions have the same title, and the next title is never in use.
    #[test]
    fn titles_are_unique_and_the_next_is_free(
        calls in prop::collection::vec((1..=3i64, "[ab]( #[23])?"), 0..12), wish in "[ab]( #2)?"
    ) {
        let (run, store) = (runtime(), store());
        let mut titles = std::collections::BTreeMap::new();
        for number in 1..=3 {
            run.block_on(session(&store, number));
        }
        for (number, text) in calls {
            let free = titles.iter().all(|(other, held)| *other == number || *held != text);
            let claim = run.block_on(call(&store, number, &text));
            prop_assert_eq!(claim == Some(Claim::Set), free);
            if free {
                titles.insert(number, text);
            }
        }
        let next = run.block_on(store.next_title(title(&wish))).unwrap();
        prop_assert!(titles.values().all(|held| held != next.as_str()));
        prop_assert_eq!(run.block_on(call(&store, 1, next.as_str())), Some(Claim::Set));
    }

    /// D3: walks end, also around circles, and the family of a session knows as much as all of them.
    #[test]
    fn a_family_tells_the_same_as_everything(links in tree()) {
        let (run, store) = (runtime(), store());
        for number in 1..=6 {
            run.block_on(session(&store, number));
        }
        for (child, (parent, kind)) in (1..).zip(links) {
            if let Some(kind) = KINDS.get(kind) {
                run.block_on(link(&store, child, parent, kind));
            }
        }
        let all = run.block_on(store.lineage()).unwrap();
        for session in (1..=6).map(id) {
            let family = run.block_on(store.family(session)).unwrap().unwrap();
            let tip = family.tip(session);
            prop_assert_eq!(tip, all.tip(session));
            prop_assert_eq!(family.tip(tip), tip);
            prop_assert_eq!(family.root(session), all.root(session));
            prop_assert_eq!(family.resume_target(session), all.resume_target(session));
            prop_assert_eq!(family.conversation(session), all.conversation(session));
        }
    }
}
