//! Which variables reach a command.
//!
//! The reference hides what it knows to be secret; we show what we know to be harmless (H-30). So the
//! law is one-sided: whatever the reference hides is hidden, and more. What a caller adds is shown as the
//! reference shows it; what the operator lets pass by name is refused where the reference refuses it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use angelia_process::environment::{Environment, Passed};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(flatten)]
    what: What,
}

type Variables = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum What {
    OneName {
        name: String,
        expect: Surfaces,
    },
    BackgroundEnv(Whole),
    ForegroundEnv {
        parent_env: Variables,
        backend_env: Variables,
        expect: Foreground,
    },
    #[serde(other)]
    NotOurs,
}

#[derive(Deserialize)]
struct Surfaces {
    background_base: String,
    background_extra: String,
    foreground: String,
}

#[derive(Deserialize)]
struct Whole {
    base: Variables,
    extra: Variables,
    skill_passthrough: Vec<String>,
    config_passthrough: Vec<String>,
    expect: Background,
}

#[derive(Deserialize)]
struct Background {
    env_without_home_vars: Variables,
    skill_accepted: BTreeSet<String>,
    config_accepted: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Foreground {
    env_without_home_vars_and_path: Variables,
}

/// How the reference lets a caller force a secret upon a command. Nobody can do that here (H-31).
const FORCE: &str = "_HERMES_FORCE_";

fn shown(variables: &Variables, passed: &Passed) -> Environment {
    let pairs = variables.iter();
    let pairs = pairs.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    Environment::of(pairs, passed)
}

fn one(name: &str) -> Environment {
    let variables = Variables::from([(name.to_owned(), "v1".to_owned())]);
    shown(&variables, &Passed::default())
}

fn added(environment: Environment, extra: &Variables) -> Environment {
    let pairs = extra.iter();
    pairs.fold(environment, |environment, (name, value)| {
        environment.with(name, value)
    })
}

/// The names that may pass. Each is asked for by itself: one that is refused refuses no other.
fn passed(names: &[String]) -> BTreeSet<String> {
    let passed = names
        .iter()
        .filter_map(|name| Passed::new([name.as_str()]).ok());
    let names = passed.flat_map(|one| one.names().map(str::to_owned).collect::<Vec<_>>());
    names.collect()
}

/// Whether ours has nothing that theirs has not, and everything that the caller added as it is.
fn is_within(id: &str, ours: &Environment, extra: &Variables, theirs: &Variables) {
    let theirs_alone = added(Environment::default(), theirs);
    let home = |name: &str| matches!(name, "HOME" | "PATH");
    for (name, value) in ours.pairs() {
        assert!(
            home(&name) || theirs.get(&name) == Some(&value),
            "{id}: {name}"
        );
    }
    for (name, value) in extra.iter().filter(|(name, _)| theirs.contains_key(*name)) {
        let is_there = ours
            .pairs()
            .any(|pair| pair == (name.clone(), value.clone()));
        assert!(
            is_there || name.is_empty() || theirs_alone == *ours,
            "{id}: {name}"
        );
    }
    let mut forced = extra.keys().filter(|name| name.starts_with(FORCE));
    let is_shown = |name: &str| ours.pairs().any(|(shown, _)| name.ends_with(&shown));
    assert!(!forced.any(|name| is_shown(name)), "{id}");
}

#[test]
fn whatever_the_reference_hides_is_hidden() {
    let nothing = Environment::default();
    for case in super::cases::<Case>("processes/env_sanitize.json") {
        let id = &case.id;
        match case.what {
            What::OneName { name, expect } => {
                if expect.background_base == "dropped" || expect.foreground == "dropped" {
                    assert_eq!(one(&name), nothing, "{id}: {name}");
                }
                if expect.background_extra == "dropped" {
                    let added = Environment::default().with(&name, "v1");
                    assert_eq!(added, nothing, "{id}: {name}");
                }
            }
            What::BackgroundEnv(whole) => {
                let accepted = passed(&whole.config_passthrough);
                assert_eq!(accepted, whole.expect.config_accepted, "{id}");
                assert_eq!(
                    passed(&whole.skill_passthrough),
                    whole.expect.skill_accepted,
                    "{id}"
                );
                let names = accepted.iter().map(String::as_str);
                let base = shown(&whole.base, &Passed::new(names).unwrap());
                let theirs = whole.expect.env_without_home_vars;
                is_within(id, &added(base, &whole.extra), &whole.extra, &theirs);
            }
            What::ForegroundEnv {
                parent_env,
                backend_env,
                expect,
            } => {
                let base = shown(&parent_env, &Passed::default());
                let theirs = expect.env_without_home_vars_and_path;
                is_within(id, &added(base, &backend_env), &backend_env, &theirs);
            }
            What::NotOurs => (),
        }
    }
}

#[test]
fn what_a_program_needs_to_find_its_way_is_shown() {
    for name in ["PATH", "HOME", "USER", "SHELL", "LANG", "LC_ALL"] {
        assert_ne!(one(name), Environment::default(), "{name}");
    }
}
