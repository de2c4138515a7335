//! Places with the key of their conversation.

use angelia_core::address::{AccountId, Platform};
use angelia_core::profile::{MAIN, Profile};
use angelia_core::session::key::{Isolation, Place, Sharing, participant, route};
use angelia_core::whatsapp::aliases::Aliases;
use angelia_core::whatsapp::normalise;
use serde::Deserialize;

use super::whatsapp::{File, learned};
use crate::cases;

#[derive(Deserialize)]
struct Given {
    platform: Platform,
    chat_id: Option<String>,
    chat_type: String,
    thread_id: Option<String>,
    user_id: Option<String>,
    user_id_alt: Option<String>,
}

impl Given {
    fn person(&self) -> &str {
        let id = self.user_id.as_deref().unwrap_or_default();
        participant(id, self.user_id_alt.as_deref())
    }

    fn key(
        &self,
        profile: Option<&Profile>,
        isolation: Isolation,
        aliases: &Aliases,
    ) -> Option<String> {
        let place = Place {
            platform: self.platform,
            account: &AccountId::of(self.platform),
            kind: &self.chat_type,
            chat: self.chat_id.as_deref().unwrap_or_default(),
            thread: self.thread_id.as_deref(),
            person: self.person(),
            profile,
            beside: None,
        };
        let route = route(&place, isolation, aliases).ok()?;
        Some(route.key.to_string())
    }

    /// A private chat that could be anybody's.
    fn is_nobodys(&self) -> bool {
        let chat = self.chat_id.as_deref().unwrap_or_default();
        let is_named = if self.platform == Platform::Whatsapp {
            !normalise(chat).is_empty()
        } else {
            !chat.is_empty()
        };
        self.chat_type == "dm" && !is_named && self.person().is_empty()
    }
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the vectors")]
pub(super) struct Division {
    group_sessions_per_user: bool,
    thread_sessions_per_user: bool,
}

impl Division {
    pub(super) fn isolation(&self) -> Isolation {
        let sharing = |per_person| {
            if per_person {
                Sharing::PerPerson
            } else {
                Sharing::Shared
            }
        };
        Isolation {
            groups: sharing(self.group_sessions_per_user),
            threads: sharing(self.thread_sessions_per_user),
        }
    }
}

#[derive(Deserialize)]
struct Case {
    id: String,
    source: Given,
    #[serde(flatten)]
    division: Division,
    profile: Option<String>,
    #[serde(default)]
    whatsapp_identity_files: Vec<File>,
    expected_key: Option<String>,
}

impl Case {
    /// The reference's key with the namespace that ours has for the same profile.
    fn expected(&self, profile: Option<&Profile>) -> Option<String> {
        let theirs = match self.profile.as_deref() {
            None | Some("" | "default") => MAIN,
            Some(name) => name,
        };
        let rest = self.expected_key.as_ref()?;
        let rest = rest.strip_prefix(&format!("agent:{theirs}:"))?;
        Some(format!("agent:{}:{rest}", Profile::namespace(profile)))
    }

    /// Whether another profile, or none, has the reference's key too, or nobody can read it back.
    fn profile_is_mistakable(&self) -> bool {
        let name = self.profile.as_deref().unwrap_or_default();
        name == MAIN || name.contains(':') || name.trim().is_empty()
    }
}

#[test]
fn places_have_the_keys_of_the_reference_unless_these_mix_people() {
    for case in cases::<Case>("sessions/session_keys.json") {
        let id = &case.id;
        let name = case.profile.as_deref().filter(|name| !name.is_empty());
        let Ok(profile) = name.map(str::parse::<Profile>).transpose() else {
            assert!(case.profile_is_mistakable(), "{id}");
            continue;
        };
        let aliases = learned(&case.whatsapp_identity_files);
        let isolation = case.division.isolation();
        let ours = case.source.key(profile.as_ref(), isolation, &aliases);
        if case.source.is_nobodys() {
            assert_eq!(ours, None, "{id}");
            continue;
        }
        let ours = ours.unwrap_or_else(|| panic!("{id} has no key"));
        match case.expected(profile.as_ref()) {
            Some(expected) => assert_eq!(ours, expected, "{id}"),
            // The reference fails here; ours has a key, which is the id's own.
            None => assert!(case.expected_key.is_none(), "{id}: {ours}"),
        }
    }
}
