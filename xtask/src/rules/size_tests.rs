use super::problems;
use crate::exceptions::Exception;
use crate::tree::Tree;

const LIST: Exception = Exception {
    path: "crates/a/src/list.rs",
    reason: "one limit per line",
};

fn found(files: &[(&str, usize)], exceptions: &[Exception]) -> Vec<String> {
    let texts: Vec<_> = files
        .iter()
        .map(|(path, lines)| (*path, "x\n".repeat(*lines)))
        .collect();
    let files: Vec<_> = texts
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    problems(&Tree::of(&files), exceptions)
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_file_at_the_cap_is_fine_and_one_line_more_is_not() {
    assert!(found(&[("crates/a/src/x.rs", 500)], &[]).is_empty());
    let over = found(&[("crates/a/src/x.rs", 501)], &[]);
    assert!(
        over[0].starts_with("crates/a/src/x.rs:501: 501 lines, and the cap is 500;"),
        "{over:?}"
    );
}

#[test]
fn scripts_and_styles_of_the_console_are_counted_too() {
    assert_eq!(
        found(&[("web/app.js", 501), ("web/style.css", 501)], &[]).len(),
        2
    );
    assert!(found(&[("web/index.html", 501), ("docs/theme.css", 501)], &[]).is_empty());
}

#[test]
fn unit_tests_may_be_long() {
    assert!(found(&[("crates/a/src/x_tests.rs", 2000)], &[]).is_empty());
}

#[test]
fn a_list_may_be_long_when_it_is_excepted() {
    assert!(found(&[("crates/a/src/list.rs", 900)], &[LIST]).is_empty());
}

#[test]
fn an_exception_that_is_not_needed_is_a_problem() {
    for files in [&[("crates/a/src/list.rs", 20)][..], &[]] {
        let idle = found(files, &[LIST]);
        assert!(
            idle[0].contains("crates/a/src/list.rs is not needed"),
            "{idle:?}"
        );
    }
}

#[test]
fn an_exception_without_a_reason_is_a_problem() {
    let silent = Exception {
        reason: " ",
        ..LIST
    };
    let found = found(&[("crates/a/src/list.rs", 900)], &[silent]);
    assert!(found[0].contains("has no reason"), "{found:?}");
}
