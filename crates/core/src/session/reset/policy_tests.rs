use super::*;

const PLATFORMS: [&str; 4] = ["api", "slack", "telegram", "webhook"];

fn read(written: &Written) -> Reading<ResetPolicy, Fault> {
    written.over(&ResetPolicy::default(), &PLATFORMS)
}

#[test]
fn what_nobody_wrote_never_ends_a_conversation() {
    let policy = read(&Written::default()).strict().unwrap();
    assert_eq!(policy, ResetPolicy::default());
    assert_eq!(policy.mode, Mode::None);
    assert_eq!(policy.idle(), Span::hours(24));
}

#[test]
fn what_is_written_is_taken_and_the_rest_comes_from_the_base() {
    let base = ResetPolicy {
        at_hour: Hour::fixed(6),
        notify: false,
        ..ResetPolicy::default()
    };
    let written = Written {
        mode: Some("both".into()),
        idle_minutes: Some(90),
        process_max_age_hours: Some(2),
        notify_exclude_platforms: Some(vec!["slack".into()]),
        ..Written::default()
    };
    let policy = written.over(&base, &PLATFORMS).strict().unwrap();
    assert_eq!(policy.mode, Mode::Both);
    assert_eq!(policy.at_hour, Hour::fixed(6));
    assert_eq!(policy.idle(), Span::minutes(90));
    assert!(!policy.notify);
    assert_eq!(policy.notify_exclude_platforms, ["slack".to_owned()].into());
    assert_eq!(policy.process_max_age, Some(Span::hours(2)));
}

#[test]
fn every_fault_is_found_at_once_and_says_what_to_write() {
    let written = Written {
        mode: Some("weekly".into()),
        at_hour: Some(24),
        idle_minutes: Some(0),
        notify: Some(Answer::Word("maybe".into())),
        notify_exclude_platforms: Some(vec!["telegram".into(), "slak".into()]),
        process_max_age_hours: Some(i64::MAX),
    };
    let reading = read(&written);
    let said: Vec<_> = reading.problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    `mode` is `weekly`; write `none`, `idle`, `daily` or `both`
    `at_hour` is 24; write a whole hour from 0 to 23
    `idle_minutes` is 0; write a number from 1 to 4294967295, or `mode = "none"` for never
    `notify` is `maybe`; write true or false
    `process_max_age_hours` is 9223372036854775807; write a number up to 4294967295, or 0 for no limit
    `notify_exclude_platforms` has `slak`, which is no platform; write one of api, slack, telegram, webhook
    "#);
    let mended = ResetPolicy {
        notify_exclude_platforms: ["telegram".to_owned()].into(),
        ..ResetPolicy::default()
    };
    assert_eq!(reading.value, mended);
    assert_eq!(reading.strict().unwrap_err().len(), 6);
}

#[test]
fn a_wrong_value_is_found_also_where_the_mode_does_not_use_it() {
    let written = Written {
        mode: Some("idle".into()),
        at_hour: Some(-1),
        ..Written::default()
    };
    assert_eq!(read(&written).strict(), Err(vec![Fault::AtHour(-1)]));
}

#[test]
fn an_age_that_is_not_positive_is_no_limit() {
    for hours in [0, -1, i64::MIN] {
        let written = Written {
            process_max_age_hours: Some(hours),
            ..Written::default()
        };
        assert_eq!(read(&written).strict().unwrap().process_max_age, None);
    }
}

#[test]
fn the_longest_idle_time_is_still_counted() {
    let written = Written {
        idle_minutes: Some(u32::MAX.into()),
        ..Written::default()
    };
    assert!(read(&written).strict().unwrap().idle() > Span::days(365 * 8_000));
    let written = Written {
        idle_minutes: Some(i64::from(u32::MAX) + 1),
        ..Written::default()
    };
    assert_eq!(read(&written).problems.len(), 1);
}

#[test]
fn yes_and_no_are_known_in_a_few_words() {
    let meaning = |json: &str| serde_json::from_str::<Answer>(json).unwrap().meaning();
    for yes in ["true", "1", "\"true\"", "\"Yes\"", "\" on \"", "\"1\""] {
        assert_eq!(meaning(yes), Ok(true), "{yes}");
    }
    for no in ["false", "0", "\"FALSE\"", "\"no\"", "\"off\"", "\"0\""] {
        assert_eq!(meaning(no), Ok(false), "{no}");
    }
    for neither in ["2", "\"\"", "\"maybe\""] {
        assert!(meaning(neither).is_err(), "{neither}");
    }
}

#[test]
fn an_unknown_key_is_not_read_over() {
    assert!(serde_json::from_str::<Written>(r#"{"idle_minuets": 5}"#).is_err());
}
