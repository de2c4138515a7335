use super::*;

use crate::config::resolve::{Overrides, resolve};
use crate::config::{Agent, raw};

fn told(text: &str) -> String {
    let problems = resolve(raw::read(text), &Overrides::default()).unwrap_err();
    let lines = problems.iter().map(ToString::to_string);
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_agent_of_its_own_is_described_by_its_command_and_its_room() {
    let text = "[agent]\nbackend = \"acp\"\ncommand = [\"opencode\", \"acp\"]\nworkdir = \"/srv/work\"\n\
                sign_in = \"gemini-api-key\"\npool = 3\nidle_timeout = \"5m\"\nsilence = \"2m\"\n[agent.env]\nMODE = \"fast\"\n";
    let found = resolve(raw::read(text), &Overrides::default()).unwrap();
    let Agent::Acp(acp) = found.settings.agents.main else {
        panic!("an agent of its own was asked for");
    };
    assert_eq!(acp.command, ["opencode", "acp"]);
    assert_eq!(acp.silence, Span::minutes(2));
    assert_eq!(acp.variables.len(), 1);
    let room = Room {
        workdir: Some(PathBuf::from("/srv/work")),
        sign_in: Some("gemini-api-key".to_owned()),
        pool: 3,
        idle: Span::minutes(5),
    };
    assert_eq!(acp.room, room);
}

#[test]
fn a_command_is_needed_and_the_room_has_its_bounds() {
    let found = told("[agent]\nbackend = \"acp\"\n");
    assert!(found.contains("which needs `agent.command`"), "{found}");
    for pool in ["0", "65"] {
        let found = told(&format!("[agent]\npool = {pool}\n"));
        assert!(found.contains("`agent.pool` must be"), "{found}");
    }
    for idle in ["10s", "8d", "soon"] {
        let found = told(&format!("[agent]\nidle_timeout = \"{idle}\"\n"));
        assert!(found.contains("`agent.idle_timeout` must be"), "{found}");
    }
}
