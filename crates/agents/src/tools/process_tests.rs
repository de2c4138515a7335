use super::*;

const LONGEST: Span = Span::seconds(180);

fn asked(arguments: Value) -> Ask {
    let given = FORM.read(arguments).unwrap();
    ask(&given, LONGEST).unwrap()
}

fn refused(arguments: Value) -> String {
    let given = FORM.read(arguments).unwrap();
    let result = ask(&given, LONGEST).unwrap_err();
    result["error"].as_str().unwrap().to_owned()
}

#[test]
fn every_action_but_list_names_a_process() {
    assert_eq!(asked(json!({ "action": "list" })).act, Act::List);
    for action in &ACTIONS[1..] {
        for arguments in [
            json!({ "action": action }),
            json!({ "action": action, "session_id": null }),
            json!({ "action": action, "session_id": "" }),
        ] {
            let why = refused(arguments);
            assert!(why.contains("session_id") && why.contains(action), "{why}");
        }
        assert_eq!(
            asked(json!({ "action": action, "session_id": 17 })).id,
            "17"
        );
    }
}

#[test]
fn a_part_of_a_log_is_chosen_in_one_of_three_ways() {
    let part = |more: Value| {
        let mut arguments = json!({ "action": "log", "session_id": "p" });
        let all = arguments.as_object_mut().unwrap();
        all.extend(more.as_object().unwrap().clone());
        asked(arguments).act
    };
    let lines = |offset, limit| Act::Log("p".into(), Part::Lines { offset, limit });
    assert_eq!(part(json!({})), lines(0, 200));
    assert_eq!(part(json!({ "limit": 3 })), lines(0, 3));
    assert_eq!(part(json!({ "offset": -7 })), lines(-7, 200));
    assert_eq!(part(json!({ "tail": 5 })), lines(0, 5));
    assert_eq!(
        part(json!({ "after": 0 })),
        Act::Log("p".into(), Part::After(0))
    );
    let both = json!({ "action": "log", "session_id": "p", "tail": 1, "after": 1 });
    assert!(refused(both).contains("three ways"));
}

#[test]
fn a_wait_is_as_long_as_it_may_be() {
    let span = |timeout: Value| {
        let wait = json!({ "action": "wait", "session_id": "p", "timeout": timeout });
        match asked(wait) {
            Ask {
                act: Act::Wait(_, span),
                patience: Some(patience),
                ..
            } => (span, patience.clamped.is_some()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(span(json!(1.5)), (Span::ms(1_500), false));
    assert_eq!(span(json!(null)), (LONGEST, false));
    assert_eq!(span(json!(0)), (LONGEST, false));
    assert_eq!(span(json!(100_000)), (LONGEST, true));
    assert_eq!(span(json!(-5)), (Span::seconds(-5), false));
}

#[test]
fn what_a_crash_means_depends_on_the_action() {
    let effect = |action| super::effect(&asked(json!({ "action": action, "session_id": "p" })).act);
    for action in ["list", "poll", "log", "wait"] {
        assert_eq!(effect(action), EffectClass::Pure, "{action}");
    }
    assert_eq!(effect("kill"), EffectClass::Keyed);
    for action in ["write", "submit", "close"] {
        assert_eq!(effect(action), EffectClass::Unknown, "{action}");
    }
}
