//! What also an adapter without another side promises.

use std::time::Duration;

use angelia_core::outbound::{Dedupe, SendError};
use angelia_platforms::sink;
use tokio_util::sync::CancellationToken;

use super::stage::{MOMENT, Stage, send};

/// Whoever is asked to stop has stopped a second later.
pub async fn stops_within_a_second(stage: &dyn Stage) {
    let adapter = stage.adapter();
    let (sink, _source) = sink::channel();
    let stop = CancellationToken::new();
    let stopping = async {
        tokio::time::sleep(MOMENT).await;
        stop.cancel();
        tokio::time::sleep(Duration::from_secs(1)).await;
        panic!("it still listens a second after it was asked to stop");
    };
    tokio::select! {
        biased;
        ended = adapter.listen(None, &sink, &stop) => assert!(ended.is_ok(), "{ended:?}"),
        () = stopping => (),
    }
}

/// The limit is that of the platform, in its own unit, and nothing beyond it is tried.
pub async fn keeps_the_limit_of_its_texts(stage: &dyn Stage) {
    let adapter = stage.adapter();
    let limit = adapter.capabilities().text;
    // A character that counts differently in every unit.
    let wide = "😀";
    let count = limit.max / limit.unit.len(wide);
    let fitting = wide.repeat(count);
    let sent = send(&*adapter, stage, &fitting).await;
    assert!(sent.is_ok(), "a text at the limit: {sent:?}");
    let Some(other) = stage.other() else { return };
    let shown = other.shown().len();
    let over = send(&*adapter, stage, &format!("{fitting}xx")).await;
    assert!(matches!(over, Err(SendError::Refused { .. })), "{over:?}");
    assert_eq!(
        other.shown().len(),
        shown,
        "a text over the limit was shown"
    );
}

/// Where an adapter says that repeats are recognised, they are.
pub async fn knows_whether_repeats_show(stage: &dyn Stage) {
    let adapter = stage.adapter();
    let first = send(&*adapter, stage, "once").await;
    let again = send(&*adapter, stage, "once").await;
    let (Ok(first), Ok(again)) = (first, again) else {
        panic!("a plain text is sent");
    };
    let shown = stage.other().map(|other| other.shown().len());
    match adapter.capabilities().dedupe {
        Dedupe::ByKey => {
            assert_eq!(first, again);
            assert!(shown.is_none_or(|shown| shown == 1));
        }
        Dedupe::None => assert_eq!(shown, Some(2)),
    }
}
