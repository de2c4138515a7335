use proptest::prelude::*;

use super::*;

#[test]
fn the_same_case_has_the_same_fingerprint() {
    assert_eq!(
        fingerprint("rm -rf build", "/srv/app", "local"),
        fingerprint("rm -rf build", "/srv/app", "local")
    );
}

#[test]
fn a_fingerprint_stays_what_it_was_in_rows() {
    let hex: String = fingerprint("rm -rf build", "/srv/app", "local")
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    insta::assert_snapshot!(hex, @"40ffd2c37284154e76c7b9a29536fc787a1f0e7f5cfc797be95cca3c730faa08");
}

proptest! {
    #[test]
    fn where_a_part_ends_matters(left in ".{0,12}", right in ".{0,12}", cut in 0usize..12) {
        let whole = format!("{left}{right}");
        let at = whole.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(whole.len());
        let moved = whole.split_at(at);
        prop_assume!(moved != (left.as_str(), right.as_str()));
        prop_assert_ne!(fingerprint(&left, &right, "local"), fingerprint(moved.0, moved.1, "local"));
        prop_assert_ne!(fingerprint("x", &left, &right), fingerprint("x", moved.0, moved.1));
    }
}
