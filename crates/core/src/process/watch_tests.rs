use super::*;

fn watch(notice: Notice, every: Option<Span>) -> Watch {
    Watch {
        notice,
        every,
        patterns: Vec::new(),
    }
}

#[test]
fn looking_too_often_is_raised_and_said() {
    assert_eq!(interval(30).every, Span::seconds(30));
    assert_eq!(interval(30).note, None);
    for seconds in [i64::MIN, -1, 0, 29] {
        let raised = interval(seconds);
        assert_eq!(raised.every, Span::seconds(30));
        assert!(raised.note.is_some_and(|note| note.contains("30 s")));
    }
    let lowered = interval(i64::MAX);
    assert_eq!(lowered.every, Span::seconds(limits::CHECK_EVERY_MAX_S));
    assert!(lowered.note.is_some());
}

#[test]
fn an_end_that_was_asked_for_is_told_in_every_mode() {
    let wanted = watch(Notice::Wanted, Some(Span::minutes(1)));
    for mode in Notifications::ALL {
        assert!(mode.tell_end(&wanted, &End::Itself(How::Exited(0))));
        assert!(!mode.tell_updates(&wanted));
    }
}

#[test]
fn a_process_that_nobody_looks_at_is_told_in_no_mode() {
    let nothing = watch(Notice::Unwanted, None);
    for mode in Notifications::ALL {
        assert!(!mode.tell_end(&nothing, &End::Lost));
        assert!(!mode.tell_updates(&nothing));
    }
}

#[test]
fn the_mode_decides_for_those_that_are_looked_at() {
    let looked_at = watch(Notice::Unwanted, Some(Span::minutes(1)));
    let updates = Notifications::ALL.map(|mode| mode.tell_updates(&looked_at));
    assert_eq!(updates, [true, false, false, false]);
    let told = |end: End| Notifications::ALL.map(|mode| mode.tell_end(&looked_at, &end));
    let good = End::Itself(How::Exited(0));
    assert_eq!(told(good), [true, true, false, false]);
    let bad = [
        End::Itself(How::Exited(1)),
        End::Itself(How::Signalled(9)),
        End::Lost,
    ];
    for end in bad {
        assert_eq!(told(end), [true, true, true, false]);
    }
}

#[test]
fn a_mode_is_read_by_its_name() {
    for mode in Notifications::ALL {
        assert_eq!(mode.name().parse(), Ok(mode));
    }
    assert!("loud".parse::<Notifications>().is_err());
}

#[test]
fn news_have_the_kind_of_their_stored_form() {
    let news = [
        News::Hit {
            pattern: "ready".into(),
            lines: "it is ready".into(),
            suppressed: 2,
        },
        News::StruckOut { suppressed: 3 },
        News::Paused,
        News::Resumed { missed: 4 },
        News::Update {
            output: "more".into(),
        },
    ];
    for one in news {
        let stored = serde_json::to_value(&one).unwrap();
        assert_eq!(stored["kind"], one.kind());
        assert_eq!(serde_json::from_value::<News>(stored).unwrap(), one);
    }
}
