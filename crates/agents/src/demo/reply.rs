//! The fixed words of the demo agent.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

/// After `sleep`.
pub(super) fn slept(pause: Duration) -> String {
    format!("slept {} s", pause.as_secs_f64())
}

/// After `run`: what the command said, and how it ended if that needs saying.
pub(super) fn ran(result: &Value) -> String {
    if let Some(why) = trouble(result) {
        return why;
    }
    let output = result["output"].as_str().unwrap_or_default();
    let ending = match (result["signal"].as_i64(), result["exit_code"].as_i64()) {
        // The output itself says so.
        _ if result["timed_out"] == true => None,
        (Some(signal), _) => Some(format!("[ended by signal {signal}]")),
        (None, Some(0) | None) => None,
        (None, Some(code)) => Some(format!("[exit {code}]")),
    };
    match (output, ending) {
        ("", None) => "(no output)".to_owned(),
        ("", Some(ending)) => ending,
        (output, None) => output.to_owned(),
        (output, Some(ending)) => format!("{output}\n{ending}"),
    }
}

/// After `start`.
pub(super) fn started(result: &Value) -> String {
    if let Some(why) = trouble(result) {
        return why;
    }
    let id = result["session_id"].as_str().unwrap_or_default();
    format!("Started {id}. `angelia processes log {id}` shows what it says.")
}

/// Why nothing came of a call; also what an earlier version wrote down as its whole result.
fn trouble(result: &Value) -> Option<String> {
    result["error"]
        .as_str()
        .or(result.as_str())
        .map(str::to_owned)
}

/// To the end of a process that was started here: what was told about it, without the marks around it.
pub(super) fn ended(told: &str) -> String {
    let (first, rest) = told.split_once('\n').unwrap_or((told, ""));
    let first = first.trim_start_matches('[').trim_end_matches(']');
    format!("{first}\n{rest}").trim_end().to_owned()
}

/// The `number`th word of `stream`.
pub(super) fn word(number: u32) -> String {
    if number == 1 {
        "word1".to_owned()
    } else {
        format!(" word{number}")
    }
}

/// `chars` characters: numbered lines, every other block of ten in a code fence.
pub(super) fn long(chars: usize) -> String {
    let mut text = String::with_capacity(chars + 80);
    let mut line = 0;
    while text.len() < chars {
        if line % 20 == 10 {
            text.push_str("```text\n");
        }
        line += 1;
        text.push_str(&format!(
            "line {line} of a long reply from the demo agent\n"
        ));
        if line % 20 == 0 {
            text.push_str("```\n");
        }
    }
    // The text is ASCII: bytes are characters.
    text.truncate(chars);
    text
}

/// To anything that is no command.
pub(super) fn other(text: &str, config: &Path) -> String {
    format!(
        "{}\n\n(This is the demo agent. To talk to a real one, set `[agent]` in {}.)",
        text.trim(),
        config.display()
    )
}
