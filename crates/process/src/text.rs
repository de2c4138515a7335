//! Raw output on its way out: bytes become letters, escapes for a terminal go, long texts are cut.
//!
//! On disk everything stays as it was said. `Cleaner` takes the bytes in any pieces and gives text,
//! so that neither a letter nor an escape that arrives in two pieces is torn; `strip` and `plain` are
//! for texts that are there in whole. `page`, `tail` and `Patience` are the rules by which parts of an
//! output are shown.
//!
//! Secrets are not masked here: whoever shows a text masks it.

mod clean;
mod decode;
mod escapes;
mod lines;
mod patience;

pub use clean::Cleaner;
pub use decode::Decoder;
pub use escapes::{plain, strip};
pub use lines::{Page, page, tail};
pub use patience::{Patience, limit_in_s};
