use super::*;

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

#[test]
fn a_name_is_trimmed_lower_cased_and_checked() {
    assert_eq!(name(" Coder ").as_str(), "coder");
    assert!(name("main").is_main());
    for bad in ["", "-a", "a b", "a:b", "ä", &"a".repeat(65)] {
        let told = bad.parse::<AgentName>().unwrap_err();
        assert!(matches!(told, BadName::Shape(_)), "{bad}");
    }
    for reserved in ["angelia", "clear", "Default", "none"] {
        let told = reserved.parse::<AgentName>().unwrap_err();
        assert!(matches!(told, BadName::Reserved(_)), "{reserved}");
    }
}

#[test]
fn whom_a_message_asks_for_comes_first_then_the_conversation_then_the_settings() {
    let (asked, routed) = (Led::Asked(name("a")), Led::Routed(name("r")));
    let chosen = || Some(name("c"));
    assert_eq!(of_turn(Some(&asked), chosen()), name("a"));
    assert_eq!(of_turn(Some(&routed), chosen()), name("c"));
    assert_eq!(of_turn(None, chosen()), name("c"));
    assert_eq!(of_turn(Some(&routed), None), name("r"));
    assert_eq!(of_turn(None, None), AgentName::main());
}

#[test]
fn the_stored_form_of_a_lead_is_the_one_that_was_reviewed() {
    let stored = |led: &Led| serde_json::to_string(led).unwrap();
    assert_eq!(stored(&Led::Asked(name("a"))), r#"{"asked":"a"}"#);
    assert_eq!(stored(&Led::Routed(name("a"))), r#"{"routed":"a"}"#);
}
