//! The weather of a run: what goes wrong at this moment, the same for everyone who asks.

use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::time::Timestamp;
use angelia_store::Clock;

use crate::sim::plan::Trouble;
use crate::sim::sabotage::Sabotage;

/// What goes wrong now. Everyone looks at the same sky.
#[derive(Clone)]
pub struct Weather {
    trouble: Arc<Mutex<Trouble>>,
    sabotage: Sabotage,
    clock: Clock,
}

impl Weather {
    /// A sky of this trouble.
    pub fn new(trouble: Trouble, sabotage: Sabotage, clock: Clock) -> Self {
        Self {
            trouble: Arc::new(Mutex::new(trouble)),
            sabotage,
            clock,
        }
    }

    /// A sky under which nothing goes wrong: verbs take their moments, and kills can fall between.
    pub fn fair(clock: Clock) -> Self {
        Self::new(Trouble::default(), Sabotage::None, clock)
    }

    /// The time of day, as the platform sees it.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// What goes wrong at this moment.
    pub fn trouble(&self) -> Trouble {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The planted bug.
    pub fn sabotage(&self) -> Sabotage {
        self.sabotage
    }

    /// Nothing goes wrong any more.
    pub fn clears_up(&self) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Trouble::default();
    }
}
