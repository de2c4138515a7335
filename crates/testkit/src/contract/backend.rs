//! What every backend promises, whichever kind of agent is behind it.
//!
//! Each case is an async function over a [`stage::Stage`], which sets up a backend whose agent does what an
//! [`stage::Act`] says. A backend joins with one stage and one line:
//!
//! ```ignore
//! angelia_testkit::backend_contract!(MyStage);   // a backend whose agent can be made to misbehave
//! angelia_testkit::backend_basics!(MyStage);     // one whose agent cannot
//! angelia_testkit::backend_tools!(MyStage);      // and one whose agent calls tools, which are steps of the turn
//! ```
//!
//! A case goes into its area's file and into the lists below; a test sees to it that none is forgotten. What
//! only one backend promises is tested beside it.

pub mod basics;
pub mod faults;
pub mod listening;
pub mod stage;
pub mod tools;

/// Makes a test of every case.
#[macro_export]
macro_rules! backend_contract {
    ($stage:expr) => {
        $crate::backend_basics!($stage);
        $crate::backend_cases! { $stage; faults:
            an_agent_that_breaks_off_is_told_and_leaves_nothing_half_said_twice,
            an_agent_that_falls_silent_is_not_waited_for_without_end,
            an_agent_that_floods_is_held_back,
            what_is_said_without_end_has_an_end,
            what_is_no_speech_breaks_nothing,
        }
    };
}

/// Makes a test of every case that asks nothing unusual of the agent.
#[macro_export]
macro_rules! backend_basics {
    ($stage:expr) => {
        $crate::backend_cases! { $stage; basics:
            words_are_heard_in_order,
            words_are_heard_before_the_answer_is_whole,
            a_stopped_agent_ends,
            an_agent_to_whom_nobody_listens_ends,
            a_turn_that_is_run_again_says_the_same_and_does_nothing_twice,
            a_turn_that_is_dropped_after_any_step_comes_to_the_same_end,
        }
    };
}

/// Makes a test of every case about the calls of tools.
#[macro_export]
macro_rules! backend_tools {
    ($stage:expr) => {
        $crate::backend_cases! { $stage; tools:
            a_turn_with_calls_that_is_run_again_does_nothing_twice,
            a_call_that_ended_is_never_made_again,
            a_call_that_only_began_comes_to_one_end,
            a_call_whose_end_was_not_written_down_is_not_made_again,
        }
    };
}

/// Makes tests of the named cases of one area.
#[macro_export]
macro_rules! backend_cases {
    ($stage:expr; $area:ident: $($case:ident,)*) => {
        $(
            #[tokio::test]
            async fn $case() {
                $crate::contract::backend::$area::$case(&$stage).await;
            }
        )*
    };
}

#[cfg(test)]
#[path = "backend_tests.rs"]
mod tests;
