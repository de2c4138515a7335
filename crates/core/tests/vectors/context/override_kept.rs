//! Choices of a model with what a reference keeps of them.

use angelia_core::session::model_override::ModelOverride;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(rename = "override")]
    chosen: Value,
    persisted: Option<Map<String, Value>>,
}

impl Case {
    /// What the reference keeps, without the texts it made of things that are no texts.
    fn texts_kept(&self) -> Map<String, Value> {
        let was_text = |name: &String| self.chosen[name.as_str()].is_string();
        let kept = self.persisted.clone().unwrap_or_default();
        kept.into_iter()
            .filter(|(name, _)| was_text(name))
            .collect()
    }
}

fn has_place_for_a_secret(url: &str) -> bool {
    url.contains(['@', '?', '#'])
}

#[test]
fn the_same_texts_are_kept_but_no_secret_in_an_address() {
    for case in cases::<Case>("sessions/model_override.json") {
        let ours = ModelOverride::of(&case.chosen);
        let mut ours = ours.map_or_else(Map::new, |kept| {
            let written = serde_json::to_value(kept).unwrap();
            written.as_object().cloned().unwrap_or_default()
        });
        let mut theirs = case.texts_kept();
        let url = theirs
            .get("base_url")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if has_place_for_a_secret(url) {
            let kept = ours.remove("base_url");
            let kept = kept.as_ref().and_then(Value::as_str).unwrap_or_default();
            let host = kept.split('/').nth(2).unwrap_or(kept);
            assert!(
                !host.contains('@') && !kept.contains(['?', '#']),
                "{}: {kept}",
                case.id
            );
            theirs.remove("base_url");
        }
        assert_eq!(ours, theirs, "{}", case.id);
    }
}
