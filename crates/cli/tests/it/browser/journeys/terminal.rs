//! The console's terminal, on its own: what programs say, read by the modules of the page, and what a
//! reader sees then.

use serde_json::{Value, json};

use crate::browser::{Visit, journey};

/// Draws the pieces on a screen of so many rows and columns; the lines, and what each run looks like.
fn drawn(visit: &mut Visit, size: (u16, u16), pieces: &[&str]) -> Value {
    let (rows, columns) = size;
    let pieces = serde_json::to_string(pieces).unwrap();
    visit.page.evaluate(&format!(
        "(async () => {{
           const [{{ makeScreen, wordsOf }}, {{ makeReader }}] = await Promise.all(
             [import('/assets/js/terminal/screen.js'), import('/assets/js/terminal/escapes.js')]);
           const screen = makeScreen({{ rows: {rows}, columns: {columns}, kept: 50 }});
           const newline = {columns} ? 'feed' : 'line';
           const reader = makeReader(screen, {{ newline }});
           for (const piece of {pieces}) reader.read(piece);
           window.screenOfTest = screen;
           return screen.lines().map(wordsOf);
         }})()"
    ))
}

#[track_caller]
fn shows(visit: &mut Visit, size: (u16, u16), pieces: &[&str], lines: &[&str]) {
    let mut seen = drawn(visit, size, pieces);
    // A screen may have blank lines below what was said.
    while seen
        .as_array()
        .unwrap()
        .last()
        .is_some_and(|line| line == "")
    {
        seen.as_array_mut().unwrap().pop();
    }
    assert_eq!(seen, json!(lines), "{pieces:?}");
}

/// The look of the first letter of a line: ink, ground, marks.
fn look(visit: &mut Visit, text: &str) -> Value {
    drawn(visit, (5, 40), &[text]);
    visit.page.evaluate(
        "(({ ink, ground, marks }) => [ink, ground, marks])(screenOfTest.lines()[0].looks[0])",
    )
}

const SIZE: (u16, u16) = (5, 10);

#[test]
fn browser_draws_progress_bars_and_moving_cursors() {
    journey(|visit| {
        visit.page.goto("/");
        visit.page.wait_for(".signin");
        let cases: [(&[&str], &[&str]); 16] = [
            (&["10%\r50%\r100%\r\ndone"], &["100%", "done"]),
            (&["12345\r\x1b[Kab"], &["ab"]),
            (&["ab\x08c\tx"], &["ac      x"]),
            (&["a\r\nb\r\nc\x1b[2A\rX"], &["X", "b", "c"]),
            (&["\x1b[3;4Hx\x1b[1;1Hy"], &["y", "", "   x"]),
            (&["abcdef\x1b[3D\x1b[1K"], &["    ef"]),
            (&["abc\x1b[2J\x1b[Hdef"], &["abc", "def"]),
            (&["one\r\ntwo\r\nthree\x1b[1;1H\x1b[J"], &[]),
            (&["abcdef\r\x1b[2P\x1b[1@"], &[" cdef"]),
            (&["a\r\nb\r\nc\x1b[1;1H\x1b[L"], &["", "a", "b", "c"]),
            (&["a\r\nb\r\nc\x1b[1;1H\x1b[M"], &["b", "c"]),
            (&["abcdefghijklm"], &["abcdefghij", "klm"]),
            (
                &["1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7"],
                &["1", "2", "3", "4", "5", "6", "7"],
            ),
            (
                &["\x1b[2;3r\x1b[1;1Ha\x1b[2;1Hb\x1b[3;1Hc\n\rd"],
                &["a", "c", "d"],
            ),
            (&["a\x1b7\x1b[3;3Hb\x1b8c"], &["ac", "", "  b"]),
            (&["\x1b(0lqk\x1b(B l"], &["┌─┐ l"]),
        ];
        for (pieces, lines) in cases {
            shows(visit, SIZE, pieces, lines);
        }
    });
}

#[test]
fn browser_draws_whole_screens_apart_and_keeps_to_its_limits() {
    journey(|visit| {
        visit.page.goto("/");
        visit.page.wait_for(".signin");
        let whole = "shell\r\n\x1b[?1049h\x1b[2;2Hfull";
        shows(visit, SIZE, &[whole], &["", " full"]);
        shows(visit, SIZE, &[whole, "\x1b[?1049lback"], &["shell", "back"]);
        let cut = [
            "\x1b",
            "[",
            "3",
            "1m",
            "red\x1b]0;a ti",
            "tle\x07!\x1b[?2",
            "5l",
        ];
        shows(visit, SIZE, &cut, &["red!"]);
        shows(
            visit,
            SIZE,
            &["\x1b[999999999;999999999Hx"],
            &["", "", "", "", "         x"],
        );
        shows(
            visit,
            SIZE,
            &["\x1bPdropped\x1b\\kept\x1b[5n\x1b[>c\x1b[1$p"],
            &["kept"],
        );
        shows(visit, SIZE, &["漢字e\u{301}x"], &["漢字e\u{301}x"]);
        shows(visit, SIZE, &["abcdefghi漢"], &["abcdefghi", "漢"]);
        shows(
            visit,
            (30, 0),
            &["a\n  b\nlonger than ten letters\r\n"],
            &["a", "  b", "longer than ten letters"],
        );
        let many = "x\r\n".repeat(5_000);
        let lines = drawn(visit, SIZE, &[&many]);
        assert!(
            lines.as_array().unwrap().len() < 300,
            "what is kept is bounded"
        );
    });
}

#[test]
fn browser_knows_every_colour() {
    journey(|visit| {
        visit.page.goto("/");
        visit.page.wait_for(".signin");
        for (text, wanted) in [
            ("x", json!([null, null, ""])),
            ("\x1b[31mx", json!([1, null, ""])),
            ("\x1b[1;4;97;44mx", json!([15, 4, "bu"])),
            ("\x1b[1;31m\x1b[mx", json!([null, null, ""])),
            ("\x1b[38;5;9mx", json!([9, null, ""])),
            ("\x1b[38;5;208mx", json!(["rgb(255 135 0)", null, ""])),
            ("\x1b[48;5;244mx", json!([null, "rgb(128 128 128)", ""])),
            ("\x1b[38;2;1;2;3;7mx", json!(["rgb(1 2 3)", null, "r"])),
            ("\x1b[38:2::1:2:3mx", json!(["rgb(1 2 3)", null, ""])),
            ("\x1b[38:2:1:2:3mx", json!(["rgb(1 2 3)", null, ""])),
            ("\x1b[1;2;22;3;23;9mx", json!([null, null, "s"])),
            ("\x1b[38;2;999;2;3;1mx", json!([null, null, "b"])),
        ] {
            assert_eq!(look(visit, text), wanted, "{text:?}");
        }
    });
}
