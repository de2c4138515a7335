//! What people chose for their chats.

use angelia_core::display::Switch;
use angelia_core::display::chat::{Choice, Choices};
use angelia_core::stream::progress::Mode;

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
