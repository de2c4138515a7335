use super::super::resolve::{Overrides, Resolved, resolve};
use super::*;

fn resolved(text: &str) -> Resolved {
    resolve(raw::read(text), &Overrides::default()).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    let found = resolve(raw::read(text), &Overrides::default()).unwrap_err();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn without_a_word_only_a_guest_lacks_something() {
    let tools = resolved("").settings.tools;
    assert_eq!(tools.policies, Policies::default());
    assert_eq!(tools.root, None);
}

#[test]
fn what_is_written_holds_at_its_place_and_for_its_role() {
    let text = "[tools]\ndisable = [\"process\"]\n\
                [tools.for.\"telegram.group\"]\nenable = [\"files\"]\ndisable = [\"write_file\"]\n\
                [tools.for]\nweb = { disable = [] }\n\
                [tools.roles.guest]\nenable = [\"read_file\"]\ndisable = []\n\
                [tools.files]\nroot = \"work\"\n";
    let tools = resolved(text).settings.tools;
    let has = |platform, kind, role, (family, tool)| {
        tools
            .policies
            .choose(platform, kind, role)
            .allows(family, tool)
    };
    let (read, write) = (("files", "read_file"), ("files", "write_file"));
    assert!(has("telegram", "group", Role::Member, read));
    assert!(!has("telegram", "group", Role::Member, write));
    assert!(!has("telegram", "dm", Role::Member, ("process", "process")));
    assert!(has("web", "dm", Role::Member, ("process", "process")));
    assert!(has("web", "dm", Role::Guest, read));
    assert!(!has("web", "dm", Role::Guest, write));
    assert_eq!(tools.root, Some("work".into()));
}

#[test]
fn a_slip_is_found_on_its_line() {
    for (text, says) in [
        (
            "[tools]\ndisable = [\"teminal\"]",
            "line 2: `tools.disable` has `teminal`, which is no tool; did you mean `terminal`?",
        ),
        (
            "[tools.for.telegam]\ndisable = []",
            "`tools.for.telegam` names no place",
        ),
        (
            "[tools.for.web]\nenable = [\"filez\"]",
            "line 2: `tools.for.web.enable` has `filez`, which is no tool; did you mean `files`?",
        ),
        (
            "[tools.for.telegram.group]\nenable = []",
            "needs quotes: write `\"telegram.group\"`",
        ),
        ("[tools.roles.gest]\ndisable = []", "did you mean `guest`?"),
        (
            "[tools.files]\nroot = \" \"",
            "`tools.files.root` must not be empty",
        ),
    ] {
        let found = problems(text);
        assert!(found.iter().any(|one| one.contains(says)), "{found:?}");
    }
}

#[test]
fn the_tools_of_a_server_are_named_by_it() {
    let known = BTreeSet::from(["hub".to_owned(), "todo".to_owned()]);
    assert!(tools("hub, hub__find_it, todo", &known).is_ok());
    assert!(tools("hut__find_it", &known).is_err());
    assert_eq!(tools("", &known), Ok(BTreeSet::new()));
}
