//! The contract of targets: what a command does is the same wherever it runs. Each place runs all of it.
//!
//! A place that this machine does not have is said loudly and left out; `cargo xtask test` installs
//! what it can.

mod cases;
mod container;
mod place;
mod sshd;

macro_rules! contract {
    ($place:ident: $($case:ident),* $(,)?) => {
        mod $place {
            use super::{cases, place};

            $(#[tokio::test]
            async fn $case() {
                if let Some(place) = place::$place() {
                    cases::$case(place).await;
                }
            })*
        }
    };
}

macro_rules! contracts {
    ($($place:ident),*) => {
        $(contract! {
            $place:
            a_megabyte_arrives_byte_for_byte,
            the_code_of_the_command_is_the_end,
            a_death_by_signal_is_told_from_a_code,
            a_command_runs_where_it_is_told_to,
            a_directory_that_is_not_there_is_a_failed_start,
            input_arrives_and_ends,
            much_input_arrives_in_order,
            the_command_sees_what_the_caller_added_and_nothing_of_the_gateway,
            a_kill_reaches_those_who_left_the_session,
            a_kill_leaves_time_to_tidy_up,
            who_is_left_behind_is_ended,
            a_broken_line_loses_and_doubles_nothing,
            input_survives_a_broken_line,
            a_signal_goes_through,
            a_signal_reaches_no_stranger,
            a_dead_bridge_is_a_lost_process_whose_command_is_ended,
            a_dead_holder_ends_the_command,
            nothing_is_left_in_the_target,
            a_foreground_command_is_run_to_its_end,
            a_foreground_command_in_no_directory_is_not_started,
            a_foreground_command_is_ended_inside_when_its_time_is_up,
            a_dropped_foreground_command_is_ended_inside,
        })*
    };
}

contracts!(shell, ssh, bubblewrap, podman);

#[tokio::test]
async fn a_target_that_cannot_be_reached_is_a_failed_start_with_its_reason() {
    let place = place::broken();
    cases::an_unreachable_target_is_a_failed_start(&place).await;
    cases::an_unreachable_target_runs_nothing_in_the_foreground(&place).await;
}

#[tokio::test]
async fn a_bridge_that_dies_after_the_handing_over_is_a_lost_process_and_no_failed_start() {
    for on_go in ["kill -9 $PPID", "echo angelia lost >&2"] {
        cases::what_was_handed_over_may_run(&place::played(on_go)).await;
    }
}

#[tokio::test]
async fn a_target_that_says_it_did_not_start_the_command_is_believed() {
    let place = place::played("echo angelia failed no room >&2; exit 0");
    cases::what_was_taken_back_does_not_run(&place).await;
}

#[tokio::test]
async fn output_that_overtakes_the_word_of_the_start_holds_nothing_up() {
    cases::output_comes_before_the_word(&place::played(place::OVERTAKEN)).await;
}

#[tokio::test]
async fn what_is_said_on_the_way_to_the_target_is_not_the_command_s() {
    cases::a_greeting_is_left_out(&place::greeting()).await;
}
