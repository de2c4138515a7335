//! What conversations are called, and how they are found.

use angelia_core::id::SessionId;
use angelia_core::transcript::title::{Claim, Giver, Title};
use angelia_store::StoreError;
use angelia_store::titles::Found;

use super::Told;
use super::given::Given;

fn title(text: &str) -> Option<Title> {
    Title::clean(text).expect("it is short")
}

async fn call(given: &Given, session: SessionId, text: &str) -> Result<Option<Claim>, StoreError> {
    let store = &given.store;
    store.set_title(session, title(text), Giver::Person).await
}

/// Two conversations are never called the same (D2).
pub async fn a_title_is_had_by_one(given: &Given) -> Told {
    let (one, two) = (
        given.say("c1", "x").await?.session,
        given.say("c2", "x").await?.session,
    );
    assert_eq!(call(given, one, "plan").await?, Some(Claim::Set));
    assert_eq!(call(given, one, "plan").await?, Some(Claim::Set));
    assert_eq!(call(given, two, "plan").await?, Some(Claim::Taken(one)));
    assert_eq!(given.store.find("plan").await?, Found::One(one));
    assert_eq!(call(given, one, "").await?, Some(Claim::Set));
    assert_eq!(given.store.find("plan").await?, Found::Nothing);
    assert_eq!(call(given, two, "plan").await?, Some(Claim::Set));
    let unknown = SessionId::from_bits(given.number());
    assert_eq!(call(given, unknown, "other").await?, None);
    Ok(())
}

/// What the gateway makes up never replaces what somebody wished.
pub async fn an_automatic_title_is_only_given_where_there_is_none(given: &Given) -> Told {
    let session = given.say("c1", "x").await?.session;
    let store = &given.store;
    let automatic = |text| store.set_title(session, title(text), Giver::Automatic);
    assert_eq!(automatic("first").await?, Some(Claim::Set));
    assert_eq!(automatic("second").await?, Some(Claim::Keeps));
    assert_eq!(store.find("first").await?, Found::One(session));
    Ok(())
}

/// It can be set right away (D2).
pub async fn the_next_title_is_free(given: &Given) -> Told {
    let wish = || title("plan").expect("it says something");
    for number in 0..3 {
        let session = given.say(&format!("c{number}"), "x").await?.session;
        let next = given.store.next_title(wish()).await?;
        assert_eq!(call(given, session, next.as_str()).await?, Some(Claim::Set));
        assert_eq!(given.store.find("plan").await?, Found::One(session));
    }
    assert_eq!(given.store.next_title(wish()).await?.as_str(), "plan #4");
    Ok(())
}

/// By what somebody copied, the beginning of it, or a name.
pub async fn a_conversation_is_found_by_id_prefix_or_title(given: &Given) -> Told {
    let (one, two) = (
        given.say("c1", "x").await?.session,
        given.say("c2", "x").await?.session,
    );
    call(given, two, "ses_").await?;
    let store = &given.store;
    let id = one.to_string();
    assert_eq!(store.find(&id).await?, Found::One(one));
    assert_eq!(store.find(&format!(" {id}\n")).await?, Found::One(one));
    assert_eq!(store.find("ses_0").await?, Found::Several);
    assert_eq!(
        store.find("ses_").await?,
        Found::One(two),
        "a name that is clear"
    );
    assert_eq!(store.find("ses_1").await?, Found::Nothing);
    assert_eq!(store.find("").await?, Found::Nothing);
    assert_eq!(store.find(&"x".repeat(200)).await?, Found::Nothing);
    Ok(())
}
