//! Processes on a terminal.

use angelia_process::exit::How;
use angelia_process::held::HeldError;
use angelia_process::spec::{Size, Spec, Surface};

use crate::world::{World, end, said, says};

#[tokio::test]
async fn a_terminal_has_the_size_it_was_given_and_another_one_later() {
    let world = World::new();
    let text = "trap 'stty size' WINCH; test -t 0 && test -t 1 && stty size; \
                while read line; do echo; done";
    let held = world.spawn(&world.on_terminal(text)).await;
    says(&held, "30 120\r\n").await;
    let size = Size {
        rows: 50,
        columns: 77,
    };
    held.resize(size).await.unwrap();
    says(&held, "50 77\r\n").await;
}

#[tokio::test]
async fn the_size_at_the_start_is_the_one_asked_for() {
    let world = World::new();
    let size = Size {
        rows: 5,
        columns: 9,
    };
    let spec = Spec {
        surface: Surface::Terminal(size),
        ..world.spec("stty size")
    };
    let held = world.spawn(&spec).await;
    assert_eq!(end(&held).await, How::Exited(0));
    assert_eq!(said(&held), "5 9\r\n");
}

#[tokio::test]
async fn what_is_typed_as_control_c_interrupts() {
    let world = World::new();
    let held = world
        .spawn(&world.on_terminal("echo ready; exec sleep 600"))
        .await;
    says(&held, "ready").await;
    held.write(b"\x03").await.unwrap();
    assert_eq!(end(&held).await, How::Signalled(2));
}

#[tokio::test]
async fn the_end_of_input_can_be_typed() {
    let world = World::new();
    let held = world.spawn(&world.on_terminal("cat >heard; exit 8")).await;
    held.write(b"word\n").await.unwrap();
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(8));
    let heard = std::fs::read_to_string(world.path("heard")).unwrap();
    assert_eq!(heard, "word\n");
}

#[tokio::test]
async fn the_terminal_is_the_commands_own_and_colours_are_kept() {
    let world = World::new();
    let text = r"printf '\033[31mred\033[0m' >/dev/tty";
    let held = world.spawn(&world.on_terminal(text)).await;
    assert_eq!(end(&held).await, How::Exited(0));
    assert_eq!(said(&held), "\u{1b}[31mred\u{1b}[0m");
}

#[tokio::test]
async fn pipes_have_no_size() {
    let world = World::new();
    let held = world.run("exec sleep 600").await;
    let refused = held.resize(Size::default()).await;
    assert!(matches!(refused, Err(HeldError::Refused(_))), "{refused:?}");
}
