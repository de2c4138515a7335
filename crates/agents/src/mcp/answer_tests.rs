use super::*;

fn answer(pieces: Vec<Piece>, structured: Option<Value>) -> Answer {
    Answer {
        pieces,
        structured,
        ending: Ending::Done,
    }
}

fn text(words: &str) -> Piece {
    Piece::Text(words.to_owned())
}

#[test]
fn words_are_joined_and_what_is_not_words_is_described() {
    let pieces = vec![
        text("look"),
        Piece::Data {
            kind: "image/png".to_owned(),
            letters: 400,
        },
        Piece::Link("file:///a".to_owned()),
    ];
    let expected = "look\n[image/png, 300 bytes, not shown]\n[see file:///a]";
    assert_eq!(told(answer(pieces, None)), json!({ "output": expected }));
}

#[test]
fn values_are_not_told_twice() {
    let value = json!({ "sum": 5 });
    let same = answer(vec![text("{ \"sum\": 5 }")], Some(value.clone()));
    assert_eq!(told(same), json!({ "structured": value }));
    let other = answer(vec![text("five")], Some(value.clone()));
    assert_eq!(
        told(other),
        json!({ "output": "five", "structured": value })
    );
    let none = answer(vec![text("five")], Some(Value::Null));
    assert_eq!(told(none), json!({ "output": "five" }));
}

#[test]
fn a_failure_has_words_in_any_case() {
    let failed = |pieces, structured| {
        let ending = Ending::Failed;
        told(Answer {
            pieces,
            structured,
            ending,
        })
    };
    assert_eq!(failed(vec![text("full")], None), json!({ "error": "full" }));
    let value = failed(vec![], Some(json!([1])));
    assert_eq!(value, json!({ "error": "[1]" }));
    assert!(failed(vec![], None)["error"].is_string());
}

#[test]
fn a_long_answer_is_bounded_whatever_it_is_made_of() {
    let long = "w".repeat(limits::STEP_BYTES_MAX);
    for answer in [
        answer(vec![text(&long)], None),
        answer(vec![], Some(json!([long]))),
    ] {
        let told = told(answer);
        let output = told["output"].as_str().unwrap();
        assert!(output.chars().count() <= limits::TOOL_OUTPUT_CHARS_MAX);
    }
}
