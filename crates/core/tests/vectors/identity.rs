//! Who wrote where, and which conversation that is, against what a reference makes of it.
//!
//! One module per subject. A case is the same, or its own values show the defect of the reference
//! that ours does not have; then the test checks that ours does not have it.

mod entries;
mod keys;
mod leases;
mod paths;
mod profiles;
mod sources;
mod whatsapp;

pub(crate) use profiles::renamed;
