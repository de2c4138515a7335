//! What an agent is made to do, and the backend that it is behind.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use angelia_agents::Backend;
use angelia_agents::links::InMemory;
use async_trait::async_trait;

/// What an agent does when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Says some words, and is done.
    Says,
    /// Says a word, and goes on for far longer than any test.
    GoesOn,
    /// Says a word, and then nothing more, for ever.
    Hangs,
    /// Says a word, and breaks. However often it is asked.
    Breaks,
    /// Says more than anybody wants to hear.
    Floods,
    /// Says what is no speech.
    Raves,
    /// Does something with a tool, which leaves a trace, then says some words, and is done.
    Works,
}

/// How time passes for what a case waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The agent is within this process: once it has spoken, the clock may run ahead.
    Virtual,
    /// The agent is outside: its limits are set so that a test can wait for them.
    Real,
}

/// How often the agent was begun, as far as it can be counted.
pub type Count = Box<dyn Fn() -> Option<usize> + Send + Sync>;

/// Whether the agent is still at work.
pub type Busy = Box<dyn Fn() -> bool + Send + Sync>;

/// A backend whose agent is about to act.
pub struct Scene {
    /// The backend.
    pub backend: Arc<dyn Backend>,
    /// What to say so that it does.
    pub message: String,
    /// All it says, where that is fixed; otherwise how it begins.
    pub words: String,
    /// How often the agent was begun.
    pub begun: Count,
    /// How often its tool did what it does, as far as that can be counted.
    pub deeds: Count,
    /// Whether the agent is still at work.
    pub busy: Busy,
    /// What is remembered of the agent from run to run.
    pub links: Arc<InMemory>,
    /// How time passes.
    pub pace: Pace,
    /// What must stay alive.
    pub kept: Box<dyn Any + Send + Sync>,
}

impl fmt::Debug for Scene {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Scene({})", self.backend.name())
    }
}

/// Sets scenes for one kind of backend.
#[async_trait]
pub trait Stage: Send + Sync {
    /// A backend of its own whose agent does this.
    async fn set(&self, act: Act) -> Scene;
}
