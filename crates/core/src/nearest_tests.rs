use super::*;

#[test]
fn a_slip_of_the_finger_finds_the_name() {
    let known = ["listen", "database", "time_zone"];
    assert_eq!(nearest("listn", known), Some("listen"));
    assert_eq!(nearest("databse", known), Some("database"));
    assert_eq!(nearest("timezone", known), Some("time_zone"));
    assert_eq!(nearest("lisetn", known), Some("listen"));
}

#[test]
fn a_name_that_is_far_from_all_gets_no_suggestion() {
    assert_eq!(nearest("colour", ["listen", "database"]), None);
    assert_eq!(nearest("x", []), None);
}

#[test]
fn swapped_neighbours_count_once() {
    assert_eq!(distance("ab", "ba"), 1);
    assert_eq!(distance("", "abc"), 3);
    assert_eq!(distance("same", "same"), 0);
}
