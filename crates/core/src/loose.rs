//! Values of JSON that somebody else wrote, read as far as their meaning is beyond doubt.
//!
//! Ids are texts with us. Others write them as numbers too, which is the same id; but a truth value,
//! a list or nothing is no id, and making a text of it would let unrelated things meet under it.

use serde_json::{Map, Value};

/// A value that is neither a text nor a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoText;

/// The text of a field: nothing if it is missing or null.
pub(crate) fn text(fields: &Map<String, Value>, name: &str) -> Result<Option<String>, NoText> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => Err(NoText),
    }
}

/// Whether a field says yes: missing, nothing, zero and the words for no say no.
pub(crate) fn is_set(fields: &Map<String, Value>, name: &str) -> bool {
    match fields.get(name) {
        None | Some(Value::Null) => false,
        Some(Value::Bool(answer)) => *answer,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(word)) => {
            let word = word.trim().to_ascii_lowercase();
            !["", "0", "false", "no", "off"].contains(&word.as_str())
        }
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(value: Value) -> Map<String, Value> {
        Map::from_iter([("x".to_owned(), value)])
    }

    #[test]
    fn a_number_is_an_id_and_a_truth_value_is_none() {
        assert_eq!(text(&fields(json!(42)), "x"), Ok(Some("42".into())));
        assert_eq!(text(&fields(json!("")), "x"), Ok(Some(String::new())));
        assert_eq!(text(&fields(json!(null)), "x"), Ok(None));
        assert_eq!(text(&fields(json!(null)), "y"), Ok(None));
        for value in [json!(true), json!([]), json!({})] {
            assert_eq!(text(&fields(value), "x"), Err(NoText));
        }
    }

    #[test]
    fn a_flag_is_set_unless_it_says_no() {
        for value in [
            json!(true),
            json!(1),
            json!("yes"),
            json!("maybe"),
            json!([0]),
        ] {
            assert!(is_set(&fields(value), "x"));
        }
        for value in [
            json!(false),
            json!(0),
            json!("No"),
            json!(""),
            json!(null),
            json!({}),
        ] {
            assert!(!is_set(&fields(value), "x"));
        }
        assert!(!is_set(&fields(json!(true)), "y"));
    }
}
