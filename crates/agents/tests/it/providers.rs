//! Several servers behind each other: the next one answers, and nothing is said twice.

use angelia_agents::model::provider::Place;
use angelia_agents::model::wire::Wire;
use angelia_core::session::model_override::ModelOverride;
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::talk::{Heard, WIRES, input, model, place, turn};

async fn fake(reply: Reply) -> FakeModel {
    FakeModel::start(Script::in_order(vec![reply]))
        .await
        .unwrap()
}

async fn ask(places: Vec<Place>) -> Heard {
    let model = model(places);
    turn(&model, input("hi", Vec::new()), CancellationToken::new()).await
}

/// The other wire: a provider behind another may speak differently.
fn other(wire: Wire) -> Wire {
    match wire {
        Wire::OpenAi => Wire::Anthropic,
        Wire::Anthropic => Wire::OpenAi,
    }
}

/// The first gives this reply for ever; how often it was asked, and what was heard in the end.
async fn behind(reply: Reply, wire: Wire) -> (usize, Heard) {
    let (first, second) = (
        fake(reply).await,
        fake(Reply::says(["I am ", "the other."])).await,
    );
    let heard = ask(vec![place(&first, wire), place(&second, other(wire))]).await;
    assert_eq!(
        (heard.ended.clone(), heard.reply.as_str()),
        (Ok(()), "I am the other.")
    );
    assert_eq!((second.heard().len(), heard.steps.len()), (1, 1));
    (first.heard().len(), heard)
}

#[tokio::test]
async fn who_refuses_is_asked_once() {
    for wire in WIRES {
        let (asked, heard) = behind(Reply::refuses(401, "wrong key"), wire).await;
        assert_eq!((asked, heard.pieces.len()), (1, 2));
    }
}

#[tokio::test]
async fn who_asks_for_more_patience_than_there_is_is_asked_once() {
    for wire in WIRES {
        let busy = Reply::refuses(429, "come tomorrow").and_asks_for(86_400);
        assert_eq!(behind(busy, wire).await.0, 1);
    }
}

#[tokio::test]
async fn what_was_shown_of_answers_that_were_cut_is_taken_back() {
    for wire in WIRES {
        let cut = Reply::of([Piece::Say("I am half".to_owned()), Piece::HangUp]);
        let (asked, heard) = behind(cut, wire).await;
        assert_eq!((asked, heard.dropped), (4, 4));
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_passed_over_and_for_a_while_not_asked_again() {
    for wire in WIRES {
        let there = fake(Reply::says(["I am there."])).await;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let nowhere = Place {
            base_url: format!("http://127.0.0.1:{port}/v1").parse().unwrap(),
            ..place(&there, wire)
        };
        let model = model(vec![nowhere, place(&there, wire)]);
        let stop = CancellationToken::new();
        let first = turn(&model, input("hi", Vec::new()), stop.clone()).await;
        let second = turn(&model, input("hi", Vec::new()), stop).await;
        for heard in [&first, &second] {
            assert_eq!(
                (heard.ended.clone(), heard.reply.as_str()),
                (Ok(()), "I am there.")
            );
        }
        assert_eq!(
            (first.dropped, second.dropped),
            (4, 0),
            "tries at the first server"
        );
    }
}

#[tokio::test]
async fn when_nobody_answers_the_last_one_says_why() {
    let (first, second) = (
        fake(Reply::refuses(401, "wrong key")).await,
        fake(Reply::refuses(404, "no such model")).await,
    );
    let heard = ask(vec![place(&first, WIRES[0]), place(&second, WIRES[1])]).await;
    let told = heard.ended.unwrap_err().to_string();
    assert!(
        told.contains("no such model") && told.contains("[agent]"),
        "{told}"
    );
}

/// A turn of a conversation that chose the model `chosen`.
async fn ask_for(chosen: &str, places: Vec<Place>) -> Heard {
    let mut asked = input("hi", Vec::new());
    asked.choice.model = ModelOverride::of(&json!({ "model": chosen }));
    turn(&model(places), asked, CancellationToken::new()).await
}

#[tokio::test]
async fn behind_a_chosen_model_that_is_busy_stand_the_others() {
    let tomorrow = Reply::refuses(429, "come tomorrow").and_asks_for(86_400);
    let (first, second) = (
        fake(tomorrow).await,
        fake(Reply::says(["I am there."])).await,
    );
    let places = vec![place(&first, WIRES[0]), place(&second, WIRES[1])];
    let heard = ask_for("another", places).await;
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "I am there."));
    let asked: Vec<_> = first
        .heard()
        .into_iter()
        .map(|one| one.body["model"].clone())
        .collect();
    assert_eq!(asked, ["another", "fake-1"]);
}

#[tokio::test]
async fn a_chosen_model_that_does_not_exist_is_told_and_nobody_answers_in_its_place() {
    let missing = Reply::refuses(404, "no such model");
    let (first, second) = (
        fake(missing).await,
        fake(Reply::says(["I am there."])).await,
    );
    let places = vec![place(&first, WIRES[0]), place(&second, WIRES[1])];
    let heard = ask_for("another", places).await;
    let told = heard.ended.unwrap_err().to_string();
    assert!(
        told.contains("another") && told.contains("/model clear"),
        "{told}"
    );
    assert_eq!((first.asked(), second.asked()), (1, 0));
}
