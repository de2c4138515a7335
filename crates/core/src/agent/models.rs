//! The models that a conversation can choose for its agent.
//!
//! An agent has a usual model and perhaps others. Where the operator lists what may be chosen, nothing else is;
//! otherwise any name is, and its server says whether it knows it. For agents that bring their model themselves
//! nothing can be chosen.

/// The models of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Models {
    /// The one that answers unless another is chosen.
    pub usual: Option<String>,
    /// Others that are known.
    pub others: Vec<String>,
    /// What may be chosen.
    pub choice: Choice,
    /// How many tokens they can read at once.
    pub window: Option<u64>,
}

/// What may be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// Any name.
    #[default]
    Any,
    /// Only what is known.
    Listed,
    /// Nothing: the agent chooses its model itself.
    Its,
}

impl Models {
    /// Those of an agent that chooses its model itself.
    #[must_use]
    pub fn its_own() -> Self {
        Self {
            choice: Choice::Its,
            ..Self::default()
        }
    }

    /// Everything that is known, the usual one first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let all = self.usual.iter().chain(&self.others);
        all.map(String::as_str)
    }

    /// Whether a model may be chosen.
    pub fn allow(&self, model: &str) -> bool {
        match self.choice {
            Choice::Any => true,
            Choice::Its => false,
            Choice::Listed => self.all().any(|known| known == model),
        }
    }
}
