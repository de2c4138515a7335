//! Texts in a command's arguments that are read as commands again.

use super::call::Call;
use super::rules::{self, is_shell, shell_command};
use super::shell::{Redirect, Word};
use super::wrapper;

/// A text that is read as commands.
pub(super) struct Payload {
    pub(super) text: String,
    pub(super) runs: Runs,
}

/// Where it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    Here,
    /// On another machine.
    Elsewhere,
}

/// Options of ssh that take a value.
const SSH_VALUED: &str = "BbcDEeFIiJLlmOopQRSWw";

/// The texts that a call reads as commands.
pub(super) fn payloads(call: &Call<'_>) -> Vec<Payload> {
    let program = call.program();
    let text = match program.as_str() {
        "ssh" | "mosh" => return remote(call),
        "eval" => Some(joined(call.arguments())),
        "trap" => call.operands().first().map(|text| (*text).to_owned()),
        "watch" => Some(joined(wrapper::behind(call.arguments(), "n"))),
        "su" | "runuser" | "script" | "flock" => option(call, "-c", "--command"),
        "env" => option(call, "-S", "--split-string"),
        shell if is_shell(shell) => shell_command(call).map(str::to_owned),
        _ => None,
    };
    let written = is_shell(&program).then(|| here_texts(call));
    let texts = text.into_iter().chain(written.into_iter().flatten());
    let texts = texts.chain(outputs(call, &program));
    texts
        .map(|text| Payload {
            text,
            runs: Runs::Here,
        })
        .collect()
}

/// What a shell is given as its input, if that is written into the command.
fn here_texts(call: &Call<'_>) -> Vec<String> {
    let text = |redirect: &Redirect| match redirect {
        Redirect::Text(cell) => cell.get().map(|word| word.text.clone()),
        Redirect::From(_) | Redirect::To(_) => None,
    };
    call.simple.redirects.iter().filter_map(text).collect()
}

/// What other commands write for this one to run: `bash <(echo x)`, `eval $(echo x)`, `$(echo x)`.
fn outputs(call: &Call<'_>, program: &str) -> Vec<String> {
    let reads = is_shell(program) || matches!(program, "eval" | "source" | "." | "");
    let scripts = rules::inner(call).filter(|_| reads);
    scripts.flat_map(rules::said).collect()
}

/// The command behind the name of a host, and what is written into its input.
fn remote(call: &Call<'_>) -> Vec<Payload> {
    let words = wrapper::behind(call.arguments(), SSH_VALUED);
    let command = words.get(1..).map(joined);
    let texts = command.into_iter().chain(here_texts(call));
    let runs = Runs::Elsewhere;
    texts.map(|text| Payload { text, runs }).collect()
}

fn joined(words: &[Word]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

/// The value of an option: behind it, or in the same word.
fn option(call: &Call<'_>, short: &str, long: &str) -> Option<String> {
    let mut texts = call.texts();
    while let Some(text) = texts.next() {
        if text == short || text == long || bundled(text, short) {
            return texts.next().map(str::to_owned);
        }
        let attached = text
            .strip_prefix(long)
            .and_then(|rest| rest.strip_prefix('='));
        let attached = attached.or_else(|| text.strip_prefix(short));
        if let Some(value) = attached {
            return Some(value.to_owned());
        }
    }
    None
}

/// Whether a bundle of short options ends with this one.
fn bundled(text: &str, short: &str) -> bool {
    let letter = short.trim_start_matches('-');
    text.starts_with('-') && !text.starts_with("--") && text.ends_with(letter)
}
