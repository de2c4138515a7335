use proptest::prelude::*;

use super::*;

fn rules(patterns: &[&str]) -> Vec<String> {
    patterns
        .iter()
        .map(|pattern| (*pattern).to_owned())
        .collect()
}

#[test]
fn patterns_match_whole_texts_in_any_case() {
    let yes = [
        ("git push*", "git push origin"),
        ("GIT *", "git x"),
        ("*x*", "axb"),
        ("a?c", "abc"),
        ("[a-c]x", "bx"),
        ("[!a]x", "bx"),
        ("[]]", "]"),
        ("[x", "[x"),
        ("**", ""),
    ];
    let no = [
        ("git", "git push"),
        ("a?c", "ac"),
        ("[a-c]x", "dx"),
        ("[!a]x", "ax"),
        ("", "x"),
        ("*a*b", "ba"),
    ];
    for (pattern, text) in yes {
        assert!(matches(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in no {
        assert!(!matches(pattern, text), "{pattern} {text}");
    }
}

#[test]
fn a_pattern_with_many_stars_takes_no_time() {
    let pattern = "*a".repeat(200);
    assert!(!matches(&pattern, &"a".repeat(199).replace("aa", "ab")));
}

#[test]
fn an_allow_rule_does_not_reach_behind_an_operator() {
    assert!(allowed(&rules(&["make *"]), "make test"));
    for command in [
        "make x; rm y",
        "make x && rm y",
        "make $(rm y)",
        "make x > y",
        "make `rm y`",
        "make x\nrm y",
    ] {
        assert!(!allowed(&rules(&["make *"]), command), "{command}");
        assert!(allowed(&rules(&[command]), command), "{command}");
    }
}

#[test]
fn a_deny_rule_sees_each_single_command() {
    let said = ["git push origin".to_owned()];
    assert_eq!(
        denied(
            &rules(&["x", "git push *"]),
            "true && git push origin",
            &said
        ),
        Some("git push *".into())
    );
    assert_eq!(denied(&rules(&["git pull*"]), "true", &said), None);
}

proptest! {
    #[test]
    fn a_text_without_signs_matches_itself(text in "[a-z /.-]{0,20}") {
        prop_assert!(matches(&text, &text));
    }

    #[test]
    fn no_pattern_is_too_strange(pattern in ".{0,20}", text in ".{0,20}") {
        matches(&pattern, &text);
    }
}
