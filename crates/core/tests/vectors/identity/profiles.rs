//! Messages with the profile they go to, by rules and by what is active.

use std::str::FromStr;

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::profile::Profile;
use angelia_core::profile::rules::{Multiplexing, Rules, Spot};
use angelia_core::session::key::{Place, route};
use angelia_core::whatsapp::aliases::Aliases;
use serde::Deserialize;
use serde_json::Value;

use super::keys::Division;
use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    routes: Vec<Value>,
    parsed_order: Vec<Parsed>,
    platform: Platform,
    scope_id: Option<String>,
    chat_id: Option<String>,
    thread_id: Option<String>,
    parent_chat_id: Option<String>,
    expected_profile: Option<String>,
    expected_route: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Parsed {
    name: String,
    profile: String,
    specificity: u8,
}

/// A rule with our names of its fields.
pub(crate) fn renamed(rule: &Value) -> Value {
    let Value::Object(fields) = rule else {
        return rule.clone();
    };
    let ours = |name: &str| match name {
        "guild_id" => "scope".to_owned(),
        other => other.strip_suffix("_id").unwrap_or(other).to_owned(),
    };
    let fields = fields
        .iter()
        .map(|(name, value)| (ours(name), value.clone()));
    Value::Object(fields.collect())
}

#[test]
fn rules_are_read_ordered_and_chosen_as_in_the_reference_and_each_bad_one_is_named() {
    for case in cases::<Case>("sessions/profile_routing.json") {
        let id = &case.id;
        let written: Vec<Value> = case.routes.iter().map(renamed).collect();
        let read = Rules::read(&written);
        let order: Vec<Parsed> = read
            .value
            .in_order()
            .iter()
            .map(|rule| Parsed {
                name: rule.name().unwrap_or_default().to_owned(),
                profile: rule.profile().to_string(),
                specificity: rule.specificity(),
            })
            .collect();
        assert_eq!(order, case.parsed_order, "{id}");
        let dropped = case.routes.len() - case.parsed_order.len();
        assert_eq!(read.problems.len(), dropped, "{id}");

        let chosen = read.value.choose(&Spot {
            platform: case.platform,
            scope: case.scope_id.as_deref(),
            chat: case.chat_id.as_deref().unwrap_or_default(),
            thread: case.thread_id.as_deref(),
            parent: case.parent_chat_id.as_deref(),
        });
        let profile = chosen.map(|rule| rule.profile().to_string());
        assert_eq!(profile, case.expected_profile, "{id}");
        let name = chosen.and_then(|rule| rule.name().map(str::to_owned));
        assert_eq!(name, case.expected_route, "{id}");
    }
}

#[derive(Deserialize)]
struct Stored {
    id: String,
    source: Given,
    multiplex_profiles: bool,
    active_profile: Option<String>,
    #[serde(flatten)]
    division: Division,
    expected_key: String,
}

#[derive(Deserialize)]
struct Given {
    platform: Platform,
    chat_id: Option<String>,
    chat_type: String,
    thread_id: Option<String>,
    user_id: Option<String>,
    user_id_alt: Option<String>,
    profile: Option<String>,
}

fn profile(name: Option<&str>) -> Option<Profile> {
    let name = name.filter(|name| !name.is_empty())?;
    Some(name.parse().expect("a name of a profile"))
}

impl Given {
    fn inbound(self) -> Inbound {
        Inbound {
            address: Address {
                platform: self.platform,
                account: AccountId::of(self.platform),
                chat: Chat {
                    id: self.chat_id.unwrap_or_default(),
                    kind: ChatKind::from_str(&self.chat_type).expect("a kind of chat"),
                },
                thread: self.thread_id,
            },
            person: Person {
                id: self.user_id.unwrap_or_default(),
                name: None,
            },
            event_key: EventKey::of_update("1"),
            message_id: "1".to_owned(),
            text: "hello".to_owned(),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About {
                person_alt: self.user_id_alt,
                profile: profile(self.profile.as_deref()),
                ..About::default()
            },
        }
    }
}

#[test]
fn a_message_gets_the_key_of_the_profile_it_goes_to() {
    for case in cases::<Stored>("sessions/store_keys.json") {
        let multiplexing = if case.multiplex_profiles {
            Multiplexing::On {
                rules: Rules::default(),
                active: profile(case.active_profile.as_deref()),
            }
        } else {
            Multiplexing::Off
        };
        let mut inbound = case.source.inbound();
        inbound.about.profile = multiplexing.profile(&inbound).cloned();
        let isolation = case.division.isolation();
        let route = route(&Place::of(&inbound), isolation, &Aliases::default());
        let key = route.map(|route| route.key.to_string());
        assert_eq!(key, Ok(case.expected_key), "{}", case.id);
    }
}
