use super::super::spoken::Gather;
use super::super::wire::Wire;
use super::*;

fn heard(records: &[&str]) -> Answer {
    let mut gather = Gather::default();
    for piece in records.iter().flat_map(|record| read(record)) {
        gather.take(piece).expect("room");
    }
    gather.finish().expect("an answer")
}

const STREAM: [&str; 12] = [
    r#"{"type":"message_start","message":{"usage":{"input_tokens":12,"cache_read_input_tokens":80,"cache_creation_input_tokens":5,"output_tokens":1}}}"#,
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"let me see"}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
    r#"{"type":"ping"}"#,
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I look."}}"#,
    r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"tu_1","name":"files","input":{}}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"a\"}"}}"#,
    r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":40}}"#,
    r#"{"type":"message_stop"}"#,
];

#[test]
fn thoughts_words_calls_and_usage_are_read() {
    let answer = heard(&STREAM);
    assert_eq!(
        (answer.text.as_str(), &answer.stop),
        ("I look.", &Stop::Calls)
    );
    assert_eq!(answer.calls[0].arguments, r#"{"path":"a"}"#);
    let tokens = answer.tokens;
    assert_eq!((tokens.input, tokens.output), (12, 40));
    assert_eq!((tokens.cache_read, tokens.cache_write), (80, 5));
}

fn request<'a>(messages: &'a [Entry], earlier: usize, album: &'a Album) -> Request<'a> {
    Request {
        model: "m",
        system: "who",
        messages,
        earlier,
        album,
        tools: &[],
        answer_tokens: 1,
    }
}

#[test]
fn an_answer_goes_back_with_its_sealed_thoughts_first() {
    let row = Wire::Anthropic.row(&heard(&STREAM));
    let result = Entry {
        tool_call_id: Some("tu_1".into()),
        ..Entry::new(Role::Tool, "contents")
    };
    let rows = [
        Entry::new(Role::User, "go"),
        row,
        result,
        Entry::new(Role::User, "and?"),
    ];
    let said = messages(&request(&rows, 3, &Album::default()));
    let [_, assistant, user] = &said[..] else {
        panic!("{said:?}")
    };
    let kinds: Vec<&str> = assistant["content"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|block| block["type"].as_str())
        .collect();
    assert_eq!(kinds, ["thinking", "text", "tool_use"]);
    assert_eq!(assistant["content"][0]["signature"], "c2ln");
    assert_eq!(assistant["content"][2]["input"]["path"], "a");
    assert_eq!(user["content"][0]["tool_use_id"], "tu_1");
    assert_eq!(user["content"][1]["cache_control"]["type"], "ephemeral");
    let before = &user["content"][0];
    assert_eq!(
        before["cache_control"]["type"], "ephemeral",
        "what was said before the turn"
    );
}

#[test]
fn a_failure_in_the_middle_is_told() {
    let spoken =
        read(r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#);
    assert_eq!(spoken, [Spoken::Failed("Overloaded".into())]);
}

#[test]
fn a_whole_message_is_an_answer_too() {
    let answer = heard(&[
        r#"{"type":"message","content":[{"type":"text","text":"all"},{"type":"tool_use","id":"t","name":"n","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}"#,
    ]);
    assert_eq!(answer.text, "all");
    let untold = r#"{"type":"message","content":[{"type":"text","text":"all"}]}"#;
    assert_eq!(heard(&[untold]).stop, Stop::Done);
    assert_eq!(answer.calls[0].arguments, r#"{"a":1}"#);
}

#[test]
fn pictures_change_their_shape_and_empty_words_are_no_block() {
    let parts = json!([
        { "type": "text", "text": " " },
        { "type": "image_url", "image_url": { "url": "data:image/png;base64,AAAA" } },
        { "type": "image_url", "image_url": { "url": "https://example.org/a.png" } },
    ]);
    let blocks = content(&Content::Structured(parts));
    assert_eq!(blocks.len(), 2);
    assert_eq!(blocks[0]["source"]["media_type"], "image/png");
    assert_eq!(blocks[1]["source"]["url"], "https://example.org/a.png");
}
