//! `watch_and_notify`, op watch: chunks of output at given times, and what was told of each.

use std::collections::BTreeMap;

use angelia_core::process::watch::News;
use angelia_core::process::watch::pace::{Goes, Pace, Rate, judge};
use angelia_core::process::watch::scan::Scan;
use angelia_core::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    sessions: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the vectors")]
struct Step {
    t: f64,
    id: String,
    text: String,
    events: Vec<Value>,
    notify_on_complete: bool,
    watch_disabled: bool,
}

/// A process of a case.
#[derive(Default)]
struct Watched {
    scan: Scan,
    rate: Rate,
    goes: Goes,
    /// Lines that were found, told or not.
    found: u32,
}

impl Watched {
    fn hear(&mut self, step: &Step, patterns: &[String], pace: &mut Pace) -> Vec<News> {
        if self.goes == Goes::Out {
            return Vec::new();
        }
        let Some(found) = self.scan.read(patterns, &step.text) else {
            return Vec::new();
        };
        self.found += found.count;
        let now = Timestamp::from_ms(1_800_000_000_000 + (step.t * 1000.0).round() as i64);
        let judged = judge(&mut self.rate, pace, found, now);
        self.goes = judged.watch;
        judged.news
    }
}

/// What an event of the reference is with us, with the lines as far as both tell them.
fn as_ours(event: &Value) -> News {
    let count =
        u32::try_from(event["suppressed"].as_u64().unwrap_or(0)).expect("a number of lines");
    let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
    match event["type"].as_str() {
        Some("watch_match") => News::Hit {
            pattern: text("pattern"),
            lines: text("output").replace("\n...(truncated)", "\n…"),
            suppressed: count,
        },
        Some("watch_disabled") => News::StruckOut { suppressed: count },
        Some("watch_overflow_tripped") => News::Paused,
        Some("watch_overflow_released") => News::Resumed { missed: count },
        other => panic!("no event of ours: {other:?}"),
    }
}

/// Whether a line comes in two pieces: the reference looks at each alone (H-19).
fn is_torn(case: &Case) -> bool {
    let mut last = BTreeMap::new();
    case.steps.iter().any(|step| {
        let before = last.insert(&step.id, &step.text);
        before.is_some_and(|before: &String| !before.is_empty() && !before.ends_with('\n'))
    })
}

#[test]
fn hits_rests_strikes_and_pauses_are_the_same() {
    for case in cases::<Case>("processes/watch_and_notify.json") {
        let mut pace = Pace::default();
        let mut all: BTreeMap<&str, Watched> = BTreeMap::new();
        for (number, step) in case.steps.iter().enumerate() {
            let patterns = &case.sessions[&step.id];
            let process = all.entry(&step.id).or_default();
            let told = process.hear(step, patterns, &mut pace);
            if is_torn(&case) {
                continue;
            }
            let expected: Vec<News> = step.events.iter().map(as_ours).collect();
            assert_eq!(told, expected, "{} step {number}", case.id);
            let is_out = process.goes == Goes::Out;
            assert_eq!(is_out, step.watch_disabled, "{} step {number}", case.id);
            assert_eq!(is_out, step.notify_on_complete, "{} step {number}", case.id);
        }
        for (id, process) in &all {
            check_law(&case, id, process);
        }
    }
}

/// However an output is cut into pieces, each line with wanted words is found once, as long as it is
/// looked at.
fn check_law(case: &Case, id: &str, process: &Watched) {
    let said = case.steps.iter().filter(|step| step.id == id);
    let said: String = said.map(|step| step.text.as_str()).collect();
    let patterns = &case.sessions[id];
    let has = |line: &&str| {
        patterns
            .iter()
            .any(|pattern| line.contains(pattern.as_str()))
    };
    let lines = said.lines().filter(has).count();
    let found = usize::try_from(process.found).expect("few lines");
    match process.goes {
        Goes::On => assert_eq!(found, lines, "{} {id}", case.id),
        Goes::Out => assert!(found <= lines, "{} {id}", case.id),
    }
}
