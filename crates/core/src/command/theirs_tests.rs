use super::*;

fn told(names: &[&str]) -> Theirs {
    Theirs::told(AgentName::main(), names.iter().copied())
}

#[test]
fn names_that_nobody_can_write_and_very_many_are_left_out() {
    let long = "x".repeat(limits::AGENT_COMMAND_CHARS + 1);
    let theirs = told(&[
        "compact",
        "Init",
        "mcp:tool",
        "two words",
        "a@b",
        "",
        "/x",
        &long,
    ]);
    let names: Vec<&str> = theirs.names.iter().map(String::as_str).collect();
    assert_eq!(names, ["compact", "init"]);
    let many: Vec<String> = (0..10_000).map(|number| format!("c{number}")).collect();
    let theirs = Theirs::told(AgentName::main(), many.iter().map(String::as_str));
    assert_eq!(theirs.names.len(), limits::AGENT_COMMANDS_MAX);
}

#[test]
fn the_command_that_makes_shorter_is_known_by_its_name() {
    assert_eq!(
        told(&["init", "compress", "compact"]).shortening(),
        Some("compact")
    );
    assert_eq!(told(&["compress"]).shortening(), Some("compress"));
    assert_eq!(told(&["init"]).shortening(), None);
}

#[test]
fn help_tells_those_that_can_be_reached_and_not_too_many() {
    let said = told(&["init", "help", "review"]).in_help();
    let all = "The agent itself knows /init, /review.";
    assert_eq!(said.as_deref(), Some(all), "help is ours");
    assert_eq!(told(&["help"]).in_help(), None);
    let many: Vec<String> = (0..80).map(|number| format!("c{number}")).collect();
    let many = Theirs::told(AgentName::main(), many.iter().map(String::as_str));
    let more = format!(" and {} more.", 80 - limits::AGENT_COMMANDS_TOLD);
    assert!(many.in_help().unwrap().ends_with(&more));
}
