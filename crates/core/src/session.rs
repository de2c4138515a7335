//! Which conversation a message belongs to.

pub mod key;
