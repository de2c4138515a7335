use super::*;

fn problems(text: &str) -> Vec<String> {
    read(text)
        .problems
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn values_are_kept_with_their_lines() {
    let raw = read("# first\nlisten = \"[::1]:1\"\n\n[busy]\nmode = \"steer\"\n");
    assert_eq!(raw.problems, []);
    assert_eq!(
        raw.written["listen"],
        Written {
            text: "[::1]:1".into(),
            line: 2
        }
    );
    assert_eq!(
        raw.written["busy.mode"],
        Written {
            text: "steer".into(),
            line: 5
        }
    );
}

#[test]
fn all_unknown_keys_are_found_at_once() {
    let found = problems("listn = \"x\"\n[buzy]\nmode = 1\n[drain]\ntimout = 3\n");
    assert_eq!(
        found,
        [
            "line 2: unknown key `buzy`; did you mean `busy`?",
            "line 5: unknown key `drain.timout`; did you mean `timeout`?",
            "line 1: unknown key `listn`; did you mean `listen`?",
        ]
    );
}

#[test]
fn a_key_in_the_wrong_table_is_sent_to_the_right_one() {
    assert_eq!(
        problems("backend = \"demo\""),
        ["line 1: unknown key `backend`; did you mean `agent.backend`?"]
    );
}

#[test]
fn a_key_far_from_all_is_told_what_may_stand_there() {
    assert_eq!(
        problems("[busy]\ncolour = 1"),
        ["line 2: unknown key `busy.colour`; here can stand `mode`, `acks`, `gather`, `for`"]
    );
}

#[test]
fn a_key_of_a_later_release_is_not_called_unknown() {
    assert_eq!(
        problems("[platforms.telegram]\nhome = \"1\""),
        [
            "line 2: `platforms.telegram.home` is not in this release yet; remove it or put a `#` before it"
        ]
    );
}

#[test]
fn the_platforms_of_the_house_may_have_a_table() {
    assert_eq!(
        problems("[platforms.web]\n[platforms.api]\nplatform = \"api\""),
        [""; 0]
    );
}

#[test]
fn every_wrong_shape_says_what_was_found() {
    let found = problems("listen = 8787\nagent = 1\n[sessions]\nper_user_in_groups = \"yes\"\n");
    assert_eq!(
        found,
        [
            "line 2: `agent` must be a table (`[agent]`); found the number 1",
            "line 1: `listen` must be a string such as \"127.0.0.1:8787\"; found the number 8787",
            "line 4: `sessions.per_user_in_groups` must be true or false, without quotes; found \
             the string \"yes\"",
        ]
    );
}

#[test]
fn a_syntax_error_is_told_with_its_line_and_nothing_else() {
    let found = problems("colour = 1\nlisten = \n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("line 2: this is not TOML: "),
        "{found:?}"
    );
}
