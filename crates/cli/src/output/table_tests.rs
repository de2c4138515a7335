use super::*;
use crate::config::environment::Colour;
use crate::output::Form;

fn lines(table: &Table, screen: Screen) -> Vec<String> {
    let output = Output {
        form: Form::People,
        screen,
        colour: Colour::Unwanted,
    };
    let widths = table.widths(screen);
    table
        .rows
        .iter()
        .map(|row| table.line(row, &widths, &output))
        .collect()
}

fn sample() -> Table {
    let mut table = Table::new(["id", "text"]);
    table.row(["ses_1".into(), "a\nlong text that does not fit".into()]);
    table.row(["ses_22".into(), "kurz".into()]);
    table
}

#[test]
fn columns_are_aligned_and_nothing_is_cut_without_a_terminal() {
    assert_eq!(
        lines(&sample(), Screen::None),
        ["ses_1   a long text that does not fit", "ses_22  kurz"]
    );
}

#[test]
fn the_last_column_is_cut_to_the_terminal() {
    let found = lines(&sample(), Screen::Terminal { columns: 24 });
    assert_eq!(found, ["ses_1   a long text tha…", "ses_22  kurz"]);
    assert!(found.iter().all(|line| width(line) <= 24));
}

#[test]
fn wide_letters_count_double() {
    assert_eq!(width("日本"), 4);
    assert_eq!(cut("日本語です", 5), "日本…");
    assert_eq!(cut("cafe\u{301}", 4), "cafe\u{301}");
}

#[test]
fn a_cell_is_one_line_without_control_characters() {
    assert_eq!(one_line("  a\x1b[31m\tb\nc "), "a[31m b c");
}
