use proptest::prelude::*;

use super::kept_from;
use crate::mask::{Masker, Surface};

const KEY: &str = "sk-AbCdEfGhIjKlMnOpQrStUvWx";

fn masker() -> Masker {
    Masker::new(["correct horse battery".to_owned(), "qzqzzqqz".to_owned()])
}

fn growing(text: &str) -> String {
    masker().growing(text, Surface::Reply)
}

#[test]
fn a_key_is_seen_when_it_is_whole_and_never_before() {
    assert_eq!(growing("the key is s"), "the key is ");
    assert_eq!(growing("the key is sk-AbCdEfGhIjKl"), "the key is ");
    assert_eq!(growing(&format!("the key is {KEY}")), "the key is ");
    let whole = growing(&format!("the key is {KEY} and"));
    assert_eq!(whole, "the key is sk-AbC...UvWx and");
}

#[test]
fn a_known_value_whose_end_looks_like_its_beginning_is_not_torn() {
    for (text, before) in [("say qzqzzqqz", "say "), ("say abcdefghabc", "say ")] {
        let masker = Masker::new(["qzqzzqqz".to_owned(), "abcdefghabc".to_owned()]);
        assert_eq!(masker.growing(text, Surface::Reply), before);
        let more = masker.growing(&format!("{text}\n"), Surface::Reply);
        assert!(!more.contains(&text[4..7]), "{more}");
    }
}

#[test]
fn ordinary_words_are_seen_as_they_come() {
    for text in [
        "I will look at the files here.",
        "It is 2024, about 3.5 percent (of README.md)",
        "Well, I don't know what GitHub sa",
        "**Bold** and `code`",
        "a question?",
        "密钥在哪里，我不知道",
        "Ничего не знаю",
        "",
    ] {
        assert_eq!(growing(text), text);
    }
}

#[test]
fn a_key_in_a_writing_without_blanks_holds_back_itself_only() {
    assert_eq!(growing("密钥是sk-AbCd"), "密钥是");
    let whole = growing(&format!("密钥是{KEY}，请保管好它"));
    assert_eq!(whole, "密钥是sk-AbC...UvWx，请保管好它");
}

#[test]
fn a_value_with_a_telling_name_waits_for_its_end() {
    assert_eq!(
        growing("Set\nDB_PASSWORD=\"my secret phra"),
        "Set\nDB_PASSWORD="
    );
    let whole = growing("Set\nDB_PASSWORD=\"my secret phrase\" there");
    assert_eq!(whole, "Set\nDB_PASSWORD=\"***\" there");
    assert_eq!(growing("{\n\"token\": \"one two three four fi"), "{\n");
    assert_eq!(
        growing("use\nAuthorization: Digest a=\"b\", c=\"d\", e"),
        "use\n"
    );
    assert_eq!(growing("so\npassword: пароль-который-длинный"), "so\n");
}

#[test]
fn a_line_goes_on_after_what_is_hidden_in_it() {
    let shown = growing("password=hunter22 is what they use");
    assert_eq!(shown, "password=*** is what they use");
}

#[test]
fn what_somebody_bears_waits_for_its_end() {
    assert_eq!(growing("Bearer abcdefg"), "Bearer ");
}

#[test]
fn values_of_this_install_are_not_begun_either() {
    assert_eq!(growing("it is correct horse bat"), "it is ");
    assert_eq!(
        growing("it is correct horse sense, then"),
        "it is correct horse sense, then"
    );
    assert_eq!(growing("it is qzqz"), "it is ");
}

#[test]
fn lines_of_a_key_that_lost_its_beginning_wait_for_what_follows() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    for end in ["", "\n", "\nAbCd", "\nAbCd==\n-----END PRI"] {
        assert_eq!(growing(&format!("here:\n{line}{end}")), "here:\n");
    }
    let text = format!("here:\n{line}\nis what it says");
    assert_eq!(growing(&text), text);
    assert_eq!(growing("here:\nMIIEvQIBADANBg"), "here:\n");
}

#[test]
fn parameters_wait_until_it_is_known_what_they_are() {
    assert_eq!(growing("A_TOKEN=abc&b=1 "), "");
    assert!(!growing("A_TOKEN=abc&b=1 and so on").contains("abc"));
}

#[test]
fn what_is_kept_of_a_long_text_begins_with_a_line_or_a_word() {
    assert_eq!(kept_from("token: abcdef\nmore words", 9), 13);
    assert_eq!(kept_from("token: abcdef more words", 9), 13);
    assert_eq!(kept_from("öööö", 3), 4);
}

/// A secret as it may stand in a text: what goes before, itself, and what ends it.
fn secrets() -> impl Strategy<Value = (String, String, String)> {
    let body = "[qzQZ7]{24,40}";
    let lower = "[qz]{10}[QZ7]{14,20}";
    let phrase = "[qz]{5} [qz]{6} [QZ7]{9} [qz]{4}";
    let after = prop_oneof![Just(" "), Just("\n"), Just(", "), Just(")\n")];
    let words = prop_oneof![Just(" "), Just("\n")];
    prop_oneof![
        (
            prop_oneof![Just("sk-"), Just("ghp_"), Just("(npm_")],
            lower,
            after.clone()
        )
            .prop_map(|(a, b, c)| (a.to_owned(), b, c.to_owned())),
        (Just("Authorization: Bearer "), body, words.clone()).prop_map(|(a, b, c)| (
            a.to_owned(),
            b,
            c.to_owned()
        )),
        (
            prop_oneof![Just("\nDB_PASSWORD="), Just("\ntoken: "), Just("bearer ")],
            lower,
            Just("\n")
        )
            .prop_map(|(a, b, c)| (a.to_owned(), b, c.to_owned())),
        (Just("\"api_key\": \""), phrase, Just("\", ")).prop_map(|(a, b, c)| (
            a.to_owned(),
            b,
            c.to_owned()
        )),
        (Just("DB_PASSWORD='"), phrase, Just("' ")).prop_map(|(a, b, c)| (
            a.to_owned(),
            b,
            c.to_owned()
        )),
        (Just("postgres://u:"), body, Just("@db/x ")).prop_map(|(a, b, c)| (
            a.to_owned(),
            b,
            c.to_owned()
        )),
        (Just("123456789:"), body, words).prop_map(|(a, b, c)| (
            a.to_owned(),
            format!("{b}qqqqqqqq"),
            c.to_owned()
        )),
        (Just("eyJ"), body, Just(" ")).prop_map(|(a, b, c)| (a.to_owned(), b, c.to_owned())),
        (
            Just("-----BEGIN PRIVATE KEY-----\n"),
            body,
            Just("\n-----END PRIVATE KEY-----\n")
        )
            .prop_map(|(a, b, c)| (a.to_owned(), b, c.to_owned())),
        (
            Just("\n"),
            "M[QZ7][qzQZ7]{38}\n[qzQZ7]{40}\n[qzQZ]{5}",
            Just("\n-----END PRIVATE KEY-----\n")
        )
            .prop_map(|(a, b, c)| (a.to_owned(), b, c.to_owned())),
    ]
}

fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("word "),
        Just("and, "),
        Just("so\n"),
        Just("= "),
        Just("x: "),
        Just("它是，"),
        Just("- "),
        Just("\n\n"),
        Just("\""),
        Just("it's "),
        Just("Bearer "),
    ];
    prop::collection::vec(word, 0..6).prop_map(|words| words.concat())
}

/// The longest piece of a secret that may be seen by chance.
const PIECE: usize = 5;

proptest! {
    #[test]
    fn nothing_of_a_secret_is_seen_that_its_mask_does_not_show(
        (before, (name, secret, end), after) in (words(), secrets(), words())
    ) {
        let text = format!("{before}{name}{secret}{end}{after}");
        let whole = masker().shown(&text, Surface::Reply).into_owned();
        let letters: Vec<char> = secret.chars().collect();
        let pieces = letters.windows(PIECE).map(|piece| piece.iter().collect::<String>());
        let hidden: Vec<String> = pieces.filter(|piece| !whole.contains(piece.as_str())).collect();
        for (cut, _) in text.char_indices() {
            let seen = growing(&text[..cut]);
            for piece in &hidden {
                prop_assert!(!seen.contains(piece.as_str()), "{piece:?} of {text:?} is seen: {seen:?}");
            }
        }
    }

    #[test]
    fn what_is_seen_of_a_text_without_secrets_is_its_beginning(before in words(), cut in 0_usize..60) {
        let text = &before[..before.floor_char_boundary(cut)];
        prop_assert!(text.starts_with(&growing(text)));
    }
}
