//! The simulator itself: the same seed gives the same run, and planted bugs are noticed.

use angelia_testkit::sim::{self, Sabotage};

/// Within how many seeds a planted bug must show.
const SEEDS: u64 = 80;

fn is_noticed(sabotage: Sabotage) -> bool {
    is_noticed_from(1, sabotage)
}

/// The same for a bug that shows only where people agree and disagree in turn, which the first seeds do not play.
fn is_noticed_from(first: u64, sabotage: Sabotage) -> bool {
    (first..first + SEEDS).any(|seed| !sim::run(seed, sabotage).broken.is_empty())
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for seed in 1..=12 {
        let (first, second) = (
            sim::run(seed, Sabotage::None),
            sim::run(seed, Sabotage::None),
        );
        assert_eq!(first.history, second.history, "seed {seed}");
        assert_eq!(first.broken, Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn sabotage_a_write_under_an_old_fence_is_noticed() {
    assert!(is_noticed(Sabotage::NoFence));
}

#[test]
fn sabotage_an_acknowledgement_before_the_commit_is_noticed() {
    assert!(is_noticed(Sabotage::EarlyAck));
}

#[test]
fn sabotage_a_message_that_was_never_stored_is_noticed() {
    assert!(is_noticed(Sabotage::LostIntake));
}

#[test]
fn sabotage_a_repeat_that_the_row_does_not_tell_of_is_noticed() {
    assert!(is_noticed(Sabotage::ForgottenDoubt));
}

#[test]
fn sabotage_news_that_stay_with_their_conversation_are_noticed() {
    assert!(is_noticed(Sabotage::NewsTwice));
}

#[test]
fn sabotage_an_undo_that_hides_nothing_is_noticed() {
    assert!(is_noticed(Sabotage::HideIgnored));
}

#[test]
fn sabotage_a_retry_that_asks_with_a_new_key_each_time_is_noticed() {
    assert!(is_noticed(Sabotage::RetryUnkeyed));
}

#[test]
fn sabotage_a_new_beginning_while_somebody_waits_is_noticed() {
    assert!(is_noticed(Sabotage::HastyPolicy));
}

#[test]
fn sabotage_an_end_that_counts_as_told_before_it_is_in_the_inbox_is_noticed() {
    assert!(is_noticed(Sabotage::EarlyNotice));
}

#[test]
fn sabotage_an_agreement_that_covers_another_command_is_noticed() {
    assert!(is_noticed_from(SEEDS, Sabotage::AnyGrant));
}

#[test]
fn sabotage_a_summary_that_is_not_written_is_noticed() {
    assert!(is_noticed(Sabotage::SummaryLost));
}

#[test]
fn sabotage_a_program_that_is_not_remembered_is_noticed() {
    assert!(is_noticed(Sabotage::LinkForgotten));
}

#[test]
fn sabotage_a_draft_that_nobody_finds_again_is_noticed() {
    assert!(is_noticed(Sabotage::DraftForgotten));
}

#[test]
fn sabotage_an_answer_from_another_conversation_is_noticed() {
    assert!(is_noticed(Sabotage::AnyAnswer));
}

#[test]
fn sabotage_a_cap_that_is_looked_at_without_a_reservation_is_noticed() {
    assert!(is_noticed(Sabotage::Unreserved));
}

#[test]
fn sabotage_leave_that_somebody_else_gets_is_noticed() {
    assert!(is_noticed(Sabotage::WrongGrant));
}

#[test]
fn sabotage_a_code_that_counts_after_its_end_is_noticed() {
    assert!(is_noticed(Sabotage::LateCode));
}

#[test]
fn strangers_are_let_in() {
    let lets_in = |seed: &u64| {
        let history = sim::run(*seed, Sabotage::None).history;
        history.iter().any(|line| line.starts_with("let in"))
    };
    let seeds: Vec<u64> = (1..=6).filter(lets_in).collect();
    assert!(seeds.len() > 2, "only in {seeds:?}");
}

#[test]
fn seeds_that_once_failed_are_clean() {
    let listed = include_str!("../../src/sim/seeds.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let seeds: Vec<u64> = listed
        .map(|line| line.split(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!(!seeds.is_empty());
    for seed in seeds {
        assert_eq!(
            sim::run(seed, Sabotage::None).broken,
            Vec::<String>::new(),
            "seed {seed}"
        );
    }
}

#[test]
fn sabotage_words_that_steer_and_are_lost_when_the_turn_ends_are_noticed() {
    assert!(is_noticed(Sabotage::SteerLost));
}

#[test]
fn sabotage_a_message_that_was_gathered_and_is_answered_again_is_noticed() {
    assert!(is_noticed(Sabotage::MergedTwice));
}

#[test]
fn sabotage_a_word_that_a_node_goes_which_nobody_remembers_is_noticed() {
    assert!(is_noticed(Sabotage::BannerTwice));
}

#[test]
fn sabotage_a_message_that_is_answered_again_after_an_orderly_stop_is_noticed() {
    assert!(is_noticed(Sabotage::ResumedTwice));
}

#[test]
fn sabotage_an_answer_within_the_conversation_to_what_was_asked_beside_it_is_noticed() {
    assert!(is_noticed(Sabotage::BesideForgotten));
}

#[test]
fn sabotage_conversations_that_stay_where_their_group_was_are_noticed() {
    assert!(is_noticed(Sabotage::MoveForgotten));
}

#[test]
fn sabotage_a_message_that_is_turned_away_without_a_word_is_noticed() {
    assert!(is_noticed(Sabotage::AwayForgotten));
}

#[test]
fn nodes_restart_because_somebody_wishes_it() {
    let restarts = |seed: &u64| {
        let history = sim::run(*seed, Sabotage::None).history;
        history.iter().any(|line| line.starts_with("restart "))
    };
    let seeds: Vec<u64> = (1..=40).filter(restarts).take(3).collect();
    assert!(seeds.len() > 2, "only in {seeds:?}");
}
