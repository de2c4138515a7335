//! Programs that run what is typed into them: shells, interpreters, and what opens one of them.

use super::script::{is_input, is_shell, reads_commands, reads_program};
use crate::danger::call::Call;
use crate::danger::listener::Listener;
use crate::danger::shell::Redirect;
use crate::danger::wrapper;

/// Interpreters that are known only for listening when they are given nothing.
const TALKERS: &[&str] = &[
    "irb",
    "ghci",
    "iex",
    "erl",
    "r",
    "julia",
    "tclsh",
    "ipython",
    "bpython",
    "deno",
    "jshell",
    "gdb",
    "pwsh",
    "powershell",
];

/// Options of ssh that take a value.
const SSH_VALUED: &str = "BbcDEeFIiJLlmOopQRSWw";

/// Who listens when this call is made.
pub(in crate::danger) fn listener(call: &Call<'_>) -> Listener {
    let program = call.program();
    if is_fed(call) {
        return Listener::Nobody;
    }
    if opens_shell(call, &program) {
        return Listener::Shell;
    }
    let is_talker = TALKERS.contains(&program.as_str()) && call.operands().is_empty();
    match is_talker || reads_program(call, &program) {
        true => Listener::Interpreter,
        false => Listener::Nobody,
    }
}

/// Whether its input is a file or a text that is written into the command.
fn is_fed(call: &Call<'_>) -> bool {
    call.simple.redirects.iter().any(|redirect| match redirect {
        Redirect::From(word) => !is_input(&word.text) && !word.text.starts_with(['&', '0']),
        Redirect::Text(_) => true,
        Redirect::To(_) => false,
    })
}

fn opens_shell(call: &Call<'_>, program: &str) -> bool {
    let has_command = || call.has_short("c") || call.has_long("--c", "--command");
    match program {
        "su" | "runuser" | "script" => !has_command(),
        "sudo" | "doas" => wrapper::own_options(call).any(opens_shell_option),
        "ssh" | "mosh" => wrapper::behind(call.arguments(), SSH_VALUED).len() < 2,
        "chroot" | "unshare" | "nsenter" => wrapper::started(call)
            .iter()
            .all(|next| next.words.is_empty()),
        "tmux" | "screen" | "login" | "at" | "batch" => true,
        "parallel" => call.operands().is_empty(),
        "eval" => call.texts().any(|text| text.contains('$')),
        "source" | "." => call.operands().first().is_some_and(|file| is_input(file)),
        name if is_shell(name) => reads_commands(call),
        name => name.is_empty() || name.starts_with('$'),
    }
}

fn opens_shell_option(option: &str) -> bool {
    matches!(option, "--shell" | "--login")
        || !option.starts_with("--") && option.contains(['s', 'i'])
}
