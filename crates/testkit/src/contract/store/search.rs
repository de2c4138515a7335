//! What was said is found: once it is indexed, as long as it may be.

use angelia_core::address::ChatKind;
use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::session::key::Isolation;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_store::search::{Indexed, Query, Reach, Sort};
use angelia_store::transcripts::{By, Hide, Replacement, Seen};
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::Given;

async fn index(given: &Given) -> Result<usize, StoreError> {
    let mut rows = 0;
    loop {
        let indexed = given.store.index_more(limits::SEARCH_BATCH_ROWS).await?;
        rows += indexed.rows;
        if indexed.waiting == 0 {
            return Ok(rows);
        }
    }
}

/// The places of the hits, the oldest first.
async fn found(given: &Given, text: &str) -> Result<Vec<u64>, StoreError> {
    let query = Query {
        text: text.to_owned(),
        sort: Sort::Oldest,
        ..Query::default()
    };
    let page = given.store.search(query).await?;
    Ok(page.items.iter().map(|hit| hit.seq).collect())
}

/// Asks about whales in a chat and answers about oceans; the conversation.
async fn answered(given: &Given, chat: &str) -> Result<SessionId, StoreError> {
    let place = given.say(chat, "where do whales live").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["in all oceans"]).await?;
    Ok(place.session)
}

fn stands<T>(change: Change<T>) -> T {
    match change {
        Change::Done(value) => value,
        Change::Unknown | Change::Busy | Change::Moved => panic!("the change should be made"),
    }
}

/// Both what a person said and what was answered, with where it was said and what stands beside it.
pub async fn what_was_said_is_found_once_it_is_indexed(given: &Given) -> Told {
    let session = answered(given, "c1").await?;
    assert_eq!(found(given, "whales").await?, [] as [u64; 0]);
    assert_eq!(index(given).await?, 2);
    assert_eq!(found(given, "whales").await?, [1]);
    let query = Query {
        text: "oceans".to_owned(),
        ..Query::default()
    };
    let hit = given.store.search(query).await?.items.remove(0);
    assert_eq!(
        (hit.session, hit.seq, &hit.role),
        (session, 2, &Role::Assistant)
    );
    let mark = hit.snippet.marks[0].clone();
    assert_eq!(&hit.snippet.text[mark], "oceans");
    let beside: Vec<&str> = hit.context.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(beside, ["where do whales live", "in all oceans"]);
    Ok(())
}

/// A step with nothing to do says so, and rows are found once however often they are indexed.
pub async fn indexing_goes_on_where_it_ended(given: &Given) -> Told {
    answered(given, "c1").await?;
    index(given).await?;
    assert_eq!(given.store.index_more(10).await?, Indexed::default());
    answered(given, "c2").await?;
    let step = given.store.index_more(1).await?;
    assert_eq!((step.rows, step.waiting), (1, 1));
    assert_eq!(index(given).await?, 1);
    assert_eq!(found(given, "whales").await?, [1, 1]);
    Ok(())
}

/// Hidden rows are not found; archived ones are, and so is what stands for them.
pub async fn what_was_undone_is_not_found_and_what_was_summarised_is(given: &Given) -> Told {
    let session = answered(given, "c1").await?;
    index(given).await?;
    let summary = Entry::new(Role::User, "about whales");
    let replacement = Replacement {
        session,
        by: By::Anyone,
        seen: Seen::Anything,
        rows: vec![summary.into()],
    };
    stands(given.store.compact(replacement).await?);
    index(given).await?;
    assert_eq!(found(given, "whales").await?, [1, 3]);
    let hide = Hide {
        session,
        by: By::Anyone,
        from: 3,
        seen: Seen::Anything,
    };
    stands(given.store.hide_from(hide).await?);
    assert_eq!(found(given, "whales").await?, [1]);
    Ok(())
}

/// Nothing of it is left in the index, and what is said afterwards is found.
pub async fn a_deleted_conversation_is_found_no_more(given: &Given) -> Told {
    let session = answered(given, "c1").await?;
    index(given).await?;
    stands(given.store.delete(vec![session]).await?);
    assert_eq!(found(given, "whales").await?, [] as [u64; 0]);
    answered(given, "c2").await?;
    assert_eq!(
        index(given).await?,
        2,
        "numbers that are given again are indexed again"
    );
    assert_eq!(found(given, "whales").await?, [1]);
    Ok(())
}

/// A word may be longer than any index can note down. Nobody said it, so it is found nowhere, and what else was asked for
/// is found all the same.
pub async fn a_word_of_any_length_may_be_looked_for(given: &Given) -> Told {
    answered(given, "c1").await?;
    index(given).await?;
    for bytes in [2_046, 2_047, 10_000] {
        let long = "w".repeat(bytes);
        for text in [
            long.clone(),
            format!("{long}*"),
            format!("whales {long}"),
            format!("\"where {long} live\""),
        ] {
            assert_eq!(found(given, &text).await?, [] as [u64; 0], "{bytes} bytes");
        }
        let beside = [format!("whales OR {long}"), format!("whales NOT {long}")];
        for text in beside {
            assert_eq!(found(given, &text).await?, [1], "{bytes} bytes");
        }
    }
    Ok(())
}

/// What a person said in private is found from their private chats, and from nowhere else.
pub async fn a_place_finds_what_it_may_reach_and_nothing_else(given: &Given) -> Told {
    for (chat, person, kind) in [
        ("c1", "ann", ChatKind::Dm),
        ("c2", "ann", ChatKind::Dm),
        ("c3", "bob", ChatKind::Dm),
        ("g1", "ann", ChatKind::Group),
    ] {
        let mut inbound = given.inbound(chat, &format!("whales in {chat}"));
        inbound.person.id = person.to_owned();
        inbound.address.chat.kind = kind;
        given.store.accept(given.at_the_door(inbound)).await?;
        let turn = given.claim().await?;
        given.settle(&turn, &["in all oceans"]).await?;
    }
    index(given).await?;
    for (chat, person, kind, found) in [
        (
            "c1",
            "ann",
            ChatKind::Dm,
            vec!["whales in c1", "whales in c2"],
        ),
        ("c3", "bob", ChatKind::Dm, vec!["whales in c3"]),
        ("g1", "ann", ChatKind::Group, vec!["whales in g1"]),
        ("g1", "bob", ChatKind::Group, vec![]),
        ("c9", "eve", ChatKind::Dm, vec![]),
    ] {
        let mut inbound = given.inbound(chat, "where did we speak of whales?");
        inbound.person.id = person.to_owned();
        inbound.address.chat.kind = kind;
        let place = given.store.place_of(&inbound, Isolation::default()).await?;
        let query = Query {
            text: "whales".to_owned(),
            sort: Sort::Oldest,
            reach: Reach::Place(place.expect("the message would be taken")),
            ..Query::default()
        };
        let page = given.store.search(query).await?;
        let texts: Vec<&str> = page
            .items
            .iter()
            .map(|hit| hit.snippet.text.as_str())
            .collect();
        assert_eq!(texts, found, "{person} in {chat}");
    }
    Ok(())
}
