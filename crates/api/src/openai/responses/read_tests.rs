//! What a request says, as a request for a completion.

use serde_json::json;

use super::*;

fn asked(body: Value) -> Result<Request, ApiError> {
    request(&serde_json::from_value(body).unwrap())
}

fn said(request: &Request) -> Vec<(&str, &Value)> {
    let messages = request.messages.iter();
    messages
        .map(|one| (one.role.as_str(), &one.content))
        .collect()
}

#[test]
fn a_text_is_what_the_user_says_and_instructions_come_first() {
    let request = asked(json!({
        "model": "m", "input": "hello", "instructions": "be kind", "user": "u7", "temperature": 1
    }));
    let request = request.unwrap();
    let expected = [("system", &json!("be kind")), ("user", &json!("hello"))];
    assert_eq!(said(&request), expected);
    assert_eq!(request.user.as_deref(), Some("u7"));
    assert_eq!(request.list.ahead, 1);
}

#[test]
fn items_are_messages_and_thoughts_are_passed_over_in_their_place() {
    let words = json!([{ "type": "input_text", "text": "three" }]);
    let request = asked(json!({ "input": [
        { "role": "user", "content": "one" },
        { "type": "reasoning", "id": "rs_1", "summary": [] },
        { "type": "message", "role": "assistant", "content": "two" },
        { "role": "user", "content": words },
    ]}));
    let request = request.unwrap();
    let expected = [
        ("user", &json!("one")),
        ("assistant", &Value::Null),
        ("assistant", &json!("two")),
        ("user", &words),
    ];
    assert_eq!(said(&request), expected);
}

#[test]
fn what_cannot_be_done_is_refused_and_named() {
    for (more, field) in [
        (json!({ "input": 7 }), "input"),
        (json!({ "input": ["x"] }), "input[0]"),
        (json!({ "input": [{ "type": "message" }] }), "input[0].role"),
        (
            json!({ "input": [{ "role": "user" }, { "type": "function_call_output" }] }),
            "input[1].type",
        ),
        (json!({ "input": "x", "background": true }), "background"),
        (
            json!({ "input": "x", "conversation": "conv_1" }),
            "conversation",
        ),
    ] {
        let refused = asked(more).unwrap_err();
        assert_eq!(refused.field.as_deref(), Some(field));
        assert_eq!(refused.kind.status(), 400);
    }
}

#[test]
fn the_id_of_a_response_leads_back_to_its_message() {
    let inbox = InboxId::from_bits(77);
    assert!(id(inbox).starts_with("resp_"));
    assert_eq!(answers(&id(inbox)), Some(inbox));
    for odd in ["", "resp_", "inb_1", "resp_inb_1", &inbox.to_string()] {
        assert_eq!(answers(odd), None, "{odd}");
    }
}
