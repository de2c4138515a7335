use super::*;

const USUAL: Span = Span::seconds(180);

fn ordered(arguments: Value) -> Order {
    order(arguments, USUAL).unwrap()
}

fn going(arguments: Value) -> Going {
    match ordered(arguments).place {
        Place::Background(going) => going,
        Place::Foreground(_) => panic!("it runs in the foreground"),
    }
}

#[test]
fn a_command_runs_in_the_foreground_for_the_usual_time_unless_something_else_is_said() {
    let plain = ordered(json!({ "command": "make" }));
    assert_eq!(plain.command, "make");
    assert_eq!(
        (plain.workdir.clone(), plain.place.clone()),
        (None, Place::Foreground(USUAL))
    );
    assert_eq!(plain.effect(), EffectClass::Unknown);
    let longest = ordered(json!({ "command": "make", "timeout": 600, "workdir": "/x" }));
    assert_eq!(longest.place, Place::Foreground(Span::seconds(600)));
    assert_eq!(longest.workdir, Some("/x".into()));
    let too_long = order(json!({ "command": "make", "timeout": 601 }), USUAL).unwrap_err();
    assert!(too_long["error"].as_str().unwrap().contains("600s"));
    assert_eq!(
        too_long.as_object().unwrap().len(),
        1,
        "nothing but the error"
    );
}

#[test]
fn what_is_no_command_is_refused_as_one() {
    for arguments in [
        json!({ "command": ["ls"] }),
        json!({ "command": null }),
        json!({}),
        json!("ls"),
        json!({ "command": "x".repeat(limits::COMMAND_BYTES_MAX + 1) }),
    ] {
        let refused = order(arguments, USUAL).unwrap_err();
        assert_eq!(
            (&refused["exit_code"], &refused["status"]),
            (&json!(-1), &json!("error"))
        );
        assert_eq!(refused["output"], "");
    }
}

#[test]
fn a_background_command_says_how_one_talks_to_it() {
    let plain = going(json!({ "command": "x", "background": true }));
    assert_eq!((plain.mode, plain.input), (Mode::Pipe, Input::Patient));
    assert_eq!(plain.watch.notice, Notice::Unwanted);
    let open = going(json!({ "command": "x", "background": true, "stdin": "open" }));
    assert_eq!(open.input, Input::Open);
    let closed = going(json!({ "command": "x", "background": true, "stdin": "closed" }));
    assert_eq!(closed.input, Input::Closed);
    let terminal = going(json!({ "command": "x", "background": true, "pty": true }));
    assert_eq!(terminal.mode, Mode::Pty);
    let order = ordered(json!({ "command": "x", "background": true, "notify_on_complete": true }));
    assert_eq!(
        (&order.notes["notify_on_complete"], order.effect()),
        (&json!(true), EffectClass::Keyed)
    );
}

#[test]
fn what_is_told_about_a_process_is_said() {
    let watched = |more: Value| {
        let mut arguments = json!({ "command": "x", "background": true });
        let all = arguments.as_object_mut().unwrap();
        all.extend(more.as_object().unwrap().clone());
        let order = ordered(arguments);
        match order.place {
            Place::Background(going) => (going.watch, order.notes),
            Place::Foreground(_) => panic!("it runs in the foreground"),
        }
    };
    let (watch, notes) = watched(json!({ "watch_patterns": ["ready"], "check_interval": 60 }));
    assert_eq!(watch.patterns, ["ready"]);
    assert_eq!(watch.every, Some(Span::seconds(60)));
    assert!(!notes.contains_key("check_interval_note") && !notes.contains_key("hint"));
    let (watch, notes) = watched(json!({ "watch_patterns": ["x"], "notify_on_complete": true }));
    assert!(watch.patterns.is_empty() && notes.contains_key("watch_patterns_ignored"));
    let (watch, notes) = watched(json!({ "check_interval": 5 }));
    assert_eq!(watch.every, Some(Span::seconds(30)));
    assert!(notes.contains_key("check_interval_note"));
    let (_, notes) = watched(json!({}));
    assert!(notes.contains_key("hint"), "nobody would be told");
}

#[test]
fn what_cannot_be_had_is_said() {
    let foreground = ordered(json!({ "command": "x", "pty": true }));
    assert!(foreground.notes.contains_key("pty_note"));
    let background = ordered(json!({ "command": "x", "background": true, "timeout": 9_000 }));
    assert!(background.notes.contains_key("timeout_note"));
}
