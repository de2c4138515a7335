use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::time::Timestamp;

fn account(name: &str) -> AccountId {
    AccountId(name.into())
}

fn key(kind: &str, chat: &str, thread: Option<&str>, person: &str) -> Result<String, Unroutable> {
    keyed(kind, chat, thread, person, Isolation::default())
}

fn keyed(
    kind: &str,
    chat: &str,
    thread: Option<&str>,
    person: &str,
    isolation: Isolation,
) -> Result<String, Unroutable> {
    let account = account("api");
    let place = Place {
        kind,
        chat,
        thread,
        person,
        ..place(Platform::Api, &account)
    };
    routed(&place, isolation).map(|route| route.key.to_string())
}

fn place(platform: Platform, account: &AccountId) -> Place<'_> {
    Place {
        platform,
        account,
        kind: "dm",
        chat: "",
        thread: None,
        person: "",
        profile: None,
        beside: None,
    }
}

fn routed(place: &Place<'_>, isolation: Isolation) -> Result<Route, Unroutable> {
    route(place, isolation, &Aliases::default())
}

#[test]
fn a_private_chat_has_one_lane_whoever_writes() {
    assert_eq!(key("dm", "c1", None, "u1").unwrap(), "agent:main:api:dm:c1");
    assert_eq!(
        key("dm", "c1", Some("t"), "u2").unwrap(),
        "agent:main:api:dm:c1:t"
    );
}

#[test]
fn a_private_chat_without_a_chat_id_is_known_by_its_person_or_refused() {
    assert_eq!(key("dm", "", None, "u1").unwrap(), "agent:main:api:dm:u1");
    assert_eq!(
        key("dm", "", Some("t"), "u1").unwrap(),
        "agent:main:api:dm:u1:t"
    );
    assert_eq!(key("dm", "", None, ""), Err(Unroutable));
}

#[test]
fn each_person_in_a_group_has_an_own_conversation() {
    assert_eq!(
        key("group", "g", None, "u1").unwrap(),
        "agent:main:api:group:g:u1"
    );
    assert_eq!(
        key("group", "g", None, "u2").unwrap(),
        "agent:main:api:group:g:u2"
    );
}

#[test]
fn a_thread_is_shared_unless_both_are_divided() {
    let divided = Isolation {
        groups: Sharing::PerPerson,
        threads: Sharing::PerPerson,
    };
    let half = Isolation {
        groups: Sharing::Shared,
        threads: Sharing::PerPerson,
    };
    assert_eq!(
        key("group", "g", Some("t"), "u").unwrap(),
        "agent:main:api:group:g:t"
    );
    assert_eq!(
        keyed("group", "g", Some("t"), "u", divided).unwrap(),
        "agent:main:api:group:g:t:u"
    );
    assert_eq!(
        keyed("group", "g", Some("t"), "u", half).unwrap(),
        "agent:main:api:group:g:t"
    );
}

fn scope(name: &str, kind: &str, chat: &str, thread: Option<&str>, person: &str) -> Scope {
    let account = account(name);
    let place = Place {
        kind,
        chat,
        thread,
        person,
        ..place(Platform::Api, &account)
    };
    routed(&place, Isolation::default()).unwrap().scope
}

#[test]
fn what_is_asked_beside_a_conversation_is_one_of_its_own() {
    let account = AccountId("x".to_owned());
    let here = Place {
        chat: "c1",
        ..place(Platform::Api, &account)
    };
    let beside = |began| Place {
        beside: Some(began),
        ..here
    };
    let route = |place: &Place<'_>| routed(place, Isolation::default()).unwrap();
    let key = route(&beside("55")).key;
    assert_eq!(key.as_str(), "agent:main:api:dm:c1:beside:55");
    assert_ne!(route(&beside("55")).scope, route(&beside("56")).scope);
    assert_ne!(route(&beside("55")).scope, route(&here).scope);
    let named = Place {
        thread: Some("beside:55"),
        ..here
    };
    assert_ne!(route(&beside("55")).scope, route(&named).scope);
}

#[test]
fn places_that_share_a_key_do_not_share_a_conversation() {
    assert_eq!(
        key("dm", "a:b", None, "u").unwrap(),
        key("dm", "a", Some("b"), "u").unwrap()
    );
    assert_ne!(
        scope("x", "dm", "a:b", None, "u"),
        scope("x", "dm", "a", Some("b"), "u")
    );
    assert_ne!(
        scope("x", "group", "g", None, "p:q"),
        scope("x", "group", "g:p", None, "q")
    );
    assert_ne!(
        scope("x", "dm", "a", None, "u"),
        scope("y", "dm", "a", None, "u")
    );
    assert_ne!(
        scope("x", "dm", "", None, "a"),
        scope("x", "dm", "a", None, "u")
    );
    assert_eq!(
        scope("x", "dm", "a", None, "u"),
        scope("x", "dm", "a", None, "v")
    );
}

#[test]
fn the_scope_of_a_private_chat_is_stored_in_this_form() {
    assert_eq!(
        scope("api", "dm", "c1", None, "u").as_str(),
        "main/dm/3:api/2:c1/-/-"
    );
    assert_eq!(
        scope("api", "forum", "c1", None, "u").as_str(),
        "main/5:forum/3:api/2:c1/-/1:u"
    );
}

#[test]
fn an_unknown_kind_of_chat_goes_in_as_it_is_and_is_not_private() {
    assert_eq!(
        key("DM", "77", None, "u").unwrap(),
        "agent:main:api:DM:77:u"
    );
    assert_eq!(
        key("forum", "77", Some("t"), "u").unwrap(),
        "agent:main:api:forum:77:t"
    );
}

#[test]
fn a_person_is_known_by_the_id_that_changes_less_often() {
    assert_eq!(participant("+1555", Some("uuid")), "uuid");
    assert_eq!(participant("+1555", Some("")), "+1555");
    assert_eq!(participant("+1555", None), "+1555");
}

fn whatsapp(kind: &str, chat: &str, person: &str, aliases: &Aliases) -> String {
    let account = account("whatsapp");
    let place = Place {
        kind,
        chat,
        person,
        ..place(Platform::Whatsapp, &account)
    };
    let route = route(&place, Isolation::default(), aliases);
    route.unwrap().key.to_string()
}

#[test]
fn a_person_on_whatsapp_has_one_conversation_under_all_ids() {
    let mut aliases = Aliases::default();
    aliases.write(aliases.learn("15551234567", "999999999999999", Timestamp::from_ms(1)));
    let ids = [
        "+15551234567",
        "15551234567:3@s.whatsapp.net",
        "999999999999999@lid",
    ];
    for id in ids {
        assert_eq!(
            whatsapp("dm", id, "x", &aliases),
            "agent:main:whatsapp:dm:15551234567"
        );
        assert_eq!(
            whatsapp("dm", "", id, &aliases),
            "agent:main:whatsapp:dm:15551234567"
        );
        assert_eq!(
            whatsapp("group", "1@g.us", id, &aliases),
            "agent:main:whatsapp:group:1@g.us:15551234567"
        );
    }
}

#[test]
fn a_key_on_whatsapp_never_fails_for_odd_characters() {
    let none = Aliases::default();
    assert_eq!(
        whatsapp("dm", "a/b@lid", "u", &none),
        "agent:main:whatsapp:dm:a/b"
    );
    assert_eq!(
        whatsapp("group", "g", "@lid", &none),
        "agent:main:whatsapp:group:g:@lid"
    );
}

fn any_sharing() -> impl Strategy<Value = Sharing> {
    prop::sample::select(vec![Sharing::Shared, Sharing::PerPerson])
}

fn any_isolation() -> impl Strategy<Value = Isolation> {
    let pair = (any_sharing(), any_sharing());
    pair.prop_map(|(groups, threads)| Isolation { groups, threads })
}

fn any_profile() -> impl Strategy<Value = Option<Profile>> {
    prop::option::of("[a-c][a-c-]{0,2}".prop_map(|name| name.parse().unwrap()))
}

/// Everything that a place is made of, from an alphabet that provokes collisions.
#[derive(Debug, Clone)]
struct Owned {
    platform: Platform,
    account: AccountId,
    kind: String,
    chat: String,
    thread: Option<String>,
    person: String,
    profile: Option<Profile>,
}

impl Owned {
    fn place(&self) -> Place<'_> {
        Place {
            platform: self.platform,
            account: &self.account,
            kind: &self.kind,
            chat: &self.chat,
            thread: self.thread.as_deref(),
            person: &self.person,
            profile: self.profile.as_ref(),
            beside: None,
        }
    }

    /// What must be the same for two messages to be of one conversation.
    fn lane(&self, isolation: Isolation) -> impl PartialEq + std::fmt::Debug {
        let thread = self.thread.clone().filter(|thread| !thread.is_empty());
        let is_private = self.kind == PRIVATE;
        let is_alone = if is_private {
            self.chat.is_empty()
        } else {
            is_per_person(isolation, thread.as_deref())
        };
        let person = Some(self.person.clone()).filter(|person| is_alone && !person.is_empty());
        let namespace = Profile::namespace(self.profile.as_ref()).to_owned();
        let place = (self.account.clone(), self.kind.clone(), self.chat.clone());
        (namespace, place, thread, person)
    }
}

prop_compose! {
    fn any_place()(
        platform in prop::sample::select(vec![Platform::Api, Platform::Slack]),
        account in "[a1:/]{1,3}",
        kind in prop::sample::select(vec!["dm", "group", "thread", "dm/1:a", "5:group", "DM", ""]),
        chat in "[a1:/-]{0,4}",
        thread in prop::option::of("[a1:/-]{0,3}"),
        person in "[a1:/-]{0,3}",
        profile in any_profile(),
    ) -> Owned {
        Owned {
            platform,
            account: AccountId(account),
            kind: kind.into(),
            chat,
            thread,
            person,
            profile,
        }
    }
}

proptest! {
    #[test]
    fn two_messages_have_one_scope_exactly_when_they_are_of_one_conversation(
        one in any_place(),
        other in any_place(),
        isolation in any_isolation(),
    ) {
        let (a, b) = (routed(&one.place(), isolation), routed(&other.place(), isolation));
        if let (Ok(a), Ok(b)) = (a, b) {
            prop_assert_eq!(a.scope == b.scope, one.lane(isolation) == other.lane(isolation));
        }
    }

    #[test]
    fn only_a_private_chat_without_any_id_has_no_key(
        one in any_place(),
        isolation in any_isolation(),
    ) {
        let is_nobody = one.kind == PRIVATE && one.chat.is_empty() && one.person.is_empty();
        prop_assert_eq!(routed(&one.place(), isolation).is_err(), is_nobody);
        prop_assert_eq!(routed(&one.place(), isolation), routed(&one.place(), isolation));
    }

    #[test]
    fn profiles_never_share_a_key(
        one in any_place(),
        profiles in (any_profile(), any_profile()),
        isolation in any_isolation(),
    ) {
        let key = |profile: &Option<Profile>| {
            let place = Place { profile: profile.as_ref(), ..one.place() };
            routed(&place, isolation).map(|route| route.key)
        };
        if let (Ok(a), Ok(b)) = (key(&profiles.0), key(&profiles.1)) {
            prop_assert_eq!(a == b, profiles.0 == profiles.1);
        }
    }

    #[test]
    fn how_groups_are_divided_changes_nothing_in_private_chats(
        one in any_place(),
        isolations in (any_isolation(), any_isolation()),
    ) {
        let one = Owned { kind: PRIVATE.into(), ..one };
        prop_assert_eq!(routed(&one.place(), isolations.0), routed(&one.place(), isolations.1));
    }

    #[test]
    fn a_person_is_in_the_key_exactly_when_both_settings_ask_for_it(
        thread in prop::option::of("[a-z]{0,2}"),
        person in "[A-Z]{0,2}",
        isolation in any_isolation(),
    ) {
        let key = keyed("group", "g", thread.as_deref(), &person, isolation).unwrap();
        let in_thread = thread.is_some_and(|thread| !thread.is_empty());
        let divided = isolation.groups == Sharing::PerPerson
            && (!in_thread || isolation.threads == Sharing::PerPerson);
        let named = !person.is_empty() && key.ends_with(&format!(":{person}"));
        prop_assert_eq!(named, divided && !person.is_empty());
    }

    #[test]
    fn every_id_of_a_person_on_whatsapp_leads_to_one_key(
        pairs in prop::collection::vec(("[1-9]{1,2}", "[1-9]{1,2}"), 1..6),
        device in "[0-9]{1,2}",
    ) {
        let mut aliases = Aliases::default();
        for ((one, other), ms) in pairs.iter().zip(1..) {
            aliases.write(aliases.learn(one, other, Timestamp::from_ms(ms)));
        }
        for (one, other) in &pairs {
            let other = format!("+{other}:{device}@lid");
            prop_assert_eq!(
                whatsapp("dm", one, "", &aliases),
                whatsapp("dm", &other, "", &aliases)
            );
        }
    }

    #[test]
    fn the_row_of_one_id_is_all_that_a_key_needs(
        one in any_place(),
        platform in prop::sample::select(vec![Platform::Api, Platform::Whatsapp]),
        ids in ("[1-3+@]{0,2}", "[1-3+@]{0,2}"),
        pairs in prop::collection::vec(("[1-3]", "[1-3]"), 0..4),
        isolation in any_isolation(),
    ) {
        let mut rows = BTreeMap::new();
        for ((one, other), ms) in pairs.iter().zip(1..) {
            let known = Aliases::of(rows.values().cloned());
            let learned = known.learn(one, other, Timestamp::from_ms(ms));
            rows.extend(learned.into_iter().map(|row| (row.alias.clone(), row)));
        }
        let one = Owned { platform, chat: ids.0, person: ids.1, ..one };
        let needed = known_by(&one.place(), isolation).and_then(|id| rows.get(&normalise(id)));
        prop_assert_eq!(
            route(&one.place(), isolation, &Aliases::of(needed.cloned())),
            route(&one.place(), isolation, &Aliases::of(rows.into_values()))
        );
    }
}

#[test]
fn a_chat_that_has_become_another_keeps_everything_but_its_id() {
    let moved = Moved {
        from: "-5".to_owned(),
        to: "-1005".to_owned(),
    };
    let account = AccountId("telegram".to_owned());
    let scope = |text: &str| Scope::from_stored(text.to_owned());
    let there = scope("main/group/8:telegram/2:-5/-/2:u1").moved(&account, &moved);
    assert_eq!(there, Some(scope("main/group/8:telegram/5:-1005/-/2:u1")));
    for other in [
        "main/group/8:telegram/3:-55/-/2:u1",
        "main/group/5:other/2:-5/-/2:u1",
        "main/group/8:telegram/2:-",
    ] {
        assert_eq!(scope(other).moved(&account, &moved), None, "{other}");
    }
    let key = |text: &str| SessionKey::from_stored(text.to_owned());
    let there = key("agent:main:telegram:group:-5:u1").moved(&moved);
    assert_eq!(there, Some(key("agent:main:telegram:group:-1005:u1")));
    assert_eq!(key("agent:main:telegram:group:-55").moved(&moved), None);
    let (first, behind) = Scope::range(&account, "-5");
    let mine = "main/group/8:telegram/2:-5/-/2:u1";
    assert!(first.as_str() <= mine && mine < behind.as_str());
}

#[test]
fn a_log_shows_what_kind_of_place_it_is_and_nobodys_id() {
    let logged = |key: &str| SessionKey::from_stored(key.to_owned()).for_logs();
    assert_eq!(
        logged("agent:main:telegram:dm:123456"),
        "agent:main:telegram:dm:…56"
    );
    assert_eq!(logged("agent:main:api:dm:c1"), "agent:main:api:dm:…");
    let group = logged("agent:main:telegram:group:-1001234:7654321");
    assert_eq!(group, "agent:main:telegram:group:…34:…21");
    assert_eq!(logged("odd"), "odd");
}
