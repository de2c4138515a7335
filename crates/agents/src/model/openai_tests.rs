use super::super::spoken::{Asked, Gather, NoAnswer};
use super::*;

fn read(records: &[&str]) -> Answer {
    let (mut reader, mut gather) = (Reader::default(), Gather::default());
    for record in records {
        for piece in reader.read(record) {
            gather.take(piece).expect("room");
        }
    }
    gather.finish().expect("an answer")
}

#[test]
fn words_thoughts_usage_and_the_end_are_read() {
    let answer = read(&[
        r#"{"choices":[{"delta":{"role":"assistant","content":""}}]}"#,
        r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#,
        r#"{"choices":[{"delta":{"content":"Hel"}}]}"#,
        "not json",
        r#"{"choices":[{"delta":{"content":"lo"},"finish_reason":null}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens_details":{"reasoning_tokens":3}}}"#,
        "[DONE]",
    ]);
    assert_eq!((answer.text.as_str(), answer.stop), ("Hello", Stop::Done));
    let tokens = answer.tokens;
    assert_eq!((tokens.input, tokens.cache_read), (40, 60));
    assert_eq!((tokens.output, tokens.reasoning), (7, 3));
    assert_eq!(answer.thoughts.len(), 1);
}

#[test]
fn calls_without_numbers_are_told_apart_by_their_ids() {
    let answer = read(&[
        r#"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"one","arguments":"{"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"two","arguments":{"x":1}}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
    ]);
    let asked = |id: &str, name: &str, arguments: &str| Asked {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
        extras: Map::new(),
    };
    assert_eq!(
        answer.calls,
        [asked("a", "one", "{}"), asked("b", "two", r#"{"x":1}"#)]
    );
}

/// The ids and arguments of the calls in these pieces, `(index, id, name, arguments)` each.
fn called(pieces: &[(u64, &str, &str, &str)]) -> Vec<(String, String)> {
    let record = |(index, id, name, arguments): &(u64, &str, &str, &str)| {
        let function = json!({ "name": name, "arguments": arguments });
        let call = json!({ "index": index, "id": id, "function": function });
        json!({ "choices": [{ "delta": { "tool_calls": [call] } }] }).to_string()
    };
    let records: Vec<String> = pieces.iter().map(record).collect();
    let mut records: Vec<&str> = records.iter().map(String::as_str).collect();
    records.push("[DONE]");
    let calls = read(&records).calls.into_iter();
    calls.map(|call| (call.id, call.arguments)).collect()
}

#[test]
fn another_id_with_a_name_is_another_call_whatever_its_number() {
    let both = [("a", r#"{"x":1}"#), ("b", r#"{"x":2}"#)];
    let both = both.map(|(id, arguments)| (id.to_owned(), arguments.to_owned()));
    let whole = [(0, "a", "one", r#"{"x":1}"#), (0, "b", "one", r#"{"x":2}"#)];
    assert_eq!(called(&whole), both);
    let in_pieces = [
        (0, "a", "one", ""),
        (0, "", "", r#"{"x":1}"#),
        (0, "b", "one", ""),
        (0, "", "", r#"{"x":"#),
        (0, "", "", "2}"),
    ];
    assert_eq!(called(&in_pieces), both);
    let repeated = [
        (0, "a", "one", r#"{"x""#),
        (0, "b", "one", r#"{"x":2"#),
        (0, "a", "one", ":1}"),
        (0, "b", "one", "}"),
    ];
    assert_eq!(called(&repeated), both);
    let drawn_anew = [(0, "a", "one", r#"{"x""#), (0, "z", "", ":1}")];
    assert_eq!(called(&drawn_anew), both[..1]);
}

#[test]
fn a_whole_message_is_an_answer_too() {
    let answer = read(&[
        r#"{"choices":[{"message":{"role":"assistant","content":[{"type":"text","text":"all"}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
    ]);
    assert_eq!((answer.text.as_str(), answer.tokens.output), ("all", 2));
    let untold = read(&[r#"{"choices":[{"message":{"role":"assistant","content":"all"}}]}"#]);
    assert_eq!((untold.text.as_str(), untold.stop), ("all", Stop::Done));
}

#[test]
fn a_request_carries_the_conversation_with_its_calls_and_results() {
    let call =
        json!({ "id": "a", "type": "function", "function": { "name": "one", "arguments": "{}" } });
    let asked = Entry {
        tool_calls: vec![angelia_core::transcript::entry::ToolCall::new(call.clone())],
        ..Entry::new(Role::Assistant, Content::Nothing)
    };
    let result = Entry {
        tool_call_id: Some("a".into()),
        ..Entry::new(Role::Tool, "done")
    };
    let messages = [Entry::new(Role::User, "go"), asked, result];
    let tools = [Schema {
        name: "one".into(),
        description: "the one".into(),
        parameters: json!({ "type": "object" }),
    }];
    let body = json!(body(&Request {
        model: "m",
        system: "who",
        messages: &messages,
        earlier: 0,
        album: &Album::default(),
        tools: &tools,
        answer_tokens: 1,
    }));
    assert_eq!(
        body["messages"][0],
        json!({ "role": "system", "content": "who" })
    );
    assert_eq!(body["messages"][2]["tool_calls"][0], call);
    assert_eq!(
        body["messages"][3],
        json!({ "role": "tool", "content": "done", "tool_call_id": "a" })
    );
    assert_eq!(body["tools"][0]["function"]["name"], "one");
}

#[test]
fn arguments_that_are_no_json_do_not_poison_the_conversation() {
    let mut answer = read(&[
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":"{oops"}}]},"finish_reason":"tool_calls"}]}"#,
    ]);
    let kept = json!({ NO_JSON: "{oops" }).to_string();
    assert_eq!(calls(&answer)[0]["function"]["arguments"], kept);
    answer.calls[0].arguments = r#"{"a":1}"#.into();
    assert_eq!(calls(&answer)[0]["function"]["arguments"], r#"{"a":1}"#);
}

#[test]
fn thoughts_in_details_that_come_in_pieces_are_joined_to_the_blocks_they_belong_to() {
    let answer = read(&[
        r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","text":"I ","index":0,"format":"f"}]}}]}"#,
        r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","text":"think.","index":0,"signature":"old"}]}}]}"#,
        r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"new","index":0}]}}]}"#,
        r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"ab","index":1},{"type":"reasoning.encrypted","data":"cd","index":1}]}}]}"#,
        r#"{"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}"#,
    ]);
    assert_eq!(
        continuation(&answer)[DETAILS],
        json!([
            { "type": "reasoning.text", "text": "I think.", "index": 0, "format": "f", "signature": "new" },
            { "type": "reasoning.encrypted", "data": "abcd", "index": 1 },
        ])
    );
}

#[test]
fn long_thoughts_in_small_pieces_are_not_too_long_for_their_wrapping() {
    let piece = r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.summary","summary":"word ","index":0,"format":"openai-responses-v1"}]}}]}"#;
    let mut records = vec![piece; 20_000];
    records.push(r#"{"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}"#);
    let answer = read(&records);
    let kept = continuation(&answer);
    assert_eq!(kept[DETAILS].as_array().map(Vec::len), Some(1));
    assert_eq!(
        kept[DETAILS][0]["summary"].as_str().map(str::len),
        Some(100_000)
    );
}

/// What an answer comes to that says something and ends for this reason.
fn ended(reason: &str) -> Result<Stop, NoAnswer> {
    let chunk = json!({ "choices": [{ "delta": { "content": "So" }, "finish_reason": reason }] });
    let (mut reader, mut gather) = (Reader::default(), Gather::default());
    for record in [chunk.to_string().as_str(), "[DONE]"] {
        reader
            .read(record)
            .into_iter()
            .for_each(|piece| gather.take(piece).expect("room"));
    }
    gather.finish().map(|answer| answer.stop)
}

#[test]
fn an_answer_that_was_held_back_or_broke_off_is_not_taken_for_whole() {
    for reason in [
        "content_filter",
        "SAFETY",
        "PROHIBITED_CONTENT",
        "RECITATION",
        "sensitive",
    ] {
        assert_eq!(ended(reason), Ok(Stop::Withheld), "{reason}");
    }
    for reason in [
        "MALFORMED_FUNCTION_CALL",
        "insufficient_system_resource",
        "abort",
        "error",
    ] {
        let failed = ended(reason).expect_err(reason);
        assert!(
            matches!(&failed, NoAnswer::Failed(why) if why.contains(reason)),
            "{failed:?}"
        );
    }
    for reason in ["stop", "STOP", "eos", "end_turn"] {
        assert_eq!(ended(reason), Ok(Stop::Done), "{reason}");
    }
}

#[test]
fn an_empty_reason_in_a_chunk_is_no_end() {
    let answer = read(&[
        r#"{"choices":[{"delta":{"content":"one "},"finish_reason":""}]}"#,
        r#"{"choices":[{"delta":{"content":"two"},"finish_reason":"length"}]}"#,
    ]);
    assert_eq!(
        (answer.text.as_str(), answer.stop),
        ("one two", Stop::Length)
    );
}

#[test]
fn thoughts_that_are_counted_beside_the_answer_are_part_of_what_was_written() {
    let used = |usage: Value| {
        let end = json!({ "choices": [{ "delta": { "content": "x" }, "finish_reason": "stop" }], "usage": usage });
        read(&[&end.to_string()]).tokens.output
    };
    let beside = json!({ "prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 135 });
    assert_eq!(used(beside), 103);
    let within = json!({ "prompt_tokens": 32, "completion_tokens": 103, "total_tokens": 135 });
    assert_eq!(used(within), 103);
    let untold = json!({ "prompt_tokens": 32, "completion_tokens": 9 });
    assert_eq!(used(untold), 9);
}
