use super::*;

use std::fs;
use std::future::Future;
use std::path::Path;
use std::time::Duration;

use angelia_core::limits;
use rustix::process::Pid;

use crate::environment::{Environment, Passed};

async fn ran(text: &str) -> Finished {
    run(&Command::new(text)).await.unwrap()
}

fn in_dir(dir: &tempfile::TempDir, text: &str) -> Command {
    Command {
        workdir: Some(dir.path().to_owned()),
        ..Command::new(text)
    }
}

/// Runs a command whose time is up as soon as `ready` has come to pass.
async fn out_of_time(command: Command, ready: impl Future) -> Finished {
    let clock = async {
        ready.await;
        tokio::time::pause();
        tokio::time::advance(command.time.to_std() + Duration::from_secs(1)).await;
        tokio::time::resume();
    };
    let (finished, ()) = tokio::join!(run(&command), clock);
    finished.unwrap()
}

fn exited(code: i32, output: &str) -> Finished {
    Finished {
        status: Status::Exited(code),
        output: output.to_owned(),
    }
}

/// Waits for something that must come to pass; the test runner's limit is the deadline.
async fn until<T>(look: impl Fn() -> Option<T>) -> T {
    loop {
        if let Some(found) = look() {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The process whose number stands in `file`, once it is there.
async fn pid_in(file: &Path) -> Pid {
    let read = || {
        fs::read_to_string(file)
            .ok()?
            .strip_suffix('\n')?
            .parse()
            .ok()
    };
    Pid::from_raw(until(read).await).unwrap()
}

/// Zombies count as living: they would answer a signal.
fn is_there(pid: Pid) -> bool {
    rustix::process::test_kill_process(pid).is_ok()
}

fn has_state(pid: Pid, state: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid()));
    stat.is_ok_and(|stat| stat.contains(&format!(") {state} ")))
}

/// A grandchild that is dead may wait for init to reap it, which is not ours to hurry.
fn is_running(pid: Pid) -> bool {
    is_there(pid) && !has_state(pid, "Z")
}

/// Starts `running` and drops it once `seen` is there.
async fn dropped_after<T>(running: impl Future, seen: impl Future<Output = T>) -> T {
    tokio::select! {
        biased;
        seen = seen => seen,
        _ = running => panic!("it ended before it could be dropped"),
    }
}

#[tokio::test]
async fn output_and_errors_come_in_the_order_they_were_written() {
    let finished = ran("echo one; echo two >&2; echo three; echo four >&2").await;
    assert_eq!(finished, exited(0, "one\ntwo\nthree\nfour\n"));
}

#[tokio::test]
async fn the_exit_code_is_told() {
    assert_eq!(ran("exit 3").await, exited(3, ""));
    assert_eq!(ran("true").await, exited(0, ""));
    assert_eq!(
        ran("no-such-program-anywhere 2>/dev/null").await,
        exited(127, "")
    );
}

#[tokio::test]
async fn a_signal_that_ends_the_command_is_told() {
    let finished = ran("echo before; kill -9 $$").await;
    assert_eq!(finished.status, Status::Signalled(9));
    assert_eq!(finished.output, "before\n");
}

#[tokio::test]
async fn a_command_that_begins_with_a_dash_is_a_command() {
    let finished = ran("-x 2>/dev/null").await;
    assert_eq!(finished.status, Status::Exited(127));
}

#[tokio::test]
async fn input_is_empty_and_there_is_no_terminal() {
    assert_eq!(ran("cat; echo end").await, exited(0, "end\n"));
    assert_eq!(
        ran("(: </dev/tty) 2>/dev/null || echo none").await,
        exited(0, "none\n")
    );
}

#[tokio::test]
async fn the_command_runs_where_it_is_told_and_an_absent_place_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().canonicalize().unwrap();
    let here = Command {
        workdir: Some(place.clone()),
        ..Command::new("pwd -P")
    };
    assert_eq!(
        run(&here).await.unwrap().output,
        format!("{}\n", place.display())
    );

    let absent = place.join("absent");
    let there = Command {
        workdir: Some(absent.clone()),
        ..Command::new("pwd")
    };
    let said = run(&there).await.unwrap_err().to_string();
    assert!(said.contains(&absent.display().to_string()), "{said}");
    assert!(said.contains("check that the directory exists"), "{said}");
}

#[tokio::test]
async fn the_command_sees_the_given_variables_only() {
    let ours = [
        ("PATH", "/usr/bin:/bin"),
        ("OPENAI_API_KEY", "sk-fake"),
        ("ANGELIA_TOKEN", "fake"),
        ("LC_ALL", "C"),
    ];
    let environment = Environment::of(
        ours.map(|(name, value)| (name.into(), value.into())),
        &Passed::default(),
    );
    let environment = environment.with("GIVEN", "yes");
    let command = Command {
        environment,
        ..Command::new("env | sort")
    };
    let output = run(&command).await.unwrap().output;
    // These the shell sets by itself.
    let shell = ["PWD=", "OLDPWD=", "SHLVL=", "_="];
    let seen: Vec<_> = output
        .lines()
        .filter(|line| !shell.iter().any(|name| line.starts_with(name)))
        .collect();
    assert_eq!(seen, ["GIVEN=yes", "LC_ALL=C", "PATH=/usr/bin:/bin"]);
}

#[tokio::test]
async fn ten_megabytes_are_bounded_and_the_cut_is_said() {
    let finished =
        ran("echo first; head -c 10000000 /dev/zero | tr '\\0' x; echo; echo last").await;
    let output = finished.output;
    assert_eq!(finished.status, Status::Exited(0));
    assert!(output.starts_with("first\nxxx") && output.ends_with("xxx\nlast\n"));
    assert!(output.contains(" chars omitted out of 10,000,012 total]"));
    assert_eq!(output.len(), limits::TOOL_OUTPUT_CHARS_MAX);
}

#[tokio::test]
async fn a_command_without_end_is_ended_and_its_words_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let pid = dir.path().join("pid");
    let command = in_dir(&dir, "echo begun; echo $$ >pid; sleep 1000; echo never");
    let finished = out_of_time(command, pid_in(&pid)).await;
    assert_eq!(
        finished,
        Finished {
            status: Status::TimedOut,
            output: "begun\n".into()
        }
    );
    assert!(!is_there(pid_in(&pid).await));
}

#[tokio::test]
async fn words_without_end_do_not_hide_that_the_time_is_up() {
    let dir = tempfile::tempdir().unwrap();
    let command = in_dir(&dir, "echo $$ >pid; yes");
    let finished = out_of_time(command, pid_in(&dir.path().join("pid"))).await;
    assert_eq!(finished.status, Status::TimedOut);
}

#[tokio::test]
async fn a_command_that_is_asked_to_end_may_tidy_up() {
    let dir = tempfile::tempdir().unwrap();
    let tidy = "trap 'echo tidied; exit 0' TERM; echo $$ >pid; while :; do sleep 0.01; done";
    let finished = out_of_time(in_dir(&dir, tidy), pid_in(&dir.path().join("pid"))).await;
    assert_eq!(finished.status, Status::TimedOut);
    assert!(finished.output.ends_with("tidied\n"), "{}", finished.output);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_stopped_command_is_woken_and_ended() {
    let dir = tempfile::tempdir().unwrap();
    let stopped = "trap 'echo tidied; exit 0' TERM; echo $$ >pid; kill -STOP $$; sleep 1000";
    let is_stopped = async {
        let pid = pid_in(&dir.path().join("pid")).await;
        until(|| has_state(pid, "T").then_some(())).await;
    };
    let finished = out_of_time(in_dir(&dir, stopped), is_stopped).await;
    assert_eq!(finished.status, Status::TimedOut);
    assert!(finished.output.ends_with("tidied\n"), "{}", finished.output);
}

#[tokio::test]
async fn the_time_limit_ends_grandchildren_that_refuse_to() {
    let dir = tempfile::tempdir().unwrap();
    let deaf = "trap '' TERM; sh -c 'echo $$ >inner; sleep 1000; :' & wait";
    let inner = dir.path().join("inner");
    let finished = out_of_time(in_dir(&dir, deaf), pid_in(&inner)).await;
    assert_eq!(finished.status, Status::TimedOut);
    assert!(!is_running(pid_in(&inner).await));
}

#[tokio::test]
async fn those_left_behind_end_with_the_command() {
    let dir = tempfile::tempdir().unwrap();
    let leaving =
        "sleep 1000 & echo $! >holds; sleep 1000 >/dev/null 2>&1 & echo $! >silent; echo done";
    let command = in_dir(&dir, leaving);
    assert_eq!(run(&command).await.unwrap(), exited(0, "done\n"));
    assert!(!is_running(pid_in(&dir.path().join("holds")).await));
    assert!(!is_running(pid_in(&dir.path().join("silent")).await));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_group_of_its_own_is_no_way_out() {
    let dir = tempfile::tempdir().unwrap();
    let apart = "set -m; sleep 1000 & echo $! >apart; set +m; echo done";
    let command = in_dir(&dir, apart);
    let finished = run(&command).await.unwrap();
    assert!(finished.output.ends_with("done\n"), "{}", finished.output);
    assert!(!is_running(pid_in(&dir.path().join("apart")).await));
}

#[tokio::test]
async fn dropping_ends_everybody_and_leaves_no_zombie() {
    let dir = tempfile::tempdir().unwrap();
    let deaf = "trap '' TERM INT HUP; sh -c 'echo $$ >inner; sleep 1000; :' & echo $$ >outer; wait";
    let command = in_dir(&dir, deaf);
    let (outer, inner) = (dir.path().join("outer"), dir.path().join("inner"));
    let both = async { (pid_in(&outer).await, pid_in(&inner).await) };
    let (outer, inner) = dropped_after(run(&command), both).await;
    until(|| (!is_there(outer)).then_some(())).await;
    until(|| (!is_running(inner)).then_some(())).await;
}

#[tokio::test]
async fn a_command_that_ended_leaves_no_zombie() {
    let finished = ran("echo $$").await;
    let pid = Pid::from_raw(finished.output.trim().parse().unwrap()).unwrap();
    assert!(!is_there(pid));
}

#[tokio::test]
async fn commands_side_by_side_keep_their_own_words() {
    let one = Command::new("for n in 1 2 3 4 5; do echo one; sleep 0.01; done");
    let two = Command::new("for n in 1 2 3 4 5; do echo two; sleep 0.01; done; exit 2");
    let (one, two) = tokio::join!(run(&one), run(&two));
    assert_eq!(one.unwrap(), exited(0, &"one\n".repeat(5)));
    assert_eq!(two.unwrap(), exited(2, &"two\n".repeat(5)));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_file_left_open_by_our_parent_is_closed_for_the_command() {
    use std::os::fd::AsRawFd;
    let file = fs::File::open("/dev/null").unwrap();
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
    let look = format!("[ -e /proc/$$/fd/{} ] || echo closed", file.as_raw_fd());
    assert_eq!(ran(&look).await, exited(0, "closed\n"));
}

#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "this process must ignore and block signals to show that its child does not"
)]
#[tokio::test]
async fn signals_that_we_ignore_or_block_reach_the_command() {
    // SAFETY: no handler is set; the set of signals is written by `sigemptyset` before it is read.
    unsafe {
        libc::signal(libc::SIGUSR2, libc::SIG_IGN);
        let mut blocked: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut blocked);
        libc::sigaddset(&mut blocked, libc::SIGUSR1);
        libc::pthread_sigmask(libc::SIG_BLOCK, &blocked, std::ptr::null_mut());
    }
    assert_eq!(
        ran("kill -USR1 $$").await.status,
        Status::Signalled(libc::SIGUSR1)
    );
    assert_eq!(
        ran("kill -USR2 $$").await.status,
        Status::Signalled(libc::SIGUSR2)
    );
}
