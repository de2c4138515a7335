//! The newest screenful of an output, for somebody who comes late.

/// The last `rows` lines of what was said.
pub(super) fn newest(text: &str, rows: usize) -> &str {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let mut ends = body.rmatch_indices('\n').map(|(at, _)| at);
    let end = ends.nth(rows.saturating_sub(1));
    end.map_or(text, |end| &text[end + 1..])
}

/// The same of a piece that begins anywhere, perhaps inside a letter or an escape: it is shown from the
/// beginning of a line on. Words without a line's end, as a program that draws a whole screen says them,
/// stay whole, since it draws again by itself.
pub(super) fn newest_of_torn(text: &str, rows: usize) -> &str {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let whole = body.find('\n').map_or(text, |end| &text[end + 1..]);
    newest(whole, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_shown() {
        let text = "one\ntwo\nthree\n";
        assert_eq!(newest(text, 2), "two\nthree\n");
        assert_eq!(newest(text, 3), text);
        assert_eq!(newest(text, 50), text);
        assert_eq!(newest("one\ntwo\n> ", 2), "two\n> ");
        assert_eq!(newest("", 24), "");
    }

    #[test]
    fn no_part_of_a_line_is_shown() {
        let text = "31mtorn\none\ntwo\n";
        assert_eq!(newest_of_torn(text, 50), "one\ntwo\n");
        assert_eq!(newest_of_torn(text, 1), "two\n");
    }

    #[test]
    fn a_drawing_without_lines_stays_whole() {
        let drawn = "\x1b[2;3Hx\x1b[4;5Hy";
        assert_eq!(newest_of_torn(drawn, 24), drawn);
        assert_eq!(newest_of_torn("", 24), "");
    }
}
