use serde_json::json;

use super::*;

fn text(content: &Value) -> String {
    read(content).unwrap().text
}

fn code(content: &Value) -> &'static str {
    read(content).unwrap_err().kind.code()
}

#[test]
fn words_come_whole_or_in_parts_of_several_generations() {
    assert_eq!(text(&json!(null)), "");
    assert_eq!(text(&json!("hi")), "hi");
    assert_eq!(text(&json!(["a", "", "b"])), "a\nb");
    assert_eq!(text(&json!([{ "type": "TEXT ", "text": "t" }])), "t");
    let mixed =
        json!([{ "type": "input_text", "text": "a" }, { "type": "output_text", "text": "b" }]);
    assert_eq!(text(&mixed), "a\nb");
    assert_eq!(
        text(&json!([{ "type": "text", "text": 5 }, 7, null, "kept"])),
        "5\nkept"
    );
    assert_eq!(text(&json!([{ "type": "text" }])), "");
}

#[test]
fn a_picture_stands_in_its_address() {
    for url in [
        json!("data:image/png;base64,Zm9v"),
        json!({ "url": " DATA:image/png;base64,Zm9v ", "detail": "high" }),
        json!({ "url": "data:image/png;base64,Zm9v", "detail": null }),
    ] {
        let content = json!([{ "type": "image_url", "image_url": url }, "look"]);
        let read = read(&content).unwrap();
        assert_eq!(
            (read.text.as_str(), read.images),
            ("look", vec![b"foo".to_vec()])
        );
    }
}

#[test]
fn what_is_no_picture_is_refused_by_what_is_wrong_with_it() {
    let image = |url: &str| json!([{ "type": "image_url", "image_url": url }]);
    assert_eq!(code(&image("https://e.org/a.png")), "invalid_image_url");
    assert_eq!(code(&image("ftp://x")), "invalid_image_url");
    assert_eq!(code(&image("")), "invalid_image_url");
    assert_eq!(
        code(&image("data:image/png;base64")),
        "unsupported_content_type"
    );
    assert_eq!(
        code(&image("data:text/plain,hi")),
        "unsupported_content_type"
    );
    assert_eq!(
        code(&image("data:image/png;base64,!")),
        "invalid_content_part"
    );
    let detail = json!([{ "type": "image_url", "image_url": { "url": "data:image/png;base64,", "detail": "" } }]);
    assert_eq!(code(&detail), "invalid_content_part");
    for part in [
        json!({ "type": "file" }),
        json!({ "type": null }),
        json!({}),
        json!({ "text": "x" }),
    ] {
        assert_eq!(code(&json!([part])), "unsupported_content_type");
    }
    let long = format!(
        "data:image/png;base64,{}",
        "A".repeat(limits::PICTURE_BYTES_MAX / 3 * 4 + 9)
    );
    assert_eq!(code(&image(&long)), "too_large");
}
