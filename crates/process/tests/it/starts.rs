//! Starts: once, or not at all and why.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use angelia_core::time::Span;
use angelia_process::environment::Environment;
use angelia_process::exit::How;
use angelia_process::held::{Found, Outcome, Program, SpawnError, adopt, end_lost, spawn};
use angelia_process::spec::Spec;

use rustix::process::Pid;

use crate::world::{STAND_IN, World, end, gone, says, until};

#[tokio::test]
async fn the_same_folder_starts_one_process_however_often_it_is_asked() {
    let world = World::new();
    let spec = world.spec("echo run >>runs; read line");
    let start = || world.try_spawn("p", &spec);
    let (first, second, third) = tokio::join!(start(), start(), start());
    let held = first.unwrap();
    assert_eq!(held, second.unwrap());
    assert_eq!(held, third.unwrap());
    assert_eq!(held, start().await.unwrap());
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(1));
    assert_eq!(end(&start().await.unwrap()).await, How::Exited(1));
    assert_eq!(
        std::fs::read_to_string(world.path("runs")).unwrap(),
        "run\n"
    );
}

#[tokio::test]
async fn a_command_that_cannot_start_says_why_now_and_later() {
    let world = World::new();
    let spec = Spec {
        workdir: Some(PathBuf::from("/no/such/place")),
        ..Spec::new("true")
    };
    for _ in 0..2 {
        let why = world.try_spawn("p", &spec).await.unwrap_err();
        assert!(matches!(why, SpawnError::NotStarted(_)), "{why:?}");
        assert!(why.to_string().contains("/no/such/place"), "{why}");
    }
    let found = adopt(world.path("p")).await.unwrap();
    assert!(matches!(found, Found::Ended(exit) if matches!(exit.how, How::NotStarted(_))));
}

#[tokio::test]
async fn without_a_holder_nothing_is_started_and_it_may_be_tried_again() {
    let world = World::new();
    let (spec, environment) = (world.spec("true"), Environment::default());
    for broken in ["/no/such/program", "/bin/true"] {
        let started = spawn(&Program::at(broken), world.path("p"), &spec, &environment).await;
        let why = started.unwrap_err();
        assert!(matches!(why, SpawnError::NotHeld { .. }), "{why:?}");
        assert_eq!(adopt(world.path("p")).await.unwrap(), Found::Absent);
    }
    assert_eq!(end(&world.run("exit 5").await).await, How::Exited(5));
}

#[tokio::test]
async fn a_folder_deeper_than_a_sockets_path_may_be_long_works() {
    let world = World::new();
    let name = format!("{}/{}", "deep".repeat(20), "deeper".repeat(10));
    let held = world
        .try_spawn(&name, &world.spec("read line; exit 5"))
        .await
        .unwrap();
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(5));
}

#[tokio::test]
async fn what_is_not_there_was_never_started() {
    let world = World::new();
    assert_eq!(adopt(world.path("nothing")).await.unwrap(), Found::Absent);
}

#[tokio::test]
async fn what_no_holder_wrote_is_an_error_that_names_the_file() {
    let world = World::new();
    let held = world.run("exit 0").await;
    end(&held).await;
    std::fs::write(world.path("p").join("exit.json"), "{").unwrap();
    let why = adopt(world.path("p")).await.unwrap_err();
    assert!(why.to_string().contains("exit.json"), "{why}");
}

#[tokio::test]
async fn a_later_version_is_left_alone() {
    let world = World::new();
    let held = world.run("exec sleep 600").await;
    let file = held.folder().join("holder.json");
    let before = std::fs::read(&file).unwrap();
    let mut holding = world.holding("p");
    holding["protocol"] = 99.into();
    std::fs::write(&file, holding.to_string()).unwrap();
    adopt(world.path("p")).await.unwrap_err();
    std::fs::write(&file, before).unwrap();
}

#[tokio::test]
async fn a_power_cut_that_tore_the_holders_file_leaves_a_lost_process() {
    let world = World::new();
    std::fs::create_dir(world.path("p")).unwrap();
    for name in ["holder.json", "spec.json"] {
        std::fs::write(world.path("p").join(name), "").unwrap();
    }
    assert_eq!(adopt(world.path("p")).await.unwrap(), Found::Lost);
    let held = world.run("echo run >runs").await;
    assert_eq!(held.wait().await.unwrap(), Outcome::Lost);
    let killed = held.kill(Span::ms(0)).await.unwrap();
    assert_eq!(killed, Outcome::Lost);
    assert!(!world.path("runs").exists());
}

/// A holder that is killed after its command began, before it could say so.
const KILLED_HOLDER: &str = "#!/bin/sh\nexec 3<&0\n\"$0.real\" \"$@\" <&3 >/dev/null &\n\
                             until [ -e \"$2/../began\" ]; do sleep 0.01; done\nkill -9 $!\nwait\necho killed\n";

#[tokio::test]
async fn a_holder_that_dies_before_its_word_has_started_the_command_all_the_same() {
    let world = World::new();
    let holder = world.path("holder");
    std::os::unix::fs::symlink(STAND_IN, world.path("holder.real")).unwrap();
    std::fs::write(&holder, KILLED_HOLDER).unwrap();
    std::fs::set_permissions(&holder, std::fs::Permissions::from_mode(0o700)).unwrap();
    let spec = world.spec("echo run >>runs; >began; exec sleep 600");
    let program = Program::at(&holder);
    for _ in 0..2 {
        let started = spawn(&program, world.path("p"), &spec, &Environment::default()).await;
        assert_eq!(started.unwrap().wait().await.unwrap(), Outcome::Lost);
    }
    let command = world.child("p");
    end_lost(&program, world.path("p")).unwrap();
    gone(command).await;
    assert_eq!(
        std::fs::read_to_string(world.path("runs")).unwrap(),
        "run\n"
    );
}

#[tokio::test]
async fn a_start_of_which_nothing_can_be_learnt_is_not_a_failed_one() {
    let world = World::new();
    std::fs::create_dir(world.path("p")).unwrap();
    std::fs::write(world.path("p").join("exit.json"), "{").unwrap();
    let why = world.try_spawn("p", &world.spec("true")).await.unwrap_err();
    assert!(matches!(why, SpawnError::Unknown { .. }), "{why:?}");
    std::fs::write(world.path("no folder"), "").unwrap();
    let never = world.try_spawn("no folder", &world.spec("true")).await;
    let why = never.unwrap_err();
    assert!(matches!(why, SpawnError::NotHeld { .. }), "{why:?}");
}

/// The nineteenth field of what the system says about a process.
fn niceness(pid: Pid) -> i32 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).unwrap();
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let field = after_name.split_ascii_whitespace().nth(16);
    field.unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_command_and_its_holder_step_back_behind_whoever_starts_them() {
    let world = World::new();
    let spec = Spec {
        nice: 3,
        ..world.spec("sh -c 'echo ready; read line'")
    };
    let held = world.spawn(&spec).await;
    says(&held, "ready").await;
    let expected = (niceness(rustix::process::getpid()) + 3).min(19);
    for pid in [world.holder("p"), world.child("p")] {
        assert_eq!(niceness(pid), expected);
    }
    held.close_input().await.unwrap();
    end(&held).await;
}

#[tokio::test]
async fn where_sessions_share_the_processor_theirs_step_back_too() {
    // Others may do that for one session in a tenth of a second, and there are other tests.
    let is_told = std::path::Path::new("/proc/self/autogroup").exists();
    if !is_told || !rustix::process::getuid().is_root() {
        eprintln!("SKIPPED: sessions are all alike here, or only root may say how nice they are");
        return;
    }
    let world = World::new();
    let spec = Spec {
        nice: 3,
        ..world.spec("read line")
    };
    let held = world.spawn(&spec).await;
    for pid in [world.holder("p"), world.child("p")] {
        let file = format!("/proc/{}/autogroup", pid.as_raw_pid());
        let is_nice = |text: String| text.trim_end().ends_with("nice 3").then_some(());
        until(|| std::fs::read_to_string(&file).ok().and_then(is_nice)).await;
    }
    held.close_input().await.unwrap();
    end(&held).await;
}
