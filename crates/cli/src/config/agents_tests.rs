use super::*;

use crate::config::agent::Model;
use crate::config::keys::KEYS;
use crate::config::raw;
use crate::config::resolve::{Overrides, Resolved, resolve};
use crate::config::secret::Source;

fn resolved(text: &str) -> Result<Resolved, Vec<String>> {
    let found = resolve(raw::read(text), &Overrides::default());
    found.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn model(agents: &Agents, name: &str) -> Box<Model> {
    match agents.named.get(&name.parse().unwrap()) {
        Some(Agent::Model(model)) => model.clone(),
        other => panic!("{name} is a model, found {other:?}"),
    }
}

#[test]
fn each_agent_has_its_own_table_with_the_keys_of_the_main_one() {
    let found = resolved(
        "[agents.coder]\nbackend = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1/\"\nmodel = \"m\"\n\
         api_key = { env = \"K\" }\nprompt_file = \"p.md\"\nfor = [\"telegram\", \"web:1\"]\n\
         [agents.poet]\nbackend = \"anthropic\"\nmodel = \"n\"\n",
    );
    let agents = found.unwrap().settings.agents;
    assert!(matches!(agents.main, Agent::Demo(_)));
    let (coder, poet) = (model(&agents, "coder"), model(&agents, "poet"));
    assert_eq!((coder.model.as_str(), poet.model.as_str()), ("m", "n"));
    assert_eq!(coder.api_key, Some(Source::Variable("K".into())));
    assert_eq!(poet.api_key, None, "no agent has another's key");
    let mut routes = Routes::default();
    for place in ["telegram", "web:1"] {
        routes.lead(place, &"coder".parse().unwrap()).unwrap();
    }
    assert_eq!(agents.routes, routes);
}

#[test]
fn every_key_of_the_main_agent_is_one_of_the_others_too() {
    let paths: Vec<&str> = KEYS.iter().map(|key| key.path).collect();
    for path in &paths {
        // What is told in which place belongs to the main one.
        if path.starts_with("agent.instructions.") {
            continue;
        }
        if let Some(below) = path.strip_prefix("agent.") {
            let twin = format!("agents.*.{below}");
            assert!(paths.contains(&&*twin), "`{path}` has no `{twin}`");
        }
    }
}

#[test]
fn each_agent_has_its_own_time_for_a_turn() {
    let found = resolved(
        "[agents.coder]\nturn_time = \"8h\"\n[agents.poet]\nbackend = \"exec\"\ncommand = [\"a\"]\n\
         turn_time = \"90s\"\n[agents.quick]\n",
    );
    let agents = found.unwrap().settings.agents;
    let time = |name: &str| agents.turn_times[&name.parse().unwrap()];
    assert_eq!(
        (time("coder"), time("poet")),
        (Span::hours(8), Span::seconds(90))
    );
    assert_eq!(
        (time("main"), time("quick")),
        (limits::TURN_TIME, limits::TURN_TIME)
    );
    for wrong in ["59s", "25h", "soon"] {
        let found = resolved(&format!("[agent]\nturn_time = \"{wrong}\"\n")).unwrap_err();
        assert!(
            found.join("\n").contains("`agent.turn_time` must be"),
            "{found:?}"
        );
    }
}

#[test]
fn what_is_wrong_is_told_with_the_name_of_its_table() {
    let told = |text: &str| resolved(text).unwrap_err().join("\n");
    let found = told("[agents.coder]\nbackend = \"openai\"\n");
    assert!(found.contains("needs `agents.coder.model`"), "{found}");
    let found = told("[agents.coder]\nmodl = \"x\"\n");
    assert!(found.contains("did you mean `model`?"), "{found}");
    let found = told("[agents.main]\nmodel = \"x\"\n");
    assert!(found.contains("is the table `[agent]`"), "{found}");
    let found = told("[agents.Coder]\nmodel = \"x\"\n");
    assert!(found.contains("`[agents.coder]`"), "{found}");
    let found = told("[agents.clear]\nmodel = \"x\"\n");
    assert!(found.contains("reserved"), "{found}");
    let found = told("[agents.a]\nfor = [\"web\"]\n[agents.b]\nfor = [\"api\", \"web\"]\n");
    assert!(
        found.contains("line 4") && found.contains("led to `a` already"),
        "{found}"
    );
}
