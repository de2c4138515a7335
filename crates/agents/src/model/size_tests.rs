use angelia_core::transcript::entry::Role;

use super::*;

#[test]
fn a_prompt_fills_the_window_before_it_is_too_long() {
    let window = Window::new(100_000);
    assert!(!window.is_full(84_999));
    assert!(window.is_full(85_000));
}

#[test]
fn a_window_that_was_too_large_is_halved_and_never_vanishes() {
    let window = Window::new(100_000);
    assert_eq!(window.after_overflow(60_000), Window(30_000));
    assert_eq!(window.after_overflow(500_000), Window(50_000));
    assert_eq!(window.after_overflow(0), Window(limits::CONTEXT_TOKENS_MIN));
}

#[test]
fn of_a_row_that_is_too_long_the_ends_are_sent_and_the_gap_is_said() {
    let window = Window::new(4_000);
    let text = format!("begin {} end", "ü".repeat(50_000));
    let row = fitted(Entry::new(Role::Tool, text.as_str()), window);
    let said = row.content.plain_text();
    assert!(
        said.starts_with("begin ü") && said.ends_with("ü end"),
        "{said}"
    );
    assert!(said.contains("are left out here"), "{said}");
    assert!(of_row(&row) <= window.row(), "{}", of_row(&row));
    let short = Entry::new(Role::Tool, "short");
    assert_eq!(fitted(short.clone(), window), short);
}
