use super::messages;
use crate::text::render::reading::html;

fn one(markdown: &str) -> String {
    let mut all = messages(markdown, 60_000);
    assert_eq!(all.len(), 1);
    all.remove(0).html
}

#[test]
fn a_document_keeps_its_shape() {
    assert_eq!(
        one("# A\n\n1. b\n2. **c**\n\n> d\n\n| x | y |\n|---|---|\n| 1 | <2> |"),
        "<h1>A</h1><ol><li>b</li><li><strong>c</strong></li></ol><blockquote><p>d</p></blockquote>\
         <table><thead><tr><th>x</th><th>y</th></tr></thead>\
         <tbody><tr><td>1</td><td>&lt;2&gt;</td></tr></tbody></table>"
    );
}

#[test]
fn lines_stay_lines_and_code_stays_code() {
    assert_eq!(one("a\nb `c<d`"), "<p>a<br>b <code>c&lt;d</code></p>");
    assert_eq!(
        one("```js\n  x\n```"),
        "<pre><code class=\"language-js\">  x</code></pre>"
    );
}

#[test]
fn raw_html_is_text() {
    assert_eq!(
        one("<script>x</script>"),
        "<p>&lt;script&gt;x&lt;/script&gt;</p>"
    );
}

#[test]
fn a_long_text_becomes_several_messages_that_are_valid_alone() {
    let markdown = format!(
        "```rust\n{}```\n\n{}",
        "if a < b {}\n".repeat(100),
        "**word** ".repeat(200)
    );
    let all = messages(&markdown, 500);
    assert!(all.len() > 3);
    for message in &all {
        assert!(message.html.len() <= 500 && message.plain.len() <= 500);
        assert!(
            html(&message.html.replace("<br>", "\n")).is_ok(),
            "{}",
            message.html
        );
    }
    let words: usize = all.iter().map(|it| it.plain.matches("word").count()).sum();
    assert_eq!(words, 200);
}
