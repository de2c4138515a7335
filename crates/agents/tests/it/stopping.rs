//! A turn that is stopped while the model speaks: the line is hung up.
//!
//! The model says one word and then nothing for longer than any test, so its next word can only come after it
//! has seen that we are gone. What this takes is measured by the benchmark `model-stop`.

use std::time::Duration;

use angelia_agents::Backend as _;
use angelia_agents::events::{self, AgentEvent};
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::talk::{WIRES, input, model, place};

/// Longer than any limit of the agent.
const LONG: Duration = Duration::from_secs(100_000);

/// Looks for the hang-up, a millisecond apart.
const LOOKS: usize = 20_000;

/// What is heard until the line ends; with the first word somebody stops the turn.
async fn heard(
    mut told: mpsc::Receiver<AgentEvent>,
    fake: &FakeModel,
    stop: &CancellationToken,
) -> String {
    let mut reply = String::new();
    while let Some(event) = told.recv().await {
        match event {
            AgentEvent::Text(more) => {
                reply.push_str(&more);
                assert_eq!(fake.speaking(), 1, "it is in the middle of its answer");
                stop.cancel();
            }
            AgentEvent::Between(answer) => drop(answer.send(Vec::new())),
            AgentEvent::AnswerBegins
            | AgentEvent::AnswerDropped
            | AgentEvent::Thought(_)
            | AgentEvent::Shown(_)
            | AgentEvent::Heard(_)
            | AgentEvent::Step(..) => (),
        }
    }
    reply
}

/// Waits until the model has seen the hang-up.
async fn hung_up(fake: &FakeModel) {
    let mut looks = 0..LOOKS;
    while fake.speaking() > 0 {
        assert!(looks.next().is_some(), "the line is still open");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn the_line_is_hung_up_before_the_model_says_another_word() {
    for wire in WIRES {
        let words = [
            Piece::Say("one ".to_owned()),
            Piece::Pause(LONG),
            Piece::Say("two".to_owned()),
        ];
        let script = Script::in_order(vec![Reply::of(words)]);
        let fake = FakeModel::start(script).await.unwrap();
        let (events, told) = events::channel();
        let stop = CancellationToken::new();
        let agent = model(vec![place(&fake, wire)]);
        let running = agent.run(input("hello", Vec::new()), events, stop.clone());
        let (ended, reply) = tokio::join!(running, heard(told, &fake, &stop));
        assert_eq!((ended, reply.as_str()), (Ok(()), "one "));
        hung_up(&fake).await;
        assert_eq!(fake.asked(), 1, "nobody asked again");
    }
}
