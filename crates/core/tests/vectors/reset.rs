//! When conversations began anew in a reference, and under which policy.
//!
//! Its times are wall-clock times without a zone, read here as UTC. Where ours differs, the case
//! itself must hold a value that we do not accept (hazard 7), and the reading must have said so.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::session::reset::policy::{Answer, Fault, Reading, Written};
use angelia_core::session::reset::{Reason, ResetPolicies, ResetPolicy, decide};
use angelia_core::time::{Span, Timestamp};
use angelia_core::zone::Zone;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cases;

/// The one platform that has another name with us.
const API: (&str, &str) = ("api_server", "api");

fn read(written: &Written) -> Reading<ResetPolicy, Fault> {
    let listed = written.notify_exclude_platforms.iter().flatten();
    let known: Vec<_> = listed.map(String::as_str).collect();
    written.over(&ResetPolicy::default(), &known)
}

#[derive(Deserialize)]
struct Decision {
    id: String,
    entry_updated_at: String,
    now: String,
    policy: Written,
    has_active_processes: bool,
    expected_reason: Option<Reason>,
}

/// The moment in whole milliseconds. The reference counts microseconds and tries one before and one
/// after a full second; the same in our steps is a millisecond before and after, so what is finer is
/// rounded away from the nearest second.
fn moment(civil: &str) -> Timestamp {
    let moment = format!("{civil}Z").parse::<jiff::Timestamp>();
    let nanos = moment.expect("a date and a time").as_nanosecond();
    let milli = 1_000_000;
    let before_a_second = nanos.rem_euclid(1_000 * milli) >= 500 * milli;
    let ms = if before_a_second {
        nanos.div_euclid(milli)
    } else {
        -(-nanos).div_euclid(milli)
    };
    Timestamp::from_ms(ms.try_into().expect("a moment of the calendar"))
}

impl Decision {
    /// What ours says, with a process as young as can be where the reference has an active one.
    fn decide(&self, policy: &ResetPolicy) -> Option<Reason> {
        let (last, now) = (moment(&self.entry_updated_at), moment(&self.now));
        let live = [now];
        let live = if self.has_active_processes {
            &live[..]
        } else {
            &[]
        };
        decide(policy, last, now, &Zone::utc(), live)
    }
}

#[test]
fn conversations_end_where_the_reference_ends_them_unless_its_policy_is_none() {
    let mut tally = BTreeMap::new();
    for case in cases::<Decision>("sessions/reset_decisions.json") {
        let Reading { value, problems } = read(&case.policy);
        let ours = case.decide(&value);
        let same = ours == case.expected_reason;
        // A length of time that is none ends every conversation at once in the reference. Ours is
        // refused at the start; an import goes on with a day.
        let no_length = case.policy.idle_minutes.is_some_and(|minutes| minutes < 1)
            && problems
                .iter()
                .any(|fault| matches!(fault, Fault::IdleMinutes(_)));
        assert!(same || no_length, "{}: {ours:?} under {value:?}", case.id);
        assert!(
            same || case.expected_reason == Some(Reason::Idle),
            "{}",
            case.id
        );
        *tally.entry((same, !problems.is_empty())).or_insert(0) += 1;
    }
    assert!(!tally.is_empty(), "there are no cases");
    eprintln!("(same, refused by the configuration): {tally:?}");
}

#[derive(Deserialize)]
struct Parse {
    id: String,
    input: Value,
    expected: Map<String, Value>,
}

/// The keys and names of the reference as ours.
fn ours(mut keys: Map<String, Value>) -> Map<String, Value> {
    if let Some(age) = keys.remove("bg_process_max_age_hours") {
        keys.insert("process_max_age_hours".into(), age);
    }
    if let Some(Value::Array(names)) = keys.get_mut("notify_exclude_platforms") {
        for name in names.iter_mut().filter(|name| *name == API.0) {
            *name = API.1.into();
        }
    }
    keys
}

/// The keys that a policy may have.
const KEYS: [&str; 6] = [
    "mode",
    "at_hour",
    "idle_minutes",
    "notify",
    "notify_exclude_platforms",
    "process_max_age_hours",
];

/// Whether the values have the types that the reference documents.
fn is_well_typed(keys: &Map<String, Value>) -> bool {
    keys.iter().all(|(key, value)| match key.as_str() {
        _ if value.is_null() => true,
        "mode" => value.is_string(),
        "notify" => value.is_string() || value.is_boolean() || value.is_i64(),
        "notify_exclude_platforms" => is_list_of_texts(value),
        _ => value.is_i64(),
    })
}

fn is_list_of_texts(value: &Value) -> bool {
    let items = value.as_array();
    items.is_some_and(|items| items.iter().all(Value::is_string))
}

/// The policy in the reference's shape, without what a fault replaced.
fn shown(policy: &ResetPolicy, faults: &[Fault]) -> Vec<(&'static str, Value)> {
    let hours = |age: Span| age.as_ms() / Span::hours(1).as_ms();
    let all = [
        ("mode", json!(policy.mode)),
        ("at_hour", json!(policy.at_hour)),
        ("idle_minutes", json!(policy.idle_minutes)),
        ("notify", json!(policy.notify)),
        (
            "notify_exclude_platforms",
            json!(policy.notify_exclude_platforms),
        ),
        (
            "process_max_age_hours",
            json!(policy.process_max_age.map_or(0, hours)),
        ),
    ];
    let is_sound = |key: &str| faults.iter().all(|fault| key_of(fault) != key);
    all.into_iter().filter(|(key, _)| is_sound(key)).collect()
}

fn key_of(fault: &Fault) -> &'static str {
    match fault {
        Fault::Mode(_) => "mode",
        Fault::AtHour(_) => "at_hour",
        Fault::IdleMinutes(_) => "idle_minutes",
        Fault::Notify(_) => "notify",
        Fault::Platform(..) => "notify_exclude_platforms",
        Fault::ProcessMaxAge(_) => "process_max_age_hours",
    }
}

/// Whether a value that ours refuses is outside what the documentation allows, judged on the input.
fn is_outside(key: &str, value: &Value) -> bool {
    let number = value.as_i64().unwrap_or_default();
    match key {
        "mode" => !["none", "idle", "daily", "both"].contains(&value.as_str().unwrap_or_default()),
        "at_hour" => !(0..24).contains(&number),
        "idle_minutes" => number < 1,
        "notify" => !value.is_boolean(),
        _ => false,
    }
}

/// What the reference's input becomes with us; nothing if it has another shape, for which there must
/// be a reason.
fn written(case: &Parse) -> Option<Written> {
    let keys = case.input.as_object().cloned();
    let input = match keys {
        Some(keys) => ours(keys).into(),
        None if case.input.is_null() => json!({}),
        None => case.input.clone(),
    };
    let written = serde_json::from_value(input.clone());
    let is_sound = |keys: &Map<String, Value>| {
        keys.keys().all(|key| KEYS.contains(&key.as_str())) && is_well_typed(keys)
    };
    let refusable = !input.as_object().is_some_and(is_sound);
    assert!(written.is_ok() || refusable, "{}", case.id);
    written.ok()
}

/// Everything that ours does not refuse must be as the reference has it; what ours refuses must be
/// outside of what a policy can be.
fn compare(case: &Parse, value: &ResetPolicy, problems: &[Fault]) {
    for fault in problems {
        let key = key_of(fault);
        assert!(is_outside(key, &case.input[key]), "{}: {fault}", case.id);
    }
    let expected = ours(case.expected.clone());
    for (key, value) in shown(value, problems) {
        let theirs = &expected[key];
        // No limit is any number that is not positive, and the order of names means nothing.
        let unlimited = value == 0 && theirs.as_i64().is_some_and(|hours| hours <= 0);
        let fits = *theirs == value
            || key == "process_max_age_hours" && unlimited
            || theirs.is_array() && names(theirs) == names(&value);
        assert!(fits, "{}: {key} is {value}", case.id);
    }
}

fn names(list: &Value) -> BTreeSet<&str> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).collect()
}

/// A section of the reference's file. Those of other kinds are met where our file is read.
#[derive(Deserialize)]
struct Section {
    id: String,
    kind: String,
    #[serde(rename = "in", default)]
    input: Value,
    #[serde(rename = "out", default)]
    expected: Value,
}

fn sections() -> Vec<Parse> {
    let all = cases::<Section>("gateway/config_sections.json").into_iter();
    let policies = all.filter(|section| section.kind == "reset_policy");
    let parse = |section: Section| Parse {
        id: section.id,
        input: section.input,
        expected: section.expected.as_object().cloned().expect("a policy"),
    };
    policies.map(parse).collect()
}

#[test]
fn policies_are_read_as_the_reference_reads_them_unless_they_are_none() {
    let (mut same, mut refused) = (0, 0);
    let all = cases::<Parse>("sessions/reset_policy_parse.json").into_iter();
    for case in all.chain(sections()) {
        let reading = written(&case).map(|written| read(&written));
        match reading {
            Some(Reading { value, problems }) => {
                compare(&case, &value, &problems);
                same += usize::from(problems.is_empty());
                refused += usize::from(!problems.is_empty());
            }
            None => refused += 1,
        }
    }
    assert!(same + refused > 0, "there are no cases");
    eprintln!("{same} the same, {refused} refused");
}

#[derive(Deserialize)]
struct Resolution {
    id: String,
    overrides: Overrides,
    platform: Option<String>,
    chat_type: Option<String>,
    expected_level: String,
}

#[derive(Deserialize)]
struct Overrides {
    by_type: Vec<String>,
    by_platform: Vec<String>,
}

#[test]
fn the_policy_of_the_platform_applies_before_that_of_the_chat_type() {
    let levels = ["default", "by_type", "by_platform"];
    let marked = |level: i64| Written {
        idle_minutes: Some(level + 1),
        notify: Some(Answer::Plain(true)),
        ..Written::default()
    };
    let all = cases::<Resolution>("sessions/reset_policy_resolution.json");
    assert!(!all.is_empty(), "there are no cases");
    for case in all {
        let by_type = case
            .overrides
            .by_type
            .iter()
            .map(|name| (name.clone(), marked(1)));
        let by_platform = case.overrides.by_platform.iter();
        let platforms: Vec<_> = by_platform.clone().map(String::as_str).collect();
        let entries = by_type
            .chain(by_platform.map(|name| (name.clone(), marked(2))))
            .collect();
        let policies = ResetPolicies::read(&marked(0), &entries, &platforms);
        let policies = policies.strict().unwrap();
        let place = policies.at(
            case.platform.as_deref().unwrap_or_default(),
            case.chat_type.as_deref().unwrap_or_default(),
        );
        let level = usize::try_from(place.idle_minutes.get()).unwrap() - 1;
        assert_eq!(levels[level], case.expected_level, "{}", case.id);
    }
}

#[derive(Deserialize)]
struct Validation {
    id: String,
    at_hour: Option<i64>,
    idle_minutes: Option<i64>,
    expected: Checked,
}

#[derive(Deserialize)]
struct Checked {
    at_hour: i64,
    idle_minutes: u32,
}

#[test]
fn what_the_reference_replaces_in_silence_is_replaced_alike_and_said() {
    let (mut clean, mut said) = (0, 0);
    for case in cases::<Validation>("sessions/reset_policy_validation.json") {
        let written = Written {
            at_hour: case.at_hour,
            idle_minutes: case.idle_minutes,
            ..Written::default()
        };
        let Reading { value, problems } = read(&written);
        assert_eq!(
            i64::from(value.at_hour),
            case.expected.at_hour,
            "{}",
            case.id
        );
        assert_eq!(
            value.idle_minutes.get(),
            case.expected.idle_minutes,
            "{}",
            case.id
        );
        let replaced = [
            case.at_hour
                .is_some_and(|hour| hour != case.expected.at_hour),
            case.idle_minutes
                .is_some_and(|minutes| minutes != i64::from(case.expected.idle_minutes)),
        ];
        let count = replaced.into_iter().filter(|replaced| *replaced).count();
        assert_eq!(problems.len(), count, "{}: {problems:?}", case.id);
        if count == 0 { clean += 1 } else { said += 1 }
    }
    assert!(clean + said > 0, "there are no cases");
    eprintln!("{clean} as written, {said} replaced and said");
}
