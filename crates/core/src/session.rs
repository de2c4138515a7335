//! Which conversation a message belongs to.

pub mod key;
pub mod model_override;
pub mod reset;
pub mod shared;
