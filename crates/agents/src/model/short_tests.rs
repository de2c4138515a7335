use super::*;

#[test]
fn only_a_long_prompt_of_which_less_than_half_was_read_was_cut() {
    let long = limits::CUT_PROMPT_TOKENS_MIN;
    assert!(reads_less(2 * long, long - 1));
    assert!(!reads_less(2 * long, long));
    assert!(!reads_less(long - 1, 1), "too short to tell");
    assert!(!reads_less(2 * long, 0), "nobody told");
}

#[test]
fn it_is_said_once_for_each_model() {
    let told = Told::default();
    let same = told.clone();
    assert!(told.is_new("a") && !same.is_new("a") && same.is_new("b"));
}
