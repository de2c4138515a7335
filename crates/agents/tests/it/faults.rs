//! What a model's server does to us.

use std::time::Duration;

use angelia_agents::model::provider::Place;
use angelia_agents::model::trial;
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use tokio::net::TcpSocket;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::talk::{KEY, WIRES, answer, input, model, place, turn};

/// Longer than anything here takes, and shorter than any limit of the agent.
const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_busy_server_is_asked_again_after_the_pause_it_wants() {
    for wire in WIRES {
        let busy = Reply::refuses(429, "slow down").and_asks_for(1);
        let script = Script::in_order(vec![busy, Reply::says(["here"])]);
        let fake = FakeModel::start(script).await.unwrap();
        let began = Instant::now();
        let heard = answer(&fake, wire, "hello").await;
        assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "here"));
        assert!(began.elapsed() >= Duration::from_secs(1));
        assert_eq!(fake.heard().len(), 2);
    }
}

#[tokio::test]
async fn behind_a_broken_server_stands_the_next() {
    for wire in WIRES {
        let broken = Script::in_order(vec![Reply::refuses(500, "on fire")]);
        let broken = FakeModel::start(broken).await.unwrap();
        let script = Script::in_order(vec![Reply::says(["I am the other"])]);
        let other = FakeModel::start(script).await.unwrap();
        let model = model(vec![place(&broken, wire), place(&other, wire)]);
        let heard = turn(&model, input("hi", Vec::new()), CancellationToken::new()).await;
        assert_eq!(
            (heard.ended, heard.reply.as_str()),
            (Ok(()), "I am the other")
        );
        assert_eq!((broken.heard().len(), other.heard().len()), (4, 1));
    }
}

#[tokio::test]
async fn what_was_said_before_a_hang_up_is_taken_back_and_said_once() {
    for wire in WIRES {
        let cut = Reply::of([Piece::Say("The answer is".to_owned()), Piece::HangUp]);
        let script = Script::in_order(vec![cut, Reply::says(["The answer is", " 42."])]);
        let fake = FakeModel::start(script).await.unwrap();
        let heard = answer(&fake, wire, "what is it").await;
        assert_eq!(
            (heard.ended, heard.reply.as_str()),
            (Ok(()), "The answer is 42.")
        );
        assert_eq!((heard.dropped, heard.steps.len()), (1, 1));
        assert_eq!(heard.pieces[0], "The answer is", "it was shown at once");
    }
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_told_clearly_and_not_tried_again() {
    for wire in WIRES {
        let why = "prompt is too long: 300000 tokens > 200000 maximum context length";
        let fake = FakeModel::start(Script::in_order(vec![Reply::refuses(400, why)])).await;
        let fake = fake.unwrap();
        let told = answer(&fake, wire, "hello")
            .await
            .ended
            .unwrap_err()
            .to_string();
        assert!(
            told.contains("/new") && told.contains("300000 tokens"),
            "{told}"
        );
        assert_eq!(fake.heard().len(), 1);
    }
}

#[tokio::test]
async fn a_server_that_repeats_our_key_does_not_show_it() {
    for wire in WIRES {
        let why = format!("wrong key {KEY}, look at your account");
        let fake = FakeModel::start(Script::in_order(vec![Reply::refuses(401, &why)])).await;
        let fake = fake.unwrap();
        let told = answer(&fake, wire, "hello")
            .await
            .ended
            .unwrap_err()
            .to_string();
        assert!(
            told.contains("[agent]") && told.contains("wrong key"),
            "{told}"
        );
        assert!(!told.contains(KEY), "{told}");
        assert_eq!(fake.heard().len(), 1);
    }
}

/// Stops the turn as soon as the model is asked; when that was.
async fn stop_once_asked(fake: &FakeModel, stop: &CancellationToken) -> Instant {
    while fake.heard().is_empty() {
        tokio::task::yield_now().await;
    }
    stop.cancel();
    Instant::now()
}

#[tokio::test]
async fn a_stopped_turn_ends_at_once_whatever_the_server_does() {
    for wire in WIRES {
        let slow = Reply::of([Piece::Say("wait".to_owned()), Piece::Pause(LONG)]);
        let fake = FakeModel::start(Script::in_order(vec![slow]))
            .await
            .unwrap();
        let model = model(vec![place(&fake, wire)]);
        let stop = CancellationToken::new();
        let stopping = stop_once_asked(&fake, &stop);
        let running = turn(&model, input("hi", Vec::new()), stop.clone());
        let both = async { tokio::join!(running, stopping) };
        // The server would have gone on after `LONG`. How soon it ends is measured by `bench model-stop`.
        let (heard, asked) = both.await;
        assert_eq!(heard.ended, Ok(()));
        assert_eq!(heard.steps.len(), 0);
        assert!(asked.elapsed() < LONG / 2);
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_without_its_address() {
    // The port stays ours, and nobody listens there.
    let closed = TcpSocket::new_v4().unwrap();
    closed.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = closed.local_addr().unwrap().port();
    let fake = FakeModel::start(Script::in_order(vec![])).await.unwrap();
    for wire in WIRES {
        let nowhere = Place {
            base_url: format!("http://127.0.0.1:{port}/v1").parse().unwrap(),
            ..place(&fake, wire)
        };
        // A trial asks once. A turn asks until its patience ends, and then tells the same words.
        let told = trial::call(&nowhere).await.unwrap_err();
        assert!(told.contains("cannot be reached"), "{told}");
        assert!(!told.contains(&port.to_string()), "{told}");
    }
}
