//! The turn that is played: what the model asks for, one answer after the other, and what must come of it.
//!
//! The model answers by how far the conversation has come, so it says the same however often it is asked.

use std::fs;
use std::path::Path;
use std::time::Duration;

use angelia_testkit::fakes::model::{Heard, Piece, Reply, Script};
use serde_json::{Value, json};

/// Answers of the model in one turn.
pub(crate) const ANSWERS: usize = 12;

/// Commands of the turn that run in the foreground.
pub(crate) const FOREGROUND: usize = 3;

/// The answers that ask for them.
pub(crate) const COMMANDS: [usize; FOREGROUND] = [3, 8, 11];

/// What stands in the reply in the end.
pub(crate) const REPLY: &str = "All of it is done.";

/// Between two pieces of an answer, and within a command: long enough for a kill to fall into it.
const PAUSE: Duration = Duration::from_millis(30);

/// The script for turns whose first words name them, with their things in `folder`.
pub(crate) fn script(folder: &Path) -> Script {
    let folder = folder.to_owned();
    Script::new(move |heard, _| answer(heard, &folder))
}

fn answer(heard: &Heard, folder: &Path) -> Reply {
    let messages = heard.body["messages"].as_array().unwrap();
    let place = messages.iter().rposition(|one| one["role"] == "user");
    let (said, behind) = messages.split_at(place.unwrap() + 1);
    let turn = said.last().unwrap()["content"].as_str().unwrap();
    let turn = turn.split_whitespace().last().unwrap();
    let answers = behind.iter().filter(|one| one["role"] == "assistant");
    let number = answers.count() + 1;
    let Some((tool, arguments)) = call(number, turn, folder, behind) else {
        return Reply::of([
            Piece::Say("All of ".to_owned()),
            Piece::Pause(PAUSE),
            Piece::Say("it is ".to_owned()),
            Piece::Pause(PAUSE),
            Piece::Say("done.".to_owned()),
        ]);
    };
    Reply::of([
        Piece::Say("Step ".to_owned()),
        Piece::Pause(PAUSE),
        Piece::Say(format!("{number}.")),
        Piece::Call {
            id: format!("call-{number}"),
            name: tool.to_owned(),
            arguments,
        },
    ])
}

/// What the `number`-th answer asks for; nothing if it is the last.
fn call(
    number: usize,
    turn: &str,
    folder: &Path,
    behind: &[Value],
) -> Option<(&'static str, Value)> {
    let (at, pause) = (folder.display(), PAUSE.as_secs_f64());
    let (first, second) = (format!("{turn}/first.txt"), format!("{turn}/second.txt"));
    let run = |command: String| ("terminal", json!({ "command": command, "workdir": folder }));
    Some(match number {
        1 => ("write_file", json!({ "path": first, "content": "alpha\n" })),
        2 => (
            "edit_file",
            json!({ "path": first, "old_text": "alpha", "new_text": "beta" }),
        ),
        3 => run(format!(
            "echo one >>{at}/{turn}.commands; sleep {pause}; echo ran"
        )),
        4 => ("read_file", json!({ "path": first })),
        5 => {
            let command = format!("echo begun >>{at}/{turn}.background; sleep 0.1; echo over");
            let arguments = json!({
                "command": command, "workdir": folder, "background": true, "stdin": "closed",
            });
            ("terminal", arguments)
        }
        6 => {
            let process = started(behind);
            (
                "process",
                json!({ "action": "wait", "session_id": process, "timeout": 20 }),
            )
        }
        7 => (
            "write_file",
            json!({ "path": second, "content": "one\ntwo\n" }),
        ),
        8 => run(format!(
            "rm -rf {at}/{turn}.victim && sleep {pause} && echo gone"
        )),
        9 => (
            "edit_file",
            json!({ "path": second, "old_text": "two", "new_text": "three" }),
        ),
        10 => ("search_files", json!({ "content": "three", "path": turn })),
        11 => run(format!(
            "echo two >>{at}/{turn}.commands; sleep {pause}; echo ran"
        )),
        _ => return None,
    })
}

/// The answers of `turn` whose calls somebody who was asked this was told to be of unknown outcome.
pub(crate) fn unknown(heard: &Heard, turn: &str) -> Vec<usize> {
    let messages = heard.body["messages"].as_array().unwrap();
    let place = messages.iter().rposition(|one| one["role"] == "user");
    let (said, behind) = messages.split_at(place.unwrap() + 1);
    let words = said.last().unwrap()["content"].as_str().unwrap();
    if words.split_whitespace().last() != Some(turn) {
        return Vec::new();
    }
    let results = behind.iter().filter(|one| one["role"] == "tool");
    let told = results.filter(|one| is_unknown(one["content"].as_str().unwrap()));
    told.map(|one| {
        let id = one["tool_call_id"].as_str().unwrap();
        id.trim_start_matches("call-").parse().unwrap()
    })
    .collect()
}

/// Whether a result says that nobody knows what became of its call.
pub(crate) fn is_unknown(result: &str) -> bool {
    let told = serde_json::from_str::<Value>(result);
    told.is_ok_and(|told| told["status"] == "unknown")
}

/// The id of the process that was started in this turn.
fn started(behind: &[Value]) -> String {
    let results = behind.iter().filter(|one| one["role"] == "tool");
    let told = results.filter_map(|one| serde_json::from_str(one["content"].as_str()?).ok());
    let mut ids = told.filter_map(|told: Value| Some(told["session_id"].as_str()?.to_owned()));
    ids.next().unwrap_or_default()
}

/// What a turn leaves in the world besides words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Traces {
    pub(crate) first: String,
    pub(crate) second: String,
    pub(crate) background: String,
    /// How often each command of the foreground ran.
    pub(crate) ran: [usize; FOREGROUND],
}

/// What somebody leaves for a turn to remove.
pub(crate) fn prepare(turn: &str, folder: &Path) {
    fs::create_dir_all(folder.join(format!("{turn}.victim"))).unwrap();
}

/// What `turn` left behind.
pub(crate) fn traces(turn: &str, folder: &Path, workspace: &Path) -> Traces {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let commands = read(&folder.join(format!("{turn}.commands")));
    let times = |word: &str| commands.lines().filter(|line| *line == word).count();
    let is_gone = !folder.join(format!("{turn}.victim")).exists();
    Traces {
        first: read(&workspace.join(turn).join("first.txt")),
        second: read(&workspace.join(turn).join("second.txt")),
        background: read(&folder.join(format!("{turn}.background"))),
        ran: [times("one"), usize::from(is_gone), times("two")],
    }
}
