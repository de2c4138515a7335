use super::*;

use crate::config::resolve::{Overrides, Resolved, resolve};

fn resolved(text: &str) -> Result<Resolved, Vec<String>> {
    let found = resolve(raw::read(text), &Overrides::default());
    found.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn an_agent_is_told_what_is_wanted_where_it_is() {
    let text =
        "[agent.instructions]\n\"telegram.group\" = \"Be brief.\"\n\"web:c1\" = \"Be kind.\"\n";
    let instructions = resolved(text).unwrap().settings.instructions;
    let group = instructions.at("telegram", "group", ("-1", None)).unwrap();
    assert!(group.ends_with("Be brief."), "{group}");
    let chat = instructions.at("web", "dm", ("c1", None)).unwrap();
    assert!(chat.ends_with("Be kind."), "{chat}");
    assert_eq!(instructions.at("web", "dm", ("c2", None)), None);
}

#[test]
fn what_names_no_place_or_says_too_much_is_told() {
    let long = "x".repeat(limits::INSTRUCTION_BYTES_MAX + 1);
    let text = format!("[agent.instructions]\ntelegramm = \"a\"\ndm = \"{long}\"\n");
    let found = resolved(&text).unwrap_err();
    assert!(
        found[0].contains("line 2: `agent.instructions.telegramm` names no place"),
        "{found:?}"
    );
    assert!(found[0].ends_with("did you mean `telegram`?"), "{found:?}");
    assert!(
        found[1].contains("line 3: `agent.instructions.dm` is longer than"),
        "{found:?}"
    );
}
