use super::*;

use crate::config::resolve::{Overrides, Resolved, resolve};

fn resolved(text: &str) -> Result<Resolved, Vec<String>> {
    let found = resolve(raw::read(text), &Overrides::default());
    found.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn agent(text: &str) -> Agent {
    resolved(text).unwrap().settings.agents.main
}

#[test]
fn a_model_is_described_by_its_server_its_name_and_its_key() {
    let Agent::Model(model) = agent(
        "[agent]\nbackend = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1/\"\nmodel = \"m\"\n\
         api_key = { env = \"K\" }\nprompt_file = \"p.md\"\n",
    ) else {
        panic!("a model was asked for");
    };
    assert_eq!((model.wire, model.model.as_str()), (Wire::OpenAi, "m"));
    assert_eq!(model.base_url.as_str(), "http://127.0.0.1:9/v1/");
    assert_eq!(model.api_key, Some(Source::Variable("K".into())));
    assert_eq!(model.prompt_file, Some("p.md".into()));
}

#[test]
fn without_an_address_the_maker_of_the_wire_is_asked() {
    for (backend, host) in [
        ("openai", "api.openai.com"),
        ("anthropic", "api.anthropic.com"),
    ] {
        let text = format!("[agent]\nbackend = \"{backend}\"\nmodel = \"m\"\n");
        let Agent::Model(model) = agent(&text) else {
            panic!("a model was asked for");
        };
        assert_eq!(model.base_url.host_str(), Some(host));
        assert_eq!(model.api_key, None);
    }
}

#[test]
fn what_a_model_needs_and_cannot_be_is_told() {
    let told = |text: &str| resolved(text).unwrap_err().join("\n");
    let found = told("[agent]\nbackend = \"openai\"\n");
    assert!(found.contains("needs `agent.model`"), "{found}");
    let found = told("[agent]\nbackend = \"opnai\"\n");
    assert!(found.contains("did you mean `openai`?"), "{found}");
    for base in [
        "localhost:9000",
        "ftp://x/",
        "http://u:geheim@x/v1",
        "http://x/?key=geheim",
    ] {
        let found = told(&format!(
            "[agent]\nbackend = \"openai\"\nmodel = \"m\"\nbase_url = \"{base}\"\n"
        ));
        assert!(found.contains("`agent.base_url` must be"), "{found}");
        assert!(!found.contains("geheim"), "{found}");
    }
}

#[test]
fn the_variable_of_the_key_never_passes_to_commands() {
    let found = resolved(
        "[agent]\nbackend = \"openai\"\nmodel = \"m\"\napi_key = { env = \"MY_DOOR\" }\n\
         [terminal]\npass_env = [\"CARGO_HOME\", \"MY_DOOR\"]\n",
    );
    let found = found.unwrap_err();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("`MY_DOOR`") && found[0].contains("line 6"),
        "{found:#?}"
    );
}

#[test]
fn the_key_is_hidden_wherever_settings_are_shown() {
    let text = "[agent]\nbackend = \"openai\"\nmodel = \"m\"\napi_key = \"geheim\"\n";
    let resolved = resolved(text).unwrap();
    assert!(!format!("{resolved:?}").contains("geheim"));
}
