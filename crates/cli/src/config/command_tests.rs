use super::*;

use crate::config::raw;
use crate::config::resolve::{Overrides, resolve};

fn told(text: &str) -> String {
    let problems = resolve(raw::read(text), &Overrides::default()).unwrap_err();
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    told.join("\n")
}

#[test]
fn a_command_is_its_words_as_they_are() {
    assert_eq!(program("sh\n-c\n\na  b").unwrap(), ["sh", "-c", "", "a  b"]);
    assert!(program("").is_err() && program(" \nx").is_err());
}

#[test]
fn a_command_for_an_agent_that_is_no_program_is_refused_with_what_would_do() {
    for backend in ["demo", "openai", "anthropic"] {
        let found = told(&format!(
            "[agent]\nbackend = \"{backend}\"\nmodel = \"m\"\ncommand = [\"sh\", \"agent.sh\"]\n"
        ));
        assert!(
            found.contains("line 4: `agent.command` is for \"acp\" and \"exec\"")
                && found.contains(backend),
            "{found}"
        );
    }
    let found = told("[agent]\ncommand = [\"sh\"]\n");
    assert!(found.contains("`agent.backend` is \"demo\""), "{found}");
}

#[test]
fn a_command_is_a_list_that_begins_with_a_program() {
    let found = told("[agent]\nbackend = \"exec\"\ncommand = \"sh agent.sh\"\n");
    assert!(found.contains("must be a list of strings"), "{found}");
    let found = told("[agent]\nbackend = \"exec\"\ncommand = []\n");
    assert!(found.contains("must begin with a program"), "{found}");
}
