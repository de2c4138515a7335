//! The schema of the file for editors, made from the table of keys.

use angelia_core::address::{ChatKind, Platform};
use serde_json::{Map, Value, json};

use super::keys::{KEYS, Key, Kind};
use super::raw::{NAMES_APART, PATTERNS_APART};

/// The JSON Schema of `angelia.toml`.
pub(crate) fn schema() -> Value {
    let mut root = table();
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("angelia.toml");
    for key in KEYS.iter().copied() {
        let parts: Vec<&str> = key.path.split('.').collect();
        put(&mut root, &parts, leaf(key));
    }
    root
}

fn table() -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": {} })
}

/// A table with an entry for each place that has a policy of its own.
fn places() -> Value {
    let kinds = ChatKind::ALL.map(ChatKind::name).join("|");
    let platforms = Platform::ALL.map(Platform::name).join("|");
    let pattern = format!("^(({platforms})(\\.({kinds}))?|{kinds})$");
    json!({
        "type": "object",
        "propertyNames": { "pattern": pattern },
        "additionalProperties": table(),
    })
}

/// A table with an entry for each model, or the beginning of its name.
fn prices() -> Value {
    let mut price = table();
    price["required"] = json!(["input", "output"]);
    json!({ "type": "object", "additionalProperties": price })
}

/// A list of tables that lead to profiles.
fn routes() -> Value {
    let mut route = table();
    route["required"] = json!(["platform", "profile"]);
    json!({ "type": "array", "items": route })
}

/// A table whose names are the operator's, with one of these below each.
fn named(one: Value) -> Value {
    json!({ "type": "object", "additionalProperties": one })
}

/// A list of tables that say where other models are.
fn fallbacks() -> Value {
    let mut fallback = table();
    fallback["required"] = json!(["backend", "model"]);
    json!({ "type": "array", "items": fallback })
}

/// Puts a key's schema below the tables on its path, which are made as needed.
fn put(at: &mut Value, path: &[&str], leaf: Value) {
    match path {
        [] => (),
        // Places are the operator's to name; one chat has a name that nobody can list.
        ["instructions", "*"] => {
            properties(at).insert("instructions".to_owned(), named(leaf));
        }
        [name] => {
            properties(at).insert((*name).to_owned(), leaf);
        }
        // Places are named by the operator, within a fixed set of words.
        [name @ ("reset_for" | "for"), "*", rest @ ..] => {
            let places = properties(at).entry(*name).or_insert_with(places);
            put(&mut places["additionalProperties"], rest, leaf);
        }
        ["prices", "*", rest @ ..] => {
            let prices = properties(at).entry("prices").or_insert_with(prices);
            put(&mut prices["additionalProperties"], rest, leaf);
        }
        ["routes", "*", rest @ ..] => {
            let routes = properties(at).entry("routes").or_insert_with(routes);
            put(&mut routes["items"], rest, leaf);
        }
        // Servers, agents, models and accounts are named by the operator.
        [name @ ("mcp" | "agents" | "platforms"), "*", rest @ ..] => {
            let tables = properties(at)
                .entry(*name)
                .or_insert_with(|| named(table()));
            put(&mut tables["additionalProperties"], rest, leaf);
        }
        [name @ ("env" | "headers" | "request"), "*"] => {
            properties(at).insert((*name).to_owned(), named(leaf));
        }
        ["fallback", "*", rest @ ..] => {
            let list = properties(at).entry("fallback").or_insert_with(fallbacks);
            put(&mut list["items"], rest, leaf);
        }
        [name, rest @ ..] => put(
            properties(at).entry(*name).or_insert_with(table),
            rest,
            leaf,
        ),
    }
}

fn properties(of: &mut Value) -> &mut Map<String, Value> {
    let properties = of.as_object_mut().and_then(|of| of.get_mut("properties"));
    properties
        .and_then(Value::as_object_mut)
        .expect("every table is made with its properties")
}

fn leaf(key: &Key) -> Value {
    let mut schema = match key.kind {
        Kind::Text { example } => json!({ "type": "string", "examples": [example] }),
        Kind::Choice(words) => json!({ "type": "string", "enum": words }),
        Kind::YesNo => json!({ "type": "boolean" }),
        Kind::Number { from, to } => json!({ "type": "integer", "minimum": from, "maximum": to }),
        Kind::Free { .. } => json!({}),
        Kind::Dollars => json!({ "type": ["number", "string"], "minimum": 0 }),
        Kind::Id { example } => json!({ "type": ["string", "integer"], "examples": [example] }),
        Kind::Secret { example } => secret(example),
        Kind::Names { .. } => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Patterns { example } | Kind::Texts { example } => {
            json!({ "type": "array", "items": { "type": "string" }, "examples": [[example]] })
        }
    };
    schema["description"] = json!(key.says);
    if let Some(default) = key.default {
        schema["default"] = match key.kind {
            Kind::YesNo => json!(default == "true"),
            Kind::Number { .. } => json!(default.parse::<i64>().unwrap_or_default()),
            Kind::Names { .. } => json!(parts(default, NAMES_APART)),
            Kind::Patterns { .. } | Kind::Texts { .. } => json!(parts(default, PATTERNS_APART)),
            Kind::Text { .. }
            | Kind::Choice(_)
            | Kind::Id { .. }
            | Kind::Dollars
            | Kind::Free { .. }
            | Kind::Secret { .. } => {
                json!(default)
            }
        };
    }
    schema
}

/// A word, or a table with one entry that says where it is.
fn secret(example: &str) -> Value {
    let place = |name: &str, value: Value| {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": [name],
            "properties": { name: value },
        })
    };
    let words = json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 });
    json!({
        "anyOf": [
            { "type": "string" },
            place("env", json!({ "type": "string", "examples": [example] })),
            place("file", json!({ "type": "string" })),
            place("command", words),
        ],
    })
}

/// The entries of a list as it was read.
fn parts<'a>(text: &'a str, apart: &str) -> Vec<&'a str> {
    text.split(apart).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_the_one_that_was_reviewed() {
        insta::assert_json_snapshot!(schema());
    }
}
