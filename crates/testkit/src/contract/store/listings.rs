//! The listings: order, pages, filters, counts.

use std::collections::BTreeSet;

use angelia_core::address::Platform;
use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::outbound::{Delivery, Reach};
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::views::{Counts, LifeFilter, Order, OutboxFilter, Page, Range, SessionFilter};

use super::Told;
use super::given::{Given, account, done, first, shown};
use super::lanes::refused;

fn after<T>(page: &Page<T>, limit: usize) -> Range {
    Range {
        after: page.next.clone(),
        limit,
    }
}

fn texts(page: &Page<Delivery>) -> Vec<&str> {
    page.items
        .iter()
        .map(|delivery| delivery.text.as_str())
        .collect()
}

/// A conversation that is being answered comes to the front.
pub async fn sessions_are_listed_most_recently_active_first(given: &Given) -> Told {
    for chat in ["c1", "c2", "c3"] {
        given.say(chat, "hello").await?;
        given.clock.advance(Span::ms(1));
    }
    given.claim().await?;
    let listed = given
        .store
        .sessions(SessionFilter::default(), first(10))
        .await?;
    let chats: Vec<_> = listed
        .items
        .iter()
        .map(|row| row.address.chat.id.as_str())
        .collect();
    assert_eq!(chats, ["c1", "c3", "c2"]);
    assert_eq!(listed.next, None);
    Ok(())
}

/// Also when many were active at the same moment.
pub async fn pages_of_sessions_neither_repeat_nor_skip_while_new_ones_come(given: &Given) -> Told {
    let mut expected = BTreeSet::new();
    for number in 0..10 {
        expected.insert(given.say(&format!("c{number}"), "hello").await?.session);
    }
    let mut seen = Vec::new();
    let mut range = first(3);
    loop {
        let page = given
            .store
            .sessions(SessionFilter::default(), range)
            .await?;
        seen.extend(page.items.iter().map(|row| row.id));
        if page.next.is_none() {
            break;
        }
        given.clock.advance(Span::ms(1));
        given
            .say(&format!("new{}", seen.len()), "I came meanwhile")
            .await?;
        range = after(&page, 3);
    }
    assert_eq!(seen.len(), 10, "no conversation twice");
    assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), expected);
    Ok(())
}

/// By place, by life, and by a text that people remember; pages go on within the filter.
pub async fn sessions_are_filtered(given: &Given) -> Told {
    for (chat, text) in [
        ("garden", "100% roses"),
        ("kitchen", "soup"),
        ("cellar", "wine"),
    ] {
        given.say(chat, text).await?;
        given.clock.advance(Span::ms(1));
    }
    let listed = async |filter: SessionFilter| -> Result<Vec<String>, StoreError> {
        let mut chats = Vec::new();
        let mut range = first(1);
        loop {
            let page = given.store.sessions(filter.clone(), range).await?;
            chats.extend(page.items.iter().map(|row| row.address.chat.id.clone()));
            range = after(&page, 1);
            if page.next.is_none() {
                return Ok(chats);
            }
        }
    };
    let text = |text: &str| SessionFilter {
        text: Some(text.to_owned()),
        ..SessionFilter::default()
    };
    assert_eq!(listed(text("E")).await?, ["cellar", "kitchen", "garden"]);
    assert_eq!(listed(text("ROSES")).await?, ["garden"]);
    assert_eq!(listed(text("0%")).await?, ["garden"]);
    assert!(
        listed(text("s%p")).await?.is_empty(),
        "a sign stands for itself"
    );
    let chat = SessionFilter {
        chat: Some("kitchen".to_owned()),
        platform: Some(Platform::Api),
        ..SessionFilter::default()
    };
    assert_eq!(listed(chat.clone()).await?, ["kitchen"]);
    let elsewhere = SessionFilter {
        platform: Some(Platform::Web),
        ..chat
    };
    assert!(listed(elsewhere).await?.is_empty());
    let life = |life| SessionFilter {
        life,
        ..SessionFilter::default()
    };
    assert_eq!(listed(life(LifeFilter::Live)).await?.len(), 3);
    assert!(listed(life(LifeFilter::Ended)).await?.is_empty());
    Ok(())
}

/// Oldest first to read, newest first to show the end.
pub async fn a_transcript_is_read_in_both_directions(given: &Given) -> Told {
    let place = given.say("c1", "question").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["answer"]).await?;
    for (order, expected) in [
        (Order::Ascending, ["question", "answer"]),
        (Order::Descending, ["answer", "question"]),
    ] {
        let page = given
            .store
            .transcript(place.session, order.into(), first(10))
            .await?;
        let page = page.expect("the conversation exists");
        let said: Vec<_> = page.items.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(said, expected);
        assert_eq!(page.next, None);
    }
    Ok(())
}

/// While the conversation goes on.
pub async fn pages_of_a_transcript_go_on_where_they_ended(given: &Given) -> Told {
    let place = given.say("c1", "a question").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["x"]).await?;
    given.answered("c1", &["x"]).await?;
    for (order, expected) in [
        (Order::Ascending, vec![1, 2, 3, 4, 5, 6]),
        (Order::Descending, vec![6, 5, 4, 3, 2, 1]),
    ] {
        let mut seen = Vec::new();
        let mut range = first(3);
        loop {
            let page = given
                .store
                .transcript(place.session, order.into(), range)
                .await?;
            let page = page.expect("the conversation exists");
            seen.extend(page.items.iter().map(|entry| entry.seq));
            if page.next.is_none() {
                break;
            }
            given.answered("c1", &["meanwhile"]).await?;
            range = after(&page, 3);
        }
        assert_eq!(seen, expected);
    }
    Ok(())
}

/// None is not the same as nothing said.
pub async fn an_unknown_conversation_has_no_transcript(given: &Given) -> Told {
    let unknown = SessionId::from_bits(given.number());
    assert!(
        given
            .store
            .transcript(unknown, Order::Ascending.into(), first(10))
            .await?
            .is_none()
    );
    assert_eq!(given.store.waiting(unknown).await?, 0);
    let silent = given.say("c1", "hello").await?;
    let page = given
        .store
        .transcript(silent.session, Order::Ascending.into(), first(10))
        .await?;
    assert_eq!(
        page,
        Some(Page {
            items: Vec::new(),
            next: None
        })
    );
    Ok(())
}

/// Each filter shows its states, in its order.
pub async fn deliveries_are_listed_by_state(given: &Given) -> Told {
    let fence = given.courier().await?;
    given
        .answered("c1", &["wedged", "sent", "sending", "due"])
        .await?;
    given.send_all(fence, &refused(Reach::Message)).await?;
    given.send_all(fence, &shown()).await?;
    given.claim_texts(fence).await?;
    let dropped = given.answered("c2", &["dropped", "also sent"]).await?;
    given.store.drop_delivery(dropped[0]).await?;
    given.send_all(fence, &shown()).await?;
    for (filter, expected) in [
        (OutboxFilter::Open, vec!["wedged", "sending", "due"]),
        (OutboxFilter::Wedged, vec!["wedged"]),
        (OutboxFilter::Sent, vec!["also sent", "sent"]),
        (
            OutboxFilter::All,
            vec!["also sent", "dropped", "due", "sending", "sent", "wedged"],
        ),
    ] {
        let page = given.store.deliveries(filter, first(10)).await?;
        assert_eq!(texts(&page), expected, "{filter:?}");
    }
    Ok(())
}

/// While more are planned.
pub async fn pages_of_deliveries_neither_repeat_nor_skip(given: &Given) -> Told {
    given.answered("c1", &["1", "2", "3", "4", "5"]).await?;
    for (filter, expected) in [
        (OutboxFilter::All, vec!["5", "4", "3", "2", "1"]),
        (
            OutboxFilter::Open,
            vec!["1", "2", "3", "4", "5", "new", "new", "new", "new"],
        ),
    ] {
        let mut seen = Vec::new();
        let mut range = first(2);
        loop {
            let page = given.store.deliveries(filter, range).await?;
            seen.extend(texts(&page).into_iter().map(str::to_owned));
            if page.next.is_none() || seen.len() >= expected.len() {
                break;
            }
            if seen.len() < 5 {
                given.answered("c2", &["new"]).await?;
            }
            range = after(&page, 2);
        }
        seen.truncate(expected.len());
        assert_eq!(seen, expected, "{filter:?}");
    }
    Ok(())
}

/// Also one that was set aside and went out after later ones.
pub async fn whoever_follows_a_chat_meets_every_sent_delivery_once(given: &Given) -> Told {
    let fence = given.courier().await?;
    let ids = given.answered("c1", &["one", "two", "three"]).await?;
    given.answered("c2", &["elsewhere"]).await?;
    assert_eq!(
        given.store.sent_to(&account(), "c1", first(10)).await?.next,
        None
    );
    let head = done(given.store.claim_deliveries(&account(), fence, 1).await?).remove(0);
    done(
        given
            .store
            .confirm_delivery(head.id, fence, refused(Reach::Message))
            .await?,
    );
    given.send_all(fence, &shown()).await?;
    let page = given.store.sent_to(&account(), "c1", first(10)).await?;
    assert_eq!(texts(&page), ["two"]);
    let place = after(&page, 1);
    assert!(
        place.after.is_some(),
        "a reader can go on from the last one"
    );
    assert!(
        given
            .store
            .sent_to(&account(), "c1", place.clone())
            .await?
            .items
            .is_empty()
    );
    given.store.retry_delivery(ids[0]).await?;
    given.send_all(fence, &shown()).await?;
    given.send_all(fence, &shown()).await?;
    let page = given.store.sent_to(&account(), "c1", place).await?;
    assert_eq!(texts(&page), ["one"]);
    let page = given
        .store
        .sent_to(&account(), "c1", after(&page, 10))
        .await?;
    assert_eq!(texts(&page), ["three"]);
    Ok(())
}

/// The boot that runs now stands at the top.
pub async fn boots_are_listed_newest_first(given: &Given) -> Told {
    let mut booted = Vec::new();
    for _ in 0..5 {
        booted.insert(0, given.boot("h1").await?);
    }
    let page = given.store.nodes(first(3)).await?;
    let rest = given.store.nodes(after(&page, 3)).await?;
    let seen: Vec<_> = page
        .items
        .iter()
        .chain(&rest.items)
        .map(|node| node.id)
        .collect();
    assert_eq!(seen, booted);
    assert_eq!(rest.next, None);
    Ok(())
}

/// However many others came and went since it began.
pub async fn a_node_that_lives_is_listed_whoever_died_since(given: &Given) -> Told {
    let old = given.boot("h1").await?;
    for number in 0..limits::NODES_LISTED {
        let gone = given.boot(&format!("gone-{number}")).await?;
        given.store.stop_node(gone).await?;
    }
    given.boot("h2").await?;
    let new = given.boot("h2").await?;
    let living = given.store.living_nodes().await?;
    let living: Vec<_> = living.iter().map(|node| node.id).collect();
    assert_eq!(living, [new, old]);
    given.clock.advance(limits::LEASE_TIME);
    assert_eq!(given.store.living_nodes().await?, []);
    Ok(())
}

/// A made-up cursor shows nothing rather than something wrong.
pub async fn an_unreadable_cursor_is_past_the_end(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["answer"]).await?;
    let range = || Range {
        after: Some("nonsense".into()),
        limit: 10,
    };
    let store = &given.store;
    assert!(
        store
            .sessions(SessionFilter::default(), range())
            .await?
            .items
            .is_empty()
    );
    let said = store
        .transcript(place.session, Order::Ascending.into(), range())
        .await?;
    assert_eq!(
        said,
        Some(Page {
            items: Vec::new(),
            next: None
        })
    );
    let page = store.deliveries(OutboxFilter::All, range()).await?;
    assert_eq!(
        page,
        Page {
            items: Vec::new(),
            next: None
        }
    );
    assert!(
        store
            .sent_to(&account(), "c1", range())
            .await?
            .items
            .is_empty()
    );
    assert!(store.nodes(range()).await?.items.is_empty());
    Ok(())
}

/// Fifty unless asked for, two hundred at most.
pub async fn a_page_has_a_limit(given: &Given) -> Told {
    for number in 0..=limits::PAGE_ROWS_MAX {
        given.boot(&format!("h{number}")).await?;
    }
    assert_eq!(
        given.store.nodes(Range::default()).await?.items.len(),
        limits::PAGE_ROWS
    );
    let most = given.store.nodes(first(1_000_000)).await?;
    assert_eq!(most.items.len(), limits::PAGE_ROWS_MAX);
    assert!(most.next.is_some());
    Ok(())
}

/// One of each.
pub async fn everything_is_counted(given: &Given) -> Told {
    assert_eq!(given.store.counts().await?, Counts::default());
    let fence = given.courier().await?;
    given.answered("c1", &["wedged", "sending", "due"]).await?;
    given.send_all(fence, &refused(Reach::Message)).await?;
    given.claim_texts(fence).await?;
    given.say("c1", "being answered").await?;
    given.claim().await?;
    given.say("c1", "waits").await?;
    given.say("c2", "waits").await?;
    let counts = Counts {
        waiting: 2,
        running: 1,
        due: 2,
        wedged: 1,
        sessions: 2,
    };
    assert_eq!(given.store.counts().await?, counts);
    Ok(())
}
