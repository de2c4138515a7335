//! Keys as the browser's protocol wants them: a name, a number and what they write.

use serde_json::{Value, json};

/// The two halves of one stroke. A key of one character writes itself.
pub(super) fn stroke(key: &str) -> [Value; 2] {
    let (number, text) = match key {
        "Enter" => (13, "\r"),
        "Tab" => (9, ""),
        "Escape" => (27, ""),
        "ArrowUp" => (38, ""),
        "ArrowDown" => (40, ""),
        _ => (0, key),
    };
    let down = json!({
        "type": if text.is_empty() { "rawKeyDown" } else { "keyDown" },
        "key": key, "code": named(key), "windowsVirtualKeyCode": number, "text": text,
    });
    let up = json!({
        "type": "keyUp", "key": key, "code": named(key), "windowsVirtualKeyCode": number,
    });
    [down, up]
}

/// Keys with a name are called the same wherever they lie; for letters nobody here asks.
fn named(key: &str) -> &str {
    if key.chars().count() > 1 { key } else { "" }
}
