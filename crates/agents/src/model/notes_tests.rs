use angelia_core::todo::Status;
use angelia_core::transcript::entry::ToolCall;
use serde_json::json;

use super::*;

fn called() -> [Entry; 2] {
    let call = json!({ "id": "c", "function": { "name": "terminal", "arguments": "{\"command\":\"ls\"}" } });
    let asked = Entry {
        tool_calls: vec![ToolCall::new(call)],
        ..Entry::new(Role::Assistant, "Let me look.")
    };
    let result = Entry {
        tool_name: Some("terminal".to_owned()),
        ..Entry::new(Role::Tool, "x".repeat(9_000))
    };
    [asked, result]
}

#[test]
fn a_report_tells_who_said_and_did_what_and_shortens_long_results() {
    let rows = [
        vec![Entry::new(Role::User, "[Ann] what is here?")],
        called().to_vec(),
    ]
    .concat();
    let parts = material(&rows, Window::new(100_000)).parts;
    let [part] = &parts[..] else {
        panic!("it fits one part: {}", parts.len())
    };
    assert!(
        part.starts_with("A person: [Ann] what is here?\nThe agent: Let me look.\n"),
        "{part}"
    );
    assert!(
        part.contains("The agent called terminal with {\"command\":\"ls\"}"),
        "{part}"
    );
    assert!(
        part.contains("Result of terminal: xxx") && part.len() < 3_000,
        "{part}"
    );
}

#[test]
fn what_is_long_is_read_in_parts_and_of_very_much_the_newest() {
    let window = Window::new(10_000);
    let rows: Vec<Entry> = (0..100)
        .map(|number| Entry::new(Role::User, format!("{number} {}", "word".repeat(1_000))))
        .collect();
    let Material {
        parts, left_out, ..
    } = material(&rows, window);
    assert_eq!(parts.len(), limits::SUMMARY_PARTS_MAX);
    let told: usize = parts
        .iter()
        .map(|part| part.matches("A person").count())
        .sum();
    assert_eq!(told + left_out, 100);
    assert!(
        parts
            .iter()
            .all(|part| size::of_text(part) <= window.part())
    );
    assert!(
        parts
            .last()
            .is_some_and(|part| part.contains("A person: 99 "))
    );
}

#[test]
fn the_notes_before_are_kept_however_much_was_said_since() {
    let many = (0..100).map(|_| Entry::new(Role::User, "word".repeat(1_000)));
    let rows: Vec<Entry> = [Entry::new(Role::Summary, "the door is green")]
        .into_iter()
        .chain(many)
        .collect();
    let material = material(&rows, Window::new(10_000));
    assert_eq!(material.notes, "the door is green");
    assert!(material.left_out > 0);
}

#[test]
fn a_giant_row_takes_its_share_of_a_part_and_says_what_is_missing() {
    let window = Window::new(8_000);
    for role in [Role::User, Role::Assistant, Role::System] {
        let row = Entry::new(role, format!("begin {} end", "ü".repeat(30_000)));
        let parts = material([&row], window).parts;
        let [part] = &parts[..] else {
            panic!("it fits one part: {}", parts.len())
        };
        assert!(size::of_text(part) <= window.part() / 2);
        for words in ["begin", "end", "are left out here"] {
            assert!(part.contains(words), "{words}");
        }
    }
}

#[test]
fn the_newest_list_of_tasks_is_found() {
    let list = |text: &str| Entry {
        tool_name: Some("todo".to_owned()),
        ..Entry::new(Role::Tool, text)
    };
    let rows = [list("old"), list("new"), Entry::new(Role::User, "thanks")];
    assert_eq!(shown_tasks(rows.iter()).as_deref(), Some("new"));
    assert_eq!(shown_tasks(called().iter()), None);
}

#[test]
fn a_list_of_tasks_is_told_with_how_far_each_is() {
    let task = |id: &str, status| Task {
        id: id.to_owned(),
        content: format!("paint {id}"),
        status,
    };
    let list = [task("1", Status::Completed), task("2", Status::InProgress)];
    let told = tasks(&list);
    let lines = "1 [completed]: paint 1\n2 [in_progress]: paint 2";
    assert_eq!(told.as_deref(), Some(lines));
    assert_eq!(tasks(&[]), None);
}

#[test]
fn facts_stand_behind_the_notes_word_for_word_and_all_of_it_is_bounded() {
    let facts = Facts {
        left_out: 7,
        processes: vec!["prc_1: sleep 60".to_owned()],
        tasks: Some("1. paint".to_owned()),
        asked: Some("go on".to_owned()),
    };
    let said = summary(" They want paint. ", &facts);
    let places: Vec<Option<usize>> = [
        "They want paint.",
        "7 older",
        "prc_1: sleep 60",
        "1. paint",
        "go on",
    ]
    .iter()
    .map(|fact| said.find(fact))
    .collect();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{said}"
    );
    let endless = Facts {
        asked: Some("x".repeat(10_000_000)),
        ..Facts::default()
    };
    assert!(summary(&"y".repeat(10_000_000), &endless).len() < limits::SUMMARY_BYTES_MAX);
}

#[test]
fn a_question_about_a_later_part_has_the_notes_before_it() {
    let first = question("", "part one", None);
    assert!(first.contains("part one") && first.ends_with("Write the notes."));
    let second = question("so far", "part two", Some("the budget"));
    assert!(
        second.contains("so far") && second.contains("part two") && second.contains("the budget")
    );
}
