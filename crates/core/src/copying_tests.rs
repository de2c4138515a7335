use super::checksum::{Cell, RowHash, Sum};
use super::{End, Mark, Plan, Refusal, Wish, decide};

const KNOWN: u32 = 3;

fn boots(count: i64) -> Sum {
    let mut sum = Sum::default();
    (0..count).for_each(|boot| sum.add(RowHash::of([Cell::Number(boot)])));
    sum
}

fn source() -> End {
    End {
        place: "the file".to_owned(),
        identity: "1".to_owned(),
        version: KNOWN,
        living: Vec::new(),
        mark: None,
        filled: Some("sessions".to_owned()),
        boots: boots(2),
    }
}

fn target() -> End {
    End {
        place: "the server".to_owned(),
        identity: "2".to_owned(),
        version: 0,
        living: Vec::new(),
        mark: None,
        filled: None,
        boots: boots(0),
    }
}

fn marked(from: &str, seen: Sum) -> End {
    let mark = Mark {
        from: from.to_owned(),
        boots: seen,
    };
    End {
        mark: Some(mark),
        filled: Some("sessions".to_owned()),
        version: KNOWN,
        ..target()
    }
}

fn asked(source: &End, target: &End) -> Result<Plan, Refusal> {
    decide(source, target, KNOWN, Wish::Finish)
}

#[test]
fn a_copy_begins_in_an_empty_place() {
    assert_eq!(asked(&source(), &target()), Ok(Plan::Begin));
    let made = End {
        version: KNOWN,
        ..target()
    };
    assert_eq!(asked(&source(), &made), Ok(Plan::Begin));
}

#[test]
fn an_unfinished_copy_goes_on_while_its_source_is_what_it_was() {
    let target = marked("the file", boots(2));
    assert_eq!(asked(&source(), &target), Ok(Plan::GoOn));
    let moved = End {
        place: "the file elsewhere".to_owned(),
        ..source()
    };
    assert_eq!(asked(&moved, &target), Ok(Plan::GoOn));
    // Killed between the mark and the tables.
    let barely = End {
        version: 0,
        ..target
    };
    assert_eq!(asked(&source(), &barely), Ok(Plan::GoOn));
}

#[test]
fn a_source_that_was_worked_on_since_is_not_gone_on_with() {
    let changed = asked(&source(), &marked("the file", boots(1)));
    assert!(
        matches!(changed, Err(Refusal::Changed { .. })),
        "{changed:?}"
    );
    let another = asked(&source(), &marked("another file", boots(1)));
    assert!(
        matches!(another, Err(Refusal::OfAnother { .. })),
        "{another:?}"
    );
}

#[test]
fn an_unfinished_copy_may_be_made_anew_and_a_store_may_not() {
    let target = marked("another file", boots(1));
    let plan = decide(&source(), &target, KNOWN, Wish::Anew);
    assert_eq!(plan, Ok(Plan::StartOver));
    let store = End {
        version: KNOWN,
        ..source()
    };
    let other = End {
        identity: "2".to_owned(),
        boots: boots(5),
        ..store
    };
    let refused = decide(&source(), &other, KNOWN, Wish::Anew);
    assert!(
        matches!(refused, Err(Refusal::Filled { .. })),
        "{refused:?}"
    );
}

#[test]
fn a_copy_that_seems_finished_is_checked() {
    let copied = End {
        place: "the server".to_owned(),
        identity: "2".to_owned(),
        ..source()
    };
    assert_eq!(asked(&source(), &copied), Ok(Plan::Check));
    let used = End {
        boots: boots(3),
        ..copied
    };
    let refused = asked(&source(), &used);
    assert!(
        matches!(refused, Err(Refusal::Filled { .. })),
        "{refused:?}"
    );
}

#[test]
fn stores_that_saw_no_boot_are_not_taken_for_copies_of_one_another() {
    let unseen = End {
        boots: boots(0),
        ..source()
    };
    let other = End {
        identity: "2".to_owned(),
        ..unseen.clone()
    };
    let refused = asked(&unseen, &other);
    assert!(
        matches!(refused, Err(Refusal::Filled { .. })),
        "{refused:?}"
    );
}

#[test]
fn versions_must_fit() {
    for (found, words) in [
        (KNOWN - 1, "start a gateway of this release"),
        (KNOWN + 1, "newer release"),
        (0, "nothing to copy"),
    ] {
        let other = End {
            version: found,
            ..source()
        };
        let says = asked(&other, &target()).unwrap_err().to_string();
        assert!(says.contains(words), "{says}");
    }
    let newer = End {
        version: KNOWN + 1,
        ..target()
    };
    let refused = asked(&source(), &newer);
    assert!(matches!(refused, Err(Refusal::Newer { .. })), "{refused:?}");
}

#[test]
fn nothing_is_copied_while_gateways_work_on_either_end() {
    let lively = |end: End| End {
        living: vec!["box:/home".to_owned()],
        ..end
    };
    for (source, target) in [
        (lively(source()), target()),
        (source(), lively(marked("the file", boots(2)))),
    ] {
        let says = asked(&source, &target).unwrap_err().to_string();
        assert!(says.contains("box:/home"), "{says}");
    }
}

#[test]
fn an_unfinished_copy_is_no_source() {
    let unfinished = End {
        identity: "3".to_owned(),
        ..marked("another file", boots(2))
    };
    let refused = asked(&unfinished, &target());
    assert!(
        matches!(refused, Err(Refusal::UnfinishedSource { .. })),
        "{refused:?}"
    );
}

#[test]
fn a_store_is_not_copied_into_itself() {
    let called_otherwise = End {
        place: "the same file".to_owned(),
        ..source()
    };
    let refused = asked(&source(), &called_otherwise);
    assert!(matches!(refused, Err(Refusal::Same(_))), "{refused:?}");
}
