use tokio_postgres::error::SqlState;

use super::{Means, sentence};
use crate::StoreError;

fn failing_with(code: &str) -> StoreError {
    let told = format!("{code} made up");
    sentence(
        Some(&SqlState::from_code(code)),
        "PostgreSQL at here",
        &told,
    )
}

#[test]
fn only_what_the_server_calls_damaged_is() {
    for code in ["XX001", "XX002"] {
        assert!(
            matches!(failing_with(code), StoreError::Corrupt(_)),
            "{code}"
        );
    }
    for code in [
        "01000", "0A000", "21000", "22021", "22P05", "23502", "23514", "26000", "34000", "42501",
        "42703", "42883", "42P01", "53300", "54000", "54001", "57014", "58030", "58P01", "99999",
        "XX000",
    ] {
        let StoreError::Unavailable(words) = failing_with(code) else {
            panic!("{code} says nothing about the rows");
        };
        assert!(words.starts_with("PostgreSQL at here: "), "{words}");
        assert!(words.ends_with(&format!("({code} made up)")), "{words}");
    }
}

#[test]
fn a_server_that_says_nothing_is_not_reached() {
    let StoreError::Unavailable(words) = sentence(None, "PostgreSQL at here", "timed out") else {
        panic!("it may come back");
    };
    assert!(words.contains("look whether the server runs"), "{words}");
}

#[test]
fn who_makes_a_table_at_the_same_moment_as_another_finds_it_there() {
    for code in ["23505", "42710", "42P07"] {
        assert_eq!(Means::of_code(code), Means::Otherwise, "{code}");
    }
    assert_eq!(Means::of_code("42601"), Means::Refused);
}
