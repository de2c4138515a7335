//! What is kept of an output that somebody waits for.

use angelia_process::window::Window;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    limit: usize,
    chunks: Vec<Chunk>,
    suffix: String,
    expect: Expected,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Chunk {
    Text(String),
    Repeated { text: String, count: usize },
}

#[derive(Deserialize)]
struct Expected {
    text: Text,
    buffered: usize,
    total: usize,
}

/// A text, or what is told of a long one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Long {
        chars: usize,
        head: String,
        tail: String,
    },
}

#[test]
fn the_window_is_the_same() {
    for case in super::cases::<Case>("processes/capture_window.json") {
        let mut window = Window::new(case.limit);
        for chunk in &case.chunks {
            match chunk {
                Chunk::Text(text) => window.push(text.as_bytes()),
                Chunk::Repeated { text, count } => window.push(text.repeat(*count).as_bytes()),
            }
        }
        assert_eq!(window.total(), case.expect.total, "{}", case.id);
        assert_eq!(window.kept(), case.expect.buffered, "{}", case.id);
        let ours = window.into_text(&case.suffix);
        match case.expect.text {
            Text::Whole(text) => assert_eq!(ours, text, "{}", case.id),
            Text::Long { chars, head, tail } => {
                assert_eq!(ours.chars().count(), chars, "{}", case.id);
                assert!(
                    ours.starts_with(&head) && ours.ends_with(&tail),
                    "{}",
                    case.id
                );
            }
        }
    }
}
