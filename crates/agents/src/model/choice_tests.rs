use super::*;

use serde_json::json;

use crate::model::provider::{self, Place};
use crate::model::wire::Wire;

fn providers() -> Vec<Provider> {
    let place = |wire, base: &str, model: &str| Place {
        wire,
        base_url: provider::base_url(base).unwrap(),
        model: model.to_owned(),
        api_key: None,
        answer_tokens: None,
        request: serde_json::Map::new(),
    };
    let places = [
        place(Wire::OpenAi, "http://127.0.0.1:1/v1", "small"),
        place(Wire::Anthropic, "http://127.0.0.1:2/", "large"),
    ];
    let client = provider::client(&places).unwrap();
    let provider = |place| Provider::new(client.clone(), place).unwrap();
    places.iter().map(provider).collect()
}

fn found(chosen: serde_json::Value) -> Result<(Wire, String), Failure> {
    let chosen = ModelOverride::of(&chosen).unwrap();
    let found = find(&providers(), &chosen)?;
    Ok((found.wire(), found.model().to_owned()))
}

#[test]
fn a_model_is_asked_for_where_it_is_known_and_at_the_first_place_otherwise() {
    let large = found(json!({"model": "large"})).unwrap();
    assert_eq!(large, (Wire::Anthropic, "large".to_owned()));
    let other = found(json!({"model": "other"})).unwrap();
    assert_eq!(other, (Wire::OpenAi, "other".to_owned()));
    let there = found(json!({"model": "other", "provider": "anthropic"})).unwrap();
    assert_eq!(there, (Wire::Anthropic, "other".to_owned()));
    let at = found(json!({"base_url": "http://127.0.0.1:2"})).unwrap();
    assert_eq!(at, (Wire::Anthropic, "large".to_owned()));
}

#[test]
fn a_place_that_is_not_in_the_configuration_is_never_asked() {
    for chosen in [
        json!({"model": "small", "base_url": "http://127.0.0.1:3/v1"}),
        json!({"model": "small", "provider": "elsewhere"}),
        json!({"base_url": "no address"}),
    ] {
        let Err(Failure::Refused(words)) = found(chosen.clone()) else {
            panic!("{chosen} leads somewhere");
        };
        assert!(words.contains("not in the configuration"), "{words}");
    }
}
