use super::*;

use crate::config::Agent;
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
fn a_command_that_is_the_agent_is_described_by_its_words_its_input_and_its_variables() {
    let text = "[agent]\nbackend = \"exec\"\ncommand = [\"sh\", \"agent.sh\"]\ninput = \"json\"\n\
                silence = \"90s\"\n[agent.env]\nMODE = \"fast\"\nOPENAI_API_KEY = { env = \"K\" }\n";
    let found = resolve(raw::read(text), &Overrides::default()).unwrap();
    let Agent::Exec(exec) = found.settings.agents.main else {
        panic!("a command was asked for");
    };
    assert_eq!(exec.command, ["sh", "agent.sh"]);
    assert_eq!((exec.form, exec.silence), (Form::Json, Span::seconds(90)));
    let names: Vec<&str> = exec.variables.keys().map(String::as_str).collect();
    assert_eq!(names, ["MODE", "OPENAI_API_KEY"]);
    assert!(!format!("{:?}", exec.variables).contains("fast"));
}

#[test]
fn a_command_that_is_missing_is_asked_for_with_an_example() {
    let found = told("[agent]\nbackend = \"exec\"\n");
    assert!(
        found.contains("line 2: `agent.backend` is \"exec\", which needs `agent.command`"),
        "{found}"
    );
}

#[test]
fn a_variable_of_the_command_never_passes_to_others() {
    let found = told(
        "[agent]\nbackend = \"exec\"\ncommand = [\"a\"]\nenv = { KEY = { env = \"MY_DOOR\" } }\n\
         [terminal]\npass_env = [\"MY_DOOR\"]\n",
    );
    assert!(found.contains("the secret of `agent.env.KEY`"), "{found}");
}

#[test]
fn silence_and_input_have_their_bounds() {
    for silence in ["0s", "25h", "soon"] {
        let found = told(&format!("[agent]\nsilence = \"{silence}\"\n"));
        assert!(found.contains("`agent.silence` must be"), "{found}");
    }
    let found = told("[agent]\ninput = \"jsn\"\n");
    assert!(found.contains("did you mean `json`?"), "{found}");
}

#[test]
fn a_command_is_a_list_that_begins_with_a_program() {
    let found = told("[agent]\nbackend = \"exec\"\ncommand = \"sh agent.sh\"\n");
    assert!(found.contains("must be a list of strings"), "{found}");
    let found = told("[agent]\nbackend = \"exec\"\ncommand = []\n");
    assert!(found.contains("must begin with a program"), "{found}");
}
