//! Text on its way out: what of it is shown, measuring it, writing it for a platform, splitting it.
//!
//! A finished answer is one string. While it arrives, [`Thinking`] parts thoughts from words, and
//! [`silence`] knows an answer that wants to be none. A platform takes messages up to a length, counted
//! in its own unit: [`split`] makes them of a text that stays as it is, and [`render`] of Markdown in
//! the platform's own writing. [`preview`] makes the one line that lists show. Nothing here sends.

pub mod aloud;
pub mod complaint;
mod cut;
mod fence;
mod grapheme;
pub mod images;
mod length;
mod preview;
pub mod render;
pub mod silence;
mod split;
#[cfg(test)]
mod split_laws;
mod think;

pub use length::{Limit, Unit};
pub use preview::preview;
pub use split::{Numbering, split, split_numbered};
pub use think::{Parted, Thinking};
