//! Nothing twice, nothing missing, as far as a stream can.

use super::*;

#[test]
fn deltas_joined_give_the_text() {
    let mut growth = Growth::default();
    let drafts = ["Hé", "Hé", "Héllo ", "Héllo wörld"];
    let sent: String = drafts
        .iter()
        .filter_map(|draft| growth.draft(draft))
        .collect();
    assert_eq!(sent, "Héllo wörld");
    assert_eq!(growth.finish("Héllo wörld!"), Some("!"));
    assert_eq!(growth.finish("Héllo wörld"), None);
}

#[test]
fn an_attempt_that_begins_anew_is_not_said_twice() {
    let mut growth = Growth::default();
    assert_eq!(growth.draft("one two"), Some("one two"));
    assert_eq!(growth.draft("one"), None);
    assert_eq!(growth.draft("one two three"), Some(" three"));
}

#[test]
fn a_text_that_turned_out_otherwise_goes_on_after_the_common_beginning() {
    let mut growth = Growth::default();
    growth.draft("the cät sat");
    assert_eq!(growth.draft("the dog sat"), None);
    assert_eq!(growth.finish("the cöw stood"), Some("öw stood"));
    assert_eq!(growth.finish("else"), Some("else"));
}
