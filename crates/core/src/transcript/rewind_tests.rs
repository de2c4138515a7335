use proptest::prelude::*;

use super::super::entry::{Attention, Role};
use super::*;

fn rows(roles: &str) -> Vec<Entry> {
    let row = |(place, letter): (usize, char)| {
        let text = format!("{letter}{place}");
        match letter {
            'u' => Entry::new(Role::User, text),
            'o' => Entry {
                attention: Attention::Observed,
                ..Entry::new(Role::User, text)
            },
            _ => Entry::new(Role::Assistant, text),
        }
    };
    roles.chars().enumerate().map(row).collect()
}

#[test]
fn a_turn_is_hidden_with_everything_behind_its_first_row() {
    let plan = plan(&rows("uauaa"), 1).unwrap();
    assert_eq!((plan.from, plan.rows, plan.turns), (2, 3, 1));
    assert_eq!(plan.text, "u2");
}

#[test]
fn fewer_than_one_is_one_and_more_than_all_is_all() {
    let rows = rows("uaua");
    assert_eq!(plan(&rows, i64::MIN), plan(&rows, 1));
    assert_eq!(plan(&rows, i64::MAX), plan(&rows, 2));
}

#[test]
fn without_a_turn_there_is_nothing_to_undo() {
    assert_eq!(plan(&[], 1), None);
    assert_eq!(plan(&rows("aoa"), 1), None);
}

#[test]
fn chatter_is_no_turn_and_only_goes_with_one() {
    let plan = plan(&rows("oouao"), 2).unwrap();
    assert_eq!((plan.from, plan.rows, plan.turns), (2, 3, 1));
}

#[test]
fn rows_that_are_hidden_already_do_not_count() {
    let mut rows = rows("uaua");
    rows[2].visibility = Visibility::Compacted;
    let plan = plan(&rows, 1).unwrap();
    assert_eq!((plan.from, plan.rows), (0, 3));
    apply(&mut rows, &plan);
    assert_eq!(rows[2].visibility, Visibility::Compacted);
}

fn undo(rows: &mut [Entry], turns: i64) {
    if let Some(plan) = plan(rows, turns) {
        apply(rows, &plan);
    }
}

proptest! {
    /// T3
    #[test]
    fn two_undos_hide_what_one_of_both_hides(roles in "[oa]{0,2}(u[oa]{0,2}){8,12}", a in 1..5i64, b in 1..5i64) {
        let (mut twice, mut once) = (rows(&roles), rows(&roles));
        undo(&mut twice, a);
        undo(&mut twice, b);
        undo(&mut once, a + b);
        prop_assert_eq!(twice, once);
    }

    /// T4
    #[test]
    fn an_undo_only_hides_and_hides_what_it_says(roles in "[uoa]{0,20}", turns in prop::collection::vec(-2..6i64, 1..4)) {
        let before = rows(&roles);
        let mut after = before.clone();
        for turns in turns {
            let hidden = after.iter().filter(|row| !row.is_visible()).count();
            let planned = plan(&after, turns);
            undo(&mut after, turns);
            let now = after.iter().filter(|row| !row.is_visible()).count();
            prop_assert_eq!(now, hidden + planned.map_or(0, |plan| plan.rows));
        }
        for row in &mut after {
            row.visibility = Visibility::Visible;
        }
        prop_assert_eq!(after, before);
    }
}
