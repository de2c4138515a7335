//! `lifecycle_traces`: sequences of steps, each played against a store in a file.

use angelia_core::transcript::ending::Life;
use angelia_store::sessions::Record;

use super::house::{House, Kept};
use super::play::{Answer, Names, play};
use super::told::{Step, Trace, moment};
use super::verdict::Judge;
use crate::cases;

#[tokio::test]
async fn conversations_live_as_in_the_reference_or_differ_for_a_known_reason() {
    let mut unexplained = Vec::new();
    for trace in cases::<Trace>("sessions/lifecycle_traces.json") {
        let judge = run(&trace).await;
        let unnamed = judge.unexplained.iter();
        unexplained.extend(unnamed.map(|what| format!("{}: {what}", trace.id)));
        // The reasons by trace are in docs/conformance.md.
        eprintln!("{}: {:?}", trace.id, judge.whys);
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}

async fn run(trace: &Trace) -> Judge {
    let is_restart =
        |step: &Step| ["restart", "lose_index", "corrupt_index_file"].contains(&step.op.as_str());
    let kept = match trace.steps.iter().any(is_restart) {
        true => Kept::InFile,
        false => Kept::InMemory,
    };
    let mut house = House::new(&trace.config, kept);
    house.set_clock(moment(&trace.start));
    house.sources = trace.sources.clone();
    let mut names = Names::new();
    let mut judge = Judge::default();
    for step in &trace.steps {
        let answer = play(&mut house, &mut names, step).await;
        if let (true, Answer::Entry(Some(record))) = (step.op == "get_or_create", &answer) {
            holds(&house, step, record);
        }
        judge.judge(&house, &mut names, step, &answer).await;
    }
    judge
}

/// L1: whoever speaks finds a conversation that is live and was active just now, whatever came before.
fn holds(house: &House, step: &Step, record: &Record) {
    assert_eq!(record.standing.life, Life::Live, "{step:?}");
    assert!(record.standing.active_at >= house.now(), "{step:?}");
}
