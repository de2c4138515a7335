//! A conversation that becomes too long for its model.

use std::sync::Arc;

use angelia_agents::events::Ended;
use angelia_agents::model::agent::Model;
use angelia_agents::past::{Counted, Find, Found, NoPast, Past, Row, Story};
use angelia_agents::{AgentError, Input};
use angelia_core::todo::Task;
use angelia_core::transcript::compaction::Since;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::turn::journal::Step;
use angelia_testkit::fakes::model::{FakeModel, Heard as Asked, Piece, Reply, Script};
use async_trait::async_trait;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::talk::{Heard, WIRES, input, model_reading, place, shorten, turn};

/// What a small model can read, in tokens.
const WINDOW: u64 = 10_000;

const TOO_LONG: &str = "prompt is too long";

/// What was said before: so many questions with their answers, a thousand tokens each.
#[derive(Debug)]
struct Said(Story);

#[async_trait]
impl Past for Said {
    async fn story(&self) -> Result<Story, AgentError> {
        Ok(self.0.clone())
    }

    async fn search(&self, find: Find) -> Result<Vec<Found>, AgentError> {
        NoPast.search(find).await
    }

    async fn tasks(&self) -> Result<Vec<Task>, AgentError> {
        NoPast.tasks().await
    }

    async fn keep_tasks(&self, tasks: Vec<Task>) -> Result<(), Ended> {
        NoPast.keep_tasks(tasks).await
    }
}

fn said(turns: usize, prompt_tokens: u64) -> Arc<Said> {
    let long = "word".repeat(1_000);
    let turn = |number| {
        [
            Entry::new(Role::User, format!("question {number} {long}")),
            Entry::new(Role::Assistant, format!("answer {number}")),
        ]
    };
    let rows = (1..).zip((1..=turns).flat_map(turn));
    Arc::new(Said(Story {
        rows: rows.map(|(number, entry)| Row { number, entry }).collect(),
        counted: (prompt_tokens > 0).then_some(Counted {
            tokens: prompt_tokens,
            until: 2 * turns as u64,
        }),
    }))
}

fn long(past: Arc<Said>, before: Vec<Step>) -> Input {
    Input {
        past,
        ..input("and now?", before)
    }
}

fn wants_notes(asked: &Asked) -> bool {
    asked.body.to_string().contains("You keep the notes")
}

/// Writes notes when it is asked to, and otherwise answers as `reply` says.
fn keeper(reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Script {
    Script::new(move |asked, _| match wants_notes(asked) {
        true => Reply::says(["THE NOTES"]),
        false => reply(asked),
    })
}

/// Takes nothing that is longer than so many bytes.
fn narrow(asked: &Asked, bytes: usize) -> Reply {
    match asked.body["messages"].to_string().len() > bytes {
        true => Reply::refuses(400, TOO_LONG),
        false => Reply::says(["Here."]),
    }
}

fn shortened(heard: &Heard) -> Vec<(Since, &str)> {
    let mut all = Vec::new();
    for step in &heard.steps {
        if let Step::Compacted { since, summary, .. } = step {
            all.push((*since, summary.as_str()));
        }
    }
    all
}

async fn run(model: &Model, input: Input) -> Heard {
    turn(model, input, CancellationToken::new()).await
}

#[tokio::test]
async fn at_the_threshold_of_what_was_really_read_the_older_part_becomes_a_summary() {
    for wire in WIRES {
        let fake = FakeModel::start(keeper(|_| Reply::says(["Here."])))
            .await
            .unwrap();
        let model = model_reading(vec![place(&fake, wire)], WINDOW);
        let below = run(&model, long(said(4, 8_000), Vec::new())).await;
        assert_eq!((below.steps.len(), fake.heard().len()), (1, 1));

        let full = run(&model, long(said(4, 8_500), Vec::new())).await;
        assert_eq!((full.ended.clone(), full.reply.as_str()), (Ok(()), "Here."));
        let [(since, summary)] = shortened(&full)[..] else {
            panic!("{:?}", full.steps)
        };
        assert_eq!((since, summary), (Since { row: 7, own: 0 }, "THE NOTES"));
        let Step::Compacted {
            spent: Some(spent), ..
        } = &full.steps[0]
        else {
            panic!("{:?}", full.steps)
        };
        assert_eq!((spent.tokens.input, spent.calls), (100, 1));
        let [_, notes, asked] = &fake.heard()[..] else {
            panic!("one more question than answers")
        };
        let (notes, asked) = (notes.body.to_string(), asked.body.to_string());
        assert!(notes.contains("question 3") && !notes.contains("question 4"));
        assert!(!notes.contains("\"tools\""));
        assert!(asked.contains("THE NOTES") && !asked.contains("question 3"));
        assert!(asked.contains("question 4") && asked.contains("and now?"));

        let again = run(&model, long(said(4, 8_500), full.steps[..1].to_vec())).await;
        assert_eq!(
            (again.reply.as_str(), shortened(&again).len()),
            ("Here.", 0)
        );
        assert_eq!(
            fake.heard().len(),
            4,
            "the notes are read and not asked for again"
        );
        assert_eq!(
            fake.heard()[3].body["messages"],
            fake.heard()[2].body["messages"]
        );
    }
}

#[tokio::test]
async fn where_nobody_counts_the_size_is_estimated() {
    let script = keeper(|_| Reply::says(["Here."]).uncounted());
    let fake = FakeModel::start(script).await.unwrap();
    let model = model_reading(vec![place(&fake, WIRES[0])], WINDOW);
    assert_eq!(
        shortened(&run(&model, long(said(3, 0), Vec::new())).await).len(),
        0
    );
    assert_eq!(
        shortened(&run(&model, long(said(9, 0), Vec::new())).await).len(),
        1
    );
}

#[tokio::test]
async fn what_a_server_finds_too_long_is_made_shorter_and_asked_again() {
    for wire in WIRES {
        let fake = FakeModel::start(keeper(|asked| narrow(asked, 15_000)))
            .await
            .unwrap();
        // It believes in a window that is not there.
        let model = model_reading(vec![place(&fake, wire)], 100_000);
        let heard = run(&model, long(said(12, 0), Vec::new())).await;
        assert_eq!(
            (heard.ended.clone(), heard.reply.as_str()),
            (Ok(()), "Here.")
        );
        assert!(!shortened(&heard).is_empty());
        assert_eq!(heard.pieces, ["Here."], "nobody hears the notes");
    }
}

#[tokio::test]
async fn a_message_that_is_too_long_by_itself_is_cut_in_the_request_alone() {
    for wire in WIRES {
        let fake = FakeModel::start(keeper(|asked| narrow(asked, 9_000)))
            .await
            .unwrap();
        let model = model_reading(vec![place(&fake, wire)], 100_000);
        let words = format!("first words {} last words", "word ".repeat(8_000));
        let heard = run(&model, input(&words, Vec::new())).await;
        assert_eq!(
            (heard.ended.clone(), heard.reply.as_str()),
            (Ok(()), "Here.")
        );
        assert_eq!(shortened(&heard).len(), 0);
        let last = fake.heard().pop().unwrap().body.to_string();
        for part in ["first words", "last words", "are left out here"] {
            assert!(last.contains(part), "{part}");
        }
    }
}

#[tokio::test]
async fn a_summary_that_fails_is_told_kindly_and_only_where_it_is_needed() {
    for wire in WIRES {
        let script = Script::new(|asked, _| match wants_notes(asked) {
            true => Reply::refuses(401, "no notes for you"),
            false => narrow(asked, 15_000),
        });
        let fake = FakeModel::start(script).await.unwrap();
        let model = model_reading(vec![place(&fake, wire)], WINDOW);
        let told = run(&model, long(said(12, 0), Vec::new())).await.ended;
        let told = told.unwrap_err().to_string();
        assert!(
            told.contains("could not be summed up") && told.contains("/new"),
            "{told}"
        );
        let fits = run(&model, long(said(2, 9_000), Vec::new())).await;
        assert_eq!((fits.ended.clone(), fits.reply.as_str()), (Ok(()), "Here."));
    }
}

#[tokio::test]
async fn what_never_fits_is_not_tried_for_ever() {
    for wire in WIRES {
        let fake = FakeModel::start(keeper(|asked| narrow(asked, 0)))
            .await
            .unwrap();
        let model = model_reading(vec![place(&fake, wire)], WINDOW);
        let heard = run(&model, long(said(12, 0), Vec::new())).await;
        let told = heard.ended.unwrap_err().to_string();
        assert!(told.contains("longer than the model can read"), "{told}");
        let count = fake.heard().len();
        assert!(count < 30, "{count} questions");
    }
}

#[tokio::test]
async fn somebody_may_ask_for_a_shorter_conversation_and_say_what_matters() {
    for wire in WIRES {
        let fake = FakeModel::start(keeper(|_| Reply::says(["never asked"])))
            .await
            .unwrap();
        let model = model_reading(vec![place(&fake, wire)], WINDOW);
        let heard = shorten(&model, long(said(4, 0), Vec::new()), Some("the budget")).await;
        assert_eq!(heard.ended, Ok(()));
        assert!(heard.reply.contains("shorter now"), "{}", heard.reply);
        assert_eq!(shortened(&heard).len(), 1);
        assert!(fake.heard()[0].body.to_string().contains("the budget"));

        let again = shorten(&model, long(said(4, 0), heard.steps.clone()), None).await;
        assert_eq!((&again.reply, again.steps.len()), (&heard.reply, 0));
        assert_eq!(fake.heard().len(), 1);

        let little = shorten(&model, long(said(0, 0), Vec::new()), None).await;
        assert!(little.reply.contains("too little"), "{}", little.reply);
    }
}

/// Long results fill the window in the middle of a turn; wherever it is cut off, it goes on the same way.
#[tokio::test]
async fn a_long_turn_goes_on_from_its_own_summary_wherever_it_is_cut_off() {
    for wire in WIRES {
        let call = |number: usize| Piece::Call {
            id: format!("c{number}"),
            name: "terminal".to_owned(),
            arguments: json!({ "command": format!("echo result {number}; yes {number} | head -c 9000") }),
        };
        // It has looked at as many things as its notes and the rows behind them tell.
        let script = keeper(move |asked| {
            let words = asked.body["messages"].to_string();
            let done = (1..=5)
                .rev()
                .find(|number| words.contains(&format!("result {number}")));
            match done.unwrap_or(0) {
                5 => Reply::says(["All five."]).uncounted(),
                done => Reply::of([call(done + 1)]).uncounted(),
            }
        });
        let fake = FakeModel::start(script).await.unwrap();
        let model = model_reading(vec![place(&fake, wire)], WINDOW);
        let whole = run(&model, input("look at five things", Vec::new())).await;
        assert_eq!(
            (whole.ended.clone(), whole.reply.as_str()),
            (Ok(()), "All five.")
        );
        let summaries = shortened(&whole);
        assert!(!summaries.is_empty(), "{:?}", whole.steps.len());
        let (since, summary) = summaries[0];
        assert!(
            since.own > 0 && summary.contains("look at five things"),
            "{summary}"
        );
        let last = fake.heard().pop().unwrap().body["messages"].clone();
        for kept in (0..whole.steps.len()).step_by(2) {
            let again = run(
                &model,
                input("look at five things", whole.steps[..kept].to_vec()),
            )
            .await;
            assert_eq!(again.reply, whole.reply, "after {kept} steps");
            let is_open = matches!(whole.steps[..kept].last(), Some(Step::ToolBegun { .. }));
            let end = fake.heard().pop().unwrap().body["messages"].clone();
            assert!(
                is_open || kept + 1 == whole.steps.len() || end == last,
                "after {kept} steps"
            );
        }
    }
}
