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
