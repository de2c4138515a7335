use super::*;

use crate::config::agent::Agent;
use crate::config::resolve::{Overrides, Resolved, resolve};

const FIRST: &str = "[agent]\nbackend = \"openai\"\nmodel = \"m\"\n";

fn resolved(text: &str) -> Result<Resolved, Vec<String>> {
    let found = resolve(raw::read(&format!("{FIRST}{text}")), &Overrides::default());
    found.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn other_models_stand_behind_the_first_in_their_order() {
    let text = "[[agent.fallback]]\nbackend = \"anthropic\"\nmodel = \"b\"\napi_key = { env = \"B\" }\n\
                [[agent.fallback]]\nbackend = \"openai\"\nmodel = \"c\"\nbase_url = \"http://127.0.0.1:9/v1\"\n";
    let found = resolved(text).unwrap();
    let Agent::Model(model) = found.settings.agents.main else {
        panic!("a model was asked for")
    };
    let [second, third] = &model.fallback[..] else {
        panic!("{:?}", model.fallback)
    };
    assert_eq!((second.wire, second.model.as_str()), (Wire::Anthropic, "b"));
    assert_eq!(second.base_url.host_str(), Some("api.anthropic.com"));
    assert_eq!(second.api_key, Some(Source::Variable("B".into())));
    assert_eq!((third.wire, third.model.as_str()), (Wire::OpenAi, "c"));
    assert_eq!(third.base_url.port(), Some(9));
    let shown: Vec<&str> = found
        .effective
        .iter()
        .map(|one| one.path.as_str())
        .collect();
    assert!(shown.contains(&"agent.fallback.2.base_url"), "{shown:?}");
}

#[test]
fn everything_wrong_with_them_is_told_on_its_line() {
    let text = "[[agent.fallback]]\nbackend = \"antropic\"\n\
                [[agent.fallback]]\nbackend = \"openai\"\nmodel = \"m\"\nbase_url = \"nowhere\"\n\
                api_key = { env = \"SECRET_ONE\" }\n[terminal]\npass_env = [\"SECRET_ONE\"]\n";
    let found = resolved(text).unwrap_err();
    let says = |part: &str| {
        assert!(
            found.iter().any(|one| one.contains(part)),
            "{part}: {found:?}"
        )
    };
    says(
        "line 5: `agent.fallback.1.backend` must be \"openai\" or \"anthropic\"; found \"antropic\"; did you mean `anthropic`?",
    );
    says("line 4: `agent.fallback.1.model` is missing");
    says("line 9: `agent.fallback.2.base_url` must be an address");
    says("which is the secret of `agent.fallback.2.api_key`");
}

#[test]
fn an_agent_with_a_name_has_its_own_and_none_of_the_main_one() {
    let text = "[[agent.fallback]]\nbackend = \"openai\"\nmodel = \"b\"\n\
                [agents.coder]\nbackend = \"openai\"\nmodel = \"c\"\n\
                [[agents.coder.fallback]]\nbackend = \"anthropic\"\nmodel = \"d\"\napi_key = { env = \"D\" }\n\
                [agents.poet]\nbackend = \"openai\"\nmodel = \"e\"\n";
    let found = resolved(text).unwrap();
    let behind = |agent: &Agent| {
        let Agent::Model(model) = agent else {
            panic!("a model was asked for, found {agent:?}");
        };
        model.fallback.clone()
    };
    let agents = &found.settings.agents;
    let named = |name: &str| behind(&agents.named[&name.parse().unwrap()]);
    let models: Vec<String> = behind(&agents.main)
        .into_iter()
        .map(|one| one.model)
        .collect();
    assert_eq!(models, ["b"]);
    let [only] = &named("coder")[..] else {
        panic!("{:?}", named("coder"))
    };
    assert_eq!((only.wire, only.model.as_str()), (Wire::Anthropic, "d"));
    assert_eq!(only.api_key, Some(Source::Variable("D".into())));
    assert_eq!(named("poet"), []);
    let shown = |path: &str| found.effective.iter().any(|one| one.path == path);
    assert!(shown("agents.coder.fallback.1.model"));
}

#[test]
fn what_is_wrong_behind_an_agent_with_a_name_is_told_with_that_name() {
    let text = "[agents.coder]\nbackend = \"openai\"\nmodel = \"c\"\n\
                [[agents.coder.fallback]]\nbackend = \"openai\"\nmodl = \"d\"\n\
                [[agents.coder.fallback]]\nbackend = \"openai\"\n";
    let found = resolved(text).unwrap_err().join("\n");
    let unknown = "unknown key `agents.coder.fallback.1.modl`; did you mean `model`?";
    assert!(found.contains(unknown), "{found}");
    let found = resolved(&text.replace("modl", "model"))
        .unwrap_err()
        .join("\n");
    let missing = "`agents.coder.fallback.2.model` is missing";
    assert!(found.contains(missing), "{found}");
    let found = resolved("[agents.coder]\nfallback = 1\n")
        .unwrap_err()
        .join("\n");
    assert!(found.contains("(`[[agents.coder.fallback]]`)"), "{found}");
}
