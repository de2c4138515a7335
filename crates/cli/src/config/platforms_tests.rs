use super::super::raw;
use super::super::resolve::{Overrides, Resolved, resolve};
use super::*;
use angelia_core::access::Policy;
use angelia_core::display::{Display, Switch};
use angelia_core::stream::progress::Mode;

fn read(text: &str) -> Result<Resolved, Vec<String>> {
    let resolved = resolve(raw::read(text), &Overrides::default());
    resolved.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn accounts(text: &str) -> Vec<Account> {
    read(text).unwrap().settings.accounts
}

fn wrong(text: &str) -> String {
    read(text).unwrap_err().join("\n")
}

#[test]
fn an_account_needs_nothing_but_its_token() {
    let found = accounts("[platforms.telegram]\ntoken = { env = \"WORD\" }\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].name.0, "telegram");
    assert_eq!(found[0].token, Source::Variable("WORD".to_owned()));
    assert_eq!(found[0].api_url.as_str(), "https://api.telegram.org/");
    assert_eq!(found[0].webhook_url, None);
}

#[test]
fn a_platform_may_have_several_accounts_under_names_of_their_own() {
    let found = accounts(
        "[platforms.work]\nplatform = \"telegram\"\ntoken = \"a\"\n\
         [platforms.play]\nplatform = \"telegram\"\ntoken = \"b\"\napi_url = \"http://127.0.0.1:9\"\n",
    );
    let names: Vec<&str> = found.iter().map(|one| one.name.0.as_str()).collect();
    assert_eq!(names, ["play", "work"]);
}

#[test]
fn what_is_wrong_with_an_account_is_said_with_its_line_and_without_its_secret() {
    let cases = [
        (
            "[platforms.telegram]\n",
            "line 1: `platforms.telegram` needs a `token`",
        ),
        (
            "[platforms.telegramm]\ntoken = \"x\"\n",
            "did you mean `telegram`?",
        ),
        (
            "[platforms.x]\nplatform = \"pigeon\"\n",
            "must be one of local, web, api, telegram",
        ),
        (
            "[platforms.api]\nplatform = \"web\"\n",
            "must be \"api\" or absent",
        ),
        (
            "[platforms.web]\ntoken = \"sesame\"\n",
            "is for accounts of other platforms",
        ),
        (
            "[platforms.telegram]\ntoken = \"sesame\"\napi_url = \"sesame\"\n",
            "must be an address such as",
        ),
        (
            "[access]\nallow = [\"12345\"]\n",
            "must be a platform or an account, a colon, and an id",
        ),
        (
            "[platforms.telegram]\ntoken = \"a\"\nhome = 1\n",
            "is not in this release yet",
        ),
        (
            "[access]\npairing = \"of\"\n",
            "must be \"direct\" or \"off\"",
        ),
    ];
    for (text, expected) in cases {
        let said = wrong(text);
        assert!(said.contains(expected), "{text}: {said}");
        assert!(!said.contains("sesame"), "{said}");
    }
}

#[test]
fn nobody_may_speak_until_somebody_is_named() {
    assert_eq!(read("").unwrap().settings.access, Policy::default());
    let access = read("[access]\nallow = [\"telegram:7\", \"*:8\"]\nchats = [\"telegram:-5\"]\n");
    let access = access.unwrap().settings.access;
    assert_eq!((access.people.len(), access.chats.len()), (2, 1));
}

#[test]
fn what_people_see_is_said_for_each_account() {
    let found = accounts(
        "[platforms.telegram]\ntoken = \"a\"\nstreaming = false\ntool_progress = \"all\"\n",
    );
    let display = Display::of(Platform::Telegram, &found[0].display, &Layer::default());
    assert_eq!(display.streaming, Some(Switch::Off));
    assert_eq!(display.tool_progress, Mode::All);
    assert_eq!(display.show_reasoning, Switch::Off);
    let slip = wrong("[platforms.telegram]\ntoken = \"a\"\ntool_progress = \"verbos\"\n");
    assert!(
        slip.contains("`platforms.telegram.tool_progress` must be one of off")
            && slip.contains("verbose"),
        "{slip}"
    );
}
