//! What a message asks of the demo agent.

use std::time::Duration;

use angelia_core::process::Mode;

/// The longest `sleep`, the most words of `stream` and the longest text of `long`.
const SLEEP_MAX: Duration = Duration::from_secs(3600);
const WORDS_MAX: u32 = 10_000;
const CHARS_MAX: usize = 500_000;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Request {
    /// The words, back.
    Echo(String),
    /// An answer after a while.
    Sleep(Duration),
    /// So many words, one at a time.
    Stream(u32),
    /// So many characters, with code fences.
    Long(usize),
    /// A tool, and the words for it.
    Call(Tool, String),
    /// A failure.
    Fail,
    /// Anything else.
    Other,
}

/// Which tool, and how its result is said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tool {
    /// A command for the shell, and what it says.
    Run,
    /// A command that runs in the background, and how one talks to it.
    Start(Mode),
    /// Any tool, with arguments and a result in JSON.
    Named(String),
}

/// Reads the first word as a command. A command without its argument is ordinary talk.
pub(super) fn request(text: &str) -> Request {
    let text = text.trim();
    let (command, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let argument = argument.trim();
    match (command, argument) {
        ("fail", "") => Request::Fail,
        ("echo", words) if !words.is_empty() => Request::Echo(words.to_owned()),
        ("run", command) if !command.is_empty() => Request::Call(Tool::Run, command.to_owned()),
        ("start", command) if !command.is_empty() => start(command),
        ("tool", call) => call
            .split_once(char::is_whitespace)
            .filter(|(_, arguments)| arguments.trim_start().starts_with('{'))
            .map_or(Request::Other, |(tool, arguments)| {
                Request::Call(Tool::Named(tool.to_owned()), arguments.trim().to_owned())
            }),
        ("sleep", seconds) => seconds
            .parse()
            .ok()
            .and_then(pause)
            .map_or(Request::Other, Request::Sleep),
        ("stream", words) => words.parse().map_or(Request::Other, |words: u32| {
            Request::Stream(words.min(WORDS_MAX))
        }),
        ("long", chars) => chars.parse().map_or(Request::Other, |chars: usize| {
            Request::Long(chars.min(CHARS_MAX))
        }),
        _ => Request::Other,
    }
}

/// A command for the background: `--pty` before it gives it a terminal.
fn start(command: &str) -> Request {
    match command.split_once(char::is_whitespace) {
        Some(("--pty", rest)) => {
            Request::Call(Tool::Start(Mode::Pty), rest.trim_start().to_owned())
        }
        Some(_) | None => Request::Call(Tool::Start(Mode::Pipe), command.to_owned()),
    }
}

fn pause(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .map(|pause| pause.min(SLEEP_MAX))
}
