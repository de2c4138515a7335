use super::*;

fn line(params: &Value) -> Result<String, String> {
    let order = order(params, Path::new("/work"));
    let text = |order: Value| order["command"].as_str().unwrap_or_default().to_owned();
    order.map(text).map_err(|failure| failure.message)
}

#[test]
fn a_command_is_a_line_or_words() {
    let whole = json!({ "command": "ls | wc -l" });
    assert_eq!(line(&whole).unwrap(), "ls | wc -l");
    let words = json!({ "command": "git", "args": ["commit", "-m", "it's done"] });
    assert_eq!(line(&words).unwrap(), r"git commit -m 'it'\''s done'");
    for nothing in [
        json!({}),
        json!({ "command": " " }),
        json!({ "command": 7 }),
    ] {
        assert!(line(&nothing).unwrap_err().contains("not said"));
    }
}

#[test]
fn variables_are_set_before_the_command_and_strange_names_refused() {
    let with = json!({ "command": "make", "env": [{ "name": "A_1", "value": "1 '2" }] });
    assert_eq!(line(&with).unwrap(), r"export A_1='1 '\''2'; make");
    for strange in [
        json!({ "name": "B;rm", "value": "x" }),
        json!({ "name": "1B", "value": "x" }),
        json!({ "name": "", "value": "x" }),
        json!({ "name": "B" }),
    ] {
        let with = json!({ "command": "make", "env": [strange] });
        assert!(line(&with).unwrap_err().contains("`env`"), "{with}");
    }
}

#[test]
fn a_command_runs_in_the_workspace_or_where_an_absolute_path_leads() {
    let place = |cwd: Value| {
        let params = json!({ "command": "ls", "cwd": cwd });
        order(&params, Path::new("/work")).map(|order| order["workdir"].clone())
    };
    assert_eq!(place(Value::Null).unwrap(), "/work");
    assert_eq!(place(json!("/work/deeper")).unwrap(), "/work/deeper");
    assert!(place(json!("deeper")).is_err());
}

#[test]
fn an_end_is_a_code_or_a_signal() {
    let exited = End::Itself(How::Exited(3));
    assert_eq!(exit(&exited), json!({ "exitCode": 3, "signal": null }));
    for (signal, name) in [(9, "SIGKILL"), (34, "34")] {
        let killed = End::Killed(How::Signalled(signal));
        assert_eq!(exit(&killed)["signal"], name);
    }
}

#[test]
fn the_newest_bytes_begin_with_a_letter() {
    assert_eq!(newest("für", 2), "r");
    assert_eq!(newest("für", 3), "ür");
    assert_eq!(newest("für", 99), "für");
    assert_eq!(newest("für", 0), "");
    assert_eq!(limit(&json!({ "outputByteLimit": 7 })), 7);
    assert_eq!(limit(&json!({})), limits::LOG_LINES_BYTES);
}
