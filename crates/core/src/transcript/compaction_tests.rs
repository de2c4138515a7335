use proptest::prelude::*;

use super::super::conversation::load;
use super::super::entry::Role;
use super::*;

fn user(text: &str) -> Entry {
    Entry::new(Role::User, text)
}

fn hidden(visibility: Visibility, text: &str) -> Entry {
    Entry {
        visibility,
        ..user(text)
    }
}

#[test]
fn what_was_undone_stays_undone() {
    let mut rows = vec![hidden(Visibility::Rewound, "oops"), user("a")];
    compact(&mut rows, vec![user("summary")]);
    let compacted = hidden(Visibility::Compacted, "a");
    assert_eq!(
        rows,
        [
            hidden(Visibility::Rewound, "oops"),
            compacted,
            user("summary")
        ]
    );
}

#[test]
fn rows_that_replace_others_are_shown() {
    let rows = rewritten(vec![hidden(Visibility::Rewound, "a"), user("b")]);
    assert_eq!(rows, [user("a"), user("b")]);
}

#[test]
fn the_newest_summary_is_read_first_and_with_whatever_follows_it() {
    let rows = [
        summary("old"),
        user("kept"),
        Entry::new(Role::Assistant, "yes"),
        summary("new"),
        user("later"),
    ];
    let told = load_for_model(&rows);
    assert_eq!(told.len(), 3);
    assert!(told[0].starts_with(BEFORE) && told[0].contains("new") && told[0].ends_with("kept"));
    assert!(!told[0].contains("old"));
    assert_eq!(told[1..], ["yes", "later"]);
}

fn load_for_model(rows: &[Entry]) -> Vec<String> {
    let told = crate::transcript::conversation::for_model(rows);
    told.iter().map(|row| row.content.plain_text()).collect()
}

proptest! {
    /// T6
    #[test]
    fn the_summary_is_what_is_shown_and_every_earlier_row_is_still_there(
        before in prop::collection::vec("[a-z]{1,4}", 0..8),
        summary in prop::collection::vec("[a-z]{1,4}", 0..4),
    ) {
        let mut rows: Vec<Entry> = before.iter().map(|text| user(text)).collect();
        let summary: Vec<Entry> = summary.iter().map(|text| user(text)).collect();
        compact(&mut rows, summary.clone());
        prop_assert_eq!(load(&rows), summary);
        let texts: Vec<String> = rows.iter().take(before.len()).map(|row| row.content.plain_text()).collect();
        prop_assert_eq!(texts, before);
    }
}
