use super::{Class, Reader, class, shown};

#[test]
fn an_error_is_known_by_how_it_begins() {
    assert_eq!(class("⚠️ API failed after 3 tries"), Some(Class::Other));
    assert_eq!(
        class("Error code: 401 - invalid"),
        Some(Class::Authentication)
    );
    assert_eq!(class("Rate limited after 3 retries"), Some(Class::Rate));
    assert_eq!(class("The API call failed because of you"), None);
}

#[test]
fn a_long_text_about_an_error_is_an_answer() {
    assert_eq!(class(&format!("API call failed {}", "x".repeat(400))), None);
    assert_eq!(class("API call failed\n1\n2\n3\n4\n5"), None);
}

#[test]
fn people_never_see_a_secret_and_programs_see_everything() {
    let text = "use sk-abcdefghijklmnop1234 here";
    assert!(!shown(text, Reader::People).contains("efghijklmnop"));
    assert_eq!(shown(text, Reader::Program), text);
    assert!(
        shown("Error code: 500 at sk-abcdefghijklmnop1234", Reader::People)
            .starts_with("The model")
    );
}

#[test]
fn a_bearer_s_key_is_hidden_and_its_name_is_not() {
    let text = format!("Ünder: Bearer {} and a bearer of news", "z".repeat(30));
    let shown = shown(&text, Reader::People).into_owned();
    assert!(!shown.contains(&"z".repeat(20)), "{shown}");
    assert!(shown.starts_with("Ünder: Bearer ") && shown.ends_with(" and a bearer of news"));
}
