//! What a value of a call means if it is not what the schema asks for.
//!
//! Models write numbers and lists in quotes, names as numbers, and something empty for nothing. What can mean only one
//! thing is taken for that; the result is a value that the schema allows. Everything else stays as it is, and is refused
//! with words. Pure.

use angelia_core::todo::Status;
use serde_json::Value;

use super::form::Kind;

/// How models write in quotes that there is nothing.
const NOTHING: [&str; 3] = ["", "null", "none"];

impl Kind {
    /// What a value means; itself if it is allowed, or if nobody knows.
    pub(super) fn meant(self, value: Value) -> Value {
        match (self, value) {
            (_, value) if self.allows(&value) => value,
            (Self::Text | Self::Typed, value) => in_words(value),
            (Self::Choice(words), Value::String(said)) => chosen(words, said),
            (Self::Flag, Value::Number(number)) => flag(number.as_u64(), number.into()),
            (
                Self::Flag | Self::Number | Self::Whole(_) | Self::Texts(_) | Self::Tasks,
                Value::String(said),
            ) => self.unquoted(said),
            (Self::Texts(_), Value::Array(texts)) => texts.into_iter().map(in_words).collect(),
            (Self::Tasks, Value::Array(tasks)) => tasks.into_iter().map(task).collect(),
            (_, value) => value,
        }
    }

    /// What stands in quotes that should not be there.
    fn unquoted(self, said: String) -> Value {
        let word = said.trim().to_lowercase();
        if NOTHING.contains(&word.as_str()) {
            return Value::Null;
        }
        let written = match matches!(self, Self::Flag) {
            true => word.as_str(),
            false => said.trim(),
        };
        match serde_json::from_str(written) {
            Ok(Value::String(_)) | Err(_) => said.into(),
            Ok(read) => self.meant(read),
        }
    }
}

/// A whole number as the text that it was meant to be. Others can be written in many ways.
fn in_words(value: Value) -> Value {
    match value.is_i64() || value.is_u64() {
        true => value.to_string().into(),
        false => value,
    }
}

fn flag(number: Option<u64>, said: Value) -> Value {
    match number {
        Some(0) => false.into(),
        Some(1) => true.into(),
        Some(_) | None => said,
    }
}

/// A word from a list, whatever its letters are like.
fn chosen(words: &[&'static str], said: String) -> Value {
    let plain = said.trim().to_lowercase().replace([' ', '-'], "_");
    let word = words.iter().find(|word| **word == plain);
    match word {
        Some(word) => (*word).into(),
        None if NOTHING.contains(&plain.as_str()) => Value::Null,
        None => said.into(),
    }
}

/// A task. What is nothing in it was left out.
fn task(value: Value) -> Value {
    let Value::Object(mut task) = value else {
        return value;
    };
    for (name, value) in &mut task {
        let said = value.take();
        *value = match (name.as_str(), said) {
            ("status", Value::String(said)) => status(said),
            ("id" | "content", said) => in_words(said),
            (_, said) => said,
        };
    }
    task.retain(|_, value| !value.is_null());
    task.into()
}

fn status(said: String) -> Value {
    match said.trim().eq_ignore_ascii_case("canceled") {
        true => Status::Cancelled.name().into(),
        false => chosen(&Status::NAMES, said),
    }
}

#[cfg(test)]
#[path = "meant_tests.rs"]
mod tests;
