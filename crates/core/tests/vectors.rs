//! Golden vectors: texts with the parts that a reference made of them.
//!
//! `ANGELIA_VECTORS` names another directory of the same layout, for vectors that are not kept
//! here. A case is either the same as ours, or the reference breaks one of the laws of splitting
//! there, and then ours must keep them all. `docs/conformance.md` says which and why.

use std::collections::BTreeMap;
use std::path::PathBuf;

use angelia_core::text::{Limit, Numbering, Unit, split, split_numbered};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[path = "../src/text/split_laws.rs"]
mod split_laws;

use split_laws::{Breach, Case, breach};

#[derive(Deserialize)]
struct Vectors<T> {
    cases: Vec<T>,
}

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

#[expect(
    clippy::disallowed_methods,
    reason = "a test is told here where its vectors are"
)]
fn directory() -> PathBuf {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");
    std::env::var("ANGELIA_VECTORS").map_or_else(|_| here.into(), PathBuf::from)
}

fn cases<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = directory().join("gateway").join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("{}: {why}; set ANGELIA_VECTORS or unset it", path.display()));
    let vectors: Vectors<T> = serde_json::from_str(&text)
        .unwrap_or_else(|why| panic!("{} has another shape: {why}", path.display()));
    vectors.cases
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
    for case in cases::<Split>("message_split.json") {
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
    for case in cases::<Units>("utf16_units.json") {
        assert_eq!(Unit::Utf16.len(&case.text), case.utf16_len, "{}", case.id);
        let prefix = Unit::Utf16.prefix(&case.text, case.limit);
        assert_eq!(prefix, case.prefix, "{}", case.id);
        assert_eq!(prefix.chars().count(), case.cp_budget, "{}", case.id);
    }
}

#[test]
fn the_texts_of_streamed_tails_keep_the_laws_of_the_one_splitter() {
    for case in cases::<Split>("stream_fallback_split.json") {
        let parts = split(&case.text, case.limit());
        assert_eq!(case.breach(&parts), None, "{} {parts:#?}", case.id);
    }
}
