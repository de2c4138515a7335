//! Texts from outside that are meant to name a conversation, and must not name a path.
//!
//! Ids of our own cannot be wrong: they are numbers (`id::SessionId`), and nothing of ours makes a path
//! of a key. But an index from elsewhere holds ids and keys that somebody may have written, and what
//! comes after us may still make files of them. So what could leave its folder is not taken over.
//!
//! Keys may have slashes inside, because ids of some platforms do.

/// Whether a text can be the id of a conversation.
#[must_use]
pub fn is_id(text: &str) -> bool {
    !text.is_empty() && is_key(text) && !text.contains(['/', '\\'])
}

/// Whether a text can be the key of a conversation.
#[must_use]
pub fn is_key(text: &str) -> bool {
    let leaves = text.contains("..") || text.starts_with(['/', '\\']) || has_drive(text);
    !text.is_empty() && !leaves && !text.contains('\0')
}

fn has_drive(text: &str) -> bool {
    let mut signs = text.chars();
    signs.next().is_some_and(char::is_alphabetic) && signs.next() == Some(':')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::SessionId;

    #[test]
    fn a_key_may_have_slashes_inside_and_an_id_may_not() {
        let key = "agent:main:google_chat:group:spaces/AAA";
        assert!(is_key(key));
        assert!(!is_id(key));
    }

    #[test]
    fn what_leaves_its_folder_is_neither() {
        for text in ["..", "a/../b", "/x", "\\x", "C:x", "ß:", "a..b", "", "x\0y"] {
            assert!(!is_id(text), "{text}");
            assert!(!is_key(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_id_that_is_taken_has_no_way_out_of_its_folder(text in "[aZ./\\\\: 1]{0,6}") {
            let is_plain = !text.contains(['/', '\\']) && !text.contains("..");
            prop_assert!(!is_id(&text) || is_plain && !has_drive(&text));
            prop_assert!(!is_id(&text) || is_key(&text));
        }

        #[test]
        fn every_id_of_our_own_could_name_a_file(bits in any::<u128>()) {
            prop_assert!(is_id(&SessionId::from_bits(bits).to_string()));
        }

        #[test]
        fn nothing_that_leaves_its_folder_reads_as_an_id_of_our_own(text in ".{0,40}") {
            prop_assert!(text.parse::<SessionId>().is_err() || is_id(&text));
        }
    }
}
