use serde_json::json;

use super::*;

#[test]
fn only_the_text_parts_of_a_list_are_its_words() {
    let parts = json!([
        {"type": "text", "text": "look at"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "text", "text": "this"},
    ]);
    assert_eq!(Content::from(parts).plain_text(), "look at\nthis");
    assert_eq!(Content::from(json!({"kind": "x"})).plain_text(), "");
    assert_eq!(Content::Nothing.plain_text(), "");
}

#[test]
fn a_text_that_looks_like_stored_structure_stays_a_text() {
    for text in ["\0json:[1]", "json:[1]", "[1]"] {
        let content = Content::from(json!(text));
        assert_eq!(content, Content::Text(text.to_owned()));
        assert_eq!(content.plain_text(), text);
    }
}

#[test]
fn single_values_become_their_text() {
    assert_eq!(Content::from(json!(5)), Content::from("5"));
    assert_eq!(Content::from(json!(null)), Content::Nothing);
}

#[test]
fn a_call_answers_to_either_of_its_ids_and_is_named_by_the_call_id() {
    let call = ToolCall::new(json!({"id": "fc_1", "call_id": "call_1"}));
    assert!(call.answers_to("fc_1") && call.answers_to("call_1"));
    assert_eq!(call.id(), Some("call_1"));
    assert_eq!(ToolCall::new(json!({"id": ""})).id(), None);
}

#[test]
fn a_mapping_of_calls_is_one_call_and_a_broken_value_none() {
    assert_eq!(ToolCall::list(json!({"id": "c1"})).len(), 1);
    assert_eq!(ToolCall::list(json!([{"id": "c1"}, {"id": "c2"}])).len(), 2);
    assert!(ToolCall::list(json!("{broken")).is_empty());
}

#[test]
fn a_row_reads_back_as_it_was_written() {
    let row = Entry {
        tool_calls: ToolCall::list(json!([{"id": "c1", "function": {"name": "sh"}}])),
        platform_message_id: Some("p1".to_owned()),
        attention: Attention::Observed,
        at: Some(Timestamp::from_ms(7)),
        finish: Finish::Incomplete,
        visibility: Visibility::Compacted,
        ..Entry::new(
            Role::from("note".to_owned()),
            json!([{"type": "text", "text": "x"}]),
        )
    };
    let written = serde_json::to_string(&row).unwrap();
    assert_eq!(serde_json::from_str::<Entry>(&written).unwrap(), row);
    assert_eq!(
        serde_json::from_str::<Entry>("{}").unwrap(),
        Entry::default()
    );
    assert_eq!(Entry::default().role.as_str(), "unknown");
}
