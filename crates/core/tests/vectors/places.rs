//! What holds in a place: under which ids people are known there, which profile has it, what an agent is told in it.

use std::collections::BTreeMap;

use angelia_core::context::instructions::Instructions;
use angelia_core::profile::rules::{Rules, Spot};
use angelia_core::whatsapp::{jid, normalise};
use serde::Deserialize;
use serde_json::Value;

use crate::identity::renamed;
use crate::{cases, committed};

#[derive(Deserialize)]
struct Whatsapp {
    id: String,
    normalized: String,
    jid: String,
}

#[test]
fn an_id_on_whatsapp_is_compared_and_written_to_as_in_the_reference() {
    for case in cases::<Whatsapp>("gateway/whatsapp_ids.json") {
        // The reference takes off one plus sign each time it is asked.
        let theirs = normalise(&case.normalized);
        assert_eq!(normalise(&case.id), theirs, "{}", case.id);
        let is_twice = case.normalized.contains('+');
        assert!(theirs == case.normalized || is_twice, "{}", case.id);
        assert_eq!(jid(&case.id), case.jid, "{}", case.id);
    }
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Routing {
    Parse(Parsed),
    Match(Matched),
}

#[derive(Deserialize)]
struct Parsed {
    id: String,
    routes: Vec<Value>,
    order: Vec<String>,
    specificity: BTreeMap<String, u8>,
}

#[derive(Deserialize)]
struct Matched {
    id: String,
    query: BTreeMap<String, Value>,
    route: Option<String>,
    profile: Option<String>,
}

/// The rules that all questions of the file are about stand in its first case, which others may have left out.
fn rules() -> Rules {
    let parsed = committed::<Routing>("gateway/profile_routes.json").into_iter();
    let mut first = parsed.filter_map(|case| match case {
        Routing::Parse(parsed) => Some(parsed),
        Routing::Match(_) => None,
    });
    read(&first.next_back().expect("the file has its rules"))
}

fn read(parsed: &Parsed) -> Rules {
    let written: Vec<Value> = parsed.routes.iter().map(renamed).collect();
    Rules::read(&written).value
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn check_order(parsed: &Parsed) {
    let rules = read(parsed);
    let order: Vec<&str> = rules
        .in_order()
        .iter()
        .filter_map(|rule| rule.name())
        .collect();
    assert_eq!(order, parsed.order, "{}", parsed.id);
    for rule in rules.in_order() {
        let weight = parsed.specificity.get(rule.name().unwrap_or_default());
        assert_eq!(weight, Some(&rule.specificity()), "{}", parsed.id);
    }
}

/// Whether a message is led where the reference leads it. Ids are texts with us, however they are written (D-27).
fn is_same(matched: &Matched, rules: &Rules) -> bool {
    let asked = |name: &str| matched.query.get(name).map(text);
    let [scope, chat, thread, parent] =
        ["guild_id", "chat_id", "thread_id", "parent_chat_id"].map(asked);
    let chosen = rules.choose(&Spot {
        platform: asked("platform")
            .expect("a platform")
            .parse()
            .expect("a platform"),
        scope: scope.as_deref(),
        chat: chat.as_deref().unwrap_or_default(),
        thread: thread.as_deref(),
        parent: parent.as_deref(),
    });
    let name = chosen.and_then(|rule| rule.name()).map(str::to_owned);
    let profile = chosen.map(|rule| rule.profile().to_string());
    (name, profile) == (matched.route.clone(), matched.profile.clone())
}

#[test]
fn a_message_goes_to_the_profile_of_the_reference_however_its_ids_are_written() {
    let (rules, mut same, mut numbers) = (rules(), 0, 0);
    for case in cases::<Routing>("gateway/profile_routes.json") {
        let matched = match case {
            Routing::Parse(parsed) => {
                check_order(&parsed);
                continue;
            }
            Routing::Match(matched) => matched,
        };
        if is_same(&matched, &rules) {
            same += 1;
            continue;
        }
        // The reference does not find the rule that says `42` for the chat "42".
        let is_number = |value: &Value| value.as_str().is_some_and(|id| id.parse::<i64>().is_ok());
        let written = matched.query.values().any(is_number);
        assert!(written && matched.route.is_none(), "{}", matched.id);
        numbers += 1;
    }
    eprintln!("profile_routes: {same} the same, {numbers} ids that are numbers (D-27)");
    assert!(same > 0);
}

#[derive(Deserialize)]
struct Binding {
    id: String,
    kind: String,
    settings: BTreeMap<String, Value>,
    channel: String,
    parent: Option<String>,
    result: Value,
}

/// What becomes of the reference's entries with us.
enum Written {
    /// Words by the name of their chat.
    Entries(BTreeMap<String, String>),
    /// Something that our file cannot have, and is refused with its line.
    Refused,
}

fn written(settings: &BTreeMap<String, Value>) -> Written {
    let entries = match settings.get("channel_prompts") {
        None => return Written::Entries(BTreeMap::new()),
        Some(Value::Object(entries)) => entries,
        Some(_) => return Written::Refused,
    };
    let entry = |(chat, words): (&String, &Value)| {
        let words = words.as_str()?;
        Some((format!("discord:{chat}"), words.to_owned()))
    };
    match entries.iter().map(entry).collect() {
        Some(entries) => Written::Entries(entries),
        None => Written::Refused,
    }
}

#[test]
fn an_agent_is_told_of_its_channel_what_the_reference_tells() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases::<Binding>("gateway/channel_bindings.json") {
        let verdict = match case.kind.as_str() {
            "skills" => "skills are the agent's own",
            "prompt" => of_prompt(&case),
            other => panic!("{}: nobody judged `{other}`", case.id),
        };
        *counts.entry(verdict).or_default() += 1;
    }
    eprintln!("channel_bindings: {counts:?}");
    assert!(counts["same"] > 0);
}

fn of_prompt(case: &Binding) -> &'static str {
    let Written::Entries(entries) = written(&case.settings) else {
        return "refused: no words, or no table";
    };
    let is_number = entries
        .keys()
        .any(|name| name == &format!("discord:{}", case.channel))
        && case.channel.parse::<i64>().is_ok();
    let instructions = Instructions::read(entries, &["discord"]).expect("every entry is a chat");
    let chats = (case.channel.as_str(), case.parent.as_deref());
    let told = instructions.at("discord", "group", chats);
    let ours = told.as_deref().and_then(|told| told.split_once('\n'));
    let ours = ours.map(|(_whose, words)| words);
    match ours == case.result.as_str() {
        true => "same",
        // D-27: an id is a text, however it is written.
        false if is_number && case.result.is_null() => "an id that is a number",
        false => panic!("{}: {ours:?}, not {}", case.id, case.result),
    }
}
