//! What a journal entry holds of a call: bounded results, and arguments without what must not be kept.
//!
//! A result is JSON, and JSON that is cut anywhere is none. So the one long part of a result, its
//! output, is shortened until the whole fits, and the result says so.
//!
//! The recorded arguments are for people who look at a turn later; a call that is made again is made
//! with what its agent says again. So what was typed into a process, which is often a password, is not
//! recorded, only how much it was, and what looks like a secret is hidden. A call that is wrong in its tool,
//! its shape or the name of an argument may have been meant to type, so of that only the length is kept.

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use serde_json::{Value, json};

use super::set::Maker;

/// Letters of a tool's name that are kept of one that nobody knows.
pub(super) const TOOL_CHARS_MAX: usize = 64;

/// What is said of a call that nobody can write down.
pub(super) const TOO_LONG: &str =
    "the arguments are too long for one call; put the text into a file and name the file";

/// What a cut output says.
const CUT: &str = "\n[… cut: the result was too long]";

/// Whether the arguments are more than a journal entry may hold.
pub(super) fn is_too_long(arguments: &Value) -> bool {
    arguments.to_string().len() > limits::STEP_BYTES_MAX
}

/// The arguments as they are recorded. `maker` is who makes the call, if there is such a tool. What a tool from
/// elsewhere takes is not known here, so only what looks like a secret is hidden.
pub(super) fn noted(maker: Option<&Maker>, arguments: &Value, masker: &Masker) -> Value {
    if is_too_long(arguments) {
        return json!({ "left_out": "too long" });
    }
    let form = match maker {
        Some(Maker::Elsewhere(_)) => return masked(arguments.clone(), (masker, Surface::Log)),
        Some(Maker::House(form)) => Some(form),
        None => None,
    };
    let (Some(form), Some(given)) = (form, arguments.as_object()) else {
        return json!({ "left_out": length(arguments) });
    };
    let noted = given.iter().map(|(name, value)| {
        let noted = match value.as_str() {
            _ if !form.repeats(name) => length(value).into(),
            Some(text) => masker.shown(text, Surface::Log).into(),
            None => value.clone(),
        };
        (name.clone(), noted)
    });
    Value::Object(noted.collect())
}

/// The value with no secret in any of its texts. How deep it is was bounded by who parsed it.
pub(super) fn masked(value: Value, how: (&Masker, Surface)) -> Value {
    let (masker, surface) = how;
    match value {
        Value::String(text) => masker.shown(&text, surface).into(),
        Value::Array(values) => values.into_iter().map(|one| masked(one, how)).collect(),
        Value::Object(named) => {
            let named = named
                .into_iter()
                .map(|(name, one)| (name, masked(one, how)));
            Value::Object(named.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn length(value: &Value) -> String {
    let bytes = value
        .as_str()
        .map_or_else(|| value.to_string().len(), str::len);
    format!("({bytes} bytes, not recorded)")
}

/// The result within the limit of a journal entry.
pub(super) fn bounded(mut result: Value) -> Value {
    let mut bytes = result.to_string().len();
    while bytes > limits::STEP_BYTES_MAX {
        let Some(Value::String(output)) = result.get_mut("output") else {
            return json!({ "error": "the result is too long to be told; ask for less of it" });
        };
        // Letters differ in what they take as JSON, so a fair share may be too much; each round is less.
        let whole = output.strip_suffix(CUT).unwrap_or(output);
        let share = whole.len() * limits::STEP_BYTES_MAX / bytes;
        let kept = share.saturating_sub(SPARE_BYTES);
        *output = format!("{}{CUT}", &whole[..whole.floor_char_boundary(kept)]);
        if kept == 0 {
            return json!({ "error": "the result is too long to be told; ask for less of it" });
        }
        bytes = result.to_string().len();
    }
    result
}

/// Room for the words about the cut.
const SPARE_BYTES: usize = 256;

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
