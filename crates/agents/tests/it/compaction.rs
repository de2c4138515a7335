//! A conversation that becomes too long for its model.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use angelia_agents::events::Ended;
use angelia_agents::model::agent::Model;
use angelia_agents::model::provider::Place;
use angelia_agents::model::wire::Wire;
use angelia_agents::past::{Counted, Find, Found, NoPast, Past, Row, Story};
use angelia_agents::{AgentError, Input};
use angelia_core::todo::Task;
use angelia_core::transcript::compaction::Since;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::turn::journal::Step;
use angelia_testkit::fakes::model::{FakeModel, Heard as Asked, Piece, Reply, Script, Stop};
use async_trait::async_trait;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::talk::{Heard, WIRES, input, model_reading, place, shorten, turn};

/// What a small model can read, in tokens.
pub(crate) const WINDOW: u64 = 10_000;

const TOO_LONG: &str = "prompt is too long";

/// What was said before: so many questions with their answers, a thousand tokens each.
#[derive(Debug)]
pub(crate) struct Said(Story);

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

pub(crate) fn said(turns: usize, prompt_tokens: u64) -> Arc<Said> {
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

pub(crate) fn long(past: Arc<Said>, before: Vec<Step>) -> Input {
    Input {
        past,
        ..input("and now?", before)
    }
}

pub(crate) fn wants_notes(asked: &Asked) -> bool {
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

#[tokio::test]
async fn notes_that_were_cut_are_asked_for_again_with_more_room_and_never_kept() {
    let cut = || Reply {
        stop: Stop::Length,
        ..Reply::says(["HALF THE NO"])
    };
    for wire in WIRES {
        let whole = notes_cut(wire, 1, cut).await;
        assert_eq!(whole.ended, Ok(()));
        let [Step::Compacted { summary, spent, .. }] = &whole.steps[..1] else {
            panic!("{:?}", whole.steps)
        };
        let calls = spent.as_ref().map(|spent| spent.calls);
        assert_eq!((summary.as_str(), calls), ("THE NOTES", Some(2)));
        let never = notes_cut(wire, 2, cut).await;
        let told = never.ended.clone().unwrap_err().to_string();
        assert!(told.contains("could not be summed up"), "{told}");
        assert_eq!(shortened(&never).len(), 0);
    }
}

/// A conversation that is to be made shorter by a model whose notes are cut so many times.
async fn notes_cut(wire: Wire, cuts: usize, cut: fn() -> Reply) -> Heard {
    let asked = AtomicUsize::new(0);
    let script = Script::new(move |heard, _| match wants_notes(heard) {
        true if asked.fetch_add(1, Relaxed) < cuts => cut(),
        true => Reply::says(["THE NOTES"]),
        false => Reply::says(["Here."]),
    });
    let fake = FakeModel::start(script).await.unwrap();
    let model = model_reading(vec![place(&fake, wire)], WINDOW);
    let heard = shorten(&model, long(said(4, 0), Vec::new()), None).await;
    let first = (wire == Wire::Anthropic).then_some(4_096);
    let told = [first, Some(16_384)];
    assert_eq!(room(&fake), told, "it is asked twice at most");
    heard
}

/// How long its answers might be, as it was told.
fn room(fake: &FakeModel) -> Vec<Option<u64>> {
    let told = |asked: &Asked| asked.body["max_tokens"].as_u64();
    fake.heard().iter().map(told).collect()
}

#[tokio::test]
async fn notes_never_have_more_room_than_was_set_and_are_not_asked_for_in_vain() {
    for wire in WIRES {
        let script = Script::new(|_, _| Reply {
            stop: Stop::Length,
            ..Reply::says(["HALF THE NO"])
        });
        let fake = FakeModel::start(script).await.unwrap();
        let set = Place {
            answer_tokens: Some(2_000),
            ..place(&fake, wire)
        };
        let model = model_reading(vec![set], WINDOW);
        let heard = shorten(&model, long(said(4, 0), Vec::new()), None).await;
        let told = heard.ended.unwrap_err().to_string();
        assert!(told.contains("no room for all of its summary"), "{told}");
        assert_eq!(room(&fake), [Some(2_000)]);
    }
}

#[tokio::test]
async fn a_giant_row_of_a_small_window_is_summed_up_by_its_ends() {
    for wire in WIRES {
        let fake = FakeModel::start(keeper(|asked| narrow(asked, 24_000)))
            .await
            .unwrap();
        let model = model_reading(vec![place(&fake, wire)], 8_000);
        let pasted = format!("first words {} last words", "word ".repeat(12_000));
        let rows = [
            Entry::new(Role::User, pasted),
            Entry::new(Role::Assistant, "I see."),
        ];
        let rows = (1..).zip(rows);
        let past = Arc::new(Said(Story {
            rows: rows.map(|(number, entry)| Row { number, entry }).collect(),
            counted: None,
        }));
        let heard = shorten(&model, long(past, Vec::new()), None).await;
        assert_eq!(heard.ended, Ok(()));
        let notes = fake.heard().pop().unwrap().body["messages"].to_string();
        assert!(notes.len() < 16_000, "{}", notes.len());
        for part in ["first words", "last words", "are left out here"] {
            assert!(notes.contains(part), "{part}");
        }
    }
}

#[tokio::test]
async fn of_very_much_the_earlier_notes_stay_and_what_was_not_read_is_said() {
    let fake = FakeModel::start(keeper(|_| Reply::says(["Here."])))
        .await
        .unwrap();
    let model = model_reading(vec![place(&fake, WIRES[0])], WINDOW);
    let mut story = said(60, 0).0.clone();
    story.rows.insert(
        0,
        Row {
            number: 0,
            entry: Entry::new(Role::Summary, "the door is green"),
        },
    );
    let heard = shorten(&model, long(Arc::new(Said(story)), Vec::new()), None).await;
    let first = fake.heard()[0].body.to_string();
    assert!(first.contains("the door is green"), "{first}");
    assert!(!first.contains("question 1 "), "it is too much");
    let [(_, summary)] = shortened(&heard)[..] else {
        panic!("{:?}", heard.steps)
    };
    assert!(
        summary.starts_with("THE NOTES") && summary.contains("are in no notes"),
        "{summary}"
    );
}
