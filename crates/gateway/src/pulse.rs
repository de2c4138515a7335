//! When each loop last looked, and what it met: what `status` shows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::time::Timestamp;
use angelia_store::StoreError;

/// One loop's last look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// When.
    pub at: Timestamp,
    /// What went wrong, if anything.
    pub error: Option<String>,
}

/// The last looks of all loops.
#[derive(Debug, Clone, Default)]
pub struct Pulse {
    looks: Arc<Mutex<BTreeMap<String, Look>>>,
}

impl Pulse {
    /// Notes a look.
    pub fn note(&self, name: &str, at: Timestamp, error: Option<&StoreError>) {
        let look = Look {
            at,
            error: error.map(ToString::to_string),
        };
        self.looks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name.to_owned(), look);
    }

    /// The last look of every loop, by name.
    pub fn looks(&self) -> Vec<(String, Look)> {
        let looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        looks
            .iter()
            .map(|(name, look)| (name.clone(), look.clone()))
            .collect()
    }
}
