use super::super::raw;
use super::*;
use crate::config::Wish;
use angelia_core::turn::busy::Mode;

fn resolved(text: &str) -> Resolved {
    resolve(raw::read(text), &Overrides::default()).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    let found = resolve(raw::read(text), &Overrides::default()).unwrap_err();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn an_empty_file_gives_the_defaults() {
    let Resolved {
        settings,
        effective,
    } = resolved("");
    assert_eq!(settings.listen, "127.0.0.1:8787".parse().unwrap());
    assert_eq!(
        settings.agents.main,
        crate::config::Agent::Demo(Wish::Default)
    );
    assert_eq!(settings.sessions.isolation, Isolation::default());
    assert_eq!(settings.busy.everywhere.mode, Some(Mode::Queue));
    assert_eq!(settings.drain, angelia_core::limits::DRAIN_TIME);
    assert!(effective.iter().all(|one| one.place.is_none()));
}

#[test]
fn the_file_is_obeyed() {
    let settings = resolved(
        "listen = \"[::1]:80\"\ntime_zone = \"Asia/Tokyo\"\n[agent]\nbackend = \"demo\"\n\
         [sessions]\nper_user_in_groups = false\nper_user_in_threads = true\n\
         [busy]\nmode = \"interrupt\"\n[drain]\ntimeout = \"1m 30s\"\n",
    )
    .settings;
    assert_eq!(settings.listen, "[::1]:80".parse().unwrap());
    assert_eq!(settings.time_zone.name(), "Asia/Tokyo");
    assert_eq!(
        settings.agents.main,
        crate::config::Agent::Demo(Wish::Asked)
    );
    assert_eq!(settings.sessions.isolation.groups, Sharing::Shared);
    assert_eq!(settings.sessions.isolation.threads, Sharing::PerPerson);
    assert_eq!(settings.busy.everywhere.mode, Some(Mode::Interrupt));
    assert_eq!(settings.drain, Span::seconds(90));
}

#[test]
fn a_flag_and_a_variable_stand_above_the_file() {
    let overrides = Overrides {
        listen: Some("127.0.0.1:0".into()),
        database: Some("sqlite".into()),
        machine_zone: None,
    };
    let raw = raw::read("listen = \"[::1]:80\"\n");
    let Resolved {
        settings,
        effective,
    } = resolve(raw, &overrides).unwrap();
    assert_eq!(settings.listen.port(), 0);
    assert_eq!(effective[0].place, Some(Place::Flag("--listen")));
    assert_eq!(
        effective[1].place,
        Some(Place::Variable("ANGELIA_DATABASE"))
    );
}

#[test]
fn wrong_values_and_unknown_keys_are_told_together_in_the_order_of_the_file() {
    let found =
        problems("listen = \"here\"\nx = 1\n[busy]\nmode = \"qeue\"\n[drain]\ntimeout = \"2h\"");
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found.is_sorted(), "{found:#?}");
    assert!(
        found[2].ends_with("found \"qeue\"; did you mean `queue`?"),
        "{found:#?}"
    );
}

#[test]
fn the_password_of_a_database_is_not_repeated() {
    let found = problems("database = \"postgres://anna:geheim@db:port/x\"");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("line 1: `database` cannot be read"),
        "{found:?}"
    );
    assert!(!found[0].contains("geheim"), "{found:?}");
}

#[test]
fn a_negative_time_is_no_length() {
    assert_eq!(
        problems("[drain]\ntimeout = \"-5s\""),
        [
            "line 2: `drain.timeout` must be a length of time such as \"60s\" or \"5m\"; found \"-5s\""
        ]
    );
}

#[test]
fn an_account_of_the_house_has_its_own_platform() {
    assert_eq!(
        problems("[platforms.web]\nplatform = \"api\""),
        ["line 2: `platforms.web.platform` must be \"web\" or absent; found \"api\""]
    );
}

#[test]
fn every_default_of_the_table_can_be_read() {
    let effective = resolved("").effective;
    for one in effective {
        assert!(one.text.is_some(), "{} has no default", one.path);
    }
}

#[test]
fn the_zone_is_the_machines_unless_one_is_written() {
    let overrides = Overrides {
        machine_zone: Some("Asia/Tokyo".into()),
        ..Overrides::default()
    };
    let zone = |text: &str, overrides: &Overrides| {
        let resolved = resolve(raw::read(text), overrides).unwrap();
        let place = resolved.effective[2].place.clone();
        (resolved.settings.time_zone.name().to_owned(), place)
    };
    assert_eq!(
        zone("", &overrides),
        ("Asia/Tokyo".into(), Some(Place::Machine))
    );
    let written = zone("time_zone = \"Europe/Berlin\"", &overrides);
    assert_eq!(written, ("Europe/Berlin".into(), Some(Place::Line(1))));
    assert_eq!(zone("", &Overrides::default()), ("UTC".into(), None));
}
