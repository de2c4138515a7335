use super::*;

fn range(after: Option<&str>, limit: usize) -> Range {
    Range {
        after: after.map(str::to_owned),
        limit,
    }
}

fn numbered(count: i64) -> Vec<(String, i64)> {
    (1..=count)
        .map(|number| (number.to_string(), number))
        .collect()
}

#[test]
fn a_cursor_is_a_number_or_two_and_anything_else_is_past_the_end() {
    assert_eq!(start(&range(None, 0)), Start::First);
    assert_eq!(start(&range(Some("7"), 0)), Start::After(7, 0));
    assert_eq!(start(&range(Some("7.12"), 0)), Start::After(7, 12));
    for unreadable in ["", "x", "7.", "1.2.3", "99999999999999999999"] {
        assert_eq!(
            start(&range(Some(unreadable), 0)),
            Start::PastTheEnd,
            "{unreadable}"
        );
    }
}

#[test]
fn a_page_has_at_most_so_many_rows() {
    assert_eq!(rows(&range(None, 0)), limits::PAGE_ROWS);
    assert_eq!(rows(&range(None, 3)), 3);
    assert_eq!(rows(&range(None, 1_000_000)), limits::PAGE_ROWS_MAX);
}

#[test]
fn the_last_page_has_no_next_unless_it_is_followed() {
    let range = range(None, 2);
    assert_eq!(
        page(&range, numbered(3)),
        Page {
            items: vec![1, 2],
            next: Some("2".into())
        }
    );
    assert_eq!(
        page(&range, numbered(2)),
        Page {
            items: vec![1, 2],
            next: None
        }
    );
    assert_eq!(page_to_follow(&range, numbered(2)).next, Some("2".into()));
    assert_eq!(page_to_follow(&range, numbered(0)), empty());
}
