use std::path::Path;

use clap::Parser;

use super::{Args, arguments, shares, side_by_side};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn parsed(line: &[&str]) -> Result<Args, String> {
    let words = ["sim"].iter().chain(line);
    Line::try_parse_from(words)
        .map(|line| line.args)
        .map_err(|error| error.to_string())
}

fn runs(line: &[&str], cores: u64) -> Vec<String> {
    arguments(&parsed(line).unwrap(), cores)
        .iter()
        .map(|run| run.join(" "))
        .collect()
}

#[test]
fn shares_cover_the_range_once_without_a_gap() {
    for (from, seeds, cores) in [(0, 200, 2), (17, 10, 3), (5, 1, 8), (0, 7, 7), (3, 100, 1)] {
        let shares = shares(from, seeds, cores);
        assert!(shares.len() as u64 <= cores);
        let mut next = from;
        for share in &shares {
            assert_eq!(share.from, next);
            assert!(share.seeds > 0 && share.seeds.abs_diff(seeds / shares.len() as u64) <= 1);
            next += share.seeds;
        }
        assert_eq!(next, from + seeds);
    }
}

#[test]
fn a_range_is_split_over_the_cores() {
    assert_eq!(
        runs(&["--seeds", "5", "--from", "10"], 2),
        ["--seeds 3 --from 10", "--seeds 2 --from 13"]
    );
}

#[test]
fn one_seed_is_one_run() {
    assert_eq!(runs(&["--seed", "42"], 8), ["--seed 42"]);
}

#[test]
fn a_sabotaged_range_stays_whole_because_one_seed_of_it_must_notice() {
    assert_eq!(
        runs(&["--seeds", "30", "--sabotage", "fence"], 8),
        ["--seeds 30 --from 0 --sabotage fence"]
    );
    assert_eq!(
        runs(&["--seed", "4", "--sabotage", "fence"], 8),
        ["--seed 4 --sabotage fence"]
    );
}

#[test]
fn one_seed_and_a_range_contradict_each_other() {
    assert!(parsed(&["--seed", "4", "--seeds", "9"]).is_err());
    assert!(parsed(&["--seed", "4", "--from", "9"]).is_err());
}

#[test]
fn one_failing_share_fails_the_whole_run() {
    let shell = Path::new("/bin/sh");
    let run = |code: &str| vec!["-c".to_owned(), format!("exit {code}")];
    side_by_side(shell, &[run("0"), run("0")]).unwrap();
    side_by_side(shell, &[run("1"), run("0")]).unwrap_err();
    side_by_side(shell, &[run("0"), run("1")]).unwrap_err();
}
