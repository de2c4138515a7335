use proptest::prelude::*;

use super::reading::{Shown, html, markdown_v2};
use super::{Dialect, Message, Range, Style, render};
use crate::text::{Limit, Unit};

fn utf16(max: usize) -> Limit {
    Limit {
        max,
        unit: Unit::Utf16,
    }
}

fn texts(markdown: &str, dialect: Dialect, max: usize) -> Vec<String> {
    let messages = render(markdown, dialect, utf16(max));
    messages.into_iter().map(|message| message.text).collect()
}

fn whole(markdown: &str, dialect: Dialect) -> String {
    texts(markdown, dialect, 1 << 30).concat()
}

#[test]
fn nothing_to_show_is_no_message() {
    for dialect in Dialect::ALL {
        assert!(render("", dialect, utf16(100)).is_empty());
        assert!(render(" \n\n ", dialect, utf16(100)).is_empty());
    }
}

#[test]
fn what_only_means_something_to_markdown_is_shown_as_it_is() {
    assert_eq!(
        whole("[a]: https://e.org", Dialect::Plain),
        "[a]: https://e.org"
    );
    assert_eq!(whole("```\n```", Dialect::TelegramHtml), "```\n```");
}

#[test]
fn tables_become_entries_everywhere() {
    let table = "| a | b |\n|---|---|\n| **1** | 2 |\n| 3 |  |";
    assert_eq!(whole(table, Dialect::Discord), "**1**\n• b: 2\n\n**3**");
    assert_eq!(whole(table, Dialect::Plain), "1\n• b: 2\n\n3");
    assert_eq!(whole("| a | b |\n|---|---|", Dialect::Slack), "*a | b*");
    let surplus = "| a | b |\n|---|---|\n| 1 | 2 | 3 | and words";
    assert_eq!(whole(surplus, Dialect::Plain), "1\n• b: 2\n• 3 | and words");
}

#[test]
fn entries_are_numbered_and_indented_under_their_own() {
    let list = "3. a\n   b\n4. c\n   - d\n     - e";
    assert_eq!(
        whole(list, Dialect::Plain),
        "3. a\n   b\n4. c\n   - d\n     - e"
    );
    assert_eq!(
        whole("- [ ] a\n- [x] b", Dialect::Signal),
        "• [ ] a\n• [x] b"
    );
}

#[test]
fn words_of_a_model_cannot_call_everybody_on_slack() {
    assert_eq!(
        whole("<!channel> & <@U1>", Dialect::Slack),
        "&lt;!channel&gt; &amp; &lt;@U1&gt;"
    );
    assert_eq!(
        whole("[x](https://e.org/a|b>c)", Dialect::Slack),
        "<https://e.org/a%7Cb%3Ec|x>"
    );
}

#[test]
fn code_that_holds_a_fence_does_not_end_early() {
    let code = "~~~\na\n```\nb\n~~~";
    for dialect in [Dialect::Slack, Dialect::Discord, Dialect::WhatsApp] {
        let text = whole(code, dialect);
        assert_eq!(text.matches("```").count(), 2, "{text}");
    }
    assert_eq!(whole("a `` b`c `` d", Dialect::WhatsApp), "a b`c d");
}

#[test]
fn discord_gets_escapes_only_where_a_character_would_mean_something() {
    assert_eq!(
        whole("snake_case and 2 * 3", Dialect::Discord),
        "snake_case and 2 * 3"
    );
    assert_eq!(
        whole("\\*a\\* \\_b\\_", Dialect::Discord),
        "\\*a\\* \\_b\\_"
    );
    assert_eq!(
        whole("https://e.org/a__ x", Dialect::Discord),
        "https://e.org/a__ x"
    );
    assert_eq!(whole("\\# no title", Dialect::Discord), "\\# no title");
    assert_eq!(whole("C:\\dir", Dialect::Discord), "C:\\dir");
}

#[test]
fn signal_is_told_ranges_in_utf16_units() {
    let message = Message {
        text: "😀 bold x".to_owned(),
        ranges: vec![
            Range {
                start: 3,
                len: 4,
                style: Style::Bold,
            },
            Range {
                start: 8,
                len: 1,
                style: Style::Mono,
            },
        ],
    };
    assert_eq!(
        render("😀 **bold** `x`", Dialect::Signal, utf16(99)),
        [message]
    );
}

#[test]
fn ranges_begin_anew_in_each_message() {
    let messages = render("**aaaa bbbb cccc**", Dialect::Signal, utf16(10));
    let ranges: Vec<(usize, usize)> = messages
        .iter()
        .map(|it| (it.ranges[0].start, it.ranges[0].len))
        .collect();
    assert_eq!(ranges, [(0, 9), (0, 4)]);
}

#[test]
fn a_style_that_is_cut_is_closed_and_opened_again() {
    assert_eq!(
        texts("**aaaa bbbb cccc**", Dialect::TelegramMarkdown, 11),
        ["*aaaa bbbb*", "*cccc*"]
    );
    assert_eq!(
        texts("[aaaa bbbb](u) c", Dialect::Discord, 12),
        ["[aaaa](u)", "[bbbb](u) c"]
    );
}

#[test]
fn code_is_closed_and_opened_with_its_language_and_keeps_its_indentation() {
    let code = "```rust\nfn a() {\n    b();\n        c();\n}\n```";
    assert_eq!(
        texts(code, Dialect::TelegramMarkdown, 28),
        [
            "```rust\nfn a() {\n```",
            "```rust\n    b();\n```",
            "```rust\n        c();\n}\n```",
        ]
    );
}

#[test]
fn code_does_not_begin_at_the_end_of_a_message() {
    let text = "some words before the code\n\n```\nlet a = 1;\n```";
    assert_eq!(
        texts(text, Dialect::Slack, 36),
        ["some words before the code", "```\nlet a = 1;\n```"]
    );
}

#[test]
fn quoted_lines_are_quoted_in_every_message() {
    assert_eq!(
        texts("> aaaa\n> bbbb\n> cccc", Dialect::WhatsApp, 14),
        ["> aaaa\n> bbbb", "> cccc"]
    );
}

#[test]
fn an_address_too_long_for_a_message_is_written_behind_its_words() {
    let url = format!("https://e.org/{}", "a".repeat(60));
    let parts = texts(&format!("[x]({url})"), Dialect::TelegramHtml, 40);
    assert_eq!(parts.concat(), format!("x({url})"));
    assert!(parts.iter().all(|part| part.len() <= 40));
}

#[test]
fn a_letter_with_more_marks_than_a_message_holds_is_parted() {
    let letter = format!("a{}", "\u{301}".repeat(100));
    let parts = texts(&letter, Dialect::Plain, 40);
    assert_eq!(parts.concat(), letter);
    assert!(parts.iter().all(|part| part.chars().count() <= 40));
}

fn read(dialect: Dialect, text: &str) -> Result<String, String> {
    let shown = |shown: Shown| shown.text;
    match dialect {
        Dialect::TelegramMarkdown => markdown_v2(text).map(shown),
        Dialect::TelegramHtml => html(text).map(shown),
        Dialect::Plain
        | Dialect::Slack
        | Dialect::Discord
        | Dialect::Signal
        | Dialect::WhatsApp => Ok(text.to_owned()),
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).collect()
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zäß漢😀🇩🇪]{1,9}",
        3 => Just(" ".to_owned()),
        2 => Just("\n".to_owned()),
        2 => Just("\n\n".to_owned()),
        1 => "[*_~`|]{1,3}",
        1 => "[-.!(){}#>+=<&\\\\\"\\[\\]]{1,2}",
        1 => Just("👩‍👧 ".to_owned()),
        1 => Just("\n- ".to_owned()),
        1 => Just("\n  - ".to_owned()),
        1 => Just("\n7. ".to_owned()),
        1 => Just("\n> ".to_owned()),
        1 => Just("\n# ".to_owned()),
        1 => Just("\n```rust\n    fn a() {}\n\n\tlet b;\n```\n".to_owned()),
        1 => Just("\n```\n".to_owned()),
        1 => Just("\n| a | b |\n|---|---|\n| c | *d* |\n".to_owned()),
    ]
}

fn markdown() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_message_is_within_the_limit_and_valid_alone(text in markdown(), max in 16_usize..200) {
        for dialect in Dialect::ALL {
            for message in render(&text, dialect, utf16(max)) {
                prop_assert!(Unit::Utf16.len(&message.text) <= max, "{dialect:?} {message:?}");
                let shown = read(dialect, &message.text);
                prop_assert!(shown.is_ok(), "{dialect:?} {message:?} {shown:?}");
                prop_assert!(!message.text.trim().is_empty(), "{dialect:?}");
            }
        }
    }

    #[test]
    fn every_word_arrives_once_and_in_order(text in markdown(), max in 16_usize..200) {
        for dialect in Dialect::ALL {
            let all = letters(&read(dialect, &whole(&text, dialect)).unwrap());
            let parts = texts(&text, dialect, max);
            let shown: String = parts.iter().map(|it| read(dialect, it).unwrap()).collect();
            // The names of languages are repeated with each part of their code.
            let (all, shown) = (all.replace("rust", ""), letters(&shown).replace("rust", ""));
            prop_assert_eq!(all, shown, "{:?} {:?}", dialect, parts);
        }
    }

    #[test]
    fn no_message_begins_inside_of_a_letter(text in markdown(), max in 32_usize..200) {
        for dialect in Dialect::ALL {
            for part in texts(&text, dialect, max) {
                let first = read(dialect, &part).unwrap().chars().next();
                prop_assert!(first != Some('\u{200d}'), "{part}");
            }
        }
    }

    #[test]
    fn ranges_are_within_their_message(text in markdown(), max in 16_usize..200) {
        for message in render(&text, Dialect::Signal, utf16(max)) {
            let len = Unit::Utf16.len(&message.text);
            for range in &message.ranges {
                prop_assert!(range.len > 0 && range.start + range.len <= len, "{message:?}");
            }
        }
    }
}
