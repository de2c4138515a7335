use proptest::prelude::*;
use serde_json::{Value, json};

use super::ModelOverride;

fn base_url(url: &str) -> Option<String> {
    let kept = ModelOverride::of(&json!({ "base_url": url }))?;
    kept.base_url().map(str::to_owned)
}

#[test]
fn keys_and_headers_never_survive() {
    let chosen = json!({
        "model": "m", "provider": "p", "api_key": "sk-secret", "headers": {"a": "sk-secret"},
    });
    let kept = ModelOverride::of(&chosen).unwrap();
    let written = serde_json::to_value(&kept).unwrap();
    assert_eq!(written, json!({"model": "m", "provider": "p"}));
    assert_eq!((kept.model(), kept.provider()), (Some("m"), Some("p")));
}

#[test]
fn a_password_or_key_in_the_address_does_not_survive() {
    for url in [
        "https://user:pw@e.example/v1",
        "https://pw@e.example/v1?key=pw",
        "https://a@pw:x@e.example/v1#pw",
    ] {
        assert_eq!(
            base_url(url).as_deref(),
            Some("https://e.example/v1"),
            "{url}"
        );
    }
    assert_eq!(base_url("user:pw@e.example"), None);
    assert_eq!(base_url("//user:pw@e.example"), None);
    assert_eq!(
        base_url("https://e.example/@scope/x").as_deref(),
        Some("https://e.example/@scope/x")
    );
}

#[test]
fn what_is_read_back_is_filtered_again() {
    let stored = r#"{"model": "m", "token": "t", "base_url": "http://u:p@h"}"#;
    let read: ModelOverride = serde_json::from_str(stored).unwrap();
    assert_eq!(read.base_url(), Some("http://h"));
    assert!(!format!("{read:?}").contains("token"));
    let refused = serde_json::from_str::<ModelOverride>("{}").unwrap_err();
    assert!(refused.to_string().contains("clear it"), "{refused}");
}

#[test]
fn what_is_no_text_is_no_choice() {
    for chosen in [
        json!(null),
        json!([]),
        json!("x"),
        json!({"model": {"n": 1}}),
    ] {
        assert_eq!(ModelOverride::of(&chosen), None, "{chosen}");
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z:/@?#. ]{0,20}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ]
}

fn any_choice() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec![
        "model", "provider", "base_url", "api_key", "headers", "Model", "mode",
    ]);
    let pairs = prop::collection::btree_map(name, any_value(), 0..7);
    pairs.prop_map(|pairs| pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
}

proptest! {
    #[test]
    fn only_three_texts_are_ever_written_and_writing_is_stable(chosen in any_choice()) {
        let Some(kept) = ModelOverride::of(&chosen) else { return Ok(()) };
        let written = serde_json::to_value(&kept).unwrap();
        let fields = written.as_object().unwrap();
        prop_assert!(!fields.is_empty());
        for (name, value) in fields {
            prop_assert!(["model", "provider", "base_url"].contains(&name.as_str()));
            prop_assert!(value.as_str().is_some_and(|text| !text.is_empty()));
        }
        prop_assert_eq!(serde_json::from_value::<ModelOverride>(written).unwrap(), kept);
    }
}
