use super::*;

#[test]
fn a_command_is_a_line_or_words() {
    assert_eq!(
        command(&json!({ "command": "ls | wc -l" })).unwrap(),
        "ls | wc -l"
    );
    let words = json!({ "command": "git", "args": ["commit", "-m", "it's done"] });
    assert_eq!(command(&words).unwrap(), r"git commit -m 'it'\''s done'");
    let with = json!({ "command": "make", "env": [
        { "name": "A", "value": "1 2" }, { "name": "B;rm", "value": "x" }, { "name": "" },
    ] });
    assert_eq!(command(&with).unwrap(), "export A='1 2'; make");
    for nothing in [
        json!({}),
        json!({ "command": " " }),
        json!({ "command": 7 }),
    ] {
        assert_eq!(command(&nothing), None);
    }
}

#[test]
fn an_end_is_a_code_or_a_signal() {
    let exited = End::Itself(How::Exited(3));
    assert_eq!(exit(&exited), json!({ "exitCode": 3, "signal": null }));
    let killed = End::Itself(How::Signalled(9));
    assert_eq!(exit(&killed)["signal"], "9");
}
