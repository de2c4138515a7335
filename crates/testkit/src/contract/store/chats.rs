//! What people chose for their chats, and chats that have become others.

use angelia_core::address::{ChatKind, Moved};
use angelia_core::display::Switch;
use angelia_core::display::chat::{Choice, Choices};
use angelia_core::inbound::Inbound;
use angelia_core::session::key::Isolation;
use angelia_core::stream::progress::Mode;
use angelia_store::StoreError;
use angelia_store::intake::{Accepted, Place};

use super::Told;
use super::given::{Given, account};

/// The last choice counts, and only for its own chat.
pub async fn a_choice_is_a_chats_own_and_the_last_one_counts(given: &Given) -> Told {
    let (store, account) = (&given.store, account());
    assert_eq!(store.chat_choices(&account, "c").await?, Choices::new());
    for choice in [
        Choice::Lines(Mode::All),
        Choice::Thoughts(Switch::On),
        Choice::Lines(Mode::New),
        Choice::Lines(Mode::New),
    ] {
        store.choose_for_chat(&account, "c", choice).await?;
    }
    let chosen = store.chat_choices(&account, "c").await?;
    let all: Vec<_> = chosen
        .iter()
        .filter_map(|(name, value)| Choice::stored(name, value))
        .collect();
    assert_eq!(
        all,
        [Choice::Thoughts(Switch::On), Choice::Lines(Mode::New)]
    );
    assert_eq!(store.chat_choices(&account, "d").await?, Choices::new());
    Ok(())
}

/// An account has one home, that which was chosen last.
pub async fn an_account_has_one_home(given: &Given) -> Told {
    let store = &given.store;
    assert_eq!(store.home_of(&account()).await?, None);
    let mut home = given.inbound("c", "/sethome").address;
    store.make_home(&home).await?;
    home.thread = Some("7".to_owned());
    store.make_home(&home).await?;
    assert_eq!(store.home_of(&account()).await?, Some(home));
    let other = angelia_core::address::AccountId("other".to_owned());
    assert_eq!(store.home_of(&other).await?, None);
    Ok(())
}

pub(super) fn in_group(given: &Given, chat: &str, text: &str) -> Inbound {
    let mut inbound = given.inbound(chat, text);
    inbound.address.chat.kind = ChatKind::Group;
    inbound
}

async fn say(given: &Given, chat: &str, text: &str) -> Result<Place, StoreError> {
    let accepted = given
        .store
        .accept(given.at_the_door(in_group(given, chat, text)))
        .await?;
    match accepted {
        Accepted::New(place) => Ok(place),
        other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => panic!("{other:?}"),
    }
}

pub(super) fn moved() -> Moved {
    Moved {
        from: "-5".to_owned(),
        to: "-1005".to_owned(),
    }
}

/// One commit takes everything along: the conversation with its name, what was chosen, the home and the cursor.
pub async fn the_conversations_of_a_chat_go_on_where_it_is_now(given: &Given) -> Told {
    let store = &given.store;
    let before = say(given, "-5", "hello").await?;
    say(given, "-6", "elsewhere").await?;
    let choice = Choice::Lines(Mode::All);
    store.choose_for_chat(&account(), "-5", choice).await?;
    store
        .make_home(&in_group(given, "-5", "/sethome").address)
        .await?;
    let cursor = Some("9".to_owned());
    let followed = store
        .move_chat(&account(), &moved(), cursor.clone())
        .await?;
    assert_eq!(followed, 1);
    assert_eq!(store.cursor(&account()).await?, cursor);
    let after = say(given, "-1005", "still there?").await?;
    assert_eq!(after.session, before.session);
    assert_eq!(after.key.as_str(), "agent:main:api:group:-1005:u1");
    let chosen = store.chat_choices(&account(), "-1005").await?;
    assert_eq!(chosen.len(), 1);
    assert!(store.chat_choices(&account(), "-5").await?.is_empty());
    let home = store.home_of(&account()).await?.map(|home| home.chat.id);
    assert_eq!(home.as_deref(), Some("-1005"));
    let again = store.move_chat(&account(), &moved(), None).await?;
    assert_eq!(again, 0, "told twice, it is done once");
    let elsewhere = say(given, "-6", "untouched").await?;
    assert_eq!(elsewhere.key.as_str(), "agent:main:api:group:-6:u1");
    Ok(())
}

/// Nobody's words are taken out of the conversation that they were written in.
pub async fn a_place_that_people_wrote_in_first_goes_on_and_the_others_are_resumed(
    given: &Given,
) -> Told {
    let store = &given.store;
    let before = say(given, "-5", "hello").await?;
    let faster = say(given, "-1005", "I was faster").await?;
    assert_eq!(store.move_chat(&account(), &moved(), None).await?, 1);
    let after = say(given, "-1005", "and now").await?;
    assert_eq!(after.session, faster.session);
    let here = in_group(given, "-1005", "/sessions");
    let place = store.place_of(&here, Isolation::default()).await?;
    let all = store.of_place(&place.expect("it is a place")).await?;
    let all: Vec<_> = all.into_iter().map(|one| one.id).collect();
    assert!(all.contains(&before.session), "{all:?}");
    Ok(())
}

/// Words about a process that was begun before go to the conversation that it was begun in.
pub async fn what_still_comes_from_where_a_chat_was_is_led_along(given: &Given) -> Told {
    let store = &given.store;
    let before = say(given, "-5", "hello").await?;
    store.move_chat(&account(), &moved(), None).await?;
    let late = say(given, "-5", "from long ago").await?;
    assert_eq!(late.session, before.session);
    let old = in_group(given, "-5", "x");
    let new = in_group(given, "-1005", "x");
    let isolation = Isolation::default();
    assert_eq!(
        store.place_of(&old, isolation).await?,
        store.place_of(&new, isolation).await?
    );
    Ok(())
}
