//! Where a question stands: below the words that were said before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_agents::consent::{Inquiry, Told};
use angelia_agents::events::{Ended, Events};
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::display::{Displays, Layer};
use angelia_core::recovery::EffectClass;
use angelia_core::turn::busy::{Mode, Steering};
use angelia_core::turn::journal::Step;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::board::{Board, PACE};
use crate::commands::Parrot;
use crate::house::{House, write};

/// Says something in two breaths, and wants to know something.
struct Wonders {
    before: Before,
}

/// What makes sure that its words are heard before its question.
#[derive(Clone, Copy)]
enum Before {
    /// A step.
    Recorded,
    /// It asks whether they were: its question is no step of ours.
    Heard,
}

impl Wonders {
    async fn make_sure(&self, events: &Events) -> Result<(), Ended> {
        let begun = Step::ToolBegun {
            call: "1".to_owned(),
            tool: "ask_user".to_owned(),
            arguments: json!({}),
            effect: EffectClass::Pure,
        };
        match self.before {
            Before::Recorded => events.record(begun).await,
            Before::Heard => events.heard().await,
        }
    }
}

fn wonders(before: Before) -> Arc<Wonders> {
    Arc::new(Wonders { before })
}

#[async_trait]
impl Backend for Wonders {
    fn name(&self) -> &'static str {
        "wonders"
    }

    fn steering(&self) -> Steering {
        Steering::Impossible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        _stop: CancellationToken,
    ) -> Result<(), AgentError> {
        let gone = |_| AgentError::passing("gone");
        let inquiry = Inquiry {
            call: "2".to_owned(),
            question: "Which of them?".to_owned(),
            choices: vec!["one".to_owned()],
        };
        let said = "There are two that I could take, and I do not know them";
        events.text(said.to_owned()).await.map_err(gone)?;
        tokio::task::yield_now().await;
        events
            .text(" well enough.".to_owned())
            .await
            .map_err(gone)?;
        self.make_sure(&events).await.map_err(gone)?;
        match input.consent.inquire(inquiry).await.map_err(gone)? {
            Told::Answered(answer) => events.text(format!("It is {answer}.")).await,
            Told::Nothing(why) => events.text(why).await,
        }
        .map_err(gone)
    }
}

fn house(board: &Board, written: &Value) -> House<Parrot> {
    let (there, problems) = Layer::read(written.as_object().unwrap());
    assert!(problems.is_empty(), "{problems:?}");
    let mut house = House::new(Parrot::default(), Mode::Queue);
    house.adapter = Arc::new(board.clone());
    house.displays = Displays {
        places: BTreeMap::from([("api".to_owned(), there)]),
        ..Displays::default()
    };
    house
}

#[tokio::test(start_paused = true)]
async fn a_question_stands_below_all_that_was_said_before_it() {
    question_stands_below(Before::Recorded).await;
    question_stands_below(Before::Heard).await;
}

async fn question_stands_below(before: Before) {
    let board = Board::default();
    let house = house(&board, &json!({ "tool_progress": "off" }));
    let gateway = house.start_with(1, wonders(before), None).await;
    let began = Instant::now();
    write(&gateway, "c", 1, "go").await;
    let asks = |texts: &[String]| texts.iter().any(|text| text.contains("Which of them?"));
    board.until("c", asks).await;
    let texts = board.texts("c");
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].contains("well enough."), "{texts:?}");
    assert!(texts[1].contains("Which of them?"), "{texts:?}");
    // The rest of the words is due after one pace, and nothing more is waited for.
    assert!(
        began.elapsed() < PACE.to_std() * 3 / 2,
        "{:?}",
        began.elapsed()
    );
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_question_waits_for_nothing_where_words_are_shown_with_the_reply() {
    let board = Board::default();
    let written = json!({ "tool_progress": "off", "streaming": false });
    let house = house(&board, &written);
    let gateway = house.start_with(1, wonders(Before::Recorded), None).await;
    let began = Instant::now();
    write(&gateway, "c", 1, "go").await;
    board.until("c", |texts| !texts.is_empty()).await;
    assert!(began.elapsed().as_secs() < 1, "{:?}", began.elapsed());
    assert!(board.texts("c")[0].contains("Which of them?"));
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_question_has_a_button_for_each_choice_and_says_what_was_chosen() {
    let board = Board::default();
    let house = house(&board, &json!({ "tool_progress": "off" }));
    let gateway = house.start_with(1, wonders(Before::Recorded), None).await;
    write(&gateway, "c", 1, "go").await;
    let asks = |texts: &[String]| texts.iter().any(|text| text.contains("Which of them?"));
    board.until("c", asks).await;
    let buttons = board.buttons();
    let [one] = &*buttons else {
        panic!("there is one choice: {buttons:?}");
    };
    assert_eq!(one.label, "one");
    write(&gateway, "c", 2, &one.says).await;
    let is_over = |texts: &[String]| texts.iter().any(|text| text.ends_with("Chosen: one"));
    board.until("c", is_over).await;
    let is_told = |texts: &[String]| texts.iter().any(|text| text.ends_with("It is one."));
    board.until("c", is_told).await;
    assert!(board.buttons().is_empty());
    gateway.stop().await;
}
