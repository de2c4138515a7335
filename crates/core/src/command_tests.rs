use super::*;
use crate::about::About;
use crate::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use crate::inbound::{EventKey, Role, Utterance};
use crate::turn::manners::Manners;

fn slip(text: &str) -> String {
    match read_text(text) {
        Reading::Slip(slip) => slip.to_string(),
        other @ (Reading::Words | Reading::Command(_)) => panic!("{text}: {other:?}"),
    }
}

fn command(text: &str) -> Command {
    match read_text(text) {
        Reading::Command(command) => command,
        other @ (Reading::Words | Reading::Slip(_)) => panic!("{text}: {other:?}"),
    }
}

#[test]
fn every_name_of_the_table_is_found_once_and_fits_a_menu() {
    let mut all: Vec<&str> = names().collect();
    for name in &all {
        assert!(find(name).is_some());
    }
    for spec in TABLE {
        let fits = spec.name.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(fits && spec.name.len() <= 32, "{}", spec.name);
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn what_is_no_call_goes_to_the_agent() {
    for text in [
        "hello",
        "",
        "/",
        "/ new",
        "//",
        "/usr/bin/env",
        "\n/new",
        " /new",
        "/*",
        "/etc/hosts is a file",
    ] {
        assert_eq!(read_text(text), Reading::Words, "{text:?}");
    }
}

#[test]
fn a_call_is_read_in_any_case_and_with_the_name_of_a_bot() {
    assert_eq!(command("/STATUS"), Command::Status);
    assert_eq!(
        command("/new@angelia_bot\nA plan"),
        Command::New(Title::clean("A plan").unwrap())
    );
    assert_eq!(command("/reset"), Command::New(None));
    assert_eq!(command("/fork"), Command::Branch(None));
}

#[test]
fn an_unknown_command_is_told_the_nearest() {
    assert!(slip("/stauts").contains("/status?"));
    assert!(slip("/sesions now").contains("/sessions?"));
    assert!(slip("/weather").contains("There is no command /weather."));
    assert!(slip("/weather").contains("/help"));
}

#[test]
fn an_unknown_name_comes_back_bounded_and_on_one_line() {
    let said = slip(&format!("/{}", "x".repeat(5_000)));
    assert!(said.chars().count() < 200, "{said}");
}

#[test]
fn what_changes_something_is_not_followed_when_it_is_not_understood() {
    assert!(slip("/retry but shorter").contains("Send /retry alone"));
    assert_eq!(command("/status please"), Command::Status);
    assert_eq!(
        command("/stop now!!"),
        Command::Stop,
        "stopping always works"
    );
}

#[test]
fn a_number_of_turns_is_at_least_one() {
    assert_eq!(command("/undo"), Command::Undo(1));
    assert_eq!(command("/undo 3"), Command::Undo(3));
    for wrong in [
        "/undo 0",
        "/undo -1",
        "/undo – 3",
        "/undo all",
        "/undo 1 2",
        "/undo 99999999999",
    ] {
        assert!(slip(wrong).contains("/undo 3"), "{wrong}");
    }
}

#[test]
fn a_title_keeps_its_dashes_and_may_be_too_long() {
    assert_eq!(
        command("/title a — b"),
        Command::Title(Title::clean("a — b").unwrap())
    );
    assert_eq!(command("/title \u{200b}"), Command::Title(None));
    assert!(slip(&format!("/title {}", "x".repeat(101))).contains("at most 100"));
}

#[test]
fn a_conversation_is_wanted_with_or_without_quotes() {
    assert_eq!(command("/resume"), Command::Resume(None));
    assert_eq!(
        command("/resume \"a  b\""),
        Command::Resume(Some("a b".into()))
    );
}

#[test]
fn a_model_is_one_name_and_never_an_address_or_an_option() {
    let Command::Model(ModelWish::Set(kept)) = command("/model anthropic/claude-x") else {
        panic!("it is a name");
    };
    assert_eq!(kept.model(), Some("anthropic/claude-x"));
    assert_eq!(command("/model"), Command::Model(ModelWish::Show));
    assert_eq!(command("/model Clear"), Command::Model(ModelWish::Clear));
    for wrong in [
        "/model https://u:p@h/v1",
        "/model —global",
        "/model a b",
        "/model `rm`",
    ] {
        assert!(slip(wrong).contains("/model clear"), "{wrong}");
    }
}

#[test]
fn a_message_with_its_own_history_is_only_words() {
    let mut inbound = said("/stop");
    assert!(read(&inbound).stops());
    inbound.context.push(Utterance {
        pictures: Vec::new(),
        role: Role::User,
        text: "earlier".into(),
    });
    assert!(read(&inbound).is_for_the_agent());
}

fn said(text: &str) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat: Chat {
                id: "c".into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: "u".into(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: "1".into(),
        text: text.into(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

#[test]
fn the_page_for_people_has_a_line_for_every_command() {
    let page = include_str!("../../../docs/commands.md");
    let mut lines = page.lines().filter(|line| line.starts_with("| `/"));
    for spec in TABLE {
        let names: Vec<String> = spec
            .aliases
            .iter()
            .map(|name| format!("`/{name}`"))
            .collect();
        let also = match names.as_slice() {
            [] => String::new(),
            names => format!(" (also {})", names.join(", ")),
        };
        // A bar would end the cell.
        let usage = spec.usage().replace('|', "\\|");
        let line = format!("| `{usage}` | {}{also} |", spec.help);
        assert_eq!(lines.next(), Some(line.as_str()));
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn what_is_asked_beside_is_only_its_words_and_a_conversation_of_its_own() {
    let manner = Manners::default().at(&said("x").address);
    let beside = opened(said("/bg what time is it"), manner);
    assert_eq!(beside.text, "what time is it");
    assert_eq!(beside.about.beside, Some(beside.message_id.clone()));
    let mut claimed = said("hello");
    claimed.about.beside = Some("7".to_owned());
    assert_eq!(opened(claimed, manner).about.beside, None, "only we say so");
    assert!(matches!(read_text("/background"), Reading::Slip(_)));
    assert!(matches!(read_text("/background /new"), Reading::Slip(_)));
}

#[test]
fn whoever_opens_the_chat_is_greeted_and_not_corrected() {
    assert_eq!(read_text("/start"), Reading::Command(Command::Start));
    let linked = read_text("/start ref_42");
    assert_eq!(linked, Reading::Command(Command::Start));
    assert!(linked.is_aside());
}

#[test]
fn speech_is_chosen_by_plain_words() {
    let voice = |text: &str| read_text(text);
    let chosen = |speech| Reading::Command(Command::Voice(speech));
    assert_eq!(voice("/voice"), chosen(None));
    assert_eq!(voice("/voice on"), chosen(Some(Speech::Answered)));
    assert_eq!(voice("/voice tts"), chosen(Some(Speech::All)));
    assert_eq!(voice("/voice OFF"), chosen(Some(Speech::Off)));
    assert!(matches!(voice("/voice loud"), Reading::Slip(_)));
}

#[test]
fn a_command_of_the_agents_own_is_words_for_it_and_one_of_the_house_goes_before() {
    let message = |text: &str, command_of: CommandOf| {
        let mut inbound = said(text);
        inbound.about.command_of = command_of;
        inbound
    };
    assert!(matches!(
        read(&message("/init now", CommandOf::House)),
        Reading::Slip(_)
    ));
    assert_eq!(
        read(&message("/init now", CommandOf::Agent)),
        Reading::Words
    );
    let help = read(&message("/help", CommandOf::Agent));
    assert_eq!(help, Reading::Command(Command::Help));
    assert_eq!(
        unknown(&message("/init now", CommandOf::House)).as_deref(),
        Some("init")
    );
    assert_eq!(unknown(&message("/help", CommandOf::House)), None);
    assert_eq!(unknown(&message("/usr/bin", CommandOf::House)), None);
}
