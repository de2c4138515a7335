use super::*;

use angelia_core::time::Timestamp;
use angelia_process::command::Command;
use angelia_process::foreground::{self, Status};

/// What a command says, how it ends, and where it left off.
async fn ran(text: &str) -> (String, Status, Option<PathBuf>) {
    let command = Command {
        workdir: Some("/usr".into()),
        ..Command::new(asking(text, None))
    };
    let finished = foreground::run(&command).await.unwrap();
    let (said, place) = answered(&finished.output);
    (said.to_owned(), finished.status, place)
}

#[tokio::test]
async fn where_a_command_left_off_is_known_and_its_words_are_its_own() {
    let cases = [
        ("cd /", "", 0, "/"),
        ("cd / && echo hi", "hi\n", 0, "/"),
        ("cd /; printf hi; exit 3", "hi", 3, "/"),
        ("(cd /; echo in)", "in\n", 0, "/usr"),
        ("cd /no-such-place 2>/dev/null", "", 2, "/usr"),
        ("cd /\ncat <<end\ntext\nend\n", "text\n", 0, "/"),
        ("cd /; exec >/dev/null; echo unheard", "", 0, "/"),
    ];
    for (text, said, code, place) in cases {
        let (output, status, left_off) = ran(text).await;
        assert_eq!(output, said, "{text}");
        assert!(matches!(status, Status::Exited(exit) if exit == code || code == 2 && exit == 1));
        assert_eq!(left_off, Some(place.into()), "{text}");
    }
}

#[tokio::test]
async fn a_command_that_ends_otherwise_says_nothing_about_its_place() {
    let (said, status, place) = ran("cd /; echo hi; kill -9 $$").await;
    assert_eq!(
        (said.as_str(), status, place),
        ("hi\n", Status::Signalled(9), None)
    );
    let (said, _, place) = ran("cd /; exec echo hi").await;
    assert_eq!((said.as_str(), place), ("hi\n", None));
}

#[test]
fn a_command_that_cannot_move_runs_as_it_is_written() {
    assert_eq!(asking("make -j2 && ls", None), "make -j2 && ls");
    assert_eq!(answered("all of it\n"), ("all of it\n", None));
    let printed = format!("{MARK}not a place\nmore");
    assert_eq!(answered(&printed), (printed.as_str(), None));
}

#[test]
fn the_last_move_counts() {
    let step = |directory: &str| Recorded {
        seq: 1,
        at: Timestamp::default(),
        step: Step::Moved {
            directory: directory.into(),
        },
    };
    assert_eq!(recorded(&[]), None);
    assert_eq!(recorded(&[step("/a"), step("/b")]), Some("/b".into()));
}
