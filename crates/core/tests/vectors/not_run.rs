//! Files of which nothing is run, because they are about what there is not here, or not yet. Each case must have the shape
//! of a group that was judged: a new shape needs a verdict in `docs/conformance.md`.
//!
//! And the list of verdicts is whole: every file has one, and every verdict its file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};

use crate::{cases, directory};

/// Why nothing is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// Ours is another rule, shown by a test that the page names.
    OnPurpose,
    /// There is nothing of the kind here, nor will there be.
    NotOurs,
    /// There is nothing of the kind here yet.
    NotYet,
}
use Why::{NotOurs, NotYet, OnPurpose};

/// Cases of one shape: their `kind`, if they have one, and their other fields, with a blank between two.
type Group = (Why, &'static str, &'static str);

const FILES: &[(&str, &[Group])] = &[
    (
        "agent_cache",
        &[
            (OnPurpose, "", "cap entries_oldest_first left running tag"),
            (
                OnPurpose,
                "",
                "cap entries_oldest_first evicted expired finalizable idle_seconds left running tag ttl",
            ),
        ],
    ),
    (
        "channel_lookup",
        &[(NotYet, "", "directory platform query result type")],
    ),
    (
        "command_names",
        &[
            (NotOurs, "", "names reserved result"),
            (NotOurs, "", "raw telegram_name"),
        ],
    ),
    (
        "delivery_targets",
        &[(
            NotYet,
            "",
            "canonical chat_id explicit is_origin origin platform target thread_id",
        )],
    ),
    (
        "drain_marker",
        &[(
            NotOurs,
            "",
            "current_epoch draining marker notification_suppressed",
        )],
    ),
    (
        "history_replay",
        &[
            (
                NotOurs,
                "auto_media",
                "history_offset known_paths messages tag tags voice",
            ),
            (NotOurs, "history", "observed_context replayed rows tag"),
        ],
    ),
    (
        "hook_discovery",
        &[(NotYet, "", "directories handlers_per_event loaded")],
    ),
    (
        "hook_matching",
        &[(NotYet, "", "collected event fired_in_order registered")],
    ),
    (
        "lifecycle_bits",
        &[
            (
                NotOurs,
                "command_line",
                "command is_gateway is_runtime subcommand",
            ),
            (
                NotOurs,
                "derived",
                "active_agents busy drainable parsed_active process_running state",
            ),
            (NotOurs, "drain_timeout", "raw result"),
            (NotOurs, "duration", "microseconds raw"),
            (NotOurs, "duration_text", "seconds text"),
            (NotOurs, "idle_timeout", "raw seconds"),
            (NotOurs, "marker_stale", "now stale ttl written_at"),
            (NotOurs, "reconnect_backoff", "attempt seconds"),
            (NotOurs, "scale_enabled", "env result"),
            (
                NotOurs,
                "scale_idle",
                "background idle running since_inbound timeout",
            ),
            (NotOurs, "scale_relay_only", "platforms result"),
            (NotOurs, "scope_hash", "hash identity"),
            (NotOurs, "supervised", "env result"),
        ],
    ),
    (
        "relay_auth",
        &[
            (NotYet, "delivery", "body now secret signature ts valid"),
            (NotYet, "sign", "payload secret signature"),
            (
                NotYet,
                "token",
                "now payload secret token ttl verified wrong_secret",
            ),
            (NotYet, "token_bad", "token verified"),
            (NotYet, "verify", "payload secrets signature valid"),
        ],
    ),
    (
        "restart_guards",
        &[
            (NotOurs, "start_storm", "delays max_starts starts_at window"),
            (
                OnPurpose,
                "resume_loop",
                "boots_at max_restarts tripped window",
            ),
        ],
    ),
    (
        "stuck_loop_counter",
        &[(
            OnPurpose,
            "",
            "initial_file known_sessions results steps tag",
        )],
    ),
    ("turn_lease", &[(OnPurpose, "", "cap results steps tag")]),
    (
        "webhook_filters",
        &[(
            NotYet,
            "",
            "event_type files filters headers passes payload",
        )],
    ),
    (
        "webhook_signature",
        &[(NotYet, "", "body headers now secret tag valid")],
    ),
    (
        "webhook_template",
        &[
            (NotYet, "prompt", "event_type payload result template"),
            (NotYet, "extra", "payload result template"),
        ],
    ),
    (
        "webhook_traces",
        &[(
            NotYet,
            "",
            "direct_delivery_results requests responses settings start tag",
        )],
    ),
];

fn shape(case: &Map<String, Value>) -> (String, String) {
    let kind = case.get("kind").and_then(Value::as_str).unwrap_or_default();
    let fields = case.keys().map(String::as_str);
    let fields: BTreeSet<&str> = fields
        .filter(|name| !["id", "kind"].contains(name))
        .collect();
    let fields: Vec<&str> = fields.into_iter().collect();
    (kind.to_owned(), fields.join(" "))
}

#[test]
fn what_is_not_run_was_judged_by_its_shape() {
    for (file, groups) in FILES {
        let mut counts: BTreeMap<Why, usize> = BTreeMap::new();
        for case in cases::<Map<String, Value>>(&format!("gateway/{file}.json")) {
            let (kind, fields) = shape(&case);
            let judged = groups
                .iter()
                .find(|group| (group.1, group.2) == (&*kind, &*fields));
            let Some((why, ..)) = judged else {
                panic!(
                    "{file} {}: nobody judged `{kind}` with {fields}",
                    case["id"]
                );
            };
            *counts.entry(*why).or_default() += 1;
        }
        eprintln!("{file}: {counts:?}");
        assert!(!counts.is_empty(), "{file} has no cases");
    }
}

/// The files that the page has verdicts about.
fn judged() -> BTreeSet<String> {
    let page = include_str!("../../../../docs/conformance.md");
    let heads = page.lines().filter_map(|line| line.strip_prefix("## "));
    let names = heads.flat_map(|head| head.split(", "));
    names
        .filter_map(|name| name.strip_prefix("gateway/"))
        .map(str::to_owned)
        .collect()
}

fn files(folder: &Path) -> BTreeSet<String> {
    let found = std::fs::read_dir(folder.join("gateway"));
    let found = found.unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let names = found.map(|entry| entry.expect("a file").file_name());
    let names = names.filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned()));
    names.collect()
}

#[test]
fn every_file_has_a_verdict() {
    let judged = judged();
    let forgotten: Vec<String> = files(&directory()).difference(&judged).cloned().collect();
    assert_eq!(
        forgotten,
        Vec::<String>::new(),
        "docs/conformance.md does not name them"
    );
}

#[test]
fn every_verdict_has_its_file_beside_a_test() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folders = [
        "api/tests/vectors",
        "cli/tests/vectors",
        "core/tests/vectors",
        "platforms/src/telegram/vectors",
        "store/tests/vectors",
    ];
    let kept = folders.map(|folder| files(&crates.join(folder)));
    let kept: BTreeSet<String> = kept.into_iter().flatten().collect();
    assert_eq!(kept, judged());
    assert_eq!(kept.len(), 71, "the reference has as many");
}
