//! What a command that somebody waited for is said to have done: its output on the way to the answer.

use angelia_core::limits;
use angelia_core::mask::{shown, surface_of};
use angelia_core::terminal::{exit, sudo, wish};
use angelia_process::text::strip;
use angelia_process::window::Window;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(flatten)]
    what: What,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum What {
    ToolResult {
        args: Arguments,
        backend_results: Vec<Ran>,
        expect: Expected,
    },
    #[serde(other)]
    Elsewhere,
}

#[derive(Deserialize)]
struct Arguments {
    command: String,
    timeout: Option<u64>,
}

/// What came of one run: an error of what runs commands, or an end.
#[derive(Deserialize)]
#[serde(untagged)]
enum Ran {
    Broken(String),
    Ended { output: Output, returncode: i32 },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Output {
    Text(String),
    Repeated { repeat_char: String, chars: usize },
}

#[derive(Deserialize)]
struct Expected {
    result: Value,
    timeout_passed: u64,
}

fn said(output: &Output) -> String {
    match output {
        Output::Text(text) => text.clone(),
        Output::Repeated { repeat_char, chars } => repeat_char.repeat(*chars),
    }
}

/// The output as the answer has it: within its window, without escapes, blanks around it and secrets.
fn answered(command: &str, output: &str) -> String {
    let mut window = Window::new(limits::TOOL_OUTPUT_CHARS_MAX);
    window.push(output.as_bytes());
    let text = strip(&window.into_text(""));
    shown(text.trim(), surface_of(command)).into_owned()
}

#[test]
fn results_are_the_same_and_nothing_is_run_again() {
    let usual = u64::try_from(limits::TOOL_TIME.as_ms() / 1000).unwrap();
    for case in super::cases::<Case>("processes/terminal_rules.json") {
        let id = &case.id;
        let What::ToolResult {
            args,
            backend_results,
            expect,
        } = case.what
        else {
            continue;
        };
        let patience = wish::patience(args.timeout, usual).unwrap();
        assert_eq!(patience, expect.timeout_passed, "{id}");
        let (output, returncode) = match backend_results.first().unwrap() {
            Ran::Ended { output, returncode } => (output, returncode),
            // What broke is told, and not tried again (H-27): nobody knows what a half-run command did.
            Ran::Broken(why) => {
                assert!(expect.result["exit_code"] != 0 && !why.is_empty(), "{id}");
                continue;
            }
        };
        let ours = answered(&args.command, &said(output));
        if let Some(theirs) = expect.result["output"].as_str() {
            assert_eq!(ours, theirs, "{id}");
        } else {
            let theirs = expect.result["output"]["chars"].as_u64().unwrap();
            let theirs = usize::try_from(theirs).unwrap();
            // Ours counts the words about what is missing too.
            let chars = theirs.min(limits::TOOL_OUTPUT_CHARS_MAX);
            assert_eq!(ours.chars().count(), chars, "{id}");
        }
        let has = |key: &str| !expect.result[key].is_null();
        let meaning = exit::meaning(&args.command, *returncode);
        assert_eq!(meaning.is_some(), has("exit_code_meaning"), "{id}");
        let is_refused = sudo::is_refused(&args.command, &ours);
        assert_eq!(is_refused, has("sudo_auth_failed"), "{id}");
    }
}
