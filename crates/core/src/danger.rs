//! Commands that should not just run: what is asked about first, and what is never run.
//!
//! The kinds of danger, the fingerprint that a yes is given to, and what people may answer. Nothing here
//! runs, asks, waits or remembers: rows keep requests and grants, and a grant is for one [`fingerprint`],
//! never for a category.

mod category;
mod fingerprint;
mod reason;
pub mod reply;

pub use category::Category;
pub use fingerprint::fingerprint;
pub use reason::Reason;
