//! `gateway/config_load`: whole files. Ours is another file in another language; what both have is written into it and
//! must hold as in the reference, or be refused with its line. What ours does not have is refused by its name: nothing is
//! read over in silence.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Read, cases, cases_in, file_with, here, read, setting};

const FILE: &str = "gateway/config_load.json";

#[derive(Deserialize)]
struct Case {
    id: String,
    config: Option<Map<String, Value>>,
    env: BTreeMap<String, String>,
    raw_config: Option<String>,
    legacy_json: Option<Value>,
    #[serde(default)]
    result: Value,
    #[serde(default)]
    differs_from_defaults: Map<String, Value>,
}

/// What the reference's defaults are; the first case of its file says so, and others may have left it out.
fn defaults() -> Value {
    let all = cases_in::<Case>(here(), FILE).into_iter();
    all.map(|case| case.result).find(Value::is_object).unwrap()
}

/// Names of the reference, where its result has them, and ours.
const KEYS: [(&str, &str, &str); 5] = [
    (
        "session_reset.mode",
        "/default_reset_policy/mode",
        "sessions.reset.mode",
    ),
    (
        "session_reset.at_hour",
        "/default_reset_policy/at_hour",
        "sessions.reset.at_hour",
    ),
    (
        "session_reset.idle_minutes",
        "/default_reset_policy/idle_minutes",
        "sessions.reset.idle_minutes",
    ),
    (
        "group_sessions_per_user",
        "/group_sessions_per_user",
        "sessions.per_user_in_groups",
    ),
    (
        "thread_sessions_per_user",
        "/thread_sessions_per_user",
        "sessions.per_user_in_threads",
    ),
];

/// Every value that is written, by its path.
fn flat(above: &str, fields: &Map<String, Value>) -> Vec<(String, Value)> {
    let below = |(name, value): (&String, &Value)| {
        let path = format!("{above}{name}");
        match value.as_object().filter(|fields| !fields.is_empty()) {
            Some(fields) => flat(&format!("{path}."), fields),
            None if value.is_null() => Vec::new(),
            None => vec![(path, value.clone())],
        }
    };
    fields.iter().flat_map(below).collect()
}

#[test]
fn a_file_means_the_same_or_its_author_is_told() {
    let (defaults, mut counts) = (defaults(), BTreeMap::<&str, usize>::new());
    for case in cases::<Case>(FILE) {
        let verdict = match &case {
            Case {
                raw_config: Some(text),
                ..
            } => of_text(text),
            Case {
                legacy_json: Some(_),
                ..
            } => "not ours: an older file beside it",
            Case { env, .. } if !env.is_empty() => "not ours: variables that nobody named",
            case => of_settings(case, &defaults),
        };
        *counts.entry(verdict).or_default() += 1;
    }
    eprintln!("config_load: {counts:?}");
}

/// A file that cannot be read is no file of defaults.
fn of_text(text: &str) -> &'static str {
    match read(text) {
        Read::Holds(_) => {
            assert_eq!(text.trim(), "");
            "same"
        }
        Read::Refused(said) => {
            assert!(said.contains("line 1"), "{said}");
            "refused: it cannot be read"
        }
    }
}

fn of_settings(case: &Case, defaults: &Value) -> &'static str {
    let none = Map::new();
    let config = case.config.as_ref().unwrap_or(&none);
    let below = config.get("gateway").and_then(Value::as_object);
    if below.is_some_and(|below| below.keys().any(|name| config.contains_key(name))) {
        return "not ours: two places for one setting (D-34)";
    }
    let written = flat("", config);
    let names: Vec<&str> = written
        .iter()
        .map(|(name, _)| name.strip_prefix("gateway.").unwrap_or(name))
        .collect();
    if names
        .iter()
        .any(|name| KEYS.iter().all(|key| key.0 != *name))
    {
        return literally(&written);
    }
    let values = names
        .into_iter()
        .zip(written.iter().map(|(_, value)| value));
    judged(case, defaults, &values.collect::<Vec<_>>())
}

/// Settings under the reference's own names. What is not here is called so.
fn literally(written: &[(String, Value)]) -> &'static str {
    let line = |(name, value): &(String, Value)| {
        let quoted: Vec<String> = name.split('.').map(|part| format!("{part:?}")).collect();
        file_with(&quoted.join("."), value)
    };
    let Some(file) = written.iter().map(line).collect::<Option<String>>() else {
        return "not ours: no value of TOML";
    };
    match read(&file) {
        Read::Holds(settings) => {
            let is_there = |(name, _): &(String, Value)| setting(&settings, name).is_some();
            assert!(written.iter().all(is_there), "{file} is read over");
            "same name, same meaning"
        }
        Read::Refused(said) => {
            assert!(said.contains("line "), "{said}");
            "not ours: refused by its name"
        }
    }
}

fn judged(case: &Case, defaults: &Value, written: &[(&str, &Value)]) -> &'static str {
    let mut file = String::new();
    for (name, value) in written {
        let (_, _, key) = KEYS.iter().find(|key| key.0 == *name).unwrap();
        file += &file_with(key, value).unwrap();
    }
    let mut theirs = defaults.clone();
    for (name, value) in &case.differs_from_defaults {
        theirs[name] = value.clone();
    }
    match read(&file) {
        Read::Holds(settings) => {
            for (_, place, key) in KEYS {
                let ours = serde_json::to_value(setting(&settings, key).unwrap()).unwrap();
                assert_eq!(Some(&ours), theirs.pointer(place), "{} {key}", case.id);
            }
            "same"
        }
        Read::Refused(said) => {
            // The reference took something else than what was written.
            let is_replaced = written.iter().any(|(name, value)| {
                let (_, place, _) = KEYS.iter().find(|key| key.0 == *name).unwrap();
                theirs.pointer(place) != Some(*value)
            });
            assert!(is_replaced && said.contains("line "), "{}: {said}", case.id);
            "refused: no such value"
        }
    }
}
