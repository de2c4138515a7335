//! "Did you mean …?" for keys and values: the house's one rule of what is near.

pub(crate) use angelia_core::nearest::nearest;
