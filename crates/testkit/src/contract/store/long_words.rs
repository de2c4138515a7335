//! Messages with long words: kept once, and told whole wherever they are read.

use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_core::transcript::entry::Role;
use angelia_store::intake::Place;
use angelia_store::search::Query;
use angelia_store::transcripts::{Branch, By, Hide, Replacement, Seen, Then};
use angelia_store::views::{Range, Reading};
use angelia_store::{Change, StoreError};

use super::Told;
use super::asking::{replies, turn_in, wish};
use super::given::{Given, done};
use super::transcripts::{made, row, visible};

/// More than a page of any store, with a word at its end that is nowhere else.
fn long(mark: &str) -> String {
    format!("{}{mark}", "many words and ".repeat(4_000))
}

/// A conversation in which long words were said and answered.
async fn answered(given: &Given, words: &str) -> Result<Place, StoreError> {
    let place = given.say("c1", words).await?;
    let turn = given.claim().await?;
    assert_eq!(turn.batch[0].inbound.text, words);
    given.settle(&turn, &["so be it"]).await?;
    Ok(place)
}

async fn branched(given: &Given, session: SessionId) -> Result<SessionId, StoreError> {
    let branch = Branch {
        session,
        id: SessionId::from_bits(given.number()),
        up_to: None,
        then: Then::Stay,
    };
    let id = branch.id;
    made(given.store.branch(branch).await?);
    Ok(id)
}

/// At the door, in a turn that is taken up again, in the story, in the conversation and in its listing.
pub async fn long_words_are_told_whole_wherever_they_are_read(given: &Given) -> Told {
    let words = long("end");
    let place = given.say("c1", &words).await?;
    let detail = given.store.session(place.session).await?;
    let detail = detail.expect("the conversation exists");
    assert_eq!(detail.unanswered[0].text, words);
    given.claim().await?;
    given.clock.advance(Span::hours(1));
    let turn = given.orphan().await?;
    assert_eq!(turn.batch[0].inbound.text, words);
    given.settle(&turn, &["so be it"]).await?;
    let story = given.store.story(place.inbox).await?;
    assert_eq!(story.expect("it is stored").inbound.text, words);
    assert_eq!(
        visible(given, place.session).await?,
        [words.as_str(), "so be it"]
    );
    let listed = given
        .store
        .transcript(place.session, Reading::default(), Range::default());
    let listed = listed.await?.expect("the conversation exists");
    assert_eq!(listed.items[0].text, words);
    Ok(())
}

/// By a word at their end, and with all that stands beside it.
pub async fn long_words_are_found(given: &Given) -> Told {
    answered(given, &long("narwhal")).await?;
    while given
        .store
        .index_more(limits::SEARCH_BATCH_ROWS)
        .await?
        .waiting
        > 0
    {}
    let query = |text: &str| Query {
        text: text.to_owned(),
        ..Query::default()
    };
    let page = given.store.search(query("narwhal")).await?;
    assert_eq!(page.items.len(), 1);
    assert!(page.items[0].snippet.text.contains("narwhal"));
    assert!(page.items[0].context[0].text.starts_with("many words"));
    Ok(())
}

/// What is hidden behind them is gone from the list, and saying the same again changes nothing.
pub async fn long_words_stay_what_was_said(given: &Given) -> Told {
    let words = long("end");
    let place = answered(given, &words).await?;
    let rows = vec![row(Role::User, &words), row(Role::Assistant, "so be it")];
    let same = Replacement {
        session: place.session,
        rows,
        seen: Seen::Anything,
        by: By::Anyone,
    };
    assert_eq!(given.store.rewrite(same).await?, Change::Done(2));
    let hide = Hide {
        session: place.session,
        from: 2,
        seen: Seen::Anything,
        by: By::Anyone,
    };
    assert_eq!(made(given.store.hide_from(hide).await?), 1);
    let detail = given.store.session(place.session).await?;
    let preview = detail.expect("the conversation exists").row.preview;
    assert!(preview.starts_with("many words"), "{preview}");
    Ok(())
}

/// A branch says them too, also when the conversation in which they were said first is gone.
pub async fn long_words_stay_where_a_branch_says_them(given: &Given) -> Told {
    let words = long("end");
    let place = answered(given, &words).await?;
    let branch = branched(given, place.session).await?;
    made(given.store.delete(vec![place.session]).await?);
    assert_eq!(visible(given, branch).await?, [words.as_str(), "so be it"]);
    made(given.store.delete(vec![branch]).await?);
    assert!(given.store.story(place.inbox).await?.is_none());
    Ok(())
}

/// However long they are, they answer.
pub async fn long_words_answer_what_wants_words(given: &Given) -> Told {
    let words = long("end");
    let turn = turn_in(given, "c1").await?;
    let mut new = wish(given, &turn, "1", 7);
    new.matter.choices = Some(Vec::new());
    done(given.store.ask_for_approval(new).await?);
    let answer = given.say("c1", &words).await?;
    let taken = replies(given, &turn).await?;
    let batch = taken.batch.expect("the answer goes along");
    let last = batch.last().expect("it is the last");
    assert_eq!(
        (last.inbox, last.inbound.text.as_str()),
        (answer.inbox, words.as_str())
    );
    Ok(())
}

/// However much stands behind it, a command is no words for the agent.
pub async fn a_long_command_is_a_command(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    given.say("c1", &format!("/title {}", long("end"))).await?;
    let behind = given.store.behind(turn.turn).await?;
    assert_eq!(behind.words, 0);
    Ok(())
}
