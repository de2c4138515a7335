//! Text on its way out: measuring it, splitting it for a platform, and showing its first words.
//!
//! A finished answer is one string. A platform takes messages up to a length, counted in its own
//! unit, so [`split`] makes the parts that the outbox stores; [`preview`] makes the one line that
//! lists show. Nothing here renders Markdown, sends, or knows a platform by name.

mod cut;
mod fence;
mod length;
mod preview;
mod split;
#[cfg(test)]
mod split_laws;

pub use length::{Limit, Unit};
pub use preview::preview;
pub use split::{Numbering, split, split_numbered};
