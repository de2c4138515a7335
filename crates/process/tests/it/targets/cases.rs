//! What every place must keep to.

use std::fs;

use angelia_core::time::Span;
use angelia_process::command::Command;
use angelia_process::environment::Environment;
use angelia_process::exit::How;
use angelia_process::foreground::{self, Finished, RunError, Status};
use angelia_process::held::{Held, Outcome, Program, SpawnError, end_lost, spawn};
use angelia_process::spec::Spec;
use rustix::process::{Pid, Signal};

use super::place::Place;
use crate::world::{STAND_IN, end, gone, how, said, says, until};

/// Says twenty thousand lines of 60 bytes.
const MUCH: &str = "n=0; while [ $n -lt 20000 ]; do n=$((n+1)); \
                    printf '%05d ................................................../\\n' $n; done; exit 5";

/// Says lines until it is told to stop, some at a time.
const COUNTER: &str = "n=0; while [ $n -lt 4000 ]; do n=$((n+1)); echo line $n; \
                       [ $((n % 40)) -ne 0 ] || sleep 0.02; done; echo end";

pub(super) async fn a_megabyte_arrives_byte_for_byte(place: Place) {
    let held = place.run(MUCH).await;
    assert_eq!(end(&held).await, How::Exited(5));
    let said = said(&held);
    assert_eq!(said.lines().count(), 20_000);
    for (index, line) in said.lines().enumerate() {
        let expected = format!(
            "{:05} ................................................../",
            index + 1
        );
        assert_eq!(line, expected);
    }
}

pub(super) async fn the_code_of_the_command_is_the_end(place: Place) {
    for (name, code) in [("a", 0), ("b", 7), ("c", 137), ("d", 255)] {
        let spec = place.spec(&format!("exit {code}"));
        let held = place.world.try_spawn(name, &spec).await.unwrap();
        assert_eq!(end(&held).await, How::Exited(code));
    }
}

pub(super) async fn a_death_by_signal_is_told_from_a_code(place: Place) {
    for (name, signal) in [("a", 9), ("b", 15), ("c", 2)] {
        let spec = place.spec(&format!("kill -{signal} $$"));
        let held = place.world.try_spawn(name, &spec).await.unwrap();
        assert_eq!(end(&held).await, How::Signalled(signal));
    }
}

pub(super) async fn a_command_runs_where_it_is_told_to(place: Place) {
    assert_eq!(
        place
            .ask("make", "mkdir -p \"it's here\" && echo made")
            .await,
        "made"
    );
    let spec = Spec {
        workdir: Some(format!("{}/it's here", place.inside).into()),
        ..place.spec("pwd")
    };
    let held = place.world.spawn(&spec).await;
    end(&held).await;
    assert_eq!(said(&held), format!("{}/it's here\n", place.inside));
}

pub(super) async fn a_directory_that_is_not_there_is_a_failed_start(place: Place) {
    let spec = Spec {
        workdir: Some("/no/such/place".into()),
        ..place.spec("echo never")
    };
    let refused = place.world.try_spawn("p", &spec).await;
    let Err(SpawnError::NotStarted(why)) = refused else {
        panic!("{refused:?}");
    };
    assert!(why.contains("/no/such/place"), "{why}");
}

pub(super) async fn an_unreachable_target_is_a_failed_start(place: &Place) {
    let refused = place.world.try_spawn("p", &place.spec("echo never")).await;
    let Err(SpawnError::NotStarted(why)) = refused else {
        panic!("{refused:?}");
    };
    assert!(why.contains("the road is closed"), "{why}");
}

pub(super) async fn input_arrives_and_ends(place: Place) {
    let held = place.run("read line; echo got $line; cat; echo done").await;
    held.write(b"it's 100% \\ here\n").await.unwrap();
    says(&held, "got it's 100%").await;
    held.write(b"more\n").await.unwrap();
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(0));
    assert!(said(&held).ends_with("more\ndone\n"), "{}", said(&held));
}

pub(super) async fn much_input_arrives_in_order(place: Place) {
    let held = place.run("cat; echo done").await;
    let text: String = (0..2_000).map(|n| format!("number {n}\n")).collect();
    held.write(text.as_bytes()).await.unwrap();
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(0));
    assert_eq!(said(&held), format!("{text}done\n"));
}

pub(super) async fn the_command_sees_what_the_caller_added_and_nothing_of_the_gateway(
    place: Place,
) {
    let environment = Environment::inherited();
    let environment = environment.with("MY_WORD", "it's given").with("id", "kept");
    let spec = place.spec("env; echo =$MY_WORD= =$id=");
    let folder = place.world.path("p");
    let held = spawn(&Program::at(STAND_IN), &folder, &spec, &environment)
        .await
        .unwrap();
    assert_eq!(end(&held).await, How::Exited(0));
    let said = said(&held);
    assert!(said.contains("=it's given= =kept="), "{said}");
    assert!(!said.contains("ANGELIA_INSIDE"), "{said}");
    let kept = fs::read_to_string(folder.join("spec.json")).unwrap();
    assert!(!kept.contains("given"), "{kept}");
}

/// Whether the process whose number stands in `file` inside is there.
async fn is_there(place: &Place, name: &str, file: &str) -> bool {
    let script = format!(
        "[ -s {file} ] && read pid <{file} || exit 0; read -r stat <\"/proc/$pid/stat\" 2>/dev/null || exit 0; \
         set -- ${{stat##*) }}; [ \"$1\" = Z ] || echo there"
    );
    place.ask(name, &script).await == "there"
}

/// Waits until whoever left the file is gone: who guards a line ends everybody behind it, also when the line
/// itself is gone first.
async fn is_gone(place: &Place, file: &str) {
    for look in 0..100 {
        if !is_there(place, &format!("look{look}"), file).await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("it outlives its line");
}

pub(super) async fn a_kill_reaches_those_who_left_the_session(place: Place) {
    let text = "trap '' TERM; setsid sh -c 'trap \"\" TERM; echo $$ >grand; echo ready; \
                while :; do sleep 1; done' & wait";
    let held = place.run(text).await;
    says(&held, "ready").await;
    assert!(is_there(&place, "before", "grand").await);
    let outcome = held.kill(Span::ms(300)).await.unwrap();
    assert_eq!(how(outcome), How::Signalled(9));
    assert!(!is_there(&place, "after", "grand").await);
}

pub(super) async fn a_kill_leaves_time_to_tidy_up(place: Place) {
    let text = "trap 'echo tidy; exit 3' TERM; echo ready; while :; do sleep 0.1; done";
    let held = place.run(text).await;
    says(&held, "ready").await;
    let outcome = held.kill(Span::minutes(1)).await.unwrap();
    assert_eq!(how(outcome), How::Exited(3));
    assert!(said(&held).ends_with("tidy\n"), "{}", said(&held));
}

pub(super) async fn who_is_left_behind_is_ended(place: Place) {
    let held = place
        .run("sh -c 'echo $$ >left; exec sleep 600' & sleep 0.2; echo bye")
        .await;
    assert_eq!(end(&held).await, How::Exited(0));
    assert!(!is_there(&place, "after", "left").await);
}

/// The programs that lead to the target now.
fn programs_on_the_way(bridge: Pid) -> Vec<Pid> {
    let number = bridge.as_raw_pid();
    let children = fs::read_to_string(format!("/proc/{number}/task/{number}/children"));
    let children = children.unwrap_or_default();
    let numbers = children.split_ascii_whitespace();
    numbers
        .filter_map(|number| Pid::from_raw(number.parse().ok()?))
        .collect()
}

fn cut_the_line(place: &Place) {
    for program in programs_on_the_way(place.world.child("p")) {
        let _gone = rustix::process::kill_process(program, Signal::KILL).is_err();
    }
}

pub(super) async fn a_broken_line_loses_and_doubles_nothing(place: Place) {
    let held = place.run(COUNTER).await;
    for mark in ["line 300\n", "line 1200\n", "line 2500\n"] {
        says(&held, mark).await;
        cut_the_line(&place);
    }
    assert_eq!(end(&held).await, How::Exited(0));
    let said = said(&held);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((lines.len(), lines.last()), (4001, Some(&"end")));
    for (index, line) in lines[..4000].iter().enumerate() {
        assert_eq!(*line, format!("line {}", index + 1));
    }
}

pub(super) async fn input_survives_a_broken_line(place: Place) {
    let held = place.run("while read a; do echo got $a; done").await;
    let mut heard = String::new();
    for number in 1..=5 {
        held.write(format!("{number}\n").as_bytes()).await.unwrap();
        heard.push_str(&format!("got {number}\n"));
        says(&held, &heard).await;
        cut_the_line(&place);
        // Whoever stayed behind on the broken line may still pass this on.
        held.write(format!("{number} again\n").as_bytes())
            .await
            .unwrap();
        heard.push_str(&format!("got {number} again\n"));
    }
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(0));
    assert_eq!(said(&held), heard);
}

pub(super) async fn a_signal_goes_through(place: Place) {
    let text = "trap 'echo heard; exit 4' USR1; echo ready; while :; do sleep 0.1; done";
    let held = place.run(text).await;
    says(&held, "ready").await;
    held.signal(Signal::USR1).await.unwrap();
    assert_eq!(end(&held).await, How::Exited(4));
}

pub(super) async fn a_signal_reaches_no_stranger(place: Place) {
    // The number of the command's leader is given to somebody who does not belong to it.
    let text = "setsid sh -c 'trap \"echo hit >hit\" USR1; echo ready; while :; do sleep 0.1; done' & \
                echo $! 1 - >\"${TMPDIR:-/tmp}/angelia-$ANGELIA_HELD/leader\"; \
                read line; echo got $line; sleep 0.5; ls";
    let held = place.run(text).await;
    says(&held, "ready").await;
    held.signal(Signal::USR1).await.unwrap();
    held.write(b"it\n").await.unwrap();
    assert_eq!(end(&held).await, How::Exited(0));
    let said = said(&held);
    assert!(said.contains("got it"), "{said}");
    assert!(!said.lines().any(|line| line == "hit"), "{said}");
}

pub(super) async fn what_was_handed_over_may_run(place: &Place) {
    let held = place.world.try_spawn("p", &place.spec("true")).await;
    assert_eq!(held.unwrap().wait().await.unwrap(), Outcome::Lost);
}

pub(super) async fn what_was_taken_back_does_not_run(place: &Place) {
    let refused = place.world.try_spawn("p", &place.spec("true")).await;
    let Err(SpawnError::NotStarted(why)) = refused else {
        panic!("{refused:?}");
    };
    assert!(why.contains("no room"), "{why}");
}

pub(super) async fn output_comes_before_the_word(place: &Place) {
    let held = place.world.try_spawn("p", &place.spec("true")).await;
    let held = held.unwrap();
    assert_eq!(end(&held).await, How::Exited(3));
    assert_eq!(said(&held), "x".repeat(400_000));
}

pub(super) async fn a_greeting_is_left_out(place: &Place) {
    let held = place.run("echo one; read line; echo $line; exit 6").await;
    says(&held, "one\n").await;
    cut_the_line(place);
    held.write(b"two\n").await.unwrap();
    assert_eq!(end(&held).await, How::Exited(6));
    assert_eq!(said(&held), "one\ntwo\n");
}

async fn sleeper(place: &Place) -> Held {
    let held = place
        .run("echo $$ >sleeper; echo ready; exec sleep 600")
        .await;
    says(&held, "ready").await;
    held
}

pub(super) async fn a_dead_bridge_is_a_lost_process_whose_command_is_ended(place: Place) {
    let held = sleeper(&place).await;
    let bridge = place.world.child("p");
    rustix::process::kill_process(bridge, Signal::KILL).unwrap();
    assert_eq!(held.wait().await.unwrap(), Outcome::Lost);
    assert!(is_there(&place, "before", "sleeper").await);
    end_lost(&Program::at(STAND_IN), place.world.path("p")).unwrap();
    is_ended(&place, "sleeper").await;
}

pub(super) async fn a_dead_holder_ends_the_command(place: Place) {
    let held = sleeper(&place).await;
    let holder = place.world.holder("p");
    let bridge = place.world.child("p");
    rustix::process::kill_process(holder, Signal::KILL).unwrap();
    assert_eq!(held.wait().await.unwrap(), Outcome::Lost);
    gone(bridge).await;
    assert!(!is_there(&place, "after", "sleeper").await);
}

async fn is_ended(place: &Place, file: &str) {
    for round in 0.. {
        if !is_there(place, &format!("look{round}"), file).await {
            return;
        }
    }
}

pub(super) async fn nothing_is_left_in_the_target(place: Place) {
    let held = place.run("echo ${TMPDIR:-/tmp}/angelia-*").await;
    assert_eq!(end(&held).await, How::Exited(0));
    let inside = fs::read_to_string(place.world.path("p").join("inside")).unwrap();
    assert!(said(&held).contains(&inside), "{}", said(&held));
    gone(place.world.holder("p")).await;
    let look = format!("ls -d ${{TMPDIR:-/tmp}}/angelia-{inside} 2>/dev/null; echo looked");
    assert_eq!(place.ask("look", &look).await, "looked");
    until(|| {
        programs_on_the_way(place.world.holder("p"))
            .is_empty()
            .then_some(())
    })
    .await;
}

fn command(place: &Place, text: &str) -> Command {
    Command {
        workdir: Some(place.inside.clone().into()),
        target: place.target.clone(),
        ..Command::new(text)
    }
}

async fn finished(command: &Command) -> Finished {
    foreground::run(command).await.unwrap()
}

pub(super) async fn a_foreground_command_is_run_to_its_end(place: Place) {
    let both = finished(&command(&place, "pwd; echo wrong >&2; exit 9")).await;
    assert_eq!(both.status, Status::Exited(9));
    assert_eq!(both.output, format!("{}\nwrong\n", place.inside));
    let killed = finished(&command(&place, "kill -9 $$")).await;
    assert_eq!(killed.status, Status::Signalled(9));
    let silent = finished(&command(&place, "cat; exit 137")).await;
    assert_eq!(
        (silent.status, silent.output.as_str()),
        (Status::Exited(137), "")
    );
}

pub(super) async fn a_foreground_command_in_no_directory_is_not_started(place: Place) {
    let lost = Command {
        workdir: Some("/no/such/place".into()),
        ..command(&place, "echo never")
    };
    let refused = foreground::run(&lost).await;
    let Err(RunError::Unreached(why)) = refused else {
        panic!("{refused:?}");
    };
    assert!(why.contains("/no/such/place"), "{why}");
}

pub(super) async fn an_unreachable_target_runs_nothing_in_the_foreground(place: &Place) {
    let refused = foreground::run(&command(place, "echo never")).await;
    let Err(RunError::Unreached(why)) = refused else {
        panic!("{refused:?}");
    };
    assert!(why.contains("the road is closed"), "{why}");
}

/// Leaves the session, does not heed a polite word, and goes on for ever.
const STUBBORN: &str = "echo begun; setsid sh -c 'trap \"\" TERM; echo $$ >grand; \
                        while :; do sleep 1; done' & wait";

pub(super) async fn a_foreground_command_is_ended_inside_when_its_time_is_up(place: Place) {
    let short = Command {
        time: Span::seconds(6),
        ..command(&place, STUBBORN)
    };
    let late = finished(&short).await;
    assert_eq!(late.status, Status::TimedOut);
    // A shell whose child was ended first may say so before it is ended itself.
    assert!(late.output.starts_with("begun\n"), "{}", late.output);
    is_gone(&place, "grand").await;
}

pub(super) async fn a_dropped_foreground_command_is_ended_inside(place: Place) {
    // Two who make one container at the same moment are not what this is about.
    place.ask("first", "true").await;
    let stubborn = command(&place, STUBBORN);
    let running = foreground::run(&stubborn);
    let begun = async {
        for round in 0.. {
            if is_there(&place, &format!("begun{round}"), "grand").await {
                return;
            }
        }
    };
    tokio::select! {
        ended = running => panic!("{ended:?}"),
        () = begun => (),
    }
    is_ended(&place, "grand").await;
}
