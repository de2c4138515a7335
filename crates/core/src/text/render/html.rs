//! Letters in HTML: the four that have a meaning are named.

use super::tongue::Letter;

pub(super) fn escape(letter: &Letter<'_>, out: &mut String) {
    push(letter.text, out);
}

pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push(text, &mut out);
    out
}

pub(super) fn push(text: &str, out: &mut String) {
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
}
