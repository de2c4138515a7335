use std::collections::BTreeSet;

use super::{lints_in, report, unformatted};
use crate::cargo::Printed;
use crate::problem::Problem;

const LINT: &str = r#"{"reason":"compiler-message","message":{"message":"unused variable: `x`",
"level":"error","spans":[{"file_name":"crates/a/src/b.rs","line_start":7,"is_primary":true}],
"children":[{"message":"on by default","level":"note","spans":[],"children":[]},
{"message":"to override `-D warnings` add `#[allow(unused)]`","level":"help"},
{"message":"prefix it with an underscore: `_x`","level":"help","spans":[],"children":[]}]}}"#;
const SUMMARY: &str =
    r#"{"reason":"compiler-message","message":{"message":"aborting","level":"error"}}"#;
const FAILED: &str = r#"{"reason":"build-finished","success":false}"#;
const BUILT: &str = r#"{"reason":"build-finished","success":true}"#;

fn found(lines: &[&str]) -> Vec<String> {
    let lines: Vec<_> = lines.iter().map(|line| line.replace('\n', "")).collect();
    lints_in(&lines.join("\n"))
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn what_clippy_says_becomes_a_problem_with_its_place_and_remedy() {
    let problem = "crates/a/src/b.rs:7: unused variable: `x`; prefix it with an underscore: `_x`";
    assert_eq!(found(&[LINT, SUMMARY, FAILED]), [problem]);
}

#[test]
fn a_clean_build_is_no_problem() {
    assert!(found(&[r#"{"reason":"compiler-artifact","target":{}}"#, BUILT]).is_empty());
}

#[test]
fn a_build_that_fails_without_a_word_is_a_problem() {
    assert_eq!(found(&[FAILED]).len(), 1);
    assert_eq!(found(&[]).len(), 1, "cargo did not even begin");
}

#[test]
fn the_report_fails_with_the_count_and_passes_without_problems() {
    let problem = |line| Problem::new("a.rs", line, "what", "remedy");
    let error = report(&BTreeSet::from([problem(1), problem(2)])).unwrap_err();
    assert_eq!(error.to_string(), "2 problems");
    report(&BTreeSet::new()).unwrap();
}

fn told_by_rustfmt(printed: &Printed) -> Vec<String> {
    unformatted(printed, "/repo")
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_file_that_rustfmt_would_change_is_a_problem() {
    let text = "/repo/crates/a/src/x.rs\n".to_owned();
    let found = told_by_rustfmt(&Printed {
        text,
        success: false,
    });
    assert_eq!(
        found,
        ["crates/a/src/x.rs:1: not formatted; run `cargo fmt --all`"]
    );
    assert!(
        told_by_rustfmt(&Printed {
            text: String::new(),
            success: true
        })
        .is_empty()
    );
}

#[test]
fn a_rustfmt_that_fails_without_a_word_is_a_problem() {
    assert_eq!(
        told_by_rustfmt(&Printed {
            text: String::new(),
            success: false
        })
        .len(),
        1
    );
}
