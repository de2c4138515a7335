use super::*;
use crate::tools::{process, terminal};

#[test]
fn a_result_of_any_length_fits_an_entry_of_the_journal_and_stays_json() {
    for letter in ["x", "\u{1}", "ä", "\u{1f600}", "\""] {
        let long = json!({ "output": letter.repeat(400_000), "exit_code": 0 });
        let short = bounded(long);
        let bytes = short.to_string().len();
        assert!(bytes <= limits::STEP_BYTES_MAX, "{letter:?}: {bytes}");
        assert!(bytes > limits::STEP_BYTES_MAX / 8, "{letter:?}: {bytes}");
        assert_eq!(short["exit_code"], 0);
        assert!(short["output"].as_str().unwrap().ends_with(CUT));
    }
    let whole = json!({ "output": "x".repeat(1_000) });
    assert_eq!(bounded(whole.clone()), whole);
}

#[test]
fn a_result_that_is_long_elsewhere_is_not_told() {
    let long = json!({ "processes": ["x".repeat(400_000)] });
    assert!(
        bounded(long)["error"]
            .as_str()
            .unwrap()
            .contains("too long")
    );
}

#[test]
fn what_is_typed_into_a_process_is_not_written_down() {
    let typed = json!({ "action": "submit", "session_id": "p", "data": "hunter2" });
    let noted = noted(
        Some(&Maker::House(&process::FORM)),
        &typed,
        &Masker::default(),
    );
    assert!(!noted.to_string().contains("hunter2"), "{noted}");
    assert_eq!(
        (&noted["action"], &noted["session_id"]),
        (&json!("submit"), &json!("p"))
    );
    let long = json!({ "command": "x".repeat(limits::STEP_BYTES_MAX) });
    assert!(is_too_long(&long));
    assert!(
        super::noted(
            Some(&Maker::House(&terminal::FORM)),
            &long,
            &Masker::default()
        )
        .to_string()
        .len()
            < 100
    );
}

#[test]
fn of_a_call_that_is_wrong_only_the_length_is_written_down() {
    let form = Some(&process::FORM);
    for (form, arguments) in [
        (None, json!({ "action": "submit", "data": "hunter2" })),
        (form, json!(["submit", "hunter2"])),
        (form, json!("submit hunter2")),
        (form, json!({ "action": "submit", "dat": "hunter2" })),
        (form, json!({ "action": "submit", "data": ["hunter2"] })),
        (Some(&terminal::FORM), json!({ "data": "hunter2" })),
    ] {
        let maker = form.map(Maker::House);
        let noted = noted(maker.as_ref(), &arguments, &Masker::default()).to_string();
        assert!(!noted.contains("hunter2"), "{noted}");
        assert!(noted.contains("bytes, not recorded"), "{noted}");
    }
}
