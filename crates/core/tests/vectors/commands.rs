//! Which texts called a command in a reference, and which commands it had.
//!
//! Our table is shorter and grows. What it does not have yet must be answered as unknown, never given to
//! the agent; what it has must have the same name and the same other names.

use angelia_core::approval::inquiry;
use angelia_core::command::{Reading, TABLE, call, find, plain_dashes, read_text};
use serde::Deserialize;

use crate::cases;

#[derive(Deserialize)]
struct Parse {
    id: String,
    text: String,
    is_command: bool,
    command: Option<String>,
    args: String,
    canonical: Option<String>,
}

impl Parse {
    /// Whether the reference found the name of a command. It takes a lone slash for the command with
    /// the empty name and then knows none; with us it is no call.
    fn named(&self) -> Option<&str> {
        let name = self.command.as_deref().filter(|name| !name.is_empty());
        name.filter(|_| self.is_command)
    }
}

#[test]
fn the_same_texts_are_calls_with_the_same_names_and_arguments() {
    for case in cases::<Parse>("gateway/slash_parse.json") {
        let called = call(&case.text);
        assert_eq!(
            called.as_ref().map(|call| call.name.as_str()),
            case.named(),
            "{}",
            case.id
        );
        if let Some(call) = called {
            assert_eq!(plain_dashes(call.arguments), case.args, "{}", case.id);
        }
    }
}

#[test]
fn a_call_is_ours_under_its_own_name_or_answered_as_unknown() {
    for case in cases::<Parse>("gateway/slash_parse.json") {
        let ours = case.named().and_then(find);
        if let Some(spec) = ours {
            assert_eq!(Some(spec.name), case.canonical.as_deref(), "{}", case.id);
        }
        let reading = read_text(&case.text);
        match (case.named(), ours) {
            (None, _) => assert_eq!(reading, Reading::Words, "{}", case.id),
            (Some(_), None) => assert!(matches!(reading, Reading::Slip(_)), "{}", case.id),
            (Some(_), Some(_)) => assert_ne!(reading, Reading::Words, "{}", case.id),
        }
    }
}

#[derive(Deserialize)]
struct Registered {
    id: String,
    name: String,
    aliases: Vec<String>,
    gateway_known: bool,
    telegram_name: String,
}

#[test]
fn the_commands_we_have_are_called_as_they_were() {
    let mut met = 0;
    for case in cases::<Registered>("gateway/command_registry.json") {
        let Some(spec) = TABLE.iter().find(|spec| spec.name == case.name) else {
            assert!(find(&case.name).is_none(), "{}", case.id);
            continue;
        };
        met += 1;
        assert_eq!(spec.aliases, case.aliases, "{}", case.id);
        assert_eq!(spec.name, case.telegram_name, "{}", case.id);
        assert!(case.gateway_known, "{}", case.id);
    }
    assert!(met > 0, "the file names none of our commands");
}

#[derive(Deserialize)]
struct Clarified {
    id: String,
    kind: String,
    #[serde(default)]
    choices: Option<Vec<String>>,
    #[serde(default)]
    text: String,
    #[serde(default)]
    result: String,
}

/// A choice comes back as it is written, so blanks around it do not count; `2.` and `2)` name one, too.
#[test]
fn answers_to_a_question_mean_what_they_meant() {
    let mut met = 0;
    let all = cases::<Clarified>("gateway/clarify_confirm.json");
    for case in all.into_iter().filter(|case| case.kind == "answer") {
        let meant = inquiry::meant(&case.text, &case.choices.unwrap_or_default());
        let is_dotted = case.text.trim().ends_with(['.', ')']);
        if !is_dotted || meant == case.text.trim() {
            assert_eq!(meant.trim(), case.result.trim(), "{}", case.id);
        }
        met += 1;
    }
    assert!(met > 0, "the file has no answers");
}

#[derive(Deserialize)]
struct Restart {
    id: String,
    text: String,
    result: String,
}

/// The reference restarts because of words; here a restart is typed, and words are the agent's.
#[test]
fn plain_words_are_never_a_command() {
    let (mut same, mut kept) = (0, 0);
    for case in cases::<Restart>("gateway/plaintext_restart.json") {
        let is_typed = case.text.trim_start().starts_with('/');
        let ours = read_text(&case.text);
        assert_eq!(ours == Reading::Words, !is_typed, "{}", case.id);
        match case.result == case.text {
            true => same += 1,
            false => kept += 1,
        }
    }
    eprintln!("plaintext_restart: {same} the same, {kept} words that stay words");
    assert!(same + kept > 0);
}
