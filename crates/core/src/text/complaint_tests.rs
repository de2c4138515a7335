use super::{Class, Masker, Platform, Reader, class, shown, shown_parted};

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

#[test]
fn a_reply_for_people_is_parted_where_it_was() {
    let masker = Masker::new(["the-word-of-this-install".to_owned()]);
    let parts = [
        "use sk-abcdefghijklmnop1234 ",
        "the-word-of-this-install ",
        "end",
    ];
    let breaks = [parts[0].len(), parts[0].len() + parts[1].len()];
    let (shown, places) = shown_parted(&parts.concat(), &breaks, &masker);
    assert!(
        !shown.contains("efghijklmnop") && !shown.contains("install"),
        "{shown}"
    );
    assert_eq!((&shown[places[1]..], places.len()), ("end", 2));
    assert!(shown[..places[0]].starts_with("use sk-"), "{shown}");
    let (error, places) = shown_parted("Error code: 500", &[5], &masker);
    assert!(error.starts_with("The model") && places.is_empty());
    assert_eq!(
        shown_parted("plain", &[2], &masker),
        ("plain".to_owned(), vec![2])
    );
}

#[test]
fn a_telephone_number_in_a_reply_is_what_was_asked_for() {
    let masker = Masker::new([]);
    let (shown, _) = shown_parted("Call +493012345678.", &[], &masker);
    assert_eq!(shown, "Call +493012345678.");
}

#[test]
fn whoever_holds_the_token_is_told_everything() {
    assert_eq!(Reader::on(Platform::Api), Reader::Program);
    assert_eq!(Reader::on(Platform::Telegram), Reader::People);
}
