use super::escape;
use crate::text::render::reading::{html, markdown_v2};
use crate::text::render::{Dialect, render};
use crate::text::{Limit, Unit};

fn one(markdown: &str, dialect: Dialect) -> String {
    let limit = Limit {
        max: 4096,
        unit: Unit::Utf16,
    };
    let mut messages = render(markdown, dialect, limit);
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.remove(0).text
}

fn entities(markdown: &str) -> Vec<(String, String)> {
    let written = one(markdown, Dialect::TelegramMarkdown);
    let read = markdown_v2(&written).unwrap_or_else(|why| panic!("{written}: {why}"));
    read.entities
}

#[test]
fn an_escaped_text_is_shown_as_it_is() {
    let text = "a_b*c[d](e)~f`g>h#i+j-k=l|m{n}o.p!q\\r";
    let shown = markdown_v2(&escape(text)).unwrap();
    assert_eq!(shown.text, text);
    assert!(shown.entities.is_empty());
}

#[test]
fn styles_in_styles_are_read_as_they_were_meant() {
    assert_eq!(
        entities("***both*** and ~~a **b** c~~"),
        [
            ("bold".into(), "both".into()),
            ("italic".into(), "both".into()),
            ("bold".into(), "b".into()),
            ("strike".into(), "a b c".into()),
        ]
    );
}

#[test]
fn two_italics_in_a_row_are_not_an_underline() {
    assert_eq!(one("*a*_b_", Dialect::TelegramMarkdown), "_a_**_b_");
    assert_eq!(
        entities("*a*_b_"),
        [("italic".into(), "a".into()), ("italic".into(), "b".into())]
    );
}

#[test]
fn an_address_with_brackets_is_one_link() {
    assert_eq!(
        entities("[x](https://e.org/a_(b))"),
        [("link https://e.org/a_(b)".into(), "x".into())]
    );
}

#[test]
fn code_keeps_its_language_and_its_back_ticks() {
    assert_eq!(
        entities("```rust\nlet a = `x\\`;\n```"),
        [("pre rust".into(), "let a = `x\\`;\n".into())]
    );
    assert_eq!(entities("`` a`b ``"), [("code".into(), "a`b".into())]);
}

#[test]
fn quoted_lines_are_one_quote_and_code_leaves_it() {
    assert_eq!(
        one("> a\n> b\n\nc", Dialect::TelegramMarkdown),
        ">a\n>b\n\nc"
    );
    let written = one(
        "> a\n>\n> ```\n> x\n> ```\n>\n> b",
        Dialect::TelegramMarkdown,
    );
    assert_eq!(written, ">a\n\n```\nx\n```\n\n>b");
    assert!(markdown_v2(&written).is_ok());
}

#[test]
fn code_deep_in_a_quote_is_written_line_by_line() {
    let written = one(
        "> - a\n>   ```\n>   x\n>   y\n>   ```",
        Dialect::TelegramMarkdown,
    );
    assert_eq!(written, ">\\- a\n>  `x`\n>  `y`");
    assert!(markdown_v2(&written).is_ok());
}

#[test]
fn html_is_balanced_and_named() {
    let written = one(
        "**a <b>** [x](https://e.org?a=1&b=\"2\")",
        Dialect::TelegramHtml,
    );
    assert_eq!(
        written,
        "<b>a &lt;b&gt;</b> <a href=\"https://e.org?a=1&amp;b=%222%22\">x</a>"
            .replace("%22", "&quot;")
    );
    assert!(html(&written).is_ok());
    assert_eq!(
        one("```rust\na<b\n```", Dialect::TelegramHtml),
        "<pre><code class=\"language-rust\">a&lt;b</code></pre>"
    );
}
