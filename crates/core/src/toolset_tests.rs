use super::*;

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn without_a_word_everything_is_there() {
    assert!(Choice::default().allows("files", "read_file"));
}

#[test]
fn a_family_is_named_whole_and_a_tool_alone() {
    let rule = |enable: &[&str], disable: &[&str]| Choice {
        place: Rule {
            enable: Some(names(enable)),
            disable: names(disable),
        },
        role: Rule::default(),
    };
    let readers = rule(&["files", "todo"], &["write_file"]);
    assert!(readers.allows("files", "read_file"));
    assert!(readers.allows("todo", "todo"));
    assert!(!readers.allows("files", "write_file"));
    assert!(!readers.allows("terminal", "terminal"));
}

#[test]
fn a_role_never_gets_back_what_its_place_has_not() {
    let choice = Choice {
        place: Rule {
            disable: names(&["terminal"]),
            ..Rule::default()
        },
        role: Rule {
            enable: Some(names(&["terminal", "process"])),
            ..Rule::default()
        },
    };
    assert!(!choice.allows("terminal", "terminal"));
    assert!(choice.allows("process", "process"));
    assert!(!choice.allows("files", "read_file"));
}
