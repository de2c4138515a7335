//! Which conversation a message belongs to, and whether that one goes on.

pub mod entry;
pub mod guard;
pub mod key;
pub mod lifecycle;
pub mod model_override;
pub mod news;
pub mod origin;
pub mod reset;
pub mod rules;
pub mod shared;
