//! Rules of the tool that runs commands.
//!
//! Where the reference reads a command by its letters and we by what a shell would run, the test says in
//! which cases the two may differ, and what ours must be then. Results of whole calls are checked with the
//! crate that runs them.

use std::collections::BTreeMap;
use std::path::Path;

use angelia_core::terminal::foreground::{Unending, unending};
use angelia_core::terminal::wish::{Ends, Patterns, Refusal};
use angelia_core::terminal::{exit, place, sudo, wish, workdir};
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
    Workdir {
        workdir: Option<String>,
        expect: String,
    },
    ForegroundRefusal {
        command: String,
        expect: Option<String>,
    },
    ExitNote {
        command: String,
        exit_code: i32,
        expect: Option<String>,
    },
    PtyDisabled {
        command: String,
        expect: bool,
    },
    NotifyWatchConflict(Conflict),
    SudoRewrite {
        command: String,
        expect: Rewritten,
    },
    CompoundBackground {
        command: String,
        expect: String,
    },
    SshTilde {
        backend: String,
        cwd: String,
        expect: bool,
    },
    ContainerCwdUnusable {
        cwd: String,
        expect: bool,
    },
    DockerVolumeIsHost {
        volume: String,
        expect: bool,
    },
    ToolRefusal {
        args: Arguments,
        expect: Value,
    },
    SafeCwd {
        cwd: String,
        filesystem: BTreeMap<String, bool>,
        expect: String,
    },
    ToolResult {},
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the vectors")]
struct Conflict {
    notify_on_complete: bool,
    watch_patterns: Option<Vec<String>>,
    background: bool,
    expect: Settled,
}

#[derive(Deserialize)]
struct Settled {
    watch_patterns: Option<Vec<String>>,
    note: bool,
}

#[derive(Deserialize)]
struct Rewritten {
    count: usize,
}

#[derive(Deserialize)]
struct Arguments {
    command: Value,
    timeout: Option<u64>,
}

fn name(why: Unending) -> &'static str {
    match why {
        Unending::Wrapper => "wrapper",
        Unending::Ampersand => "ampersand",
        Unending::LongLived => "long_lived",
    }
}

#[test]
fn terminal_rules_are_the_same_or_better() {
    for case in super::cases::<Case>("processes/terminal_rules.json") {
        let id = &case.id;
        match case.what {
            What::Workdir { workdir, expect } => check_workdir(id, workdir.as_deref(), &expect),
            What::ForegroundRefusal { command, expect } => {
                check_foreground(id, &command, expect.as_deref());
            }
            What::ExitNote {
                command,
                exit_code,
                expect,
            } => check_exit(id, &command, exit_code, expect.as_deref()),
            What::PtyDisabled { command, expect } => {
                assert_eq!(wish::needs_pipes(&command), expect, "{id}");
            }
            What::NotifyWatchConflict(conflict) => check_conflict(id, conflict),
            // No password passes through us; that one may be asked for is known for every such case.
            What::SudoRewrite { command, expect } => {
                assert!(sudo::is_used(&command) || expect.count == 0, "{id}");
            }
            // A command runs as it was written; one that the reference has to rewrite is refused.
            What::CompoundBackground { command, expect } => {
                let is_refused = unending(&command) == Some(Unending::Ampersand);
                assert!(is_refused || command == expect, "{id}");
            }
            What::SshTilde {
                backend,
                cwd,
                expect,
            } => {
                let ours = backend == "ssh" && place::is_remote_home(&cwd);
                assert_eq!(ours, expect, "{id}");
            }
            What::ContainerCwdUnusable { cwd, expect } => {
                assert_eq!(!place::is_in_container(&cwd), expect, "{id}: {cwd}");
            }
            What::DockerVolumeIsHost { volume, expect } => {
                assert_eq!(place::is_host_volume(&volume), expect, "{id}: {volume}");
            }
            What::ToolRefusal { args, expect } => check_refusal(id, &args, &expect),
            What::SafeCwd {
                cwd,
                filesystem,
                expect,
            } => {
                let can = |path: &Path| {
                    let found = path.to_str().and_then(|path| filesystem.get(path));
                    found.is_some_and(|can| *can)
                };
                let nearest = workdir::nearest(Path::new(&cwd), can);
                assert_eq!(nearest.as_deref(), Some(Path::new(&expect)), "{id}");
            }
            What::ToolResult {} => (),
        }
    }
}

/// The meaning is the same: the first sign that may not be there. A line end behind the name is one too.
fn check_workdir(id: &str, workdir: Option<&str>, expect: &str) {
    let workdir = workdir.unwrap_or_default();
    match workdir::check(workdir) {
        Ok(()) => assert_eq!(expect, "ok", "{id}"),
        Err('\n') if workdir.ends_with('\n') => (),
        Err(sign) => {
            let quoted = format!("{:?}", sign.to_string());
            let sign = quoted.trim_matches('"').replace("\\'", "'");
            assert!(
                expect.contains(&format!("character '{sign}'")) || expect.contains(&quoted),
                "{id}"
            );
        }
    }
}

fn check_foreground(id: &str, command: &str, expect: Option<&str>) {
    let ours = unending(command).map(name);
    if ours == expect {
        return;
    }
    match (ours, expect) {
        // A shell runs what stands in back-quotes, and an `&` needs no blank before it.
        (Some(_), None) => assert!(command.contains(['`', '&']), "{id}: {command}"),
        // What builds ends, and what is detached is not waited for.
        (None, Some("long_lived")) => {
            let ends = ["build", "-d", "--detach"];
            assert!(
                ends.iter().any(|word| command.contains(word)),
                "{id}: {command}"
            );
        }
        _ => panic!("{id}: {command}: {ours:?}, and the reference says {expect:?}"),
    }
}

fn check_exit(id: &str, command: &str, code: i32, expect: Option<&str>) {
    let ours = exit::meaning(command, code);
    // A sign in quotes ends no command.
    let is_quoted = command.contains(['\'', '"']);
    assert!(
        ours.is_some() == expect.is_some() || ours.is_some() && is_quoted,
        "{id}: {command}"
    );
}

fn check_conflict(id: &str, conflict: Conflict) {
    let ends = if conflict.notify_on_complete && conflict.background {
        Ends::Told
    } else {
        Ends::Untold
    };
    let (patterns, became) = wish::watched(conflict.watch_patterns, ends);
    assert_eq!(patterns, conflict.expect.watch_patterns, "{id}");
    assert_eq!(became == Patterns::Ignored, conflict.expect.note, "{id}");
}

fn check_refusal(id: &str, args: &Arguments, expect: &Value) {
    let refusal = match wish::command(&args.command) {
        Err(refusal) => refusal,
        Ok(command) => match wish::patience(args.timeout, 180) {
            Err(refusal) => refusal,
            Ok(_) => Refusal::Unending(unending(command).expect("it is refused for that")),
        },
    };
    let mut ours = refusal.answer();
    assert!(ours["error"].is_string(), "{id}");
    // The words are ours, everything else is the format.
    ours["error"] = expect["error"].clone();
    assert_eq!(&ours, expect, "{id}");
}

#[test]
fn only_what_a_shell_would_run_is_refused() {
    let refused = [
        ("bash -c 'nohup x'", Unending::Wrapper),
        ("(sleep 9 &)", Unending::Ampersand),
        ("env A=1 npm run dev", Unending::LongLived),
        ("sudo python3.12 -m http.server", Unending::LongLived),
        ("npx vite", Unending::LongLived),
    ];
    for (command, why) in refused {
        assert_eq!(unending(command), Some(why), "{command}");
    }
    for command in [
        "echo 'a & b'",
        "echo nohup # &",
        "a 2>&1 | b",
        "git log --grep=nodemon",
        "vite build",
    ] {
        assert_eq!(unending(command), None, "{command}");
    }
}

#[test]
fn a_password_that_nobody_can_give_is_noticed() {
    assert!(sudo::is_refused(
        "sudo ls",
        "sudo: 3 incorrect password attempts"
    ));
    assert!(sudo::is_refused(
        "if a; then /usr/bin/sudo ls; fi",
        "sudo: a password is required"
    ));
    assert!(!sudo::is_refused(
        "cat notes",
        "sudo: a password is required"
    ));
}
