use super::for_postgres;
use crate::verbs::search::tokens::{Reader, Tokens};

fn put(expression: &str) -> Option<String> {
    for_postgres(&Reader::default(), Tokens::Words, expression).expect("SQLite reads texts")
}

#[track_caller]
fn means(expression: &str, asked: &str) {
    assert_eq!(put(expression).as_deref(), Some(asked), "{expression}");
}

#[test]
fn words_beside_one_another_are_all_meant() {
    means("Deploy server", "(('deploy') & ('server'))");
}

#[test]
fn a_phrase_is_a_row_of_words() {
    means("\"release notes\"", "('release' <-> 'notes')");
    means("\"chat-send\"", "('chat' <-> 'send')");
}

#[test]
fn a_star_lets_the_last_word_go_on() {
    means("dep*", "('dep':*)");
    means("\"a b\" *", "('a' <-> 'b':*)");
}

#[test]
fn beside_binds_closer_than_not_and_closer_than_and_or() {
    means("a b OR c", "((('a') & ('b')) | ('c'))");
    means("a OR b AND c", "(('a') | (('b') & ('c')))");
    means("a NOT b c", "(('a') & !(('b') & ('c')))");
}

#[test]
fn what_cannot_be_read_finds_nothing() {
    assert_eq!(put("a AND OR b"), None);
    assert_eq!(put("what's"), None);
    assert_eq!(put("a,b"), None);
    assert_eq!(put(""), None);
}

#[test]
fn a_phrase_without_words_is_in_no_text() {
    means("\"...\"", "'\u{fdd0}'");
    means("a \"...\"", "('a')");
}

#[test]
fn a_word_that_cannot_be_noted_down_is_in_no_text() {
    let (fits, long) = ("w".repeat(2_046), "w".repeat(2_047));
    means(&fits, &format!("('{fits}')"));
    means(&long, "'\u{fdd0}'");
    means(&format!("{long}*"), "'\u{fdd0}'");
    means(&format!("\"a {long} b\""), "'\u{fdd0}'");
    means(&format!("a {long}"), "(('a') & '\u{fdd0}')");
    means(&format!("a NOT {long}"), "(('a') & !'\u{fdd0}')");
}
