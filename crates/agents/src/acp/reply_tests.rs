use serde_json::json;

use super::*;

#[test]
fn words_stand_in_order_and_apart_where_a_call_was_between() {
    let mut reply = Reply::default();
    let mut shown = String::new();
    for words in ["\n\n", "\nLet me ", "look."] {
        shown.push_str(&reply.say(words));
    }
    reply.pause();
    reply.pause();
    for words in ["Here ", "it is.\n"] {
        shown.push_str(&reply.say(words));
    }
    reply.pause();
    shown.push_str(&reply.say("Done."));
    assert_eq!(shown, "Let me look.\n\nHere it is.\nDone.");
    assert_eq!(reply.text, shown, "what is shown is what is kept");
}

#[test]
fn an_answer_that_is_not_whole_says_so() {
    let mut reply = Reply::default();
    reply.say("half");
    let remark = remark(&json!({ "stopReason": "max_tokens" })).unwrap();
    assert!(reply.add_remark(remark).starts_with("\n\n("));
    for whole in [json!({ "stopReason": "end_turn" }), json!({}), Value::Null] {
        assert_eq!(super::remark(&whole), None);
    }
}

#[test]
fn an_answer_is_one_row_with_what_was_used() {
    let mut reply = Reply::default();
    reply.say("hello");
    let told = json!({ "usage": { "inputTokens": 7, "outputTokens": 2, "totalTokens": 9 } });
    let Step::Answer { row, spent } = reply.step(&told, "opencode", &Masker::default()) else {
        panic!("there is an answer")
    };
    assert_eq!(row.content.plain_text(), "hello");
    let spent = spent.unwrap();
    assert_eq!(
        (spent.tokens.input, spent.tokens.output, spent.calls),
        (7, 2, 1)
    );
    let nothing = Reply::default().step(&Value::Null, "x", &Masker::default());
    let Step::Answer { row, spent } = nothing else {
        panic!("it was answered without words")
    };
    assert_eq!((row.content.plain_text().as_str(), spent), ("", None));
}

#[test]
fn an_answer_holds_what_was_thought_about_it_and_no_word_of_it_is_said() {
    let mut reply = Reply::default();
    for thought in ["hm, ", "so"] {
        reply.think(thought, &Masker::default());
    }
    reply.say("Look");
    reply.think("and", &Masker::default());
    reply.say(" here.");
    let step = reply.step(&Value::Null, "x", &Masker::default());
    let Step::Answer { row, .. } = step else {
        panic!("there is an answer")
    };
    assert_eq!(row.content.plain_text(), "Look here.");
    assert_eq!(row.reasoning["text"], "hm, so\n\nand");
}

#[test]
fn a_reply_is_as_long_as_it_may_be_and_ends_with_a_whole_letter() {
    let mut reply = Reply::default();
    let long = "ü".repeat(limits::REPLY_BYTES_MAX);
    let shown = format!("{}{}", reply.say("x"), reply.say(&long));
    assert_eq!(
        shown.len(),
        limits::REPLY_BYTES_MAX - 1,
        "a letter more has no room"
    );
    assert_eq!(reply.say("ü"), "");
    assert_eq!(reply.text, shown);
}
