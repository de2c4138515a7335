use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::about::{Author, CommandOf, Commands, Grant, Path, Said, Trust};

fn read(value: Value) -> Result<Source, BadSource> {
    Source::read(&value)
}

fn words(value: Value) -> String {
    read(value).unwrap().to_string()
}

#[test]
fn a_source_needs_a_platform_and_a_chat() {
    assert_eq!(
        read(json!({"chat_id": "c"})),
        Err(BadSource::Missing("platform"))
    );
    assert_eq!(
        read(json!({"platform": "slack"})),
        Err(BadSource::Missing("chat_id"))
    );
    assert_eq!(read(json!([])), Err(BadSource::Form));
}

#[test]
fn a_chat_that_is_nothing_is_refused_instead_of_named_by_a_word() {
    for chat in [json!(null), json!(true), json!([]), json!({})] {
        let why = read(json!({"platform": "slack", "chat_id": chat})).unwrap_err();
        assert!(why.to_string().starts_with("`chat_id` of the"), "{why}");
    }
    let number = read(json!({"platform": "slack", "chat_id": 42})).unwrap();
    assert_eq!(number.chat, "42");
}

#[test]
fn a_kind_that_is_no_text_does_not_become_one() {
    for kind in [json!(null), json!(7)] {
        let source = json!({"platform": "slack", "chat_id": "c", "chat_type": kind});
        assert!(read(source).is_err());
    }
    let unsaid = read(json!({"platform": "slack", "chat_id": "c"})).unwrap();
    assert_eq!(unsaid.kind, PRIVATE);
}

#[test]
fn a_profile_that_would_split_a_key_is_refused() {
    let source = json!({"platform": "slack", "chat_id": "c", "profile": "a:b"});
    let why = read(source).unwrap_err().to_string();
    assert!(why.starts_with("`profile` of the message source"), "{why}");
}

#[test]
fn people_read_where_it_came_from() {
    let source = |kind: &str, extra: Value| {
        let mut source = json!({"platform": "slack", "chat_id": "C1", "chat_type": kind});
        let fields = source.as_object_mut().unwrap();
        fields.extend(extra.as_object().unwrap().clone());
        words(source)
    };
    assert_eq!(
        source("dm", json!({"user_name": "Ann"})),
        "private chat with Ann"
    );
    assert_eq!(source("dm", json!({"user_id": "U"})), "private chat with U");
    assert_eq!(
        source("dm", json!({"user_id": ""})),
        "private chat with somebody"
    );
    assert_eq!(
        source("group", json!({"chat_name": "Ops", "thread_id": 7})),
        "group: Ops, thread: 7"
    );
    assert_eq!(source("channel", json!({})), "channel: C1");
    assert_eq!(source("forum", json!({})), "C1");
    assert_eq!(
        words(json!({"platform": "local", "chat_id": "cli"})),
        "the terminal of this machine"
    );
}

#[test]
fn the_scope_wins_over_its_old_name_also_when_it_is_null() {
    let scope = |value: Value| {
        let mut source = json!({"platform": "discord", "chat_id": "c"});
        let fields = source.as_object_mut().unwrap();
        fields.extend(value.as_object().unwrap().clone());
        read(source).unwrap().about.scope
    };
    assert_eq!(scope(json!({"guild_id": "G"})).unwrap(), "G");
    assert_eq!(
        scope(json!({"scope_id": "S", "guild_id": "G"})).unwrap(),
        "S"
    );
    assert_eq!(scope(json!({"scope_id": null, "guild_id": "G"})), None);
    assert_eq!(scope(json!({"scope_id": "", "guild_id": "G"})), None);
}

fn any_text() -> impl Strategy<Value = Option<String>> {
    prop::option::of(".{0,4}")
}

/// What is written only when there is something to write.
fn any_filled() -> impl Strategy<Value = Option<String>> {
    prop::option::of(".{1,4}")
}

fn any_trust() -> impl Strategy<Value = Trust> {
    prop::sample::select(vec![
        Trust::default(),
        Trust {
            author: Author::Bot,
            grant: Grant::Role,
            path: Path::Relay,
        },
    ])
}

prop_compose! {
    fn any_about()(
        names in (any_text(), any_text()),
        ids in (any_filled(), any_filled(), any_filled(), any_filled()),
        profile in prop::option::of("[a-c]{1,3}"),
        auto_thread in prop::option::of(any_filled()),
        trust in any_trust(),
    ) -> About {
        About {
            chat_name: names.0,
            chat_topic: names.1,
            person_alt: ids.0,
            chat_alt: ids.1,
            scope: ids.2,
            parent_chat: ids.3,
            profile: profile.map(|name| name.parse().unwrap()),
            agent: None,
            busy: None,
            gathers: None,
            beside: None,
            auto_thread: auto_thread.map(|initial| AutoThread { initial }),
            said: Said::default(),
            commands: Commands::Free,
            command_of: CommandOf::House,
            trust,
        }
    }
}

prop_compose! {
    fn any_source()(
        platform in prop::sample::select(Platform::ALL.to_vec()),
        texts in (".{0,4}", ".{0,4}"),
        person in (any_text(), any_text(), any_text()),
        message in any_filled(),
        about in any_about(),
    ) -> Source {
        Source {
            platform,
            chat: texts.0,
            kind: texts.1,
            person: person.0,
            person_name: person.1,
            thread: person.2,
            message,
            about,
        }
    }
}

proptest! {
    #[test]
    fn what_was_written_is_read_back_except_trust(source in any_source()) {
        let read = Source::read(&source.write()).unwrap();
        prop_assert_eq!(read.about.trust, Trust::default());
        let mut expected = source;
        expected.about.trust = Trust::default();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn the_scope_and_its_old_name_are_written_alike_or_not_at_all(source in any_source()) {
        let written = source.write();
        prop_assert_eq!(written.get("scope_id"), written.get("guild_id"));
        prop_assert_eq!(written.get("scope_id").is_some(), source.about.scope.is_some());
    }

    #[test]
    fn no_mapping_can_claim_trust(source in any_source(), claim in any::<bool>()) {
        let mut forged = source.write();
        let fields = forged.as_object_mut().unwrap();
        for name in ["is_bot", "role_authorized", "delivered_via_upstream_relay", "trust"] {
            fields.insert(name.into(), json!(claim));
        }
        prop_assert_eq!(Source::read(&forged).unwrap().about.trust, Trust::default());
    }
}
