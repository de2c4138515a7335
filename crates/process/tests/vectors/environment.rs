//! Which variables reach a command.
//!
//! The reference hides what it knows to be secret; we show what we know to be harmless (H-30). So the
//! law is one-sided: whatever the reference hides is hidden, and more.

use std::collections::BTreeMap;
use std::ffi::OsString;

use angelia_process::environment::Environment;
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
    BackgroundEnv {
        base: Variables,
        expect: Background,
    },
    ForegroundEnv {
        parent_env: Variables,
    },
    #[serde(other)]
    NotOurs,
}

#[derive(Deserialize)]
struct Surfaces {
    background_base: String,
    foreground: String,
}

#[derive(Deserialize)]
struct Background {
    env_without_home_vars: Variables,
}

fn shown(variables: &Variables) -> Environment {
    let pairs = variables.iter();
    Environment::of(pairs.map(|(name, value)| (OsString::from(name), OsString::from(value))))
}

fn one(name: &str) -> Environment {
    shown(&Variables::from([(name.to_owned(), "v1".to_owned())]))
}

#[test]
fn whatever_the_reference_hides_is_hidden() {
    let nothing = Environment::default();
    for case in super::cases::<Case>("processes/env_sanitize.json") {
        match case.what {
            What::OneName { name, expect } => {
                if expect.background_base == "dropped" || expect.foreground == "dropped" {
                    assert_eq!(one(&name), nothing, "{}: {name}", case.id);
                }
            }
            What::BackgroundEnv { base, expect } => {
                let allowed = expect.env_without_home_vars;
                let mut ours = base.keys().filter(|name| one(name) != nothing);
                let is_allowed = |name: &String| name == "HOME" || allowed.contains_key(name);
                assert!(ours.all(is_allowed), "{}", case.id);
            }
            // That a parent could force a secret upon its commands is the defect of H-31.
            What::ForegroundEnv { parent_env } => {
                let forced = parent_env
                    .keys()
                    .filter(|name| name.starts_with("_HERMES_FORCE_"));
                let mut forced = forced.map(|name| one(name));
                assert!(forced.all(|ours| ours == nothing), "{}", case.id);
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
