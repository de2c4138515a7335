use angelia_core::time::Span;

use super::super::raw;
use super::super::resolve::{Overrides, Resolved, resolve};
use super::*;

fn read(text: &str) -> Result<Resolved, Vec<String>> {
    let resolved = resolve(raw::read(text), &Overrides::default());
    resolved.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn one(text: &str) -> McpServer {
    let mut servers = read(text).unwrap().settings.mcp;
    assert_eq!(servers.len(), 1);
    servers.remove(0)
}

fn wrong(text: &str) -> String {
    read(text).unwrap_err().join("\n")
}

#[test]
fn a_program_needs_nothing_but_its_words() {
    let server = one("[mcp.time]\ncommand = [\"mcp-server-time\", \"--local-timezone=UTC\"]\n");
    assert_eq!(server.name, "time");
    let words = ["mcp-server-time", "--local-timezone=UTC"].map(str::to_owned);
    assert_eq!(server.way, McpWay::Program(words.to_vec(), vec![]));
    assert_eq!(server.time, Span::seconds(60));
    assert_eq!(server.start_time, Span::seconds(30));
    assert_eq!(server.effect, EffectClass::Unknown);
    assert_eq!(server.hints, Hints::Ignored);
    assert_eq!(server.picks, Picks::default());
}

#[test]
fn everything_can_be_said() {
    let server = one(
        "[mcp.site]\nurl = \"https://example.com/mcp\"\nheaders = { Authorization = { env = \"WORD\" } }\n\
         timeout = \"5s\"\nstart_timeout = \"2m\"\nenable = [\"a\", \"b\"]\ndisable = [\"b\"]\n\
         effect = \"keyed\"\ntrust_annotations = true\n",
    );
    let word = Source::Variable("WORD".to_owned());
    let url = Source::Literal("https://example.com/mcp".to_owned());
    let headers = vec![("Authorization".to_owned(), word)];
    assert_eq!(server.way, McpWay::Address(url, headers));
    assert_eq!(
        (server.time, server.start_time),
        (Span::seconds(5), Span::minutes(2))
    );
    assert_eq!(server.picks.enable, ["a", "b"]);
    assert_eq!(server.picks.disable, ["b"]);
    assert_eq!(
        (server.effect, server.hints),
        (EffectClass::Keyed, Hints::Trusted)
    );
}

#[test]
fn variables_may_be_secrets_and_are_shown_by_their_places() {
    let text = "[mcp.git]\ncommand = [\"x\"]\n[mcp.git.env]\nGITHUB_TOKEN = { file = \"t\" }\nWORD = \"sesame\"\n";
    let resolved = read(text).unwrap();
    let shown: Vec<_> = resolved
        .effective
        .iter()
        .filter(|one| one.path.starts_with("mcp.git.env"))
        .map(|one| (one.path.as_str(), one.text.as_deref().unwrap()))
        .collect();
    let expected = [
        ("mcp.git.env.GITHUB_TOKEN", "{ file = \"t\" }"),
        ("mcp.git.env.WORD", "\"…\""),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn a_server_is_either_a_program_or_an_address() {
    assert!(wrong("[mcp.a]\n").contains("`mcp.a` needs `command`"));
    let both = wrong("[mcp.a]\ncommand = [\"x\"]\nurl = \"http://127.0.0.1/\"\n");
    assert!(both.contains("both `command` and `url`"), "{both}");
    let headers = wrong("[mcp.a]\ncommand = [\"x\"]\nheaders = { A = \"b\" }\n");
    assert!(headers.contains("`headers`, which are for"), "{headers}");
    let env = wrong("[mcp.a]\nurl = \"http://127.0.0.1/\"\nenv = { A = \"b\" }\n");
    assert!(env.contains("`env`, which is for"), "{env}");
}

#[test]
fn what_is_wrong_is_said_without_secrets() {
    let url = wrong("[mcp.a]\nurl = \"ftp://sesame/\"\n");
    assert!(
        url.contains("`mcp.a.url` must be an address") && !url.contains("sesame"),
        "{url}"
    );
    let header = wrong("[mcp.a]\nurl = \"http://h/\"\nheaders = { X = \"sesame\\nopen\" }\n");
    assert!(
        header.contains("line 3") && !header.contains("sesame"),
        "{header}"
    );
    assert!(wrong("[mcp.a]\ncommand = []\n").contains("name of a program"));
    assert!(
        wrong("[mcp.a]\ncommand = [\"x\"]\ntimeout = \"0s\"\n").contains("from \"1s\" to \"10m\"")
    );
    let effect = wrong("[mcp.a]\ncommand = [\"x\"]\neffect = \"keyd\"\n");
    assert!(effect.contains("did you mean `keyed`?"), "{effect}");
    let name = wrong("[mcp.\"a b\"]\ncommand = [\"x\"]\n");
    assert!(name.contains("is no name of a server"), "{name}");
    let variable = wrong("[mcp.a]\ncommand = [\"x\"]\nenv = { 1A = \"b\" }\n");
    assert!(variable.contains("letters, digits"), "{variable}");
}

#[test]
fn unknown_keys_get_a_suggestion() {
    let key = wrong("[mcp.a]\ncomand = [\"x\"]\n");
    assert!(key.contains("did you mean `command`?"), "{key}");
    let table = wrong("[mpc.a]\ncommand = [\"x\"]\n");
    assert!(table.contains("did you mean `mcp`?"), "{table}");
}

#[test]
fn a_variable_with_a_secret_is_kept_from_commands() {
    let text = "[terminal]\npass_env = [\"WORD\"]\n[mcp.a]\ncommand = [\"x\"]\nenv = { A = { env = \"WORD\" } }\n";
    let says = wrong(text);
    assert!(says.contains("the secret of `mcp.a.env.A`"), "{says}");
}

#[test]
fn too_many_servers_are_too_many() {
    let tables = (0..=limits::mcp::SERVERS_MAX)
        .map(|number| format!("[mcp.s{number}]\ncommand = [\"x\"]\n"));
    let says = wrong(&tables.collect::<String>());
    assert!(says.contains("at most 32"), "{says}");
}
