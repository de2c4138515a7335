//! The schema of a tool as every model accepts it: that of one object, without a choice at its top.
//!
//! Some servers offer a choice between several objects (`anyOf`, `oneOf`, `allOf`), which providers refuse at the top, and
//! with it the whole request. Such a schema becomes one object with the entries of all of them; which go together is
//! the server's to say when it is called. Deeper down a choice stays as it is. Pure.

use serde_json::{Map, Value, json};

/// Words for a choice between schemas.
const CHOICES: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// What providers refuse at the top besides.
const REFUSED: [&str; 2] = ["enum", "not"];

/// Schemas within one that are looked at. A choice that leads to itself has no end.
const LOOKED_AT_MAX: usize = 256;

/// The schema as one of an object, if it can be one.
pub(super) fn object(mut schema: Map<String, Value>) -> Option<Value> {
    let kind = schema.entry("type").or_insert_with(|| "object".into());
    if kind != "object" {
        return None;
    }
    let (mut entries, mut left) = (Map::new(), LOOKED_AT_MAX);
    gather(&schema, &schema, (&mut entries, &mut left));
    schema.retain(|word, _| !CHOICES.contains(&word.as_str()) && !REFUSED.contains(&word.as_str()));
    // Some models refuse an object about whose entries nothing is said.
    schema.insert("properties".to_owned(), Value::Object(entries));
    Some(Value::Object(schema))
}

/// Adds the entries of a schema and of all that it offers as a choice. `whole` is where a reference leads into.
fn gather(
    schema: &Map<String, Value>,
    whole: &Map<String, Value>,
    (all, left): (&mut Map<String, Value>, &mut usize),
) {
    let own = schema.get("properties").and_then(Value::as_object);
    for (name, entry) in own.into_iter().flatten() {
        add(all, name, entry);
    }
    let chosen = CHOICES
        .iter()
        .filter_map(|word| schema.get(*word)?.as_array());
    let chosen = chosen.flatten().filter_map(Value::as_object);
    for one in chosen.chain(referred(schema, whole)) {
        let Some(fewer) = left.checked_sub(1) else {
            return;
        };
        *left = fewer;
        gather(one, whole, (all, left));
    }
}

/// What a schema refers to, if that stands in the same one.
fn referred<'a>(
    schema: &Map<String, Value>,
    whole: &'a Map<String, Value>,
) -> Option<&'a Map<String, Value>> {
    let path = schema.get("$ref")?.as_str()?.strip_prefix("#/")?;
    let (table, name) = path.split_once('/')?;
    whole.get(table)?.get(name)?.as_object()
}

/// An entry that several know may be what any of them says.
fn add(all: &mut Map<String, Value>, name: &str, entry: &Value) {
    let Some(known) = all.get_mut(name) else {
        all.insert(name.to_owned(), entry.clone());
        return;
    };
    if known == entry {
        return;
    }
    match known.get_mut("anyOf").and_then(Value::as_array_mut) {
        Some(choices) if choices.contains(entry) => (),
        Some(choices) => choices.push(entry.clone()),
        None => *known = json!({ "anyOf": [known.take(), entry] }),
    }
}
