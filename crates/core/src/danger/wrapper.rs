//! Programs that start the program named in their arguments.

use super::call::{Call, Via};
use super::rules::is_shell;
use super::shell::{Word, is_assignment};
use crate::limits;

/// How the arguments of a wrapper are read up to the program it starts.
struct Wrapper {
    names: &'static [&'static str],
    /// Short options that take a value.
    short: &'static str,
    /// Long options that take the next word as their value.
    long: &'static [&'static str],
    /// Words before the program that are none.
    skipped: usize,
}

const fn wrapper(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
    skipped: usize,
) -> Wrapper {
    Wrapper {
        names,
        short,
        long,
        skipped,
    }
}

const SUDO_LONG: &[&str] = &[
    "--user",
    "--group",
    "--prompt",
    "--chdir",
    "--host",
    "--role",
    "--type",
    "--chroot",
    "--close-from",
    "--command-timeout",
    "--other-user",
];

const XARGS_LONG: &[&str] = &[
    "--arg-file",
    "--delimiter",
    "--max-args",
    "--max-procs",
    "--max-chars",
    "--process-slot-var",
];

const WRAPPERS: &[Wrapper] = &[
    wrapper(&["sudo"], "ugpCThRDrtU", SUDO_LONG, 0),
    wrapper(&["doas"], "uCa", &[], 0),
    wrapper(&["env"], "uCS", &["--unset", "--chdir"], 0),
    wrapper(
        &[
            "nohup", "setsid", "builtin", "busybox", "toybox", "unbuffer",
        ],
        "",
        &[],
        0,
    ),
    wrapper(
        &["caffeinate", "rlwrap", "unshare", "linux32", "linux64"],
        "t",
        &[],
        0,
    ),
    wrapper(&["command", "exec"], "a", &[], 0),
    wrapper(&["time", "gtime"], "fo", &["--format", "--output"], 0),
    wrapper(&["nice"], "n", &["--adjustment"], 0),
    wrapper(&["ionice"], "cnpPu", &["--class", "--classdata"], 0),
    wrapper(&["chrt", "taskset", "chroot", "setarch"], "TPDpSGR", &[], 1),
    wrapper(&["stdbuf"], "ioe", &["--input", "--output", "--error"], 0),
    wrapper(
        &["timeout", "gtimeout"],
        "ks",
        &["--kill-after", "--signal"],
        1,
    ),
    wrapper(&["flock"], "wEc", &["--timeout", "--conflict-exit-code"], 1),
    wrapper(
        &["strace", "ltrace"],
        "eopsuEabIOSUPX",
        &["--output", "--trace"],
        0,
    ),
    wrapper(
        &["systemd-run", "systemd-inhibit"],
        "puHMEt",
        &["--unit", "--property"],
        0,
    ),
    wrapper(&["xargs", "gxargs"], "adEILnPs", XARGS_LONG, 0),
    wrapper(&["parallel"], "jaIN", &["--jobs", "--arg-file"], 0),
];

/// Programs that lead a command to another machine or into a container.
const CARRIERS: &[&str] = &[
    "docker",
    "podman",
    "nerdctl",
    "kubectl",
    "oc",
    "lxc",
    "incus",
    "adb",
    "vagrant",
    "machinectl",
    "distrobox",
    "toolbox",
    "nsenter",
    "wsl",
];

/// Whether a program's arguments are read as another command.
pub(super) fn is_known(program: &str) -> bool {
    is_finder(program)
        || CARRIERS.contains(&program)
        || WRAPPERS
            .iter()
            .any(|wrapper| wrapper.names.contains(&program))
}

fn is_finder(program: &str) -> bool {
    matches!(program, "find" | "gfind" | "fd" | "fdfind")
}

/// The programs that a call starts.
pub(super) fn started<'a>(call: &Call<'a>) -> Vec<Call<'a>> {
    let program = call.program();
    if is_finder(&program) {
        return found(call);
    }
    if CARRIERS.contains(&program.as_str()) {
        return carried(call);
    }
    let asks_only = program == "command" && call.options().any(|text| matches!(text, "-v" | "-V"));
    let wrapper = WRAPPERS
        .iter()
        .find(|wrapper| wrapper.names.contains(&program.as_str()));
    let Some(wrapper) = wrapper.filter(|_| !asks_only) else {
        return Vec::new();
    };
    let words = behind_options(call.arguments(), wrapper);
    let via = match program.as_str() {
        "xargs" | "gxargs" | "parallel" => Via::Xargs,
        _ => call.via,
    };
    vec![Call {
        words,
        via,
        ..*call
    }]
}

/// The words of a call's own options, for a wrapper that is known; all of them for others.
pub(super) fn own_options<'a>(call: &Call<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let begun = started(call);
    let behind = begun.first().map_or(0, |next| next.words.len());
    let own = call.arguments().len() - behind;
    call.texts().take(own).filter(|text| text.starts_with('-'))
}

/// The words behind options of which these short ones take a value.
pub(super) fn behind<'a>(words: &'a [Word], short: &'static str) -> &'a [Word] {
    behind_options(words, &wrapper(&[], short, &[], 0))
}

/// The words behind options of which these long ones take a value.
pub(super) fn behind_long<'a>(words: &'a [Word], long: &'static [&'static str]) -> &'a [Word] {
    behind_options(words, &wrapper(&[], "", long, 0))
}

fn behind_options<'a>(words: &'a [Word], wrapper: &Wrapper) -> &'a [Word] {
    let mut at = 0;
    while let Some(text) = words.get(at).map(|word| word.text.as_str()) {
        if text == "--" {
            at += 1;
            break;
        }
        if !text.starts_with('-') || text.len() == 1 {
            break;
        }
        at += 1 + usize::from(takes_next(text, wrapper));
    }
    while words.get(at).is_some_and(|word| is_assignment(&word.text)) {
        at += 1;
    }
    words.get(at + wrapper.skipped..).unwrap_or_default()
}

/// Whether an option's value is the next word: behind a long name, or at the end of a bundle.
fn takes_next(text: &str, wrapper: &Wrapper) -> bool {
    if text.starts_with("--") {
        return wrapper.long.contains(&text);
    }
    let valued = |char: char| wrapper.short.contains(char);
    text.chars()
        .skip(1)
        .position(valued)
        .is_some_and(|at| at + 2 == text.chars().count())
}

/// What a carrier runs there. Its own options are many, so the command begins with the first word that
/// can only be a program.
fn carried<'a>(call: &Call<'a>) -> Vec<Call<'a>> {
    let begins =
        |word: &Word| is_shell(&word.text) || matches!(word.text.as_str(), "rm" | "sudo" | "env");
    let at = call.arguments().iter().position(begins);
    let words = at.and_then(|at| call.arguments().get(at..));
    let via = Via::Elsewhere;
    words
        .map(|words| Call {
            words,
            via,
            ..*call
        })
        .into_iter()
        .collect()
}

/// What stands behind each `-exec` and its kind, up to the sign that ends it.
fn found<'a>(call: &Call<'a>) -> Vec<Call<'a>> {
    let words = call.arguments();
    let begins = |text: &str| {
        matches!(
            text,
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec" | "--exec-batch"
        )
    };
    let starts = words
        .iter()
        .enumerate()
        .filter(|(_, word)| begins(&word.text));
    let rest = starts.filter_map(|(at, _)| words.get(at + 1..));
    let cut = |words: &'a [Word]| {
        let end = words
            .iter()
            .position(|word| matches!(word.text.as_str(), ";" | "+"));
        &words[..end.unwrap_or(words.len())]
    };
    let begun = rest.map(cut).filter(|words| !words.is_empty());
    // One more than is read: whoever counts them then knows that there were too many.
    let begun = begun.take(limits::JUDGED_DEPTH_MAX + 1);
    let via = Via::Find;
    begun
        .map(|words| Call {
            words,
            via,
            ..*call
        })
        .collect()
}
