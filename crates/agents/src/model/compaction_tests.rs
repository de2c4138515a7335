use angelia_core::transcript::entry::ToolCall;
use proptest::prelude::*;
use serde_json::json;

use super::*;

const ROOM: Room = Room {
    tokens: 8_000,
    rows: 100,
};
const GAIN: u64 = 4_000;

fn words(role: Role, tokens: usize) -> Entry {
    Entry::new(role, "word".repeat(tokens))
}

fn past(rows: Vec<Entry>) -> Vec<Row> {
    let numbered = (11..).zip(rows);
    numbered
        .map(|(number, entry)| Row { number, entry })
        .collect()
}

/// A question of so many tokens, a call, its result and an answer.
fn turn(tokens: usize) -> [Entry; 4] {
    let call = Entry {
        tool_calls: vec![ToolCall::new(json!({ "id": "c", "name": "files" }))],
        ..words(Role::Assistant, 1)
    };
    [
        words(Role::User, tokens),
        call,
        words(Role::Tool, tokens),
        words(Role::Assistant, tokens),
    ]
}

#[test]
fn the_newest_turns_stay_and_the_cut_stands_before_a_persons_words() {
    let rows: Vec<Entry> = (0..10).flat_map(|_| turn(1_000)).collect();
    let (past, own) = (past(rows), [words(Role::User, 10)]);
    let cut = plan(&past, &own, ROOM, GAIN).expect("there is much to sum up");
    assert_eq!(cut, Cut { past: 32, own: 0 });
    assert_eq!(past[cut.past].entry.role, Role::User);
    assert_eq!(cut.since(&past), Since { row: 43, own: 0 });
}

#[test]
fn a_long_turn_is_cut_before_one_of_its_answers() {
    let past = past(turn(3_000).to_vec());
    let mut own = vec![words(Role::User, 10)];
    for _ in 0..10 {
        own.extend_from_slice(&turn(2_000)[1..3]);
    }
    let cut = plan(&past, &own, ROOM, GAIN).expect("there is much to sum up");
    assert_eq!(cut.past, past.len());
    assert_eq!(own[cut.own].role, Role::Assistant);
    assert_eq!(own.len() - cut.own, 6, "three answers with their results");
    assert_eq!(
        cut.since(&past),
        Since {
            row: 15,
            own: cut.own
        }
    );
}

#[test]
fn what_is_too_long_by_itself_stays_if_nothing_came_after_it() {
    let (past, own) = (past(turn(3_000).to_vec()), [words(Role::User, 30_000)]);
    let cut = plan(&past, &own, ROOM, GAIN).expect("the past can be summed up");
    assert_eq!(cut, Cut { past: 4, own: 0 });
}

#[test]
fn a_summary_of_little_is_not_worth_it_and_neither_is_one_of_a_summary() {
    let own = [words(Role::User, 30_000)];
    assert_eq!(plan(&past(turn(10).to_vec()), &own, ROOM, GAIN), None);
    assert_eq!(plan(&[], &own, ROOM, GAIN), None);
    let only = past(vec![words(Role::Summary, 9_000)]);
    assert_eq!(plan(&only, &own, ROOM, GAIN), None);
}

#[test]
fn whoever_asks_for_nothing_else_may_leave_all_of_it_behind() {
    let past = past(vec![
        words(Role::User, 20_000),
        words(Role::Assistant, 9_000),
    ]);
    let cut = plan(&past, &[], ROOM, GAIN).expect("there is much to sum up");
    assert_eq!(cut.since(&past), Since { row: 13, own: 0 });
}

proptest! {
    #[test]
    fn a_result_is_never_cut_from_its_call(
        sizes in prop::collection::vec(1usize..4_000, 0..12),
        own_sizes in prop::collection::vec(1usize..4_000, 0..8),
    ) {
        let past = past(sizes.iter().flat_map(|tokens| turn(*tokens)).collect());
        let mut own = vec![words(Role::User, 10)];
        own.extend(own_sizes.iter().flat_map(|tokens| turn(*tokens)[1..3].to_vec()));
        if let Some(cut) = plan(&past, &own, ROOM, GAIN) {
            let first = past.get(cut.past).map(|row| &row.entry).or(own.get(cut.own));
            prop_assert!(first.is_some_and(|row| row.role != Role::Tool));
            prop_assert!(cut.own == 0 || cut.past == past.len());
        }
    }
}
