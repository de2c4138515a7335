//! A turn that is run again over its journal.

use std::fs;

use angelia_core::turn::journal::Step;
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::talk::{WIRES, input, model, place, turn};

#[tokio::test]
async fn whatever_was_recorded_is_neither_asked_for_nor_done_again() {
    for wire in WIRES {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        let call = Piece::Call {
            id: "c".to_owned(),
            name: "terminal".to_owned(),
            arguments: json!({ "command": format!("echo run >>{}", runs.display()) }),
        };
        let script = Script::steps(vec![
            Reply::of([Piece::Say("First.".to_owned()), call]),
            Reply::says(["Last."]),
        ]);
        let fake = FakeModel::start(script).await.unwrap();
        let model = model(vec![place(&fake, wire)]);
        let whole = turn(&model, input("go", Vec::new()), CancellationToken::new()).await;
        assert_eq!(whole.reply, "First.\n\nLast.");
        let asked = fake.heard();
        assert_eq!(asked.len(), 2);

        for kept in 0..=whole.steps.len() {
            let before = whole.steps[..kept].to_vec();
            let is_answered = |step: &&Step| matches!(step, Step::Answer { .. });
            let recorded = before.iter().filter(is_answered).count();
            let has_begun = |step: &Step| matches!(step, Step::ToolBegun { .. });
            let begun = before.iter().any(has_begun);
            let has_ended = |step: &Step| matches!(step, Step::ToolFinished { .. });
            let ended = before.iter().any(has_ended);
            fs::write(&runs, "").unwrap();
            let count = fake.heard().len();
            let again = turn(&model, input("go", before), CancellationToken::new()).await;
            assert_eq!(again.reply, whole.reply, "after {kept} steps");
            let later = fake.heard().split_off(count);
            assert_eq!(later.len(), 2 - recorded, "after {kept} steps");
            let made = fs::read_to_string(&runs).unwrap().lines().count();
            assert_eq!(made, usize::from(!begun), "after {kept} steps");
            // A call that began and did not end has another result: that nothing is known of it.
            let is_open = begun && !ended;
            let last = later.last().map(|last| &last.body["messages"]);
            assert!(last.is_none_or(|last| is_open || *last == asked[1].body["messages"]));
        }
    }
}
