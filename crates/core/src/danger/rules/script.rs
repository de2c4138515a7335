//! Shells and interpreters that are given a program as text.

use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::shell::Redirect;

/// How an interpreter is given a program on its command line.
struct Interpreter {
    names: &'static [&'static str],
    /// Short options behind which the program stands.
    inline: &'static str,
    long: &'static [&'static str],
    /// Short options that take a value, in the same word or the next.
    valued: &'static str,
    /// Short options whose value can only be in the same word.
    attached: &'static str,
    /// Long options that take the next word.
    long_valued: &'static [&'static str],
}

const PLAIN: Interpreter = Interpreter {
    names: &[],
    inline: "",
    long: &[],
    valued: "",
    attached: "",
    long_valued: &[],
};

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        names: &["python", "pypy"],
        inline: "c",
        valued: "WXQ",
        ..PLAIN
    },
    Interpreter {
        names: &["node", "nodejs", "bun"],
        inline: "ep",
        long: &["--eval", "--print"],
        valued: "rC",
        long_valued: &[
            "--require",
            "--import",
            "--loader",
            "--conditions",
            "--env-file",
        ],
        ..PLAIN
    },
    Interpreter {
        names: &["perl"],
        inline: "eE",
        long: &["--eval"],
        valued: "I",
        attached: "iMmFDx",
        ..PLAIN
    },
    Interpreter {
        names: &["ruby"],
        inline: "e",
        valued: "IrCE",
        attached: "iFTWKx",
        ..PLAIN
    },
    Interpreter {
        names: &["php"],
        inline: "rBRE",
        long: &["--run"],
        valued: "dcz",
        long_valued: &["--define", "--php-ini"],
        ..PLAIN
    },
    Interpreter {
        names: &["lua"],
        inline: "e",
        valued: "l",
        ..PLAIN
    },
];

/// Whether a program is a shell.
pub(in crate::danger) fn is_shell(program: &str) -> bool {
    matches!(
        program,
        "sh" | "bash" | "zsh" | "ksh" | "dash" | "ash" | "mksh" | "fish" | "rbash"
    )
}

pub(super) fn is_interpreter(program: &str) -> bool {
    find(program).is_some()
}

/// Versions belong to the name: `python3.12`.
fn find(program: &str) -> Option<&'static Interpreter> {
    let name = program.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    INTERPRETERS
        .iter()
        .find(|interpreter| interpreter.names.contains(&name))
}

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    let has_text = call
        .simple
        .redirects
        .iter()
        .any(|redirect| matches!(redirect, Redirect::Text(_)));
    if is_shell(program) {
        if shell_command(call).is_some() {
            found.ask(Category::InlineShell);
        }
        if has_text {
            found.ask(Category::ShellHeredoc);
        }
    }
    if let Some(interpreter) = find(program) {
        if is_inline(call, interpreter) {
            found.ask(Category::InlineScript);
        }
        if has_text {
            found.ask(Category::ScriptHeredoc);
        }
    }
}

/// The command that a shell is given behind `-c`, which may stand in a bundle.
pub(in crate::danger) fn shell_command<'a>(call: &Call<'a>) -> Option<&'a str> {
    let mut given = false;
    let mut texts = call.texts();
    while let Some(text) = texts.next() {
        let option = text.len() > 1 && text.starts_with(['-', '+']);
        if !option || text == "--" {
            let command = if text == "--" {
                texts.next()
            } else {
                Some(text)
            };
            return command.filter(|_| given);
        }
        let bundle = !text.starts_with("--");
        given |= bundle && text.contains('c');
        let valued = bundle && text.ends_with(['o', 'O']);
        if valued || matches!(text, "--rcfile" | "--init-file") {
            texts.next();
        }
    }
    None
}

/// What an interpreter runs.
enum Program<'a> {
    /// A text on its command line, or a module.
    Inline,
    Module,
    /// What stands in this file.
    File(&'a str),
    /// What it reads.
    Input,
}

fn is_inline(call: &Call<'_>, interpreter: &Interpreter) -> bool {
    matches!(program(call, interpreter), Program::Inline)
}

/// Whether a program is an interpreter that runs what it reads.
pub(super) fn reads_program(call: &Call<'_>, name: &str) -> bool {
    let Some(interpreter) = find(name) else {
        return false;
    };
    let stays = call.options().any(|text| text == "-i");
    stays
        || match program(call, interpreter) {
            Program::Inline | Program::Module => false,
            Program::File(file) => is_input(file),
            Program::Input => !is_question(call),
        }
}

/// Whether a shell runs what it reads.
pub(super) fn reads_commands(call: &Call<'_>) -> bool {
    let mut texts = call.texts();
    while let Some(text) = texts.next() {
        let bundle = text.len() > 1 && text.starts_with(['-', '+']) && !text.starts_with("--");
        if bundle && text.contains('c') {
            return false;
        }
        if bundle && text.contains('s') {
            return true;
        }
        let valued = bundle && text.ends_with(['o', 'O']);
        if valued || matches!(text, "--rcfile" | "--init-file") {
            texts.next();
        } else if text == "--" {
            return texts.next().is_none_or(is_input);
        } else if !bundle && !text.starts_with("--") {
            return is_input(text);
        }
    }
    !is_question(call)
}

/// Whether a file is the input under another name.
pub(super) fn is_input(file: &str) -> bool {
    matches!(
        file,
        "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "/dev/tty"
    )
}

fn is_question(call: &Call<'_>) -> bool {
    call.options()
        .any(|text| matches!(text, "--version" | "--help"))
}

/// Goes through the options up to the name of a file, which ends them.
fn program<'a>(call: &Call<'a>, interpreter: &Interpreter) -> Program<'a> {
    let mut texts = call.texts();
    while let Some(text) = texts.next() {
        let name = text.split('=').next().unwrap_or_default();
        if interpreter.long.contains(&name) {
            return Program::Inline;
        }
        if text == "--" {
            return texts.next().map_or(Program::Input, Program::File);
        }
        if text.len() < 2 || !text.starts_with('-') {
            return Program::File(text);
        }
        if text.starts_with("--") {
            if interpreter.long_valued.contains(&text) {
                texts.next();
            }
            continue;
        }
        match bundle(text, interpreter) {
            Bundle::Inline => return Program::Inline,
            Bundle::Module => return Program::Module,
            Bundle::TakesNext => drop(texts.next()),
            Bundle::Plain => (),
        }
    }
    Program::Input
}

/// What a bundle of short options means for what follows.
enum Bundle {
    Inline,
    /// A module is run, and the rest is its own.
    Module,
    TakesNext,
    Plain,
}

fn bundle(text: &str, interpreter: &Interpreter) -> Bundle {
    let letters: Vec<char> = text.chars().skip(1).collect();
    for (at, letter) in letters.iter().enumerate() {
        if interpreter.inline.contains(*letter) {
            return Bundle::Inline;
        }
        if interpreter.attached.contains(*letter) {
            return Bundle::Plain;
        }
        if *letter == 'm' {
            return Bundle::Module;
        }
        if interpreter.valued.contains(*letter) {
            return if at + 1 == letters.len() {
                Bundle::TakesNext
            } else {
                Bundle::Plain
            };
        }
    }
    Bundle::Plain
}
