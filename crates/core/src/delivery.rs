//! From a reply to deliveries, and from a failed try to the next.

pub mod plan;
pub mod quote;
pub mod retry;
