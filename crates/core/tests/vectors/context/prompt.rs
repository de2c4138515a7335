//! Conversations with the sections and values that a reference tells its agent.
//!
//! Sections, their order and their conditions are the contract; the words are ours. Where the
//! reference shows a hash, ours shows a pseudonym for the same identifier. A difference must come
//! from a name that looks like an identifier, or from an identifier that the reference leaves in
//! clear although identifiers are to be hidden.

use angelia_core::context::names::{Names, Privacy, Who};
use angelia_core::context::prompt::{Section, Target, ToolId, Where, render, sections};
use angelia_core::context::quote::{Code, Quoted};
use angelia_core::context::redact::{KEY_BYTES, Pseudonyms, looks_like_identifier};
use angelia_core::context::told::{Home, Place, Reach, Told, Tools, Trigger};
use angelia_core::session::key::{Isolation, Sharing};
use angelia_core::session::shared::sharing;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    source: Source,
    connected_platforms_in_config_order: Vec<String>,
    home_channels: Vec<HomeChannel>,
    redact_pii: bool,
    #[serde(flatten)]
    flags: Flags,
    #[serde(default)]
    platforms_declared_pii_safe: Vec<String>,
    expected: Vec<Map<String, Value>>,
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the vectors")]
struct Flags {
    group_sessions_per_user: bool,
    thread_sessions_per_user: bool,
    #[serde(default)]
    discord_tools_available: bool,
}

#[derive(Deserialize)]
struct Source {
    platform: String,
    chat_id: String,
    chat_type: String,
    chat_name: Option<String>,
    chat_topic: Option<String>,
    thread_id: Option<String>,
    scope_id: Option<String>,
    parent_chat_id: Option<String>,
    user_id: Option<String>,
    user_name: Option<String>,
    message_id: Option<String>,
}

#[derive(Deserialize)]
struct HomeChannel {
    platform: String,
    chat_id: String,
    name: String,
}

impl Case {
    fn privacy(&self) -> Privacy {
        if self.redact_pii {
            Privacy::Hidden
        } else {
            Privacy::Open
        }
    }

    fn isolation(&self) -> Isolation {
        let per_person = |wish| {
            if wish {
                Sharing::PerPerson
            } else {
                Sharing::Shared
            }
        };
        Isolation {
            groups: per_person(self.flags.group_sessions_per_user),
            threads: per_person(self.flags.thread_sessions_per_user),
        }
    }

    fn place(&self) -> Place<'_> {
        Place {
            kind: &self.source.chat_type,
            id: &self.source.chat_id,
            name: self.source.chat_name.as_deref(),
            topic: self.source.chat_topic.as_deref(),
            thread: self.source.thread_id.as_deref(),
            scope: self.source.scope_id.as_deref(),
            parent: self.source.parent_chat_id.as_deref(),
        }
    }

    fn with_told<T>(&self, pseudonyms: &Pseudonyms, see: impl FnOnce(&Told<'_>) -> T) -> T {
        let connected: Vec<&str> = strs(&self.connected_platforms_in_config_order);
        let safe = strs(&self.platforms_declared_pii_safe);
        let homes: Vec<Home<'_>> = self.home_channels.iter().map(HomeChannel::told).collect();
        let place = self.place();
        see(&Told {
            platform: &self.source.platform,
            place,
            person: Who {
                id: self.source.user_id.as_deref(),
                name: self.source.user_name.as_deref(),
            },
            sharing: sharing(place.kind, place.thread, self.isolation()),
            reach: Reach {
                connected: &connected,
                homes: &homes,
            },
            tools: if self.flags.discord_tools_available {
                Tools::Ready
            } else {
                Tools::Missing
            },
            trigger: self
                .source
                .message_id
                .as_ref()
                .map_or(Trigger::Other, |_| Trigger::Message),
            names: Names::on(&self.source.platform, self.privacy(), &safe, pseudonyms),
        })
    }

    /// Every identifier that may be shown as a pseudonym.
    fn ids(&self) -> Vec<&str> {
        let source = &self.source;
        let own = [
            Some(&source.chat_id),
            source.user_id.as_ref(),
            source.thread_id.as_ref(),
        ];
        let homes = self.home_channels.iter().map(|home| home.chat_id.as_str());
        own.into_iter()
            .flatten()
            .map(String::as_str)
            .chain(homes)
            .collect()
    }

    /// Every name that is too much like an identifier to be shown where identifiers are hidden.
    fn telling_names(&self) -> Vec<&str> {
        let source = &self.source;
        let own = [
            (source.chat_name.as_deref(), Some(source.chat_id.as_str())),
            (source.user_name.as_deref(), source.user_id.as_deref()),
        ];
        let homes = self.home_channels.iter();
        let homes = homes.map(|home| (Some(home.name.as_str()), Some(home.chat_id.as_str())));
        own.into_iter()
            .chain(homes)
            .filter_map(|(name, id)| Some((name?, id)))
            .filter(|(name, id)| looks_like_identifier(name, &[id.unwrap_or_default()]))
            .map(|(name, _)| name)
            .collect()
    }
}

/// The names of the sections; a person may be shown by name or by id.
fn outline<'a>(sections: impl IntoIterator<Item = &'a Value>) -> Vec<&'a str> {
    let name = |section: &'a Value| section["section"].as_str().unwrap_or_default();
    let person = |name| if name == "user_name" { "user_id" } else { name };
    sections.into_iter().map(name).map(person).collect()
}

impl HomeChannel {
    fn told(&self) -> Home<'_> {
        Home {
            platform: &self.platform,
            id: &self.chat_id,
            name: &self.name,
        }
    }
}

fn strs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

fn quoted(value: &Quoted) -> Value {
    json!({ "value": value.as_text(), "quoted": true })
}

fn bare(value: &Code) -> Value {
    json!({ "value": value.as_text(), "quoted": false })
}

/// Our sections in the shape of the vectors. Their one is sometimes several of ours, or the reverse.
fn shape(section: &Section) -> Vec<Value> {
    let plain = |name: &str| vec![json!({ "section": name })];
    match section {
        Section::Heading => plain("heading"),
        Section::LabelsAreNotInstructions => plain("untrusted_metadata_warning"),
        Section::Terminal => {
            vec![json!({ "section": "source", "platform_label": "Local", "local_machine": true })]
        }
        Section::Source {
            platform,
            description,
        } => vec![json!({
            "section": "source", "platform_label": platform, "description": quoted(description),
        })],
        Section::Topic(topic) => {
            vec![json!({ "section": "channel_topic", "topic": quoted(topic) })]
        }
        Section::Room { name, id, thread } => room(name, id, thread.as_ref()),
        Section::SeveralPeople(Where::Place) => plain("multi_user_session"),
        Section::SeveralPeople(Where::Thread) => plain("multi_user_thread"),
        Section::PersonName(name) => vec![json!({ "section": "user_name", "user": quoted(name) })],
        Section::PersonId(id) => vec![json!({ "section": "user_id", "user": quoted(id) })],
        Section::Note(_) => plain("platform_notes"),
        // Ours alone: the reference says it elsewhere.
        Section::Files => Vec::new(),
        Section::ToolIds(ids) => {
            let items: Vec<Value> = ids.iter().map(tool_id).collect();
            vec![json!({ "section": "discord_ids", "items": items })]
        }
        Section::Connected(names) => {
            vec![json!({ "section": "connected_platforms", "names": names })]
        }
        Section::Homes(homes) => {
            let item = |home: &angelia_core::context::prompt::HomeLine| {
                let (name, chat) = (quoted(&home.name), quoted(&home.id));
                json!({ "platform": home.platform, "name": name, "chat": chat })
            };
            let items: Vec<Value> = homes.iter().map(item).collect();
            vec![json!({ "section": "home_channels", "items": items })]
        }
        Section::Targets(targets) => {
            let items: Vec<Value> = targets.iter().map(target).collect();
            vec![json!({ "section": "delivery_options", "items": items })]
        }
        Section::OtherTargets => plain("explicit_targeting_hint"),
    }
}

fn room(name: &Quoted, id: &Code, thread: Option<&Code>) -> Vec<Value> {
    let thread = thread.map(|id| json!({ "section": "matrix_thread", "thread": bare(id) }));
    let head = [
        json!({ "section": "matrix_room", "name": quoted(name) }),
        json!({ "section": "matrix_room_id", "room": bare(id) }),
    ];
    let boundary = json!({ "section": "matrix_boundary" });
    head.into_iter().chain(thread).chain([boundary]).collect()
}

fn tool_id(id: &ToolId) -> Value {
    let (item, value) = match id {
        ToolId::Scope(id) => ("scope", id),
        ToolId::Parent(id) => ("parent_channel", id),
        ToolId::Thread(id) => ("thread", id),
        ToolId::Channel(id) => ("channel", id),
        ToolId::Message => return json!({ "item": "triggering_message_hint" }),
    };
    json!({ "item": item, "value": value.as_text() })
}

fn target(target: &Target) -> Value {
    match target {
        Target::OriginTerminal => json!({ "target": "origin", "local_files": true }),
        Target::Origin(label) => json!({ "target": "origin", "label": quoted(label) }),
        Target::Local => json!({ "target": "local" }),
        Target::Home(platform, label) => json!({ "target": platform, "label": quoted(label) }),
    }
}

/// What the reference expects, in our words and with our pseudonyms.
struct Translation<'a> {
    case: &'a Case,
    ours: &'a Pseudonyms,
    hidden: bool,
}

impl Translation<'_> {
    fn section(&self, section: &Map<String, Value>) -> Value {
        let mut section = self.value(&Value::Object(section.clone()));
        if self.hidden && section["section"] == "matrix_room" {
            // The reference falls back to the raw id of a room without a name, although hidden.
            let raw = &self.case.source.chat_id;
            let name = section["name"]["value"].as_str().unwrap_or_default();
            if name == raw {
                section["name"]["value"] = Value::from(self.ours.chat(raw));
            }
        }
        section
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Object(fields) if fields.contains_key("quoted") => self.shown(fields),
            Value::Object(fields) => {
                let each = |(name, value): (&String, &Value)| (name.clone(), self.value(value));
                Value::Object(fields.iter().map(each).collect())
            }
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }

    fn shown(&self, fields: &Map<String, Value>) -> Value {
        let text = fields["value"].as_str().unwrap_or_default();
        let hash = fields.get("hashed").or(fields.get("contains_hash"));
        let text = match hash.and_then(Value::as_str) {
            Some("sender") => self.with_pseudonym(text, theirs::sender, Pseudonyms::sender),
            Some(_) => self.with_pseudonym(text, theirs::chat, Pseudonyms::chat),
            None => text.to_owned(),
        };
        json!({ "value": in_our_words(&text, &self.case.source), "quoted": fields["quoted"] })
    }

    /// The text with our pseudonym of the identifier whose hash it ends with.
    fn with_pseudonym(
        &self,
        text: &str,
        theirs: fn(&str) -> String,
        ours: fn(&Pseudonyms, &str) -> String,
    ) -> String {
        let ids = self.case.ids();
        let id = ids.iter().find(|id| text.ends_with(&theirs(id)));
        let id = id.unwrap_or_else(|| panic!("{}: whose hash is {text}?", self.case.id));
        let words = text.strip_suffix(&theirs(id)).unwrap_or_default();
        format!("{words}{}", ours(self.ours, id))
    }
}

/// "DM with" are their words, and "user" is theirs for nobody in particular.
fn in_our_words(text: &str, source: &Source) -> String {
    let Some(who) = text.strip_prefix("DM with ") else {
        return text.to_owned();
    };
    let unknown = source.user_id.is_none() && source.user_name.is_none();
    let who = if unknown {
        who.replacen("user", "someone", 1)
    } else {
        who.to_owned()
    };
    format!("private chat with {who}")
}

/// The hashes of the reference, which need no key.
mod theirs {
    use sha2::{Digest, Sha256};

    fn digits(text: &str) -> String {
        let hash = Sha256::digest(text.as_bytes());
        hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(super) fn sender(id: &str) -> String {
        format!("user_{}", digits(id))
    }

    pub(super) fn chat(id: &str) -> String {
        match id.split_once(':') {
            Some((kept, rest)) if !kept.is_empty() => format!("{kept}:{}", digits(rest)),
            _ => digits(id),
        }
    }
}

/// The values that are shown quoted must be in the text, in their order.
fn assert_said_in_order(case: &Case, text: &str, value: &Value, from: &mut usize) {
    match value {
        Value::Object(fields) if fields.get("quoted") == Some(&Value::Bool(true)) => {
            let shown = fields["value"].to_string();
            let found = text[*from..].find(&shown);
            *from += found.unwrap_or_else(|| panic!("{}: {shown} in {text}", case.id)) + 1;
        }
        Value::Object(fields) => {
            for name in [
                "description",
                "topic",
                "name",
                "user",
                "items",
                "label",
                "chat",
            ] {
                let inner = fields.get(name).unwrap_or(&Value::Null);
                assert_said_in_order(case, text, inner, from);
            }
        }
        Value::Array(items) => {
            for item in items {
                assert_said_in_order(case, text, item, from);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_agent_is_told_what_the_reference_tells_and_no_identifier_that_is_hidden() {
    let ours = Pseudonyms::new([9; KEY_BYTES]);
    for case in cases::<Case>("sessions/context_prompt_structure.json") {
        let (said, text, hidden) = case.with_told(&ours, |told| {
            (
                sections(told),
                render(told),
                matches!(told.names, Names::Hidden(_)),
            )
        });
        let said: Vec<Value> = said.iter().flat_map(shape).collect();
        let mut at = 0;
        for section in &said {
            assert_said_in_order(&case, &text, section, &mut at);
        }
        let translation = Translation {
            case: &case,
            ours: &ours,
            hidden,
        };
        let theirs: Vec<Value> = case
            .expected
            .iter()
            .map(|section| translation.section(section))
            .collect();
        let telling = case.telling_names();
        if hidden && !telling.is_empty() {
            assert_eq!(outline(&said), outline(&theirs), "{}", case.id);
            let shown = telling.iter().find(|name| text.contains(*name));
            assert_eq!(shown, None, "{}: {text}", case.id);
        } else {
            assert_eq!(said, theirs, "{}", case.id);
        }
    }
}

#[test]
fn no_case_tells_the_id_of_the_message_that_started_the_turn() {
    let ours = Pseudonyms::new([9; KEY_BYTES]);
    for case in cases::<Case>("sessions/context_prompt_structure.json") {
        let text = case.with_told(&ours, render);
        let id = case.source.message_id.as_deref();
        let mark = id.map(|id| format!("`{id}`"));
        assert!(mark.is_none_or(|mark| !text.contains(&mark)), "{}", case.id);
    }
}
