//! What a new message means while its conversation is being answered.
//!
//! The message is an inbox row either way. *Wait*: the next turn takes it. *Steer*: the running turn
//! takes it along at its next step, if the agent can. *Interrupt*: the running turn ends as
//! interrupted and the message is answered next.

use serde::{Deserialize, Serialize};

/// What the operator configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// New messages wait their turn.
    #[default]
    Queue,
    /// New messages steer the running turn where that is possible.
    Steer,
    /// New messages end the running turn.
    Interrupt,
}

/// Whether the agent takes messages along while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steering {
    /// It does.
    Possible,
    /// It answers one message at a time.
    Impossible,
}

/// What happens to the running turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Busy {
    /// Nothing; the message waits.
    Wait,
    /// It takes the message along.
    Steer,
    /// It ends.
    Interrupt,
}

/// Decides what a message that arrived during a turn means for it.
pub fn decide(mode: Mode, steering: Steering) -> Busy {
    match (mode, steering) {
        (Mode::Queue, _) | (Mode::Steer, Steering::Impossible) => Busy::Wait,
        (Mode::Steer, Steering::Possible) => Busy::Steer,
        (Mode::Interrupt, _) => Busy::Interrupt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steering_falls_back_to_waiting_where_the_agent_cannot() {
        assert_eq!(decide(Mode::Queue, Steering::Possible), Busy::Wait);
        assert_eq!(decide(Mode::Steer, Steering::Possible), Busy::Steer);
        assert_eq!(decide(Mode::Steer, Steering::Impossible), Busy::Wait);
        assert_eq!(
            decide(Mode::Interrupt, Steering::Impossible),
            Busy::Interrupt
        );
    }
}
