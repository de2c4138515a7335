use angelia_core::transcript::usage::Tokens;

use super::*;
use crate::past::Counted;

const WINDOW: u64 = 40_000;

fn words(role: Role, tokens: usize) -> Entry {
    Entry::new(role, "word".repeat(tokens))
}

fn story(rows: Vec<Entry>) -> Story {
    let rows = (1..).zip(rows);
    Story {
        rows: rows.map(|(number, entry)| Row { number, entry }).collect(),
        counted: None,
    }
}

fn chat(turns: usize, tokens: usize) -> Story {
    let turn = |_| [words(Role::User, tokens), words(Role::Assistant, tokens)];
    story((0..turns).flat_map(turn).collect())
}

fn reading(story: Story) -> Reading {
    Reading::new(
        story,
        Some(Entry::new(Role::User, "now")),
        Window::new(WINDOW),
    )
}

fn counted(tokens: u64, until: u64) -> Counted {
    Counted { tokens, until }
}

fn prompt(tokens: u64) -> Usage {
    Usage {
        tokens: Tokens {
            input: 10,
            cache_read: tokens - 10,
            ..Tokens::default()
        },
        ..Usage::default()
    }
}

#[test]
fn no_number_of_a_server_is_too_large() {
    let mut reading = reading(chat(2, 100));
    reading.measure(&prompt(u64::MAX));
    reading.push(words(Role::Assistant, 100));
    assert_eq!(reading.expected(|| 0), u64::MAX);
    assert!(reading.is_full(|| 0));
}

#[test]
fn what_a_server_counted_is_believed_and_only_the_rest_is_estimated() {
    let mut reading = reading(chat(2, 100));
    assert_eq!(reading.expected(|| 50), 50 + 400);
    reading.measure(&prompt(30_000));
    assert_eq!(reading.expected(|| panic!("it was counted")), 30_000);
    reading.push(words(Role::Assistant, 100));
    reading.push(words(Role::Tool, 4_000));
    assert_eq!(reading.expected(|| 0), 34_100);
    assert!(reading.is_full(|| 0));
}

#[test]
fn a_count_of_an_earlier_turn_holds_until_this_one_was_counted() {
    let story = Story {
        counted: Some(counted(33_999, u64::MAX)),
        ..chat(2, 100)
    };
    assert!(!reading(story.clone()).is_full(|| 0));
    let story = Story {
        counted: Some(counted(34_000, u64::MAX)),
        ..story
    };
    assert!(reading(story).is_full(|| 0));
}

#[test]
fn what_was_said_behind_a_prompt_that_was_counted_is_estimated() {
    let mut rows = chat(2, 100).rows;
    rows.extend(
        (5..)
            .zip([words(Role::User, 7), words(Role::Assistant, 500)])
            .map(|(number, entry)| Row { number, entry }),
    );
    let story = |rows: &[Row], until| Story {
        rows: rows.to_vec(),
        counted: Some(counted(1_000, until)),
    };
    assert_eq!(reading(story(&rows, 7)).expected(|| 0), 1_000);
    assert_eq!(reading(story(&rows, 6)).expected(|| 0), 1_500);
    assert_eq!(reading(story(&rows, 4)).expected(|| 0), 1_607);
    let cut = [
        rows,
        vec![Row {
            number: 7,
            entry: words(Role::Assistant, 50),
        }],
    ]
    .concat();
    let merged = reading(story(&cut, 7)).expected(|| 0);
    assert!(
        merged >= 1_550,
        "rows that became one count whole: {merged}"
    );
}

#[test]
fn a_summary_was_in_the_prompt_wherever_it_stands() {
    let mut story = chat(1, 100);
    story.rows.push(Row {
        number: 9,
        entry: compaction::summary("notes".repeat(100)),
    });
    story.counted = Some(counted(1_000, 2));
    assert_eq!(reading(story).expected(|| 0), 1_100);
}

#[test]
fn a_summary_takes_the_place_of_the_old_rows_and_the_next_one_of_both() {
    let mut reading = reading(chat(20, 1_000));
    let cut = reading.plan().expect("there is much");
    let since = reading.since(cut);
    assert_eq!((since.own, reading.old(cut).count()), (0, 32));
    reading.shorten(since, "first notes");
    let first = reading.rows()[0].content.plain_text();
    assert!(first.contains("first notes"));
    assert_eq!(reading.plan(), None, "nothing is summed up twice in a row");
    for _ in 0..8 {
        reading.push(words(Role::Assistant, 3_000));
    }
    let cut = reading.plan().expect("there is much again");
    let old: Vec<String> = reading
        .old(cut)
        .map(|row| row.content.plain_text())
        .collect();
    assert_eq!(old[0], "first notes");
    let since = reading.since(cut);
    assert_eq!(since.row, 41);
    reading.shorten(since, "second notes");
    let shown = reading.rows();
    assert!(shown[0].content.plain_text().contains("second notes"));
    assert!(!shown[0].content.plain_text().contains("first notes"));
    assert!(since.own > 0 && reading.asked().is_some());
    assert_eq!(shown.len(), 2, "answers side by side are one");
}

#[test]
fn very_many_short_rows_are_summed_up_too() {
    let reading = reading(chat(450, 1));
    assert!(reading.is_full(|| 0));
    let cut = reading.plan().expect("there are many");
    assert!(900 - cut.past <= limits::COMPACT_ROWS_KEPT);
}

#[test]
fn after_an_overflow_a_giant_row_is_cut_further_and_an_ordinary_one_is_not() {
    let mut giant = Reading::new(
        story(Vec::new()),
        Some(words(Role::User, 30_000)),
        Window::new(WINDOW),
    );
    let before = size::of_rows(giant.rows());
    assert!(before <= WINDOW / 4, "it is cut from the start: {before}");
    assert_eq!(giant.overflowed(|| 0), Shrunk::Yes);
    let mut plain = reading(story(Vec::new()));
    assert_eq!(plain.overflowed(|| 0), Shrunk::No);
}

#[test]
fn a_summary_that_stands_behind_the_rows_it_left_is_read_before_them() {
    let rows = vec![
        words(Role::User, 1),
        words(Role::Assistant, 1),
        compaction::summary("notes"),
    ];
    let reading = reading(story(rows));
    assert!(reading.rows()[0].content.plain_text().contains("notes"));
    assert_eq!((reading.rows().len(), reading.earlier()), (3, 2));
}
