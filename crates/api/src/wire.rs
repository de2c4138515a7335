//! The shapes that travel over HTTP, one module per version of the interface.
//!
//! They are separate from the values of `core` and convert with `From`, so that the inside can change
//! without breaking a promise. Within a version, fields may be added and never changed.

pub mod v1;
