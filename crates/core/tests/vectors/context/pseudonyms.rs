//! Identifiers with the hashes that a reference shows for them.
//!
//! The digits cannot be the same: those of the reference have no key. The shape is: the prefix of a
//! sender, the kept word of a chat, twelve digits, and the same digits for the same hidden part.

use std::collections::BTreeMap;

use angelia_core::context::redact::{KEY_BYTES, Pseudonyms};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    value: String,
    sender_hash: String,
    chat_hash: String,
}

/// The word before the digits, and the digits.
fn parts(pseudonym: &str) -> (&str, &str) {
    pseudonym.split_at(pseudonym.len() - 12)
}

fn digits_without_a_key(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether what the reference keeps in clear is only a word, and not part of an identifier.
fn keeps_only_a_word(case: &Case) -> bool {
    let kept = parts(&case.chat_hash).0;
    kept.chars()
        .all(|char| char.is_ascii_alphabetic() || "_:".contains(char))
}

#[test]
fn pseudonyms_have_the_reference_s_shape_under_a_key_of_ours() {
    let (ours, others) = (
        Pseudonyms::new([1; KEY_BYTES]),
        Pseudonyms::new([2; KEY_BYTES]),
    );
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for case in cases::<Case>("sessions/pii_hash.json") {
        let sender = ours.sender(&case.value);
        assert_eq!(parts(&sender).0, parts(&case.sender_hash).0, "{}", case.id);
        let chat = ours.chat(&case.value);
        let kept = if keeps_only_a_word(&case) {
            parts(&case.chat_hash).0
        } else {
            ""
        };
        assert_eq!(parts(&chat).0, kept, "{}", case.id);
        for (pseudonym, theirs) in [(&sender, &case.sender_hash), (&chat, &case.chat_hash)] {
            let (digits, plain) = (parts(pseudonym).1, parts(theirs).1);
            assert!(
                digits.chars().all(|char| char.is_ascii_hexdigit()),
                "{}",
                case.id
            );
            let one = keeps_only_a_word(&case) || theirs.starts_with("user_");
            let before = seen
                .entry(plain.to_owned())
                .or_insert_with(|| digits.to_owned());
            assert!(
                !one || before == digits,
                "{}: {before} and {digits}",
                case.id
            );
        }
        // Why ours differ: anyone can compute the reference's, nobody without the key ours.
        assert_eq!(
            parts(&case.sender_hash).1,
            digits_without_a_key(&case.value),
            "{}",
            case.id
        );
        assert_ne!(sender, case.sender_hash, "{}", case.id);
        assert_ne!(sender, others.sender(&case.value), "{}", case.id);
    }
}
