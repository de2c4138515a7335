use anyhow::anyhow;

use super::{Failed, Place, judge, nextest_words, place};
use crate::tools::Tools;

fn without_chromium() -> Tools {
    let mut tools = Tools::default();
    tools.missing.push("chromium");
    tools
}

#[test]
fn a_missing_tool_is_a_failure_only_where_nobody_reads_notes() {
    judge(&without_chromium(), Place::Desk).unwrap();
    judge(&without_chromium(), Place::Ci).unwrap_err();
    judge(&Tools::default(), Place::Ci).unwrap();
}

#[test]
fn only_the_word_true_makes_it_continuous_integration() {
    assert_eq!(place(Some("true")), Place::Ci);
    assert_eq!(place(Some("")), Place::Desk);
    assert_eq!(place(None), Place::Desk);
}

#[test]
fn continuous_integration_uses_the_profile_that_runs_to_the_end() {
    assert!(nextest_words(Place::Ci).ends_with(&["--profile", "ci"]));
    assert!(!nextest_words(Place::Desk).contains(&"--profile"));
}

#[test]
fn every_failed_stage_is_named_at_the_end() {
    let mut failed = Failed::default();
    failed.note("check", Err(anyhow!("2 problems")));
    failed.note("tests", Ok(()));
    failed.note("simulation", Err(anyhow!("seed 7")));
    let error = failed.sum_up().unwrap_err().to_string();
    assert_eq!(error, "check, simulation; the reasons are above");
    Failed::default().sum_up().unwrap();
}
