use super::super::raw;
use super::super::resolve::{Overrides, Resolved, resolve};
use super::*;
use angelia_core::session::reset::{Mode, ResetPolicy};

fn resolved(text: &str) -> Resolved {
    resolve(raw::read(text), &Overrides::default()).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    let found = resolve(raw::read(text), &Overrides::default()).unwrap_err();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn the_defaults_of_the_table_are_those_of_the_policy() {
    let written: String = RESET
        .iter()
        .map(|key| {
            let default = key.default.unwrap();
            let quoted = match key.name() {
                "mode" => format!("\"{default}\""),
                "notify_exclude_platforms" => format!("[\"{}\"]", default.replace(", ", "\", \"")),
                _ => default.to_owned(),
            };
            format!("{} = {quoted}\n", key.name())
        })
        .collect();
    let spelled = resolved(&format!("[sessions.reset]\n{written}"));
    assert_eq!(spelled.settings, resolved("").settings);
    let policy = spelled
        .settings
        .sessions
        .resets
        .at("telegram", "group")
        .clone();
    assert_eq!(policy, ResetPolicy::default());
}

#[test]
fn the_most_specific_entry_holds_and_takes_the_rest_from_everywhere() {
    let text = "[sessions]\nreset = { mode = \"daily\", at_hour = 6, notify = false }\n\
                [sessions.reset_for]\n\"telegram.group\" = { mode = \"idle\", idle_minutes = 120 }\n\
                slack = { mode = \"none\" }\n";
    let resets = resolved(text).settings.sessions.resets;
    let group = resets.at("telegram", "group");
    assert_eq!(group.mode, Mode::Idle);
    assert_eq!(group.idle(), Span::hours(2));
    assert!(!group.notify);
    assert_eq!(resets.at("telegram", "dm").mode, Mode::Daily);
    assert_eq!(resets.at("slack", "group").mode, Mode::None);
}

#[test]
fn an_entry_is_shown_whole_and_says_what_it_inherits() {
    let text =
        "[sessions.reset]\nat_hour = 6\n[sessions.reset_for.\"telegram.group\"]\nmode = \"idle\"";
    let effective = resolved(text).effective;
    let of = |path: &str| {
        let one = effective.iter().find(|one| one.path == path).unwrap();
        (one.text.clone().unwrap(), one.place.clone())
    };
    let entry = "sessions.reset_for.\"telegram.group\"";
    assert_eq!(
        of(&format!("{entry}.mode")),
        ("idle".into(), Some(Place::Line(4)))
    );
    let inherited = Some(Place::Key(EVERYWHERE));
    assert_eq!(of(&format!("{entry}.at_hour")), ("6".into(), inherited));
    assert_eq!(of("sessions.reset.notify"), ("true".into(), None));
}

#[test]
fn every_fault_has_its_line_and_a_suggestion_where_one_is_near() {
    let text = "[sessions.reset]\nmode = \"dayly\"\nat_hour = 24\nidle_minutes = 0\n\
                notify_exclude_platforms = [\"api\", \"slak\"]\n\
                [sessions.reset_for]\ntelegramm = {}\n\"telegram.gruop\" = { mode = \"idle\" }\n\
                group = { at_hour = -1 }\n";
    insta::assert_snapshot!(problems(text).join("\n"), @r#"
    line 2: in `sessions.reset`: `mode` is `dayly`; write `none`, `idle`, `daily` or `both`; did you mean `daily`?
    line 3: in `sessions.reset`: `at_hour` is 24; write a whole hour from 0 to 23
    line 4: in `sessions.reset`: `idle_minutes` is 0; write a number from 1 to 4294967295, or `mode = "none"` for never
    line 5: in `sessions.reset`: `notify_exclude_platforms` has `slak`, which is no platform; did you mean `slack`?
    line 7: `sessions.reset_for.telegramm` names no place; write a platform, a kind of chat (dm, group, channel, thread), or both as in "telegram.group"; did you mean `telegram`?
    line 8: `sessions.reset_for."telegram.gruop"` names no place; write a platform, a kind of chat (dm, group, channel, thread), or both as in "telegram.group"; did you mean `"telegram.group"`?
    line 9: in `sessions.reset_for.group`: `at_hour` is -1; write a whole hour from 0 to 23
    "#);
}

#[test]
fn shapes_are_checked_too() {
    let text = "[sessions]\nresume_window = 60\nforget_after = \"1h\"\n\
                reset = { at_hour = \"4\", notify = \"yes\", notify_exclude_platforms = \"api\" }\n\
                [sessions.reset_for]\ntelegram.group = { mode = \"idle\" }\n";
    insta::assert_snapshot!(problems(text).join("\n"), @r#"
    line 2: `sessions.resume_window` must be a string such as "1h"; found the number 60
    line 3: `sessions.forget_after` must be a length of time such as "90d", at least a day, or "never"; found "1h"
    line 4: `sessions.reset.at_hour` must be a whole number from 0 to 23; found the string "4"
    line 4: `sessions.reset.notify_exclude_platforms` must be a list of names such as ["api"]; found the string "api"
    line 4: `sessions.reset.notify` must be true or false, without quotes; found the string "yes"
    line 6: `sessions.reset_for.telegram.group` needs quotes: write `"telegram.group"` for the two together
    "#);
}

#[test]
fn a_window_may_be_open_and_a_memory_may_last() {
    assert_eq!(resume_window("0"), Ok(None));
    assert_eq!(resume_window("0s"), Ok(None));
    assert_eq!(resume_window("90m"), Ok(Some(Span::minutes(90))));
    assert!(resume_window("-1h").is_err());
    assert!(resume_window("200000d").is_err());
    assert_eq!(forget_after("never"), Ok(None));
    assert_eq!(forget_after("90d"), Ok(Some(Span::days(90))));
    assert!(forget_after("23h").is_err());
    assert!(forget_after("0").is_err());
}
