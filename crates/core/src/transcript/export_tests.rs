use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::transcript::entry::Role;

fn head(title: &str) -> Head {
    Head {
        session: SessionId::from_bits(7),
        title: Some(title.to_owned()),
        label: "Anna".to_owned(),
        started_at: Timestamp::from_ms(0),
    }
}

fn document(format: Format, title: &str, rows: &[(Option<&str>, Entry)]) -> String {
    let mut export = Export::new(format);
    let mut document = export.open(&head(title));
    for (seq, (name, entry)) in (1..).zip(rows) {
        let name = *name;
        document.push_str(&export.row(&Row { seq, name, entry }));
    }
    document.push_str(export.close());
    document
}

/// Lines that the document itself wrote: neither quoted nor empty.
fn own_lines(document: &str) -> Vec<&str> {
    let own = |line: &&str| !line.is_empty() && !line.starts_with("> ");
    document.split(['\n', '\r']).filter(own).collect()
}

#[test]
fn a_transcript_reads_like_a_conversation() {
    let rows = [
        (Some("Anna"), Entry::new(Role::User, "hello\nthere")),
        (None, Entry::new(Role::Assistant, "hi")),
    ];
    let read = document(Format::Markdown, "A plan", &rows);
    assert_eq!(
        read,
        "# A plan\n\nWith Anna, from 1970-01-01T00:00:00.000Z. Session `ses_00000000000000000000000007`.\n\
         \n## Anna (user)\n\n> hello\n> there\n\n## assistant\n\n> hi\n"
    );
}

#[test]
fn fences_and_headings_of_people_stay_in_their_quotes() {
    let rows = [
        (
            Some("# Mallory\n## x"),
            Entry::new(Role::User, "```\n# not a heading\r## nor this"),
        ),
        (None, Entry::new(Role::Assistant, "<!-- still open")),
    ];
    let read = document(Format::Markdown, "*plan*\n# two", &rows);
    let own = own_lines(&read);
    assert_eq!(own.len(), 4, "{read}");
    assert_eq!(own[0], "# \\*plan\\* \\# two");
    assert_eq!(own[2], "## \\# Mallory \\#\\# x (user)");
}

#[test]
fn a_call_is_told_behind_a_fence_that_it_cannot_close() {
    let call = ToolCall::new(json!({"id": "c1", "function": {"name": "sh", "arguments": "````"}}));
    let entry = Entry {
        tool_calls: vec![call],
        ..Entry::new(Role::Assistant, "")
    };
    let read = document(Format::Markdown, "x", &[(None, entry)]);
    assert_eq!(read.matches("> `````json").count(), 1, "{read}");
}

#[test]
fn hidden_rows_are_told_as_such() {
    let undone = Entry {
        visibility: Visibility::Rewound,
        ..Entry::new(Role::User, "never mind")
    };
    assert!(document(Format::Markdown, "x", &[(None, undone)]).contains("## user, undone\n"));
}

#[test]
fn json_holds_every_field_of_a_row() {
    let rows = [
        (Some("Anna"), Entry::new(Role::User, "a \"quoted\" word")),
        (
            None,
            Entry::new(Role::Assistant, json!([{"type": "text", "text": "hi"}])),
        ),
    ];
    let read: Value =
        serde_json::from_str(&document(Format::Json, "x", &rows)).expect("it is JSON");
    assert_eq!(read["session"]["id"], "ses_00000000000000000000000007");
    assert_eq!(read["entries"][0]["name"], "Anna");
    let back: Entry = serde_json::from_value(read["entries"][1].clone()).expect("it is a row");
    assert_eq!(back, rows[1].1);
}

#[test]
fn a_document_without_rows_is_one_too() {
    let read: Value = serde_json::from_str(&document(Format::Json, "x", &[])).expect("it is JSON");
    assert_eq!(read["entries"], json!([]));
}

proptest! {
    #[test]
    fn no_text_writes_a_line_of_the_document(
        texts in prop::collection::vec("[#`>~<\\n\\r a-]{0,30}", 0..6), title in "[#`\\n*a]{0,20}"
    ) {
        let said: Vec<_> = texts.iter().map(|text| (Some(text.as_str()), Entry::new(Role::User, text.as_str()))).collect();
        let read = document(Format::Markdown, &title, &said);
        prop_assert_eq!(own_lines(&read).len(), 2 + said.len());
    }
}
