//! Search within the store: what the contract of all stores cannot reach.
