//! Programs that can be made to run another one, or to become another user.

use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::wrapper;

/// Options that name a program to run.
const HIDDEN: &[(&str, &[&str])] = &[
    ("sort", &["--compress-program"]),
    ("rg", &["--pre", "--hostname-bin"]),
    ("ag", &["--pager"]),
    ("man", &["--pager", "--html", "-P", "-H"]),
    ("tar", &["--checkpoint-action", "--to-command"]),
];

/// Options of sudo that take a value, which may stand in the same word.
const SUDO_VALUED: &str = "ugpCThRDrtU";

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    if program == "sudo" {
        wrapper::own_options(call).for_each(|option| elevates(option, found));
    }
    let runs =
        |text: &str| text.contains("system(") || text.contains("| \"") || text.contains("|\"");
    if matches!(program, "awk" | "gawk" | "mawk" | "nawk") && call.texts().any(runs) {
        found.ask(Category::InlineScript);
    }
    let options = HIDDEN
        .iter()
        .filter(|(name, _)| *name == program)
        .flat_map(|(_, options)| *options);
    for option in options {
        if call.texts().any(|text| names(text, option)) {
            found.ask(Category::HiddenProgram);
        }
    }
}

fn names(text: &str, option: &str) -> bool {
    match option.starts_with("--") {
        true => text.split('=').next() == Some(option),
        false => text.starts_with(option) && !text.starts_with("--"),
    }
}

/// Notes options that open a shell, ask a helper for a password or read it from standard input.
fn elevates(option: &str, found: &mut Findings) {
    if let Some(name) = option.strip_prefix("--") {
        let name = name.split('=').next().unwrap_or_default();
        let begun = |whole: &str, least: usize| name.len() >= least && whole.starts_with(name);
        if begun("stdin", 2) {
            found.hands_password();
        }
        let asked = begun("stdin", 2) || begun("askpass", 1) || begun("auth-type", 1);
        if asked || begun("shell", 2) || begun("login", 3) {
            found.ask(Category::SudoFlags);
        }
        return;
    }
    let own = |char: &char| !SUDO_VALUED.contains(*char);
    for letter in option.chars().skip(1).take_while(own) {
        match letter {
            'S' => {
                found.hands_password();
                found.ask(Category::SudoFlags);
            }
            's' | 'A' | 'a' | 'i' => found.ask(Category::SudoFlags),
            _ => (),
        }
    }
}
