use super::{MARKS, problems};
use crate::tree::Tree;

#[test]
fn every_mark_is_refused_at_its_line() {
    for mark in MARKS {
        let text = format!("fine\n  // {mark}: later\n");
        let found = problems(&Tree::of(&[("crates/a/src/x.rs", &text)]));
        assert_eq!(found.len(), 1, "{mark}");
        assert_eq!(found[0].line, 2);
        assert!(found[0].what.contains(mark));
    }
}

#[test]
fn a_switched_off_test_is_refused_with_and_without_its_excuse() {
    for rest in ["]", " = \"slow\"]"] {
        let text = format!("{}{rest}\nfn x() {{}}\n", MARKS[3]);
        assert_eq!(
            problems(&Tree::of(&[("crates/a/src/x_tests.rs", &text)])).len(),
            1
        );
    }
}

#[test]
fn a_longer_word_that_happens_to_hold_a_mark_is_fine() {
    let text = concat!("MAS", "TO", "DON and ", "TO", "DO_LIST\n");
    assert!(problems(&Tree::of(&[("crates/a/src/x.rs", text)])).is_empty());
}
