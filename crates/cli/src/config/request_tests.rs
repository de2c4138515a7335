use serde_json::json;

use crate::config::agent::{Agent, Model};
use crate::config::raw;
use crate::config::resolve::{Overrides, Resolved, resolve};

const FIRST: &str = "[agent]\nbackend = \"openai\"\nmodel = \"m\"\n";

fn resolved(text: &str) -> Result<Resolved, Vec<String>> {
    let found = resolve(raw::read(&format!("{FIRST}{text}")), &Overrides::default());
    found.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn model(agent: &Agent) -> &Model {
    match agent {
        Agent::Model(model) => model,
        other @ (Agent::Demo(_) | Agent::Acp(_) | Agent::Exec(_)) => panic!("{other:?}"),
    }
}

#[test]
fn what_a_server_is_asked_besides_is_taken_as_it_is_written() {
    let text = "answer_tokens = 2000\nrequest = { reasoning_effort = \"low\", temperature = 0.2, top_k = 40, \
                stop = [\"x\"], deep = { er = true } }\n";
    let found = resolved(text).unwrap();
    let model = model(&found.settings.agents.main);
    assert_eq!(model.answer_tokens, Some(2000));
    assert_eq!(
        json!(model.request),
        json!({ "reasoning_effort": "low", "temperature": 0.2, "top_k": 40, "stop": ["x"], "deep": { "er": true } })
    );
    let mut shown = found.effective.iter();
    let shown = shown.find(|one| one.path == "agent.request.deep").unwrap();
    assert_eq!(shown.text.as_deref(), Some("{ er = true }"));
}

#[test]
fn every_agent_and_every_model_behind_one_has_wishes_of_its_own() {
    let text = "[agent.request.thinking]\ntype = \"adaptive\"\n\
                [[agent.fallback]]\nbackend = \"openai\"\nmodel = \"b\"\nanswer_tokens = 3000\n\
                [agent.fallback.request.reasoning]\neffort = \"high\"\n\
                [agents.poet]\nbackend = \"openai\"\nmodel = \"c\"\nrequest.temperature = 1\n\
                [[agents.poet.fallback]]\nbackend = \"openai\"\nmodel = \"d\"\n";
    let agents = resolved(text).unwrap().settings.agents;
    let main = model(&agents.main);
    assert_eq!(
        json!(main.request),
        json!({ "thinking": { "type": "adaptive" } })
    );
    assert_eq!(main.answer_tokens, None);
    let behind = &main.fallback[0];
    assert_eq!(
        json!(behind.request),
        json!({ "reasoning": { "effort": "high" } })
    );
    assert_eq!(behind.answer_tokens, Some(3000));
    let poet = model(&agents.named[&"poet".parse().unwrap()]);
    assert_eq!(json!(poet.request), json!({ "temperature": 1 }));
    assert_eq!(json!(poet.fallback[0].request), json!({}));
}

#[test]
fn what_the_gateway_says_itself_is_refused_with_what_to_set_instead() {
    for (written, instead) in [
        ("model = \"x\"", "`model` beside the table"),
        ("messages = []", "remove it"),
        ("system = \"x\"", "`agent.prompt_file`"),
        ("tools = []", "`[tools]`"),
        ("stream = false", "always streamed"),
        ("max_tokens = 5", "`answer_tokens`"),
        ("max_completion_tokens = 5", "`answer_tokens`"),
        ("n = 2", "one answer is asked for at a time"),
        ("best_of = 2", "one answer is asked for at a time"),
    ] {
        let told = resolved(&format!("[agent.request]\n{written}\n")).unwrap_err();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].contains(instead) && told[0].contains("line 5"),
            "{told:?}"
        );
    }
}

#[test]
fn what_no_server_understands_is_refused_on_its_line() {
    let found = resolved("[agent.request]\nsince = 2026-01-01\n");
    let found = found.unwrap_err().join("\n");
    assert!(
        found.contains("`agent.request.since`") && found.contains("date"),
        "{found}"
    );
}

#[test]
fn an_answer_has_room_for_something() {
    let found = resolved("answer_tokens = 5\n").unwrap_err().join("\n");
    assert!(found.contains("`agent.answer_tokens` must be"), "{found}");
    let text = "[[agent.fallback]]\nbackend = \"openai\"\nmodel = \"b\"\nanswer_tokens = 5\n";
    let found = resolved(text).unwrap_err().join("\n");
    assert!(
        found.contains("`agent.fallback.1.answer_tokens` must be"),
        "{found}"
    );
}

#[test]
fn a_budget_of_thoughts_leaves_room_for_the_answer() {
    let text = |tokens: u32| {
        format!(
            "answer_tokens = {tokens}\n[agent.request.thinking]\ntype = \"enabled\"\nbudget_tokens = 4000\n"
        )
    };
    let found = resolved(&text(4000)).unwrap_err().join("\n");
    assert!(found.contains("more than the 4000 tokens"), "{found}");
    assert!(resolved(&text(8000)).is_ok());
}
