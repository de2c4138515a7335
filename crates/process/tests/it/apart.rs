//! What a process must not see, and who must not see a process.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use angelia_process::environment::{Environment, denied};
use angelia_process::exit::How;
use angelia_process::held::{Held, Program, spawn};
use rustix::process::Pid;

use crate::world::{Gateway, STAND_IN, World, end, said, says, until};

const SECRETS: [(&str, &str); 4] = [
    ("ANTHROPIC_API_KEY", "hidden-1"),
    ("TELEGRAM_BOT_TOKEN", "hidden-2"),
    ("HTTPS_PROXY", "http://u:hidden-3@localhost"),
    ("LC_SECRET", "hidden-4"),
];

/// What others of our user may read about a process.
fn shown_by_the_system(pid: Pid) -> String {
    let read = |file| fs::read(format!("/proc/{}/{file}", pid.as_raw_pid())).unwrap();
    let bytes = [read("environ"), read("cmdline")].concat();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn a_process_sees_no_secret_and_no_file_of_the_gateway() {
    let world = World::new();
    let mut gateway = Gateway::start_with(&SECRETS);
    let text = "env; ls -l /proc/$$/fd; read line";
    for (name, spec) in [("pipe", world.spec(text)), ("tty", world.on_terminal(text))] {
        gateway.spawn(&world.path(name), &spec);
        let held = world.adopt(name).await;
        for pid in [world.holder(name), world.child(name)] {
            assert!(!shown_by_the_system(pid).contains("hidden"));
        }
        held.write(b"\n").await.unwrap();
        assert_eq!(end(&held).await, How::Exited(0));
        let said = said(&held);
        assert!(said.contains("PATH="), "{said}");
        assert!(!said.contains("hidden"), "{said}");
        let files = said.lines().filter(|line| line.contains(" -> ")).count();
        assert_eq!(files, 3, "{said}");
    }
    gateway.kill();
}

/// Everything that is known as a secret, in the environment of whoever starts commands: in the foreground,
/// with pipes and on a terminal.
#[tokio::test]
async fn no_variable_that_is_known_as_a_secret_reaches_a_command() {
    let world = World::new();
    let made_up = [
        "AUXILIARY_X_API_KEY",
        "GATEWAY_RELAY_X_TOKEN",
        "ANGELIA_HOME",
    ];
    let secrets: Vec<_> = denied()
        .chain(made_up)
        .map(|name| (name, "hidden"))
        .collect();
    assert!(secrets.len() > 317);
    let text = "tr '\\0' '\\n' </proc/self/environ; echo .; ls -l /proc/self/fd | grep -c -e '->'";
    let mut gateway = Gateway::start_with(&secrets);
    let mut outputs = Vec::new();
    for (name, spec) in [("pipe", world.spec(text)), ("tty", world.on_terminal(text))] {
        gateway.spawn(&world.path(name), &spec);
        let held = Held::at(world.path(name));
        assert_eq!(end(&held).await, How::Exited(0));
        outputs.push(said(&held));
    }
    gateway.kill();
    let mut foreground = Command::new(STAND_IN);
    foreground
        .args(["foreground", text])
        .envs(secrets.iter().copied());
    outputs.push(String::from_utf8(foreground.output().unwrap().stdout).unwrap());
    for output in outputs {
        assert!(output.contains("PATH="), "{output}");
        assert!(!output.contains("hidden"), "{output}");
        // Input, output, errors, and the folder that `ls` reads.
        let files = output.lines().rfind(|line| !line.trim().is_empty());
        assert_eq!(files.map(str::trim), Some("4"), "{output}");
    }
}

#[tokio::test]
async fn a_holder_has_only_its_own_files_and_no_variable() {
    let world = World::new();
    let mut gateway = Gateway::start();
    gateway.spawn(&world.path("p"), &world.spec("read line"));
    let holder = world.holder("p").as_raw_pid();
    assert!(
        fs::read(format!("/proc/{holder}/environ"))
            .unwrap()
            .is_empty()
    );
    let files = fs::read_dir(format!("/proc/{holder}/fd")).unwrap();
    let targets: Vec<_> = files
        .map(|file| {
            fs::read_link(file.unwrap().path())
                .unwrap()
                .display()
                .to_string()
        })
        .collect();
    let of_ours = |target: &&String| target.contains("pipe") || target.contains("socket");
    // Two ends of the bell, two of the command's pipes, and the door.
    assert_eq!(targets.iter().filter(of_ours).count(), 5, "{targets:?}");
    gateway.kill();
}

#[tokio::test]
async fn what_the_caller_adds_reaches_the_process_and_no_file() {
    let world = World::new();
    let environment = Environment::default().with("MY_TOKEN", "given");
    let program = Program::at(STAND_IN);
    let spec = world.spec("echo $MY_TOKEN | tr a-z A-Z");
    let held = spawn(&program, world.path("p"), &spec, &environment)
        .await
        .unwrap();
    assert_eq!(end(&held).await, How::Exited(0));
    assert_eq!(said(&held), "GIVEN\n");
    for file in fs::read_dir(held.folder()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains("given"));
    }
}

#[tokio::test]
async fn only_our_own_user_may_enter() {
    let world = World::new();
    let held = world.run("echo word; read line").await;
    let mode = |name: &str| {
        let path = held.folder().join(name);
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(mode("."), 0o700);
    let log = "log.00000000000000000000";
    for name in ["spec.json", "holder.json", log, "socket"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
}

#[tokio::test]
async fn the_umask_of_the_operator_reaches_the_process() {
    let world = World::new();
    let held = world.run("umask").await;
    end(&held).await;
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ours = status
        .lines()
        .find_map(|line| line.strip_prefix("Umask:\t"))
        .unwrap();
    assert_eq!(said(&held).trim(), ours);
}

/// A number out of what the system tells about a process, sizes in kilobytes.
fn told(pid: Pid, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .unwrap();
    let number = line.trim_start_matches(':').split_whitespace().next();
    number.unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_holder_is_one_thread_and_little_memory() {
    let world = World::new();
    let held = world.spawn(&world.on_terminal("cat")).await;
    held.write(b"word\n").await.unwrap();
    says(&held, "word").await;
    let holder = world.holder("p");
    assert_eq!(told(holder, "Threads"), 1);
    assert!(told(holder, "RssAnon") <= 1024);
    // All holders share one copy of nearly all of this. What the start needed is given back soon after.
    until(|| (told(holder, "VmRSS") <= 3072).then_some(())).await;
}

#[tokio::test]
async fn a_holder_that_ended_leaves_no_zombie() {
    let world = World::new();
    let held = world.run("true").await;
    assert_eq!(end(&held).await, How::Exited(0));
    let holder = world.holder("p").as_raw_pid();
    until(|| (!fs::exists(format!("/proc/{holder}")).unwrap()).then_some(())).await;
}
