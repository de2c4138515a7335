use serde_json::{Value, json};

use super::{Call, Mode, Progress, line};

fn begin(progress: &mut Progress, tool: &str, about: &str) {
    progress.begin(&Call {
        tool,
        about,
        arguments: &Value::Null,
    });
}

fn lines(mode: Mode) -> String {
    let mut progress = Progress::new(mode, 0);
    for (tool, about) in [("read", "a"), ("read", "a"), ("read", "b"), ("write", "b")] {
        begin(&mut progress, tool, about);
    }
    progress.text()
}

#[test]
fn a_place_says_how_much_it_is_told() {
    assert_eq!(lines(Mode::Off), "");
    assert_eq!(lines(Mode::New), "⚙️ read: \"a\"\n⚙️ write: \"b\"");
    assert_eq!(
        lines(Mode::All),
        "⚙️ read: \"a\" (×2)\n⚙️ read: \"b\"\n⚙️ write: \"b\""
    );
}

#[test]
fn a_talkative_line_has_the_arguments() {
    let arguments = json!({"command": "ls", "n": [1, 2]});
    let call = Call {
        tool: "terminal",
        about: "ls",
        arguments: &arguments,
    };
    assert_eq!(
        line(&call, Mode::Verbose, 0),
        "terminal(command, n)\n{\"command\": \"ls\", \"n\": [1, 2]}"
    );
    assert_eq!(
        line(&call, Mode::Verbose, 12),
        "terminal(command, n)\n{\"command..."
    );
}

#[test]
fn a_line_is_cut_in_characters() {
    let call = Call {
        tool: "t",
        about: &"漢".repeat(50),
        arguments: &Value::Null,
    };
    assert_eq!(
        line(&call, Mode::All, 10),
        format!("t: \"{}...\"", "漢".repeat(7))
    );
}
