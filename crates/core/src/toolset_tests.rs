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
            ..Rule::default()
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

fn written(enable: Option<&[&str]>, disable: Option<&[&str]>) -> Written {
    Written {
        enable: enable.map(names),
        disable: disable.map(names),
    }
}

#[test]
fn a_guests_room_has_nothing_that_reaches_the_machine() {
    let policies = Policies::default();
    let at = |role| policies.choose("telegram", "group", role);
    for (family, tool) in [
        ("terminal", "terminal"),
        ("process", "process"),
        ("files", "read_file"),
        ("files", "write_file"),
    ] {
        assert!(at(Role::Operator).allows(family, tool), "{tool}");
        assert!(at(Role::Member).allows(family, tool), "{tool}");
        assert!(!at(Role::Guest).allows(family, tool), "{tool}");
    }
    assert!(at(Role::Guest).allows("todo", "todo"));
}

#[test]
fn a_guest_has_the_tools_of_servers_that_are_named_and_no_others() {
    let policies = |roles: &[(Role, Written)]| {
        let roles = roles.iter().cloned().collect();
        Policies::new(Written::default(), BTreeMap::new(), roles)
    };
    let has = |policies: &Policies, role, server, tool| {
        let choice = policies.choose("telegram", "group", role);
        choice.allows(server, tool)
    };
    let usual = policies(&[]);
    for (role, is_there) in [
        (Role::Operator, true),
        (Role::Member, true),
        (Role::Guest, false),
    ] {
        let found = has(&usual, role, "mcp_github", "mcp_github__search");
        assert_eq!(found, is_there, "{role:?}");
    }
    let open = policies(&[(Role::Guest, written(None, Some(&[])))]);
    assert!(has(&open, Role::Guest, "terminal", "terminal"));
    assert!(!has(&open, Role::Guest, "mcp_github", "mcp_github__search"));
    let named = written(Some(&["todo", "mcp_time", "mcp_github__search"]), None);
    let named = policies(&[(Role::Guest, named)]);
    assert!(has(&named, Role::Guest, "mcp_time", "mcp_time__now"));
    assert!(has(&named, Role::Guest, "mcp_github", "mcp_github__search"));
    assert!(!has(
        &named,
        Role::Guest,
        "mcp_github",
        "mcp_github__delete"
    ));
}

#[test]
fn the_most_specific_entry_holds_and_takes_what_it_leaves_out_from_everywhere() {
    let places = [
        ("telegram.group", written(Some(&["todo"]), None)),
        ("telegram", written(None, Some(&["process"]))),
        ("group", written(None, Some(&[]))),
    ];
    let places = places.map(|(name, written)| (name.to_owned(), written));
    let policies = Policies::new(
        written(None, Some(&["terminal"])),
        places.into(),
        BTreeMap::new(),
    );
    let has = |platform, kind, tool| {
        let choice = policies.choose(platform, kind, Role::Operator);
        choice.allows(tool, tool)
    };
    assert!(has("telegram", "group", "todo"));
    assert!(!has("telegram", "group", "process"), "only what is enabled");
    assert!(!has("telegram", "dm", "process"));
    assert!(has("telegram", "dm", "terminal"), "its own list replaces");
    assert!(has("discord", "group", "terminal"));
    assert!(!has("discord", "dm", "terminal"));
}

#[test]
fn what_was_written_for_a_role_holds_in_place_of_what_is_usual() {
    let roles = [
        (Role::Guest, written(None, Some(&["terminal"]))),
        (Role::Member, written(Some(&["todo"]), None)),
    ];
    let policies = Policies::new(Written::default(), BTreeMap::new(), roles.into());
    let has = |role, tool| policies.choose("web", "dm", role).allows(tool, tool);
    assert!(has(Role::Guest, "files") && !has(Role::Guest, "terminal"));
    assert!(has(Role::Member, "todo") && !has(Role::Member, "files"));
    assert!(has(Role::Operator, "terminal"));
}
