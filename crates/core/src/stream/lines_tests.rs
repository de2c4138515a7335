use serde_json::{Value, json};

use super::Lines;
use crate::address::Platform;
use crate::display::{Display, Layer};
use crate::turn::shown::{Kind, Shown, State};

fn lines(written: Value) -> Lines {
    let (layer, problems) = Layer::read(written.as_object().unwrap());
    assert!(problems.is_empty(), "{problems:?}");
    Lines::new(&Display::of(Platform::Telegram, &layer, &Layer::default()))
}

fn call(id: &str, tool: &str, input: Value) -> Shown {
    Shown {
        title: Some(tool.to_owned()),
        input: Some(input),
        ..Shown::new(id, Kind::Tool, State::Running)
    }
}

#[test]
fn a_message_of_lines_ends_where_words_come_between() {
    let mut lines = lines(json!({ "tool_progress": "all" }));
    lines.part();
    lines.tell(&call(
        "1",
        "terminal",
        json!({ "timeout": "5s", "command": "ls\n-l" }),
    ));
    lines.tell(&call("1", "terminal", json!({ "command": "ls" })));
    lines.part();
    lines.tell(&call("2", "read_file", json!({ "path": "a.txt" })));
    let (text, breaks) = lines.text();
    let first = "⚙️ terminal: \"ls\"";
    assert_eq!(text, format!("{first}⚙️ read_file: \"a.txt\""));
    assert_eq!(breaks, [first.len()]);
    assert_eq!(lines.count(), 2);
}

#[test]
fn where_people_want_it_each_call_is_a_message() {
    let written = json!({ "tool_progress": "all", "tool_progress_grouping": "separate" });
    let mut lines = lines(written);
    for id in ["1", "2", "3"] {
        lines.tell(&call(id, "terminal", json!({ "command": id })));
    }
    assert_eq!(lines.text().1.len(), 2);
}
