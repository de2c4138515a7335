//! WhatsApp ids with who they are, and addresses to send to.
//!
//! The reference finds aliases in files of its bridge, each of which leads one way only. Ours are told
//! the same pairs, in the order of the files, and are known both ways.

use std::collections::BTreeSet;

use angelia_core::time::Timestamp;
use angelia_core::whatsapp::aliases::Aliases;
use angelia_core::whatsapp::{jid, normalise};
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
pub(super) struct File {
    #[serde(rename = "for")]
    id: String,
    maps_to: Option<String>,
    raw: Option<String>,
}

impl File {
    fn alias(&self) -> Option<String> {
        let value = match &self.raw {
            Some(raw) => serde_json::from_str(raw).ok()?,
            None => Value::from(self.maps_to.clone()?),
        };
        match value {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// What is known after the bridge told all pairs.
pub(super) fn learned(files: &[File]) -> Aliases {
    let mut aliases = Aliases::default();
    for (file, ms) in files.iter().zip(1..) {
        let other = file.alias().unwrap_or_default();
        aliases.write(aliases.learn(&file.id, &other, Timestamp::from_ms(ms)));
    }
    aliases
}

#[derive(Deserialize)]
struct Case {
    id: String,
    identity_files: Vec<File>,
    identifier: Option<String>,
    normalized: String,
    aliases_sorted: BTreeSet<String>,
    canonical: Option<String>,
}

impl Case {
    /// Every id that a file links with this person, whichever way the file leads.
    fn person(&self) -> BTreeSet<String> {
        let mut ids = self.aliases_sorted.clone();
        let links = |ids: &BTreeSet<String>| -> BTreeSet<String> {
            let pairs = self.identity_files.iter().filter_map(|file| {
                let pair = [normalise(&file.id), normalise(&file.alias()?)];
                let is_safe = pair.iter().all(|id| !id.is_empty() && !id.contains('/'));
                is_safe.then_some(pair)
            });
            pairs
                .filter(|pair| pair.iter().any(|id| ids.contains(id)))
                .flatten()
                .collect()
        };
        while !links(&ids).is_subset(&ids) {
            ids.extend(links(&ids));
        }
        ids
    }
}

fn smallest(ids: &BTreeSet<String>) -> Option<String> {
    let ids = ids.iter().map(|id| normalise(id));
    ids.min_by_key(|id| (id.len(), id.clone()))
}

#[test]
fn people_have_the_id_of_the_reference_unless_it_has_several_for_one() {
    for case in cases::<Case>("sessions/whatsapp_canonical.json") {
        let id = &case.id;
        let given = case.identifier.as_deref().unwrap_or_default();
        // The reference takes off one plus sign each time it is asked.
        assert_eq!(normalise(given), normalise(&case.normalized), "{id}");
        assert!(normalise(given) == case.normalized || case.normalized.contains('+'));

        let ours = learned(&case.identity_files).primary(given);
        let Some(canonical) = &case.canonical else {
            assert_eq!(ours, case.normalized, "{id}: the reference fails");
            continue;
        };
        let person = case.person();
        assert_eq!(ours, smallest(&person).unwrap_or_default(), "{id}");
        assert!(&ours == canonical || person != case.aliases_sorted, "{id}");
    }
}

#[derive(Deserialize)]
struct Target {
    id: String,
    target: Option<String>,
    jid: String,
}

#[test]
fn answers_go_to_the_address_of_the_reference_unless_no_server_has_it() {
    for case in cases::<Target>("sessions/whatsapp_jid.json") {
        let target = case.target.unwrap_or_default();
        let ours = jid(&target);
        if case.jid.is_ascii() {
            assert_eq!(ours, case.jid, "{}", case.id);
        } else {
            assert_eq!(ours, target, "{}: left for WhatsApp to judge", case.id);
        }
    }
}
