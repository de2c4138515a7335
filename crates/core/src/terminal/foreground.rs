//! Commands that would leave something running, or never end, although somebody waits for their end.
//!
//! They belong in the background, where they are held, shown and told about. Only what a shell would run
//! counts, however it is quoted or wrapped; asking a program for its help is always allowed.

use std::fmt;

use crate::danger;

/// Why a command does not run while somebody waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unending {
    /// It is made to outlive its shell: `nohup`, `disown`, `setsid`.
    Wrapper,
    /// It leaves something running: `&`.
    Ampersand,
    /// It is a server, or watches files.
    LongLived,
}

impl fmt::Display for Unending {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Wrapper => {
                "the command takes itself out of sight (nohup, disown, setsid); leave that away and start it \
                 with background=true, where it is kept and its output can be read"
            }
            Self::Ampersand => {
                "the command leaves something running with `&`; start that with background=true in a call of \
                 its own, and go on with what needs it in the next"
            }
            Self::LongLived => {
                "the command starts a server or a watcher, which does not end; start it with background=true, \
                 wait until its output says that it is ready, and go on in another call"
            }
        })
    }
}

const WRAPPERS: [&str; 3] = ["nohup", "disown", "setsid"];
const RUNNERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
const SCRIPTS: [&str; 4] = ["dev", "start", "serve", "watch"];
const SERVERS: [&str; 3] = ["nodemon", "uvicorn", "gunicorn"];

/// Why a command should not be waited for, if it should not.
#[must_use]
pub fn unending(command: &str) -> Option<Unending> {
    let started = danger::started(command);
    let asked = |words: &&Vec<String>| !asks_for_help(words);
    let mut programs = started.programs.iter().filter(asked);
    if programs
        .clone()
        .any(|words| WRAPPERS.contains(&name(words)))
    {
        return Some(Unending::Wrapper);
    }
    if started.leaves {
        return Some(Unending::Ampersand);
    }
    programs
        .any(|words| is_long_lived(words))
        .then_some(Unending::LongLived)
}

fn name(words: &[String]) -> &str {
    words.first().map_or("", String::as_str)
}

fn asks_for_help(words: &[String]) -> bool {
    let asks = |word: &String| matches!(word.as_str(), "--help" | "-h" | "--version" | "-V");
    words.iter().skip(1).any(asks) || matches!(words, [_, only] if only == "-v")
}

fn is_long_lived(words: &[String]) -> bool {
    let operands: Vec<&str> = operands(words).collect();
    match (name(words), operands.as_slice()) {
        (runner, ["run" | "run-script", script, ..] | [script, ..])
            if RUNNERS.contains(&runner) =>
        {
            SCRIPTS.contains(script)
        }
        ("docker" | "podman", ["compose", rest @ ..]) | ("docker-compose", rest) => {
            is_composed(rest, words)
        }
        ("next", ["dev", ..]) => true,
        ("vite", rest) => !matches!(rest, ["build" | "optimize", ..]),
        ("npx" | "bunx" | "pnpx", [_, ..]) => is_long_lived(&behind_options(words)),
        (program, _) => SERVERS.contains(&program) || serves_files(program, words),
    }
}

fn operands(words: &[String]) -> impl Iterator<Item = &str> {
    let words = words.iter().skip(1).map(String::as_str);
    words.filter(|word| !word.starts_with('-'))
}

fn behind_options(words: &[String]) -> Vec<String> {
    let words = words.iter().skip(1);
    words
        .skip_while(|word| word.starts_with('-'))
        .cloned()
        .collect()
}

/// Containers in the foreground; detached they leave nothing here.
fn is_composed(operands: &[&str], words: &[String]) -> bool {
    let is_detached = |word: &String| matches!(word.as_str(), "-d" | "--detach" | "--wait");
    operands.contains(&"up") && !words.iter().any(is_detached)
}

fn serves_files(program: &str, words: &[String]) -> bool {
    let version = program.strip_prefix("python");
    let is_python =
        version.is_some_and(|rest| rest.chars().all(|c| c == '.' || c.is_ascii_digit()));
    is_python
        && words
            .windows(2)
            .any(|pair| pair[0] == "-m" && pair[1] == "http.server")
}
