use super::*;

fn asked(kinds: &[&str]) -> Asked {
    let options: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({ "optionId": format!("id of {kind}"), "kind": kind, "name": "Allow" }))
        .collect();
    let params = json!({
        "sessionId": "s",
        "toolCall": { "toolCallId": "c1", "title": "rm -r x", "kind": "execute",
                      "rawInput": { "command": "rm -r x" } },
        "options": options,
    });
    read(&params).unwrap()
}

fn picked(kinds: &[&str], answer: &Answer) -> Option<String> {
    let outcome = asked(kinds).outcome(answer);
    let id = outcome["outcome"]["optionId"].as_str()?;
    Some(id.trim_start_matches("id of ").to_owned())
}

const ALL: [&str; 4] = ["reject_always", "allow_always", "reject_once", "allow_once"];

#[test]
fn options_are_picked_by_kind_and_the_least_that_does() {
    let no = Answer::Refused("no".to_owned());
    for grant in [Grant::Once, Grant::Conversation, Grant::Always] {
        let yes = Answer::Granted(grant);
        assert_eq!(picked(&ALL, &yes).as_deref(), Some("allow_once"));
    }
    assert_eq!(picked(&ALL, &no).as_deref(), Some("reject_once"));
    assert_eq!(
        picked(&["reject_always", "allow_once"], &no).as_deref(),
        Some("reject_always")
    );
}

#[test]
fn nobody_agrees_to_more_than_was_asked() {
    let only_always = ["allow_always", "reject_once"];
    assert_eq!(picked(&only_always, &Answer::Granted(Grant::Once)), None);
    let longer = Answer::Granted(Grant::Conversation);
    assert_eq!(
        picked(&only_always, &longer).as_deref(),
        Some("allow_always")
    );
}

#[test]
fn without_a_fitting_option_the_answer_is_no() {
    let no = Answer::Refused("no".to_owned());
    for kinds in [&[] as &[&str], &["allow_once"], &["something_new"]] {
        assert_eq!(asked(kinds).outcome(&no), cancelled());
    }
}

#[test]
fn a_deed_is_told_in_words() {
    assert_eq!(asked(&ALL).words(), "rm -r x");
    let words = |call: Value| read(&json!({ "toolCall": call })).unwrap().words();
    let argv = json!({ "toolCallId": "c", "rawInput": { "command": ["sh", "-c", "echo 'a b'"] } });
    assert_eq!(words(argv), r"sh -c 'echo '\''a b'\'''");
    let edit = json!({ "toolCallId": "c", "title": "Edit f", "rawInput": { "path": "/f" } });
    assert_eq!(words(edit), "Edit f\n{\"path\":\"/f\"}");
    let bare = json!({ "toolCallId": "c", "kind": "edit" });
    assert_eq!(words(bare), "edit");
    assert_eq!(read(&json!({ "options": [] })), None);
}
