//! Texts with the parts that a reference made of them.
//!
//! A case is either the same as ours, or the reference breaks one of the laws of splitting
//! there, and then ours must keep them all. `docs/conformance.md` says which and why.

use std::collections::BTreeMap;

use angelia_core::text::{Limit, Numbering, Unit, split, split_numbered};
use serde::Deserialize;

#[path = "../../src/text/split_laws.rs"]
mod split_laws;

use crate::cases;
use split_laws::{Breach, Case, breach};

#[derive(Deserialize)]
struct Split {
    id: String,
    limit: usize,
    unit: Unit,
    text: String,
    chunks: Vec<String>,
}

#[derive(Deserialize)]
struct Units {
    id: String,
    text: String,
    utf16_len: usize,
    limit: usize,
    prefix: String,
    cp_budget: usize,
}

impl Split {
    fn limit(&self) -> Limit {
        Limit {
            max: self.limit,
            unit: self.unit,
        }
    }

    fn breach(&self, parts: &[String]) -> Option<Breach> {
        let len = match self.unit {
            Unit::Chars => |text: &str| Unit::Chars.len(text),
            Unit::Utf16 => |text: &str| Unit::Utf16.len(text),
            Unit::Bytes => |text: &str| Unit::Bytes.len(text),
        };
        breach(
            &Case {
                text: &self.text,
                max: self.limit,
                len,
            },
            parts,
        )
    }
}

#[test]
fn numbered_parts_are_the_reference_s_unless_it_breaks_a_law() {
    let mut tally: BTreeMap<Option<Breach>, usize> = BTreeMap::new();
    for case in cases::<Split>("gateway/message_split.json") {
        let parts = split_numbered(&case.text, case.limit(), Numbering::Suffix);
        assert_eq!(case.breach(&parts), None, "{} {parts:#?}", case.id);
        let why = if parts == case.chunks {
            None
        } else {
            case.breach(&case.chunks)
        };
        let same_or_excused = parts == case.chunks || why.is_some();
        assert!(
            same_or_excused,
            "{}: {parts:#?} instead of {:#?}",
            case.id, case.chunks
        );
        *tally.entry(why).or_default() += 1;
    }
    assert!(!tally.is_empty(), "there are no cases");
    eprintln!("same (None) or the law that the reference breaks: {tally:?}");
}

#[test]
fn utf16_lengths_and_prefixes_are_the_reference_s() {
    for case in cases::<Units>("gateway/utf16_units.json") {
        assert_eq!(Unit::Utf16.len(&case.text), case.utf16_len, "{}", case.id);
        let prefix = Unit::Utf16.prefix(&case.text, case.limit);
        assert_eq!(prefix, case.prefix, "{}", case.id);
        assert_eq!(prefix.chars().count(), case.cp_budget, "{}", case.id);
    }
}

#[test]
fn the_texts_of_streamed_tails_keep_the_laws_of_the_one_splitter() {
    for case in cases::<Split>("gateway/stream_fallback_split.json") {
        let parts = split(&case.text, case.limit());
        assert_eq!(case.breach(&parts), None, "{} {parts:#?}", case.id);
    }
}
