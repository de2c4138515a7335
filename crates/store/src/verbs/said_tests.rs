use serde_json::json;

use super::*;

fn body(entry: Entry) -> Option<String> {
    Stored::of(Said::from(entry)).expect("it has a form").body
}

#[test]
fn plain_words_have_no_body() {
    assert_eq!(body(Entry::new(Role::User, "hello")), None);
    assert_eq!(body(Entry::new(Role::Other("notice".into()), "")), None);
}

#[test]
fn what_a_row_has_beside_its_words_keeps_its_shape() {
    let calls = Entry {
        tool_calls: vec![ToolCall::new(json!({"id": "c1"}))],
        ..Entry::new(Role::Assistant, Content::Nothing)
    };
    assert_eq!(
        body(calls).as_deref(),
        Some(r#"{"v":1,"body":{"content":"nothing","tool_calls":[{"id":"c1"}]}}"#)
    );
    let result = Entry {
        tool_call_id: Some("c1".into()),
        tool_name: Some("sh".into()),
        ..Entry::new(Role::Tool, json!([{"type": "text", "text": "out"}]))
    };
    assert_eq!(
        body(result).as_deref(),
        Some(concat!(
            r#"{"v":1,"body":{"content":{"structured":[{"text":"out","type":"text"}]},"#,
            r#""tool_call_id":"c1","tool_name":"sh"}}"#
        ))
    );
}

#[test]
fn structured_content_is_found_by_its_words() {
    let parts = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
    let stored = Stored::of(Said::from(Entry::new(Role::User, parts))).expect("it has a form");
    assert_eq!(stored.text, "a\nb");
}
