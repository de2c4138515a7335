use super::super::raw;
use super::super::resolve::{Overrides, resolve};
use super::*;

fn read(text: &str) -> Result<Option<Stickers>, Vec<String>> {
    let resolved = resolve(raw::read(text), &Overrides::default());
    let resolved = resolved.map(|resolved| resolved.settings.stickers);
    resolved.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn the_agent_looks_unless_somebody_else_does_or_nobody_shall() {
    let by = |text| read(text).unwrap().map(|stickers| stickers.by);
    assert_eq!(by(""), Some(By::Agent));
    assert_eq!(by("[stickers]\ndescribe = false"), None);
    let command = by("[stickers]\ncommand = [\"see\", \"{file}\"]");
    let words = ["see", "{file}"].map(str::to_owned).to_vec();
    assert_eq!(command, Some(By::Command(words)));
    let server = by("[stickers]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"");
    assert!(matches!(server, Some(By::Server(_, model, None)) if model == "m"));
}

#[test]
fn a_way_that_leads_nowhere_is_a_problem() {
    for (text, says) in [
        ("command = [\"see\"]", "{file}"),
        (
            "base_url = \"http://127.0.0.1:9/v1\"",
            "needs `stickers.model`",
        ),
        (
            "base_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\ncommand = [\"see\", \"{file}\"]",
            "leave one out",
        ),
        ("timeout = \"2m\"", "from \"1s\" to \"1m\""),
    ] {
        let problems = read(&format!("[stickers]\n{text}")).unwrap_err();
        assert!(
            problems.len() == 1 && problems[0].contains(says),
            "{problems:?}"
        );
    }
}
