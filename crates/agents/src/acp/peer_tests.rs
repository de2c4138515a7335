use serde_json::json;

use super::*;

fn read_text(text: &str) -> Message {
    read(text.as_bytes())
}

#[test]
fn each_kind_of_message_is_told_from_the_others() {
    assert_eq!(
        read_text(r#"{"jsonrpc":"2.0","id":7,"result":{"a":1}}"#),
        Message::Response {
            id: 7,
            outcome: Ok(json!({ "a": 1 }))
        }
    );
    assert_eq!(
        read_text(r#"{"id":"x-1","method":"fs/read_text_file","params":{"path":"/p"}}"#),
        Message::Request {
            id: json!("x-1"),
            method: "fs/read_text_file".to_owned(),
            params: json!({ "path": "/p" }),
        }
    );
    assert_eq!(
        read_text(r#"{"method":"_auth/status_update"}"#),
        Message::Notice {
            method: "_auth/status_update".to_owned(),
            params: Value::Null,
        }
    );
}

#[test]
fn a_request_with_the_number_zero_is_a_request() {
    let read = read_text(r#"{"jsonrpc":"2.0","id":0,"method":"session/request_permission"}"#);
    assert!(matches!(read, Message::Request { id, .. } if id == json!(0)));
}

#[test]
fn what_is_no_message_is_noise() {
    for line in [
        "",
        "Starting up…",
        "[1,2]",
        "{}",
        "{\"id\":1",
        "\u{1b}[31mwarning\u{1b}[0m {\"id\":1}",
        r#"{"id":{"a":1},"result":1}"#,
        r#"{"id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
        r#"{"method":7,"id":1}"#,
    ] {
        assert_eq!(read_text(line), Message::Noise, "{line}");
    }
    assert_eq!(read(b"\xff\xfe{"), Message::Noise);
}

#[test]
fn a_number_that_comes_back_as_text_is_ours_all_the_same() {
    let read = read_text(r#"{"id":"12","result":null}"#);
    assert!(matches!(
        read,
        Message::Response {
            id: 12,
            outcome: Ok(Value::Null)
        }
    ));
}

#[test]
fn a_failure_says_its_true_reason() {
    let told = |line: &str| {
        let message = read_text(line);
        let Message::Response {
            outcome: Err(failure),
            ..
        } = message
        else {
            panic!("{message:?}")
        };
        failure
    };
    let plain = told(r#"{"id":1,"error":{"code":-32000,"message":"Authentication required"}}"#);
    assert_eq!(plain, Failure::new(SIGN_IN, "Authentication required"));
    let deep = told(
        r#"{"id":1,"error":{"code":-32603,"message":"Internal error","data":{"details":"no model"}}}"#,
    );
    assert_eq!(deep.message, "Internal error: no model");
    let bare = told(r#"{"id":1,"error":{}}"#);
    assert_eq!(bare, Failure::new(FAILED, "it did not say why"));
}

#[test]
fn whatever_is_written_is_one_line() {
    let text = "two\nlines\r\u{2028} and \"quotes\"";
    let lines = [
        request(3, "session/prompt", &json!({ "text": text })),
        notice("session/cancel", &json!({ "text": text })),
        answer(&json!(5), &Ok(json!({ "text": text }))),
        answer(&json!(0), &Err(Failure::new(NO_METHOD, text))),
    ];
    for line in lines {
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        assert_eq!(line.last(), Some(&b'\n'));
        assert_ne!(read(&line), Message::Noise);
    }
}
