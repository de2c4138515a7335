//! `gateway/config_coercion` and the sections of `gateway/config_sections` that our file has: a value is read as it
//! stands, or refused with its key and its line. Nothing is guessed.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Read, cases, file_with, read, setting};

/// Rules of the reference, and keys of ours that have the same kind of value.
const RULES: [(&str, &str); 3] = [
    ("bool_default_true", "sessions.reset.notify"),
    ("bool_default_false", "privacy.hide_ids"),
    ("optional_positive_int", "sessions.reset.idle_minutes"),
];

/// Rules about settings that are not here: how replies are edited, who watches the process, where notices go, numbers with
/// a fraction, numbers that may be negative; and a choice of two words that have other names here.
const NOT_OURS: [&str; 6] = [
    "dm_behavior",
    "float_default_9",
    "int_default_9",
    "notice",
    "transport",
    "watchdog_seconds",
];

/// Whether a value has the type that the key documents.
fn is_of(key: &str, value: &Value) -> bool {
    match key {
        "sessions.reset.idle_minutes" => value.as_u64().is_some_and(|number| number > 0),
        _ => value.is_boolean(),
    }
}

fn same(ours: &toml::Value, theirs: &Value) -> bool {
    serde_json::to_value(ours).unwrap() == *theirs
}

/// Whether ours reads the value as the reference does, or refuses it, which it may only where the value is no such thing.
fn verdict(key: &str, value: &Value, theirs: &Value) -> &'static str {
    let Some(file) = file_with(key, value) else {
        return "no value of TOML";
    };
    match read(&file) {
        Read::Holds(settings) => {
            let ours = setting(&settings, key).unwrap();
            assert!(same(ours, theirs), "{key} = {value}: {ours}, not {theirs}");
            "same"
        }
        Read::Refused(said) => {
            assert!(!is_of(key, value), "{key} = {value}: {said}");
            let name = key.rsplit('.').next().unwrap();
            assert!(said.contains("line 1") && said.contains(name), "{said}");
            "refused"
        }
    }
}

#[test]
fn a_value_is_read_as_it_stands_or_refused_with_its_line() {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for case in cases::<Map<String, Value>>("gateway/config_coercion.json") {
        let rules = case
            .keys()
            .filter(|name| !["id", "value"].contains(&name.as_str()));
        let known = |name: &String| {
            RULES.iter().any(|(rule, _)| rule == name) || NOT_OURS.contains(&name.as_str())
        };
        let new: Vec<&String> = rules.filter(|name| !known(name)).collect();
        assert!(new.is_empty(), "{}: nobody judged {new:?}", case["id"]);
        for (rule, key) in RULES {
            let verdict = verdict(key, &case["value"], &case[rule]);
            *counts.entry((rule, verdict)).or_default() += 1;
        }
    }
    eprintln!("config_coercion: {counts:?}");
    assert!(counts.keys().any(|(_, verdict)| *verdict == "same"));
}

#[derive(Deserialize)]
struct Section {
    id: String,
    kind: String,
    #[serde(rename = "in", default)]
    input: Value,
    #[serde(rename = "out", default)]
    output: Value,
}

/// Keys of a section that have the same meaning here.
const KEYS: [(&str, &str, &str); 2] = [
    ("streaming", "enabled", "streaming"),
    ("platform", "reply_to_mode", "reply_to_mode"),
];

const TOKEN: &str = "4242:AAFakeFakeFakeFakeFakeFakeFakeFakeFak";

#[test]
fn a_section_that_both_have_is_read_alike_or_refused() {
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for case in cases::<Section>("gateway/config_sections.json") {
        let verdict = match case.kind.as_str() {
            "streaming" | "platform" => of_section(&case),
            "reset_policy" => "read by core",
            "binds_port" => "not ours",
            other => panic!("{}: nobody judged `{other}`", case.id),
        };
        *counts.entry((case.kind, verdict)).or_default() += 1;
    }
    eprintln!("config_sections: {counts:?}");
}

fn of_section(case: &Section) -> &'static str {
    let fields = case.input.as_object().into_iter().flatten();
    let written: Vec<(&String, &Value)> = fields.filter(|(_, value)| !value.is_null()).collect();
    let [(name, value)] = written.as_slice() else {
        return "not ours";
    };
    let ours = KEYS
        .iter()
        .find(|key| (key.0, key.1) == (&*case.kind, name.as_str()));
    let Some((_, _, key)) = ours else {
        return "not ours";
    };
    let value = toml::Value::try_from(value).unwrap();
    let file = format!("[platforms.telegram]\ntoken = \"{TOKEN}\"\n{key} = {value}\n");
    match read(&file) {
        Read::Holds(settings) => {
            let ours = setting(&settings, &format!("platforms.telegram.{key}")).unwrap();
            assert!(same(ours, &case.output[name]), "{}: {ours}", case.id);
            "same"
        }
        Read::Refused(said) => {
            assert!(said.contains("line 3") && said.contains(key), "{said}");
            assert!(!value.is_bool(), "{}: {said}", case.id);
            "refused"
        }
    }
}
