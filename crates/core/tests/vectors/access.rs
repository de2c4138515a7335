//! `gateway/authorization`: who may speak. Their variables are read into our one list.

use angelia_core::about::{About, Author, Grant, Path, Trust};
use angelia_core::access::{Entry, Policy, decide};
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    env: BTreeMap<String, String>,
    source: Source,
    adapter: Value,
    paired: Vec<String>,
    authorized: bool,
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the vectors have it so")]
struct Source {
    platform: Platform,
    user_id: Option<String>,
    #[serde(default)]
    chat_type: Option<String>,
    #[serde(default)]
    chat_id: Option<String>,
    #[serde(default)]
    is_bot: bool,
    #[serde(default)]
    via_relay: bool,
    #[serde(default)]
    role_authorized: bool,
}

/// Why a case is not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    /// Somebody was let in by a code.
    Pairing,
    /// An adapter decides by a policy of its own.
    OwnPolicy,
    /// A list that holds in groups alone.
    GroupPeople,
    /// Programs that may speak.
    Bots,
    /// Everyone, unless a list is there.
    AllButLists,
}

fn left(case: &Case) -> Option<Left> {
    let has = |name: &str| case.env.keys().any(|key| key.contains(name));
    if !case.paired.is_empty() {
        Some(Left::Pairing)
    } else if !case.adapter.is_null() {
        Some(Left::OwnPolicy)
    } else if has("GROUP_ALLOWED_USERS") {
        Some(Left::GroupPeople)
    } else if has("ALLOW_BOTS") {
        Some(Left::Bots)
    } else if has("GATEWAY_ALLOW_ALL")
        && case
            .env
            .values()
            .any(|list| list == "1" && has("_ALLOWED_USERS"))
    {
        Some(Left::AllButLists)
    } else {
        None
    }
}

/// Their variables as our lists.
fn policy(env: &BTreeMap<String, String>) -> Policy {
    let mut policy = Policy::default();
    for (name, value) in env {
        let (place, what) = name.split_once("_").unwrap_or((name, ""));
        let place = match place {
            "GATEWAY" => "*".to_owned(),
            platform => platform.to_lowercase(),
        };
        let ids = value.split(',').map(str::trim).filter(|id| !id.is_empty());
        let entries = ids.map(|id| {
            format!("{place}:{id}")
                .parse::<Entry>()
                .expect("their ids make entries")
        });
        match what {
            "ALLOWED_USERS" => policy.people.extend(entries),
            "GROUP_ALLOWED_CHATS" => policy.chats.extend(entries),
            "ALLOW_ALL_USERS" if ["true", "1", "yes"].contains(&value.to_lowercase().as_str()) => {
                policy.people.push(
                    format!("{place}:*")
                        .parse()
                        .expect("a place makes an entry"),
                );
            }
            "ALLOW_ALL_USERS" => (),
            other => panic!("{other} is a variable that nobody here knows"),
        }
    }
    policy
}

fn inbound(source: &Source) -> Inbound {
    let kind = match source.chat_type.as_deref() {
        None | Some("dm") => ChatKind::Dm,
        Some("channel") => ChatKind::Channel,
        Some(_) => ChatKind::Group,
    };
    let either = |yes: bool, one, other| if yes { one } else { other };
    Inbound {
        address: Address {
            platform: source.platform,
            account: AccountId::of(source.platform),
            chat: Chat {
                id: source.chat_id.clone().unwrap_or_default(),
                kind,
            },
            thread: None,
        },
        person: Person {
            id: source.user_id.clone().unwrap_or_default(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: String::new(),
        text: String::new(),
        pictures: Vec::new(),
        context: Vec::new(),
        about: About {
            trust: Trust {
                author: if source.is_bot {
                    Author::Bot
                } else {
                    Author::Person
                },
                grant: if source.role_authorized {
                    Grant::Role
                } else {
                    Grant::Identity
                },
                path: either(source.via_relay, Path::Relay, Path::Direct),
            },
            ..About::default()
        },
    }
}

#[test]
fn whoever_the_reference_lets_in_by_its_lists_is_let_in() {
    let mut counts: BTreeMap<Option<Left>, usize> = BTreeMap::new();
    for case in cases::<Case>("gateway/authorization.json") {
        let left = left(&case);
        *counts.entry(left).or_default() += 1;
        if left.is_some() {
            continue;
        }
        let admitted = decide(&policy(&case.env), &inbound(&case.source));
        assert_eq!(admitted.is_some(), case.authorized, "{}", case.id);
    }
    eprintln!("{counts:?}");
    assert!(
        counts.get(&None).copied().unwrap_or_default() >= 90,
        "{counts:?}"
    );
}
