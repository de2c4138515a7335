//! WhatsApp people with several ids: which conversation each id leads to, and what a new one changes.

use angelia_core::address::{AccountId, ChatKind, Platform};
use angelia_core::id::SessionId;
use angelia_core::inbound::Inbound;
use angelia_core::session::key::{Isolation, Scope};
use angelia_core::time::Span;
use angelia_core::transcript::ending::Reason;
use angelia_store::StoreError;
use angelia_store::intake::{Accepted, Pair, Place};
use angelia_store::sessions::{Anew, At, Authority, Begun, Switched};

use super::Told;
use super::given::Given;

const NUMBER: &str = "15551234567@s.whatsapp.net";
const HIDDEN: &str = "998877@lid";

fn private(given: &Given, chat: &str, text: &str) -> Inbound {
    let mut inbound = given.inbound(chat, text);
    inbound.address.platform = Platform::Whatsapp;
    inbound.address.account = AccountId::of(Platform::Whatsapp);
    inbound.person.id = chat.to_owned();
    inbound
}

fn in_group(given: &Given, person: &str, text: &str) -> Inbound {
    let mut inbound = private(given, "1@g.us", text);
    inbound.address.chat.kind = ChatKind::Group;
    inbound.person.id = person.to_owned();
    inbound
}

async fn taken(given: &Given, inbound: Inbound) -> Result<Place, StoreError> {
    let accepted = given.store.accept(given.at_the_door(inbound)).await?;
    let Accepted::New(place) = accepted else {
        panic!("it should be taken, not {accepted:?}")
    };
    Ok(place)
}

async fn say(given: &Given, chat: &str) -> Result<Place, StoreError> {
    taken(given, private(given, chat, "hello")).await
}

/// Tells the store that two ids are one person; returns the ids whose rows changed.
async fn learn(given: &Given, one: &str, other: &str) -> Result<Vec<String>, StoreError> {
    let pair = Pair {
        one: one.to_owned(),
        other: other.to_owned(),
    };
    let changed = given.store.learn_alias(pair).await?;
    Ok(changed.into_iter().map(|row| row.alias).collect())
}

async fn place_of(given: &Given, inbound: &Inbound) -> Result<Scope, StoreError> {
    let isolation = Isolation::default();
    let place = given.store.place_of(inbound, isolation).await?;
    Ok(place.expect("the message names its place"))
}

/// The conversation under the first id goes on under an id that is learned later.
pub async fn a_new_alias_keeps_the_conversation(given: &Given) -> Told {
    let before = say(given, NUMBER).await?;
    assert_eq!(learn(given, HIDDEN, NUMBER).await?, ["998877"]);
    for id in [
        NUMBER,
        HIDDEN,
        "+15551234567",
        "15551234567:3@s.whatsapp.net",
    ] {
        let after = say(given, id).await?;
        assert_eq!((after.session, &after.key), (before.session, &before.key));
    }
    assert_eq!(learn(given, NUMBER, HIDDEN).await?, [""; 0], "it was known");
    Ok(())
}

/// A plainer id that is learned later takes nobody's conversation away.
pub async fn a_plainer_alias_keeps_the_conversation(given: &Given) -> Told {
    let before = say(given, NUMBER).await?;
    assert_eq!(learn(given, "7@lid", NUMBER).await?, ["7"]);
    assert_eq!(say(given, "7@lid").await?.key, before.key);
    Ok(())
}

/// Ids that are learned before anybody writes lead to one conversation.
pub async fn aliases_may_be_known_before_the_first_message(given: &Given) -> Told {
    assert_eq!(learn(given, NUMBER, HIDDEN).await?.len(), 2);
    let one = say(given, NUMBER).await?;
    assert_eq!(say(given, HIDDEN).await?.session, one.session);
    Ok(())
}

/// Two people who were known turn out to be one: the older one's conversation goes on under all ids, and
/// the other one is there still.
pub async fn of_two_known_people_the_older_ones_conversation_goes_on(given: &Given) -> Told {
    let older = say(given, NUMBER).await?;
    given.clock.advance(Span::minutes(1));
    let younger = say(given, HIDDEN).await?;
    assert_ne!(older.session, younger.session);
    learn(given, HIDDEN, "5@lid").await?;
    given.clock.advance(Span::minutes(1));

    assert_eq!(learn(given, "5@lid", NUMBER).await?, ["5", "998877"]);
    for id in [NUMBER, HIDDEN, "5@lid"] {
        assert_eq!(say(given, id).await?.session, older.session);
    }
    assert_eq!(
        given.store.waiting(younger.session).await?,
        1,
        "what was said is not moved"
    );
    Ok(())
}

/// In a group it is the person who has several ids, not the place.
pub async fn a_member_of_a_group_has_one_conversation_under_all_ids(given: &Given) -> Told {
    let before = taken(given, in_group(given, NUMBER, "one")).await?;
    learn(given, NUMBER, HIDDEN).await?;
    let after = taken(given, in_group(given, HIDDEN, "two")).await?;
    assert_eq!(after.session, before.session);
    let other = taken(given, in_group(given, "42@lid", "three")).await?;
    assert_ne!(other.session, before.session);
    Ok(())
}

/// Whatever characters an id has, it is somebody: itself, and nobody else.
pub async fn odd_characters_never_fail(given: &Given) -> Told {
    let known = say(given, NUMBER).await?;
    let mut sessions = vec![known.session];
    for odd in [
        "a/b@lid",
        "１５",
        "%' OR 1=1 --",
        "a\u{0}b",
        "\u{202e}7",
        "_",
    ] {
        assert_eq!(learn(given, odd, NUMBER).await?, [""; 0], "{odd:?}");
        let place = say(given, odd).await?;
        assert!(!sessions.contains(&place.session), "{odd:?}");
        assert_eq!(say(given, odd).await?.session, place.session);
        sessions.push(place.session);
    }
    Ok(())
}

/// Elsewhere ids stand for themselves, also those that are known on WhatsApp.
pub async fn aliases_count_on_whatsapp_alone(given: &Given) -> Told {
    learn(given, "100", "200").await?;
    let one = given.say("100", "hello").await?;
    let other = given.say("200", "hello").await?;
    assert_ne!(one.session, other.session);
    assert_eq!(other.key.as_str(), "agent:main:api:dm:200");
    Ok(())
}

/// A message that is not taken leaves no row of its id.
pub async fn who_was_refused_is_not_known(given: &Given) -> Told {
    let empty = private(given, HIDDEN, " ");
    let refused = given.store.accept(given.at_the_door(empty)).await?;
    assert!(matches!(refused, Accepted::Refused(_)), "{refused:?}");
    assert_eq!(learn(given, HIDDEN, NUMBER).await?.len(), 2, "both are new");
    Ok(())
}

/// A message is recognised although its id leads elsewhere by now.
pub async fn a_message_is_recognised_under_another_primary(given: &Given) -> Told {
    say(given, NUMBER).await?;
    given.clock.advance(Span::minutes(1));
    let said = given.at_the_door(private(given, HIDDEN, "hello"));
    let again = given.at_the_door(said.inbound.clone());
    let Accepted::New(first) = given.store.accept(said).await? else {
        panic!("it is new")
    };
    learn(given, HIDDEN, NUMBER).await?;
    assert_eq!(given.store.accept(again).await?, Accepted::Duplicate(first));
    Ok(())
}

/// A command finds the place that its message was taken into, and what was said there under any id goes
/// along with it. What others wrote stays.
pub async fn commands_find_the_place_of_an_alias(given: &Given) -> Told {
    let before = say(given, NUMBER).await?;
    learn(given, HIDDEN, NUMBER).await?;
    let here = place_of(given, &private(given, HIDDEN, "/new")).await?;
    assert_eq!(here, place_of(given, &private(given, NUMBER, "x")).await?);
    assert_eq!(given.store.peek(&here).await?, Some(before.session));
    say(given, HIDDEN).await?;
    lead_a_stranger_to(given, before.session).await?;

    let anew = Anew {
        at: At::Scope(here.clone()),
        session: SessionId::from_bits(given.number()),
        why: Reason::SessionReset,
        label: None,
        by: Authority::Place,
    };
    let begun = given.store.begin_anew(anew.clone()).await?;
    assert!(matches!(begun, Begun::Anew { .. }), "{begun:?}");
    let from = before.session;
    let carried = given.store.carry_over(from, &here, Isolation::default());
    assert_eq!(carried.await?, 2);
    assert_eq!(given.store.waiting(anew.session).await?, 2);
    let theirs = "both words of the other one";
    assert_eq!(given.store.waiting(from).await?, 2, "{theirs}");
    Ok(())
}

/// Lets somebody else speak in the conversation too, and say something there.
async fn lead_a_stranger_to(given: &Given, session: SessionId) -> Told {
    say(given, "42@lid").await?;
    let at = At::Scope(place_of(given, &private(given, "42@lid", "x")).await?);
    let led = given.store.switch(at, session, Authority::Operator).await?;
    assert!(matches!(led, Switched::Done { .. }), "{led:?}");
    assert_eq!(say(given, "42@lid").await?.session, session);
    Ok(())
}

/// However long they are.
pub async fn long_words_go_where_short_ones_go(given: &Given) -> Told {
    let short = say(given, NUMBER).await?;
    let long = private(given, NUMBER, &"many words ".repeat(1_000));
    assert_eq!(taken(given, long).await?.session, short.session);
    Ok(())
}
