//! Wanted words.

use angelia_core::limits;
use angelia_core::process::watch::Notifications;
use angelia_core::process::{Notice, Watch};
use angelia_core::time::Span;
use angelia_core::turn::busy;
use angelia_store::turns::Turns as _;

use super::agent::{Home, for_words, until};

#[tokio::test]
async fn words_are_told_while_the_turn_that_started_the_process_runs() {
    let home = Home::with(Notifications::Off, busy::Mode::Interrupt);
    let gateway = home.house.start(1).await;
    let command = format!("echo server READY now; {}", home.wait_for("end"));
    let wish = (command, for_words(&["READY"]));
    let (inbox, id) = home.start(&gateway, "start and stay", wish).await;
    let session = home.house.story(inbox).await.session;
    until("the hit to be in the inbox", async || {
        let waiting = home.house.store.waiting(session).await.unwrap();
        (waiting == 1).then_some(())
    })
    .await;
    assert!(home.heard().is_empty(), "the turn goes on undisturbed");
    home.until_turn(inbox, "running").await;
    home.let_go();
    let heard = home.until_heard(1).await;
    assert!(
        heard[0].contains(&format!("{id} said \"READY\"")),
        "{heard:?}"
    );
    assert!(heard[0].ends_with("server READY now"), "{heard:?}");
    let message = home.heard().remove(0);
    assert_eq!(message.person.id, "u");
    assert_eq!(message.address.chat.id, "c");
    home.raise("end");
    home.until_spent(id).await;
    gateway.stop().await;
    assert_eq!(home.heard().len(), 1);
}

#[tokio::test]
async fn a_process_that_is_over_at_once_is_told_in_order() {
    let home = Home::new();
    let gateway = home.house.start(1).await;
    let watch = Watch {
        notice: Notice::Wanted,
        ..for_words(&["READY"])
    };
    let wish = ("printf 'it is READY'; exit 3".to_owned(), watch);
    let (_, id) = home.start(&gateway, "start", wish).await;
    let heard = home.until_heard(2).await;
    assert!(heard[0].contains("said \"READY\""), "{heard:?}");
    assert!(heard[1].contains("exited with code 3"), "{heard:?}");
    home.until_spent(id).await;
    gateway.stop().await;
    assert_eq!(home.heard().len(), 2);
}

#[tokio::test]
async fn words_that_were_said_while_no_gateway_ran_are_told_once() {
    let home = Home::new();
    let first = home.house.start(1).await;
    let command = format!(
        "{} echo READY again; {}",
        home.wait_for("go"),
        home.wait_for("end")
    );
    let wish = (command, for_words(&["READY"]));
    let (inbox, id) = home.start(&first, "start", wish).await;
    home.until_turn(inbox, "completed").await;
    first.kill();
    home.raise("go");
    home.until_said(id, "READY").await;
    let second = home.house.start(2).await;
    let heard = home.until_heard(1).await;
    assert!(heard[0].ends_with("READY again"), "{heard:?}");
    second.kill();
    home.raise("end");
    let third = home.house.start(3).await;
    home.until_spent(id).await;
    third.stop().await;
    assert_eq!(home.heard().len(), 1);
}

#[tokio::test]
async fn a_gateway_that_dies_again_and_again_tells_every_hit_once() {
    const ROUNDS: usize = 8;
    let home = Home::new();
    let mut gateway = home.house.start(1).await;
    let rounds = (0..ROUNDS).map(|round| {
        let flag = home.wait_for(&format!("round{round}"));
        format!("{flag} printf 'REA'; printf 'DY <{round}>\\nnoise\\n';")
    });
    let command = rounds.collect::<String>() + &home.wait_for("end");
    let wish = (command, for_words(&["READY"]));
    let (inbox, id) = home.start(&gateway, "start", wish).await;
    home.until_turn(inbox, "completed").await;
    for round in 0..ROUNDS {
        home.raise(&format!("round{round}"));
        if round % 2 == 0 {
            home.until_said(id, &format!("<{round}>")).await;
        }
        gateway.kill();
        gateway = home.house.start(round as u64 + 2).await;
        home.until_heard(round + 1).await;
        home.later(&gateway, limits::HIT_REST);
    }
    home.raise("end");
    home.until_spent(id).await;
    gateway.stop().await;
    let heard = home.heard();
    assert_eq!(heard.len(), ROUNDS, "{heard:?}");
    for (round, message) in heard.iter().enumerate() {
        assert!(message.text.contains(&format!("<{round}>")), "{message:?}");
    }
    assert!(!home.has_news().await);
}

#[tokio::test]
async fn a_process_that_strikes_out_is_told_about_at_its_end_also_after_a_restart() {
    let home = Home::new();
    let first = home.house.start(1).await;
    let mut command = String::new();
    for round in 0..6 {
        command += &home.wait_for(&format!("round{round}"));
        command += &format!("echo E {round};");
    }
    command += &home.wait_for("end");
    let (inbox, id) = home
        .start(&first, "start", (command, for_words(&["E"])))
        .await;
    home.until_turn(inbox, "completed").await;
    // However slow the machine is, two lines are as far apart as they are said to be.
    home.house.clock_stops();
    for round in 0..6 {
        let looks_before = looks(&home, id).await;
        home.raise(&format!("round{round}"));
        until("the line to be looked at", async || {
            (looks(&home, id).await != looks_before).then_some(())
        })
        .await;
        if round % 2 == 1 {
            home.house.clock_jumps(limits::HIT_REST);
        }
    }
    let heard = home.until_heard(4).await;
    assert!(
        heard[3].contains("not watched for words any more"),
        "{heard:?}"
    );
    assert_eq!(home.process(id).await.watch.notice, Notice::Wanted);
    first.kill();
    // Whatever the first held is free by now.
    home.house.clock_jumps(angelia_core::time::Span::minutes(5));
    home.raise("end");
    let second = home.house.start(2).await;
    let heard = home.until_heard(5).await;
    assert!(heard[4].contains("exited with code 0"), "{heard:?}");
    home.until_spent(id).await;
    second.stop().await;
    assert_eq!(home.heard().len(), 5);
}

/// How often the output was looked at; nothing once the watch is over.
async fn looks(home: &Home, id: angelia_core::id::ProcessId) -> Option<u32> {
    use angelia_store::watches::Watches as _;
    let looked = home.house.store.looked(id).await.unwrap();
    looked.map(|looked| looked.looks)
}

#[tokio::test]
async fn a_conversation_that_is_full_is_told_later_in_the_same_order() {
    let home = Home::new();
    let gateway = home.house.start(1).await;
    let command = format!("{} echo READY", home.wait_for("go"));
    let watch = Watch {
        notice: Notice::Wanted,
        ..for_words(&["READY"])
    };
    let (_, id) = home
        .start(&gateway, "start and stay", (command, watch))
        .await;
    for _ in 0..limits::WAITING_PER_SESSION {
        home.say(&gateway, "one more").await;
    }
    home.raise("go");
    until("the end to be written", async || {
        home.process(id).await.ended_at
    })
    .await;
    home.later(&gateway, Span::ms(1));
    assert!(home.has_news().await);
    home.let_go();
    let heard = home.until_heard(2).await;
    assert!(heard[0].contains("said \"READY\""), "{heard:?}");
    assert!(heard[1].contains("exited with code 0"), "{heard:?}");
    gateway.stop().await;
}

#[tokio::test]
async fn secrets_in_what_is_told_are_hidden_before_they_are_written() {
    let home = Home::new();
    let gateway = home.house.start(1).await;
    let secret = "ghp_AbCdEfGhIjKlMnOpQrStUvWx";
    let command = format!("echo READY with {secret}; {}", home.wait_for("end"));
    let wish = (command, for_words(&["READY"]));
    home.start(&gateway, "start", wish).await;
    let heard = home.until_heard(1).await;
    assert!(heard[0].contains("READY with ghp_"), "{heard:?}");
    assert!(!heard[0].contains(secret), "{heard:?}");
    gateway.stop().await;
}
