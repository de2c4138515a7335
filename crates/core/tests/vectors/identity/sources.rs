//! Mappings that say where a message came from, read and written again.

use angelia_core::about::{Author, Grant, Path, Trust};
use angelia_core::source::{BadSource, Source};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    input: Map<String, Value>,
    expected: Expected,
    expected_release: Option<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    rejected: Option<String>,
    #[serde(default)]
    out: Map<String, Value>,
    #[serde(default)]
    description: String,
    scope_id: Option<String>,
}

impl Case {
    /// Whether the reference makes a text of something that is none, where a text finds the place.
    fn names_its_place_by_no_text(&self) -> bool {
        let is_name = |value: &Value| value.is_string() || value.is_number();
        let chat = self.input.get("chat_id").is_some_and(|id| !is_name(id));
        let kind = self.input.get("chat_type");
        chat || kind.is_some_and(|kind| !kind.is_string())
    }
}

/// What the reference writes, with ids that are numbers as texts.
fn with_text_ids(out: &Map<String, Value>) -> Value {
    let text = |value: &Value| match value.as_number() {
        Some(number) => Value::from(number.to_string()),
        None => value.clone(),
    };
    let fields = out.iter().map(|(name, value)| (name.clone(), text(value)));
    Value::Object(fields.collect())
}

/// The reference's words in ours.
fn in_our_words(description: &str, source: &Source) -> String {
    let is_nobody = |text: &Option<String>| text.as_ref().is_none_or(String::is_empty);
    match description.strip_prefix("DM with user") {
        Some(rest) if is_nobody(&source.person) && is_nobody(&source.person_name) => {
            format!("private chat with somebody{rest}")
        }
        _ if description == "CLI terminal" => "the terminal of this machine".to_owned(),
        _ => description.replacen("DM with", "private chat with", 1),
    }
}

#[test]
fn sources_are_read_and_written_as_by_the_reference_unless_it_makes_up_a_name() {
    for case in cases::<Case>("sessions/source_roundtrip.json") {
        let id = &case.id;
        let read = Source::read(&Value::Object(case.input.clone()));
        let expected = case.expected_release.as_ref().unwrap_or(&case.expected);
        if let Some(why) = &expected.rejected {
            let ours = match read.expect_err(id) {
                BadSource::Missing(_) => "missing_field",
                BadSource::Invalid { .. } | BadSource::Form => "invalid_value",
            };
            assert_eq!(ours, why, "{id}");
            continue;
        }
        if case.names_its_place_by_no_text() {
            assert!(matches!(read, Err(BadSource::Invalid { .. })), "{id}");
            continue;
        }
        let source = read.unwrap_or_else(|why| panic!("{id}: {why}"));
        assert_eq!(source.write(), with_text_ids(&expected.out), "{id}");
        let words = in_our_words(&expected.description, &source);
        assert_eq!(source.to_string(), words, "{id}");
        assert_eq!(source.about.trust, Trust::default(), "{id}");
        let scope = source.about.scope.unwrap_or_default();
        assert_eq!(scope, expected.scope_id.clone().unwrap_or_default(), "{id}");
    }
}

#[derive(Deserialize)]
struct Alias {
    id: String,
    given_scope_id: Option<String>,
    given_guild_id: Option<String>,
    expected: Mirrored,
}

#[derive(Deserialize)]
struct Mirrored {
    scope_id: Option<String>,
    written_scope_id: Option<String>,
    written_guild_id: Option<String>,
}

#[test]
fn a_server_has_one_value_under_both_names_and_trust_survives_no_mapping() {
    for case in cases::<Alias>("sessions/source_scope_alias.json") {
        let id = &case.id;
        let mut input = json!({"platform": "discord", "chat_id": "c"});
        let given = [
            ("scope_id", &case.given_scope_id),
            ("guild_id", &case.given_guild_id),
        ];
        for (name, value) in given {
            if let Some(value) = value {
                input[name] = json!(value);
            }
        }
        let mut source = Source::read(&input).unwrap();
        let scope = source.about.scope.clone().unwrap_or_default();
        assert_eq!(scope, case.expected.scope_id.unwrap_or_default(), "{id}");

        source.about.trust = Trust {
            author: Author::Bot,
            grant: Grant::Role,
            path: Path::Relay,
        };
        let written = source.write();
        let text = |name: &str| written.get(name).and_then(Value::as_str);
        let expected = &case.expected.written_scope_id;
        assert_eq!(text("scope_id"), expected.as_deref(), "{id}");
        let expected = &case.expected.written_guild_id;
        assert_eq!(text("guild_id"), expected.as_deref(), "{id}");
        let again = Source::read(&written).unwrap();
        assert_eq!(again.about.trust, Trust::default(), "{id}");
    }
}
