//! A first configuration, step by step: who answers, where it is, and what opens its door.
//!
//! ```text
//! answers (asked, or given as flags) ─▶ tried by a tiny call ─▶ the file, changed in one go
//! ```
//!
//! Nothing is written before the end: whoever leaves on the way has changed nothing. What is in the file
//! already stays, with its comments. A key goes into a variable or a file of its own, never into the
//! configuration.

pub(crate) mod answers;
pub(crate) mod dialog;
pub(crate) mod questions;
pub(crate) mod writing;
