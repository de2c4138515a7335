use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Search {
    Search::Words(text.to_owned())
}

#[test]
fn what_an_index_would_misread_goes_and_phrases_stay() {
    assert_eq!(
        clean("col:(term) \"a (b)\" ** x^"),
        "col  term  \"a (b)\"  x"
    );
    assert_eq!(clean("AND \"quoted\" OR"), "\"quoted\"");
    assert_eq!(clean("ANDROID NOTE"), "ANDROID NOTE");
}

#[test]
fn words_that_are_joined_become_phrases() {
    assert_eq!(
        clean("foo_bar v2.2 a--b-c _x x_"),
        "\"foo_bar\" \"v2.2\" a--\"b-c\" _x x_"
    );
}

#[test]
fn a_query_is_read_up_to_its_limit() {
    assert_eq!(clean(&"ü".repeat(CHARS_MAX + 9)).chars().count(), CHARS_MAX);
    assert_eq!(clean("a\0b"), "ab");
}

#[test]
fn nothing_is_looked_for_when_nothing_is_left() {
    for query in ["", " ", "***", "NOT", "(:)"] {
        assert_eq!(plan(query, GroupIndex::Present), Search::Nothing, "{query}");
    }
}

#[test]
fn words_are_looked_for_as_words() {
    assert_eq!(
        plan("docker NOT compose", GroupIndex::Present),
        words("docker NOT compose")
    );
}

#[test]
fn three_characters_make_a_group_and_fewer_are_looked_for_as_they_are() {
    let groups = Search::Groups("\"大别山\" OR \"docker\"".to_owned());
    assert_eq!(plan("大别山 OR docker", GroupIndex::Present), groups);
    let substrings =
        |words: &[&str]| Search::Substrings(words.iter().map(|word| (*word).to_owned()).collect());
    assert_eq!(
        plan("大别山 AND 桂林", GroupIndex::Present),
        substrings(&["大别山", "桂林"])
    );
    assert_eq!(plan("大别山", GroupIndex::Absent), substrings(&["大别山"]));
    assert_eq!(
        plan("\"桂林\" 旅*", GroupIndex::Present),
        substrings(&["桂林", "旅"])
    );
}

#[test]
fn what_was_undone_is_found_by_no_way_of_looking() {
    assert!(Scope::Kept.admits(Visibility::Visible));
    assert!(Scope::Kept.admits(Visibility::Compacted));
    assert!(!Scope::Kept.admits(Visibility::Rewound));
    assert!(Scope::Everything.admits(Visibility::Rewound));
}

proptest! {
    #[test]
    fn quotes_are_always_balanced_and_no_special_character_is_left_outside(
        query in "([a-c*+{}():\"^._ -]|AND|OR|NOT|大|\\*\\*){0,24}",
    ) {
        let cleaned = clean(&query);
        prop_assert_eq!(cleaned.matches('"').count() % 2, 0);
        let outside: Vec<&str> = cleaned.split('"').step_by(2).collect();
        let outside = outside.join(" ");
        prop_assert!(!outside.contains(['+', '{', '}', '(', ')', ':', '^']), "{}", cleaned);
        prop_assert!(!outside.contains("**"), "{}", cleaned);
    }

    /// D4: nothing is looked for that nobody typed.
    #[test]
    fn every_substring_that_is_looked_for_was_typed(query in "([a-c*\" ]|大|山|AND){0,12}") {
        if let Search::Substrings(found) = plan(&query, GroupIndex::Absent) {
            let typed = query.replace(['"', '*'], "");
            prop_assert!(found.iter().all(|word| typed.contains(word.as_str())), "{:?}", found);
        }
    }
}
