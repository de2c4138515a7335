use super::*;

#[test]
fn a_failure_says_what_happened_and_what_to_do_next() {
    let failure =
        Failure::new("no gateway is running for /h").hint("start it with `angelia serve`");
    assert_eq!(
        failure.to_string(),
        "error: no gateway is running for /h\nhint: start it with `angelia serve`"
    );
}

#[test]
fn a_reader_that_left_is_no_failure() {
    assert_eq!(Failure::ReaderGone.to_string(), "");
    let code = format!("{:?}", Failure::ReaderGone.hint("x").exit_code());
    assert_eq!(code, format!("{:?}", ExitCode::SUCCESS));
}
