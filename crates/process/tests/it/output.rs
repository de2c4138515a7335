//! What a process says.

use angelia_process::exit::How;
use angelia_process::spec::{ERRORS_BYTES_MAX, Errors, Spec};

use crate::world::{World, end, said};

#[tokio::test]
async fn output_and_errors_stand_in_the_order_in_which_they_were_said() {
    let world = World::new();
    let held = world.run("echo one; echo two >&2; echo three").await;
    assert_eq!(end(&held).await, How::Exited(0));
    assert_eq!(said(&held), "one\ntwo\nthree\n");
}

#[tokio::test]
async fn raw_bytes_are_kept_as_they_are() {
    let world = World::new();
    let held = world.run(r"printf '\000\377\033[1m\r\n'").await;
    end(&held).await;
    assert_eq!(held.read(0, 100).unwrap().bytes, b"\0\xff\x1b[1m\r\n");
}

#[tokio::test]
async fn a_follower_gets_everything_up_to_the_end() {
    let world = World::new();
    let held = world
        .run("n=0; while [ $n -lt 2000 ]; do n=$((n+1)); echo $n; done")
        .await;
    let mut follow = held.follow(0).await.unwrap();
    let mut heard = Vec::new();
    while let Some(piece) = follow.next().await.unwrap() {
        assert_eq!((piece.cut, piece.from), (0, heard.len() as u64));
        heard.extend(piece.bytes);
    }
    let counted: String = (1..=2000).map(|n| format!("{n}\n")).collect();
    assert_eq!(String::from_utf8(heard).unwrap(), counted);
    assert_eq!(end(&held).await, How::Exited(0));
    // One who comes later gets the rest from any place.
    let mut late = held.follow(counted.len() as u64 - 5).await.unwrap();
    assert_eq!(late.next().await.unwrap().unwrap().bytes, b"2000\n");
    assert_eq!(late.next().await.unwrap(), None);
}

#[tokio::test]
async fn a_follower_hears_at_once() {
    let world = World::new();
    let held = world
        .run("while read line; do echo heard $line; done")
        .await;
    let mut follow = held.follow(0).await.unwrap();
    for word in ["a", "b", "c"] {
        held.write(format!("{word}\n").as_bytes()).await.unwrap();
        let piece = follow.next().await.unwrap().unwrap();
        assert_eq!(piece.bytes, format!("heard {word}\n").as_bytes());
    }
}

#[tokio::test]
async fn a_long_output_keeps_its_beginning_and_its_end_and_the_cut_is_told() {
    let world = World::new();
    let spec = Spec {
        log_bytes_max: 64 * 1024,
        ..world.spec("seq 1 200000")
    };
    let held = world.spawn(&spec).await;
    assert_eq!(end(&held).await, How::Exited(0));
    let all: String = (1..=200_000).map(|n| format!("{n}\n")).collect();
    assert_eq!(held.output_bytes().unwrap(), all.len() as u64);
    let (mut at, mut kept, mut cuts) = (0, 0, 0);
    while at < all.len() {
        let piece = held.read(at as u64, 10_000).unwrap();
        let from = usize::try_from(piece.from).unwrap();
        assert_eq!(piece.bytes, all.as_bytes()[from..from + piece.bytes.len()]);
        cuts += usize::from(piece.cut > 0);
        kept += piece.bytes.len();
        at = from + piece.bytes.len();
    }
    assert_eq!(cuts, 1);
    assert!((60_000..=65_536).contains(&kept), "{kept}");
}

#[tokio::test]
async fn errors_that_stand_apart_are_not_in_the_output() {
    let world = World::new();
    let spec = Spec {
        errors: Errors::Apart,
        ..world.spec("echo one; echo wrong >&2; echo two; exit 3")
    };
    let held = world.spawn(&spec).await;
    assert_eq!(end(&held).await, How::Exited(3));
    assert_eq!(said(&held), "one\ntwo\n");
    assert_eq!(held.last_errors(1000).unwrap(), b"wrong\n");
    assert_eq!(held.last_errors(3).unwrap(), b"ng\n");
}

#[tokio::test]
async fn errors_that_stand_apart_are_bounded_and_end_with_the_last() {
    let world = World::new();
    let spec = Spec {
        errors: Errors::Apart,
        ..world.spec("seq 1 200000 >&2; echo done")
    };
    let held = world.spawn(&spec).await;
    assert_eq!(end(&held).await, How::Exited(0));
    assert_eq!(said(&held), "done\n");
    assert!(
        held.last_errors(4096)
            .unwrap()
            .ends_with(b"\n199999\n200000\n")
    );
    let all = std::fs::read_dir(world.path("p"))
        .unwrap()
        .map(Result::unwrap);
    let errors = all.filter(|file| file.file_name().to_string_lossy().starts_with("errors."));
    let kept: u64 = errors.map(|file| file.metadata().unwrap().len()).sum();
    assert!(kept > 0);
    assert!(kept <= ERRORS_BYTES_MAX, "{kept}");
}
