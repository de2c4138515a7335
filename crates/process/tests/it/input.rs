//! What is written to a process.

use std::time::Duration;

use angelia_core::time::Span;
use angelia_process::exit::How;
use angelia_process::held::HeldError;
use angelia_process::spec::{Input, Spec, Surface};
use rustix::process::{Pid, Signal};

use crate::world::{World, end, how, said};

#[tokio::test]
async fn what_is_written_arrives_in_order_and_ends_with_the_input() {
    let world = World::new();
    let held = world.run("cat; echo over").await;
    held.write(b"one\n").await.unwrap();
    held.write("zw\u{f6}lf\n".as_bytes()).await.unwrap();
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(0));
    assert_eq!(said(&held), "one\nzw\u{f6}lf\nover\n");
}

#[tokio::test]
async fn whoever_wrote_can_ask_how_much_was_taken() {
    let world = World::new();
    let held = world.run("cat > /dev/null").await;
    assert_eq!(held.input_bytes().await.unwrap(), 0);
    held.write(b"one\n").await.unwrap();
    held.write(&vec![b'x'; 200_000]).await.unwrap();
    assert_eq!(held.input_bytes().await.unwrap(), 200_004);
    held.close_input().await.unwrap();
    end(&held).await;
    let gone = held.input_bytes().await.unwrap_err();
    assert!(matches!(gone, HeldError::Ended(_)), "{gone}");
}

#[tokio::test]
async fn a_text_longer_than_every_buffer_arrives_in_whole() {
    let world = World::new();
    let held = world.run("sleep 0.2; cksum").await;
    let long = vec![b'x'; 1_000_000];
    held.write(&long).await.unwrap();
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(0));
    assert!(said(&held).contains(" 1000000"), "{}", said(&held));
}

/// For how many ticks a process kept a processor busy.
fn worked(pid: Pid) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).unwrap();
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let fields: Vec<_> = after_name.split_ascii_whitespace().collect();
    fields[11..13]
        .iter()
        .map(|ticks| ticks.parse::<u64>().unwrap())
        .sum()
}

#[tokio::test]
async fn a_process_that_does_not_read_holds_up_the_writer_but_nothing_else() {
    let world = World::new();
    let held = world.run("echo here; exec sleep 600").await;
    let long = vec![b'x'; 1_000_000];
    let waiting = held.write(&long);
    let moment = std::time::Duration::from_millis(100);
    assert!(tokio::time::timeout(moment, waiting).await.is_err());
    // The writer is gone, its words wait, and nobody turns in circles over it.
    let before = worked(world.holder("p"));
    tokio::time::sleep(moment).await;
    assert!(
        worked(world.holder("p")) - before <= 2,
        "ticks of ten milliseconds"
    );
    held.kill(angelia_core::time::Span::minutes(1))
        .await
        .unwrap();
    assert!(matches!(held.write(b"x").await, Err(HeldError::Ended(_))));
}

#[tokio::test]
async fn an_input_that_is_not_there_refuses() {
    let world = World::new();
    let closed = Spec {
        surface: Surface::Pipes(Input::Closed),
        ..world.spec("cat; exec sleep 600")
    };
    let held = world.spawn(&closed).await;
    for refused in [held.write(b"x").await, held.close_input().await] {
        assert!(matches!(refused, Err(HeldError::Refused(_))), "{refused:?}");
    }
    let open = world
        .try_spawn("open", &world.spec("cat; exec sleep 600"))
        .await
        .unwrap();
    open.close_input().await.unwrap();
    assert!(matches!(open.write(b"x").await, Err(HeldError::Refused(_))));
}

#[tokio::test]
async fn many_who_follow_leave_room_for_who_ends_it() {
    let world = World::new();
    let held = world.run("exec sleep 600").await;
    let (mut following, mut refused) = (Vec::new(), 0);
    for _ in 0..30 {
        let mut follow = held.follow(0).await.unwrap();
        let moment = Duration::from_millis(100);
        match tokio::time::timeout(moment, follow.next()).await {
            Ok(Err(HeldError::Refused(_))) => refused += 1,
            Ok(other) => panic!("{other:?}"),
            Err(_) => following.push(follow),
        }
    }
    assert!(refused > 0 && !following.is_empty(), "{refused}");
    held.signal(Signal::CONT).await.unwrap();
    let outcome = held.kill(Span::ms(0)).await.unwrap();
    assert_eq!(how(outcome), How::Signalled(9));
}

#[tokio::test]
async fn a_holder_that_does_not_answer_is_told_in_time() {
    let world = World::new();
    let held = world.run("exec sleep 600").await;
    rustix::process::kill_process(world.holder("p"), Signal::STOP).unwrap();
    let killed = held.kill(Span::ms(0)).await;
    assert!(
        matches!(killed, Err(HeldError::Unreachable { .. })),
        "{killed:?}"
    );
    rustix::process::kill_process(world.holder("p"), Signal::CONT).unwrap();
    let outcome = held.kill(Span::ms(0)).await.unwrap();
    assert_eq!(how(outcome), How::Signalled(9));
}
