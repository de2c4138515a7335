use super::*;
use crate::config::edit;

fn model(key: Key) -> Answers {
    Answers::Model(Model {
        wire: Wire::OpenAi,
        base_url: "http://127.0.0.1:9000/v1".parse().unwrap(),
        model: "some-\"model\"".to_owned(),
        key,
    })
}

#[test]
fn a_typed_key_is_named_by_its_file_and_stands_nowhere_else() {
    let answers = model(Key::Typed("the word".to_owned()));
    let text = edit::changed("", "agent", &answers.changes()).unwrap();
    assert!(
        text.contains("api_key = { file = \"model-key\" }"),
        "{text}"
    );
    assert!(!text.contains("the word"));
    assert!(!format!("{answers:?}").contains("the word"));
}

#[test]
fn what_another_agent_needed_becomes_a_comment() {
    let before = "[agent]\nbackend = \"exec\"\ncommand = [\"sh\"]\n";
    let answers = model(Key::Variable("DOOR".to_owned()));
    let text = edit::changed(before, "agent", &answers.changes()).unwrap();
    assert!(text.contains("# command = [\"sh\"]"), "{text}");
    assert!(text.contains("api_key = { env = \"DOOR\" }"), "{text}");
    let text = edit::changed(&text, "agent", &Answers::Demo.changes()).unwrap();
    assert!(
        text.contains("# api_key = ") && text.contains("backend = \"demo\""),
        "{text}"
    );
}

#[test]
fn words_are_parted_by_spaces_unless_quotes_hold_them() {
    assert_eq!(words("  agent --acp  "), ["agent", "--acp"]);
    assert_eq!(
        words("sh -c 'echo  \"a b\"' ''"),
        ["sh", "-c", "echo  \"a b\"", ""]
    );
    assert_eq!(words(" "), Vec::<String>::new());
}
