use proptest::prelude::*;

use super::{Cell, RowHash, Sum};

/// A cell that can be kept.
#[derive(Debug, Clone, PartialEq)]
enum Kept {
    Nothing,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Kept {
    fn cell(&self) -> Cell<'_> {
        match self {
            Self::Nothing => Cell::Nothing,
            Self::Number(number) => Cell::Number(*number),
            Self::Text(text) => Cell::Text(text),
            Self::Bytes(bytes) => Cell::Bytes(bytes),
        }
    }
}

fn cell() -> impl Strategy<Value = Kept> {
    prop_oneof![
        Just(Kept::Nothing),
        any::<i64>().prop_map(Kept::Number),
        prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(0)].prop_map(Kept::Number),
        any::<String>().prop_map(Kept::Text),
        "[\0\u{fdd3}01a🙂]{0,4}".prop_map(Kept::Text),
        any::<Vec<u8>>().prop_map(Kept::Bytes),
    ]
}

fn table() -> impl Strategy<Value = Vec<Vec<Kept>>> {
    (1..6_usize).prop_flat_map(|columns| {
        prop::collection::vec(prop::collection::vec(cell(), columns), 1..12)
    })
}

fn summed(rows: &[Vec<Kept>]) -> Sum {
    let mut sum = Sum::default();
    for row in rows {
        sum.add(RowHash::of(row.iter().map(Kept::cell)));
    }
    sum
}

proptest! {
    #[test]
    fn a_changed_cell_changes_the_sum(
        rows in table(),
        which in any::<(prop::sample::Index, prop::sample::Index)>(),
        other in cell(),
    ) {
        let mut changed = rows.clone();
        let row = which.0.index(rows.len());
        let column = which.1.index(rows[row].len());
        changed[row][column] = other.clone();
        prop_assert_eq!(summed(&changed) == summed(&rows), rows[row][column] == other);
    }

    #[test]
    fn the_order_of_rows_does_not_count(rows in table()) {
        let mut turned = rows.clone();
        turned.reverse();
        prop_assert_eq!(summed(&turned), summed(&rows));
    }

    #[test]
    fn a_row_that_is_missing_or_doubled_changes_the_sum(rows in table()) {
        prop_assert_ne!(summed(&rows[1..]), summed(&rows));
        let mut more = rows.clone();
        more.push(rows[0].clone());
        prop_assert_ne!(summed(&more), summed(&rows));
    }

    #[test]
    fn cells_that_change_places_change_the_sum(left in cell(), right in cell()) {
        let there = summed(&[vec![left.clone(), right.clone()]]);
        let back = summed(&[vec![right.clone(), left.clone()]]);
        prop_assert_eq!(there == back, left == right);
    }

    #[test]
    fn a_sum_is_read_as_it_was_written(rows in table()) {
        let sum = summed(&rows);
        prop_assert_eq!(sum.to_string().parse(), Ok(sum));
    }
}

#[test]
fn the_sum_of_a_known_table_stays_what_it_is() {
    let rows = [
        vec![
            Kept::Number(1),
            Kept::Text("a\0b".to_owned()),
            Kept::Nothing,
        ],
        vec![
            Kept::Number(-1),
            Kept::Text(String::new()),
            Kept::Bytes(vec![0, 255]),
        ],
    ];
    let known = "2:c00eb9a2fd2b096017f499bea087f4a4085b45cb4791edcad1f0f98d0dba9bfe";
    assert_eq!(summed(&rows).to_string(), known);
}
