use serde_json::{Value, json};

use super::{Display, Layer, Switch};
use crate::address::Platform;
use crate::stream::progress::Mode;

fn layer(written: &Value) -> Layer {
    let (layer, problems) = Layer::read(written.as_object().unwrap());
    assert!(problems.is_empty(), "{problems:?}");
    layer
}

#[test]
fn the_place_s_own_word_counts_before_that_for_everywhere() {
    let everywhere = layer(&json!({"tool_progress": "verbose", "show_reasoning": true}));
    let own = layer(&json!({"tool_progress": "new"}));
    let display = Display::of(Platform::Telegram, &own, &everywhere);
    assert_eq!(display.tool_progress, Mode::New);
    assert_eq!(display.show_reasoning, Switch::On);
}

#[test]
fn streaming_is_never_taken_from_everywhere() {
    let on = layer(&json!({"streaming": true}));
    let none = Layer::default();
    assert_eq!(
        Display::of(Platform::Sms, &none, &on).streaming,
        Some(Switch::Off)
    );
    assert_eq!(
        Display::of(Platform::Sms, &on, &none).streaming,
        Some(Switch::On)
    );
    assert_eq!(Display::of(Platform::Slack, &none, &on).streaming, None);
}

#[test]
fn what_means_nothing_is_named_with_what_would() {
    let written = json!({"tool_progress": "weird", "tool_preview_length": 3.7});
    let (layer, problems) = Layer::read(written.as_object().unwrap());
    assert_eq!(layer, Layer::default());
    assert_eq!(
        problems[0],
        "display.tool_progress is \"weird\", which means nothing: write off, new, all, verbose or log"
    );
    assert_eq!(problems.len(), 2);
}
