use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;

fn words(script: &str) -> Vec<String> {
    ["/bin/sh", "-c", script].map(str::to_owned).to_vec()
}

fn started(script: &str) -> (Kept, Pipes) {
    start(&words(script), &Environment::inherited()).unwrap()
}

async fn line(pipe: &mut Receiver) -> String {
    let mut line = Vec::new();
    while let Ok(byte) = pipe.read_u8().await {
        if byte == b'\n' {
            break;
        }
        line.push(byte);
    }
    String::from_utf8(line).unwrap()
}

/// Waits until the process with this number is gone, or a zombie.
async fn is_gone(pid: &str) {
    let alive = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
    };
    while alive() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn words_go_in_and_come_out_and_complaints_have_a_way_of_their_own() {
    let (kept, mut pipes) = started("read word; echo \"$word\"; echo oh >&2");
    pipes.input.write_all(b"hello\n").await.unwrap();
    assert_eq!(line(&mut pipes.output).await, "hello");
    assert_eq!(line(&mut pipes.errors).await, "oh");
    assert!(kept.end().await.unwrap().success());
}

#[tokio::test]
async fn a_program_ends_by_itself_when_its_input_does() {
    let (mut kept, pipes) = started("cat; exit 7");
    drop(pipes.input);
    kept.exited().await;
    assert_eq!(kept.end().await.unwrap().code(), Some(7));
}

#[tokio::test]
async fn one_that_does_not_want_to_end_is_killed_with_those_it_started() {
    let (kept, mut pipes) = started("trap '' TERM; sleep 600 & echo $!; while :; do wait; done");
    let child = line(&mut pipes.output).await;
    drop(pipes);
    kept.end().await.unwrap();
    is_gone(&child).await;
}

#[tokio::test]
async fn letting_go_kills_everybody() {
    let (kept, mut pipes) = started("sleep 600 & echo $!; wait");
    let child = line(&mut pipes.output).await;
    drop(kept);
    is_gone(&child).await;
}

#[tokio::test]
async fn only_the_given_variables_are_seen() {
    let environment = Environment::default().given("GITHUB_TOKEN", "for this one");
    let print = words("printf '%s\\n' \"$GITHUB_TOKEN,$HOME\"");
    let (kept, mut pipes) = start(&print, &environment).unwrap();
    assert_eq!(line(&mut pipes.output).await, "for this one,");
    kept.end().await.unwrap();
}

#[tokio::test]
async fn a_program_that_is_not_there_is_an_error() {
    let nowhere = vec!["/nowhere/at/all".to_owned()];
    let environment = Environment::default();
    assert!(start(&nowhere, &environment).is_err());
    assert!(start(&[], &environment).is_err());
}
