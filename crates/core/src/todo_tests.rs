use super::*;

fn said(id: &str, content: &str, status: Status) -> Said {
    Said {
        id: Some(id.to_owned()),
        content: Some(content.to_owned()),
        status: Some(status),
    }
}

fn shape(list: &[Task]) -> Vec<(&str, &str, Status)> {
    list.iter()
        .map(|task| (task.id.as_str(), task.content.as_str(), task.status))
        .collect()
}

#[test]
fn a_whole_list_replaces_and_changes_change() {
    let list = told(
        &[],
        vec![
            said("a", " look ", Status::Completed),
            said("b", "build", Status::Pending),
        ],
        Saying::Whole,
    );
    let list = list.unwrap();
    assert_eq!(
        shape(&list),
        [
            ("a", "look", Status::Completed),
            ("b", "build", Status::Pending)
        ]
    );
    let begun = Said {
        id: Some("b".into()),
        status: Some(Status::InProgress),
        ..Said::default()
    };
    let changes = vec![begun, said("c", "tell", Status::Pending)];
    let changed = told(&list, changes.clone(), Saying::Changes).unwrap();
    assert_eq!(
        shape(&changed),
        [
            ("a", "look", Status::Completed),
            ("b", "build", Status::InProgress),
            ("c", "tell", Status::Pending),
        ]
    );
    let again = told(&changed, changes, Saying::Changes).unwrap();
    assert_eq!(again, changed, "the same again changes nothing");
    assert_eq!(told(&changed, Vec::new(), Saying::Whole), Ok(Vec::new()));
}

#[test]
fn a_task_without_an_id_is_known_by_its_number() {
    let nameless = |content: &str| Said {
        content: Some(content.to_owned()),
        ..Said::default()
    };
    let list = told(&[], vec![nameless("one"), nameless("two")], Saying::Whole).unwrap();
    assert_eq!(
        shape(&list),
        [("1", "one", Status::Pending), ("2", "two", Status::Pending)]
    );
}

#[test]
fn a_number_that_another_task_is_known_by_is_nobody_elses() {
    let nameless = |content: &str| Said {
        content: Some(content.to_owned()),
        ..Said::default()
    };
    let two = said("2", "first", Status::Pending);
    let list = told(&[], vec![two, nameless("b"), nameless("c")], Saying::Whole).unwrap();
    let ids: Vec<&str> = list.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(ids, ["2", "3", "4"]);
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let empty = told(&[], vec![said("a", "  ", Status::Pending)], Saying::Whole);
    assert_eq!(empty, Err(Unkept::Empty("a".into())));
    let long = "x".repeat(limits::TASK_CHARS_MAX + 1);
    let long = told(&[], vec![said("a", &long, Status::Pending)], Saying::Whole);
    assert_eq!(long, Err(Unkept::TooLong("a".into())));
    let twice = vec![
        said("a", "x", Status::Pending),
        said("a", "y", Status::Pending),
    ];
    assert_eq!(
        told(&[], twice, Saying::Whole),
        Err(Unkept::Twice("a".into()))
    );
    let many = (0..=limits::TASKS_MAX).map(|n| said(&n.to_string(), "x", Status::Pending));
    let many = told(&[], many.collect(), Saying::Whole);
    assert_eq!(many, Err(Unkept::TooMany(limits::TASKS_MAX + 1)));
}

#[test]
fn a_status_is_known_by_its_name() {
    for name in Status::NAMES {
        assert_eq!(Status::named(name).unwrap().name(), name);
    }
    assert_eq!(Status::named("done"), None);
}

#[test]
fn a_change_without_an_id_is_known_by_its_words_or_added_and_overwrites_nothing() {
    let nameless = |content: &str, status| Said {
        id: None,
        content: Some(content.to_owned()),
        status,
    };
    let before = told(
        &[],
        vec![
            said("1", "look", Status::Completed),
            said("2", "build", Status::Pending),
        ],
        Saying::Whole,
    );
    let before = before.unwrap();
    let changes = vec![
        nameless("tell", None),
        nameless(" build ", Some(Status::InProgress)),
        said("3", "rest", Status::Pending),
    ];
    let after = told(&before, changes.clone(), Saying::Changes).unwrap();
    assert_eq!(
        shape(&after),
        [
            ("1", "look", Status::Completed),
            ("2", "build", Status::InProgress),
            ("4", "tell", Status::Pending),
            ("3", "rest", Status::Pending),
        ]
    );
    let again = told(&after, changes, Saying::Changes).unwrap();
    assert_eq!(again, after, "the same again changes nothing");
    let status = Said {
        status: Some(Status::Completed),
        ..Said::default()
    };
    let nothing = told(&after, vec![status], Saying::Changes);
    assert_eq!(
        nothing,
        Err(Unkept::Empty("5".into())),
        "which one is meant?"
    );
}

#[test]
fn a_new_list_without_ids_takes_over_no_status_of_another_task() {
    let before = told(
        &[],
        vec![said("1", "look", Status::Completed)],
        Saying::Whole,
    );
    let nameless = Said {
        content: Some("build".to_owned()),
        ..Said::default()
    };
    let after = told(&before.unwrap(), vec![nameless], Saying::Whole).unwrap();
    assert_eq!(shape(&after), [("1", "build", Status::Pending)]);
}
