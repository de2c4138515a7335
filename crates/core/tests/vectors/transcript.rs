//! What is remembered: rows, their times, titles, links and queries, as a reference had them.
//!
//! Each module runs the files of one subject. A case must be the same, or the test must see in the
//! case itself why ours may differ; `docs/conformance.md` has the reasons in words.

mod lineage;
mod rows;
mod search;
mod times;
mod titles;

use angelia_core::transcript::entry;

#[path = "../../src/transcript/conversation_laws.rs"]
mod conversation_laws;
