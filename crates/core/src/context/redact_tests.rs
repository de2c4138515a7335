use proptest::prelude::*;

use super::{KEY_BYTES, Pseudonyms, looks_like_identifier};

fn pseudonyms(seed: u8) -> Pseudonyms {
    Pseudonyms::new([seed; KEY_BYTES])
}

#[test]
fn a_pseudonym_is_made_under_the_key_of_the_install() {
    assert_eq!(pseudonyms(1).sender("7"), pseudonyms(1).sender("7"));
    assert_ne!(pseudonyms(1).sender("7"), pseudonyms(2).sender("7"));
    assert_eq!(pseudonyms(1).sender("12345").len(), "user_".len() + 12);
}

#[test]
fn a_chat_keeps_the_word_that_says_what_it_is() {
    let made = pseudonyms(1);
    assert_eq!(
        made.chat("telegram:12345"),
        format!("telegram:{}", made.chat("12345"))
    );
    assert_eq!(made.sender("12345"), format!("user_{}", made.chat("12345")));
}

#[test]
fn what_may_be_an_identifier_before_the_colon_is_hidden_too() {
    let made = pseudonyms(1);
    for id in [
        "491711234567:12@s.whatsapp.net",
        "!room:example.org",
        ":12",
        "::",
    ] {
        assert_eq!(made.chat(id).len(), 12, "{id}");
    }
}

#[test]
fn the_key_is_not_printed() {
    assert_eq!(format!("{:?}", pseudonyms(65)), "Pseudonyms(***)");
}

#[test]
fn numbers_addresses_and_known_ids_look_like_identifiers() {
    let ids = ["c0ffee-77"];
    for name in [
        "+49 (171) 123-4567",
        "Ann 01711234567",
        "ann@example.org",
        "15551234567@s.whatsapp.net",
        "@ann:example.org",
        "call c0ffee-77 now",
        "٠١٢٣٤٥٦٧",
    ] {
        assert!(looks_like_identifier(name, &ids), "{name}");
    }
}

#[test]
fn ordinary_names_do_not_look_like_identifiers() {
    let ids = ["1", "u1", ""];
    for name in [
        "Ann",
        "Room 1",
        "u1 and u2",
        "Team 2024",
        "@ann",
        "a @ b",
        "",
    ] {
        assert!(!looks_like_identifier(name, &ids), "{name}");
    }
    assert!(looks_like_identifier(" u1 ", &ids));
}

proptest! {
    #[test]
    fn the_hidden_part_of_an_id_is_never_shown(
        key: [u8; KEY_BYTES],
        scheme in "([a-z]{1,8}:)?",
        id in "[0-9+@.-]{9,20}",
    ) {
        let made = Pseudonyms::new(key);
        let whole = format!("{scheme}{id}");
        prop_assert!(!made.chat(&whole).contains(&id));
        prop_assert!(!made.sender(&id).contains(&id));
    }

    #[test]
    fn pseudonyms_have_one_shape_whatever_the_id(id in any::<String>()) {
        let made = pseudonyms(1).chat(&id);
        let digits = made.rsplit(':').next().unwrap_or_default();
        prop_assert_eq!(digits.len(), 12);
        prop_assert!(digits.chars().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase()));
        prop_assert!(!made.contains(char::is_whitespace));
    }
}
