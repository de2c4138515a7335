//! Which commands are refused, and which are asked about.

use angelia_core::danger::gate::{Bypass, Isolation, Rules, Surface, Typing};
use angelia_core::danger::refusal::Refusal;
use angelia_core::danger::{Case, Category, Gate, Reason, Verdict, gate, judge};
use serde::Deserialize;

use super::{of_kind, ours};

#[derive(Deserialize)]
struct Detect {
    id: String,
    command: Command,
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Command {
    Text(String),
    Repeated { repeat_char: String, chars: usize },
}

#[derive(Deserialize)]
struct Expect {
    hard_block: Option<String>,
    needs_approval: Option<String>,
    sudo_stdin_guard: bool,
}

impl Detect {
    fn command(&self) -> String {
        match &self.command {
            Command::Text(text) => ours(text),
            Command::Repeated { repeat_char, chars } => repeat_char.repeat(*chars),
        }
    }
}

/// How ours differs from the reference, each with its law.
#[derive(Debug, PartialEq, Eq)]
enum Verdicts {
    Same,
    /// H-35: what the reference overlooks is found. The law: the same command without its disguise is
    /// judged the same.
    Undisguised,
    /// H-35: what the reference has no rule for is refused or asked about, because of what is written.
    Ruled,
    /// H-35: what is only said is no danger. The law: the same words as a command are judged at least as
    /// gravely as the reference judged them.
    OnlySaid,
    /// H-35: the reference mistakes a signal, a source or an option for something else.
    Mistaken,
    /// What only the reference has: its temporary files, its modules.
    NotOurs,
}

#[test]
fn commands_are_judged_the_same_or_better() {
    for case in of_kind::<Detect>("detect") {
        let command = case.command();
        let verdict = judge(&command);
        let group = group(&command, &case.expect, &verdict);
        assert!(group.is_some(), "{}: {command:?} is {verdict:?}", case.id);
    }
}

fn group(command: &str, theirs: &Expect, verdict: &Verdict) -> Option<Verdicts> {
    if is_same(theirs, verdict) {
        return Some(Verdicts::Same);
    }
    let graver = weight(verdict) > weight_of(theirs);
    let found = match graver {
        true if command.contains("angelia-verify-") || command.contains("angelia-ad-hoc-") => {
            Verdicts::NotOurs
        }
        true if is_disguised(command, verdict) || is_wrapped(command, verdict) => {
            Verdicts::Undisguised
        }
        true if is_ruled(command, verdict) => Verdicts::Ruled,
        false if is_only_said(command, theirs) => Verdicts::OnlySaid,
        false if is_mistaken(command) => Verdicts::Mistaken,
        // What starts a gateway of the reference under another name starts none of ours.
        false if command.contains("gateway run") => Verdicts::NotOurs,
        true | false => return None,
    };
    Some(found)
}

fn weight(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Harmless => 0,
        Verdict::Ask(_) => 1,
        Verdict::Refused(_) => 2,
    }
}

fn weight_of(theirs: &Expect) -> u8 {
    match (&theirs.hard_block, &theirs.needs_approval) {
        (Some(_), _) => 2,
        (None, Some(_)) => 1,
        (None, None) => 0,
    }
}

fn is_same(theirs: &Expect, verdict: &Verdict) -> bool {
    match (verdict, &theirs.hard_block, &theirs.needs_approval) {
        (Verdict::Refused(reason), Some(block), _) => reasons(block).contains(reason),
        (Verdict::Ask(found), None, Some(asked)) => categories(asked)
            .iter()
            .any(|category| found.contains(category)),
        (Verdict::Harmless, None, None) => true,
        (Verdict::Refused(_) | Verdict::Ask(_) | Verdict::Harmless, _, _) => false,
    }
}

/// Whether the command is judged the same without what hides its danger from the reference.
fn is_disguised(command: &str, verdict: &Verdict) -> bool {
    let bare = command.replace(
        ['\u{202e}', '\u{200e}', '\u{200f}', '\u{feff}', '\u{200b}'],
        "",
    );
    let bare = without_paths(&bare)
        .replace("| sudo ", "| ")
        .replace("source <(", "bash <(")
        .replace(". <(", "bash <(");
    let words: Vec<&str> = bare.split(' ').collect();
    let wrappers = [
        "command", "builtin", "doas", "busybox", "nice", "timeout", "stdbuf",
    ];
    let kept: Vec<&str> = words
        .into_iter()
        .filter(|word| !wrappers.contains(word))
        .collect();
    let bare = options_first(&kept);
    bare != command && (judge(&bare) == *verdict || judge(bare.trim()) == *verdict)
}

/// Whether the last words alone are judged the same: what stands before them only hides them.
fn is_wrapped(command: &str, verdict: &Verdict) -> bool {
    let starts = command
        .char_indices()
        .filter(|(_, char)| char.is_whitespace());
    let mut behind = starts.map(|(at, _)| command[at..].trim());
    behind.any(|words| judge(words) == *verdict)
}

/// The programs without the directories they are in.
fn without_paths(command: &str) -> String {
    [
        "/usr/local/bin/",
        "/usr/sbin/",
        "/usr/bin/",
        "/sbin/",
        "/bin/",
    ]
    .iter()
    .fold(command.to_owned(), |text, path| text.replace(path, ""))
}

/// The recursive options of `rm` right behind it, where the reference looks for them.
fn options_first(words: &[&str]) -> String {
    let recursive = |word: &&&str| matches!(**word, "-r" | "-R" | "-rf" | "-fr" | "--recursive");
    let Some(at) = words.iter().position(|word| *word == "rm") else {
        return words.join(" ");
    };
    let (before, behind) = words.split_at(at + 1);
    let first = behind.iter().filter(recursive);
    let rest = behind.iter().filter(|word| !recursive(word));
    let all: Vec<&str> = before.iter().chain(first).chain(rest).copied().collect();
    all.join(" ")
}

/// What is asked about by rules that only ours has, with what must be written for it.
const RULED: &[(Category, &[&str])] = &[
    (Category::KernelControl, &["/proc/sys"]),
    (Category::SudoFlags, &["-i", "--login", "--shell"]),
    (Category::GitForcePush, &[" +"]),
    (Category::GitBranchDelete, &["--delete", "--del"]),
    (Category::WorldWritable, &["chmod"]),
    (Category::ForceKill, &["kill"]),
    (Category::SystemConfig, &["mv /etc/"]),
    (Category::PowerOff, &["ssh", "docker", "kubectl"]),
    (
        Category::ServiceStop,
        &["kill", "try-restart", "reload-or-restart", "force-reload"],
    ),
    (
        Category::ContainerStop,
        &[
            "docker-compose",
            "podman",
            "docker container",
            "docker compose -",
        ],
    ),
    (Category::ChownRoot, &["chown"]),
    (Category::OwnProgram, &["angelia"]),
    (Category::OwnToken, &["api-token", "/api/v1/approvals"]),
    (Category::FindDelete, &["-ok", "fd "]),
    (Category::GitClean, &["--force"]),
    (Category::InlineShell, &["dash", "ash ", "fish"]),
    (Category::InlineScript, &["awk", "lua", "bun"]),
    (Category::HiddenProgram, &["tar"]),
    (Category::RemoteToShell, &["curl", "wget"]),
    (Category::RemoteScript, &["curl", "wget"]),
    (Category::DecodedToShell, &["base64", "rev", "xxd", "tr "]),
];

/// Whether a rule that only ours has is behind it.
fn is_ruled(command: &str, verdict: &Verdict) -> bool {
    let says = |words: &[&str]| words.iter().any(|word| command.contains(word));
    match verdict {
        Verdict::Refused(Reason::RawDevice) => says(&["/dev/"]),
        Verdict::Refused(Reason::Malformed) => {
            let odd = |quote| command.matches(quote).count() % 2 == 1;
            odd('\'') || odd('"') || odd('`') || command.contains("${")
        }
        Verdict::Refused(Reason::HomeDelete) => says(&["/home/", "/Users/", "~"]),
        Verdict::Refused(Reason::RootDelete | Reason::SystemDelete) => {
            says(&["..", "| sh", "| bash", "eval"])
        }
        Verdict::Refused(Reason::ForkBomb) => says(&["()"]),
        Verdict::Refused(Reason::KillAll) => says(&["-1"]),
        Verdict::Refused(Reason::PowerOff) => {
            says(&["reboot", "poweroff", "halt", "shutdown", "kexec"])
        }
        Verdict::Refused(Reason::OwnApproval) => says(&["approvals"]),
        Verdict::Refused(Reason::Format) => says(&["mkfs", "mke2fs"]),
        Verdict::Refused(Reason::TooLarge) => {
            says(&["bash -c", "sh -c", "eval", "| sh", "| bash", "<<"])
        }
        Verdict::Ask(found) => RULED
            .iter()
            .any(|(category, words)| found.contains(category) && says(words)),
        Verdict::Harmless => false,
    }
}

/// Whether the danger is only in words: some of them, as a command, are judged as gravely.
fn is_only_said(command: &str, theirs: &Expect) -> bool {
    let plain = command.replace(['"', '\'', '#', '='], " ");
    let starts = plain
        .char_indices()
        .filter(|(_, char)| char.is_whitespace());
    let mut said = starts.map(|(at, _)| plain[at..].trim());
    said.any(|words| weight(&judge(words)) >= weight_of(theirs))
}

/// A hang-up for one process, a file that is read, the option of another program than sudo, a condition
/// on the next line.
fn is_mistaken(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        ["kill", "-1", target, ..] => !target.starts_with('-'),
        ["cp" | "install", .., last] => !last.contains("/etc"),
        ["sudo", first, ..] => first.starts_with("-u") || !first.starts_with('-'),
        _ => command.to_lowercase().contains("\nwhere "),
    }
}

/// What the reference calls a hard block, in ours.
fn reasons(block: &str) -> &'static [Reason] {
    match block {
        "recursive delete of root filesystem" => &[Reason::RootDelete],
        "recursive delete of system directory" => &[Reason::SystemDelete],
        "recursive delete of home directory" => &[Reason::HomeDelete],
        "format filesystem (mkfs)" => &[Reason::Format],
        "dd to raw block device" | "redirect to raw block device" => &[Reason::RawDevice],
        "fork bomb" => &[Reason::ForkBomb],
        "kill all processes" => &[Reason::KillAll],
        "system shutdown/reboot"
        | "init 0/6 (shutdown/reboot)"
        | "telinit 0/6 (shutdown/reboot)"
        | "systemctl poweroff/reboot" => &[Reason::PowerOff],
        "command parser limit exceeded" => &[Reason::TooLarge],
        "command parser limit or malformed executable payload" => {
            &[Reason::TooLarge, Reason::Malformed]
        }
        other => panic!("the reference has another reason: {other}"),
    }
}

/// What the reference asks about, in ours: who is written to matters to people, not with which flag.
fn categories(asked: &str) -> &'static [Category] {
    use Category as C;
    let begins = |text: &str| asked.starts_with(text);
    match asked {
        "delete in root path" => &[C::DeleteInRoot],
        "xargs with rm" => &[C::XargsDelete],
        "format filesystem" => &[C::FormatFilesystem],
        "disk copy" => &[C::DiskCopy],
        "write to block device" => &[C::BlockDevice],
        "SQL DROP" => &[C::SqlDrop],
        "SQL DELETE without WHERE" => &[C::SqlDelete],
        "SQL TRUNCATE" => &[C::SqlTruncate],
        "stop/restart system service" => &[C::ServiceStop],
        "pipe remote content to shell" => &[C::RemoteToShell],
        "shell execution via heredoc" => &[C::ShellHeredoc],
        "script execution via heredoc" => &[C::ScriptHeredoc],
        "script execution via -e/-c flag" => &[C::InlineScript],
        "shell command via -c/-lc flag" => &[C::InlineShell],
        "kill all processes" => &[C::KillAll],
        "kill processes by regex (killall -r)" => &[C::KillByPattern],
        "fork bomb" => &[C::ForkBomb],
        "PowerShell encoded command execution" => &[C::EncodedPowerShell],
        "overwrite system config" | "copy/move file into system config path" => &[C::SystemConfig],
        _ if begins("recursive delete") => &[C::RecursiveDelete],
        _ if begins("find -") => &[C::FindDelete],
        _ if begins("Windows") => &[C::WindowsDelete],
        _ if begins("world/other-writable") || begins("recursive world") => &[C::WorldWritable],
        _ if begins("recursive chown") => &[C::ChownRoot],
        _ if begins("force kill") => &[C::ForceKill],
        _ if begins("execute remote") => &[C::RemoteScript],
        _ if begins("pipe ") => &[C::DecodedToShell],
        _ if begins("overwrite system file") => &[
            C::SystemConfig,
            C::SensitiveFile,
            C::OwnFile,
            C::BlockDevice,
        ],
        _ if begins("overwrite project") => &[C::ProjectFile],
        _ if begins("copy/move file into sensitive") => &[C::SensitiveFile],
        _ if begins("in-place edit of sensitive") => &[C::SensitiveFile],
        _ if begins("in-place edit of system") => &[C::SystemConfig],
        _ if begins("in-place edit of Hermes") => &[C::OwnFile],
        _ => more_categories(asked),
    }
}

fn more_categories(asked: &str) -> &'static [Category] {
    use Category as C;
    let begins = |text: &str| asked.starts_with(text);
    match asked {
        _ if begins("kill hermes") => &[C::KillGateway],
        _ if begins("kill process via") => &[C::KillByLookup],
        _ if begins("docker") => &[C::ContainerStop],
        _ if begins("stop/restart hermes")
            || begins("hermes update")
            || begins("start gateway") =>
        {
            &[C::GatewayLifecycle]
        }
        _ if begins("git reset") => &[C::GitReset],
        _ if begins("git force push") => &[C::GitForcePush],
        _ if begins("git clean") => &[C::GitClean],
        _ if begins("git branch") => &[C::GitBranchDelete],
        _ if begins("chmod +x") => &[C::FreshScript],
        _ if begins("sudo with") => &[C::SudoFlags],
        _ if begins("arbitrary program execution") => &[C::HiddenProgram],
        other => panic!("the reference asks about something else: {other}"),
    }
}

/// H-35: the reference sees `-S` alone; ours also sees it in a bundle and written out.
#[test]
fn a_password_for_sudo_is_seen_wherever_the_reference_sees_one() {
    for case in of_kind::<Detect>("detect") {
        let command = case.command();
        let guard = guards(&command);
        let hidden =
            command.contains("--st") || (command.contains("sudo -") && command.contains('S'));
        let same = guard == case.expect.sudo_stdin_guard;
        assert!(same || (guard && hidden), "{}: {command:?}", case.id);
    }
}

fn guards(command: &str) -> bool {
    let case = Case {
        command,
        workdir: "/",
        typing: Typing::Never,
        backend: "local",
        isolation: Isolation::None,
        surface: Surface::Person,
        rules: &Rules::default(),
        bypass: Bypass::None,
        grants: &[],
        scan: &[],
        advice: None,
    };
    gate(&case) == Gate::Refuse(Refusal::SudoPassword)
}
