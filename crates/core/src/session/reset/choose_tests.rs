use super::*;

const PLATFORMS: [&str; 3] = ["api", "discord", "telegram"];

fn idle(minutes: i64) -> Written {
    Written {
        mode: Some("idle".into()),
        idle_minutes: Some(minutes),
        ..Written::default()
    }
}

fn read(
    everywhere: &Written,
    entries: impl IntoIterator<Item = (&'static str, Written)>,
) -> Reading<ResetPolicies, Problem> {
    let entries = entries
        .into_iter()
        .map(|(name, written)| (name.to_owned(), written))
        .collect();
    ResetPolicies::read(everywhere, &entries, &PLATFORMS)
}

#[test]
fn the_most_specific_entry_wins() {
    let entries = [
        ("telegram.group", idle(1)),
        ("telegram", idle(2)),
        ("group", idle(3)),
    ];
    let policies = read(&idle(4), entries).strict().unwrap();
    let minutes = |platform, kind| policies.at(platform, kind).idle_minutes.get();
    assert_eq!(minutes("telegram", "group"), 1);
    assert_eq!(minutes("telegram", "dm"), 2);
    assert_eq!(minutes("discord", "group"), 3);
    assert_eq!(minutes("discord", "dm"), 4);
    assert_eq!(minutes("", ""), 4);
}

#[test]
fn an_entry_takes_what_it_leaves_out_from_the_policy_for_everywhere() {
    let everywhere = Written {
        at_hour: Some(6),
        process_max_age_hours: Some(0),
        ..idle(60)
    };
    let daily = Written {
        mode: Some("daily".into()),
        ..Written::default()
    };
    let policies = read(&everywhere, [("telegram", idle(5)), ("telegram.dm", daily)]);
    let policies = policies.strict().unwrap();
    let policy = policies.at("telegram", "dm");
    assert_eq!(i64::from(policy.at_hour), 6);
    assert_eq!(policy.idle_minutes.get(), 60);
    assert_eq!(policy.process_max_age, None);
}

#[test]
fn every_entry_is_checked_and_every_problem_names_its_entry() {
    let reading = read(
        &idle(0),
        [
            ("telegram", idle(-5)),
            ("telegramm", idle(5)),
            ("group.telegram", idle(5)),
            ("telegram.group.x", idle(5)),
        ],
    );
    let said: Vec<_> = reading.problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    sessions.reset: `idle_minutes` is 0; write a number from 1 to 4294967295, or `mode = "none"` for never
    sessions.reset_for."group.telegram": this names no place; write a platform (api, discord, telegram), a kind of chat (dm, group, channel, thread), or `platform.kind`
    sessions.reset_for."telegram": `idle_minutes` is -5; write a number from 1 to 4294967295, or `mode = "none"` for never
    sessions.reset_for."telegram.group.x": this names no place; write a platform (api, discord, telegram), a kind of chat (dm, group, channel, thread), or `platform.kind`
    sessions.reset_for."telegramm": this names no place; write a platform (api, discord, telegram), a kind of chat (dm, group, channel, thread), or `platform.kind`
    "#);
    assert_eq!(reading.value.at("telegram", "dm").idle_minutes.get(), 1440);
    assert!(reading.strict().is_err());
}
