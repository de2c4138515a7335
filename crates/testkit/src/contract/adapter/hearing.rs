//! What comes in: once, in order, never lost, and honest about trouble.

use angelia_platforms::health::{Health, Report};

use super::stage::{Other, Stage, Weather, listening, until};

/// A repeat is recognised by its key.
pub async fn knows_a_redelivery(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    other.writes("one");
    let (first, cursor) = listening(&*adapter, None, async |ear| {
        (ear.takes().await, ear.cursor.clone())
    })
    .await;
    // The platform knows that it was taken only when it is asked for more.
    listening(&*adapter, cursor, async |ear| {
        assert!(ear.hears_nothing().await);
    })
    .await;
    other.repeats();
    let again = listening(&*adapter, None, async |ear| ear.takes().await).await;
    assert_eq!(first.event_key, again.event_key);
    assert_eq!(first, again);
}

/// A correction has the key of what it corrects, so it starts nothing.
pub async fn knows_a_correction(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    other.writes("wrnog");
    listening(&*adapter, None, async |ear| {
        let first = ear.takes().await;
        other.corrects("wrong");
        let again = ear.takes().await;
        assert_eq!(first.event_key, again.event_key);
    })
    .await;
}

/// A group that becomes another is told by both ids, and like a message: not passed before it is taken.
pub async fn tells_what_a_group_has_become(stage: &dyn Stage, other: &dyn Other) {
    let moved = other.becomes();
    other.writes("after it");
    listening(&*stage.adapter(), None, async |ear| {
        assert_eq!(ear.takes_move().await, moved);
    })
    .await;
    listening(&*stage.adapter(), None, async |ear| {
        while ear.takes_move_or_message().await.is_none() {}
    })
    .await;
}

/// What was heard and not taken is heard again.
pub async fn passes_nothing_that_was_not_taken(stage: &dyn Stage, other: &dyn Other) {
    other.writes("one");
    other.writes("two");
    let cursor = listening(&*stage.adapter(), None, async |ear| {
        assert_eq!(ear.takes().await.text, "one");
        assert_eq!(ear.hears_without_taking().await.text, "two");
        ear.cursor.clone()
    })
    .await;
    let again = listening(&*stage.adapter(), cursor, async |ear| ear.takes().await).await;
    assert_eq!(again.text, "two");
}

/// A new adapter goes on where the old one was.
pub async fn goes_on_behind_its_cursor(stage: &dyn Stage, other: &dyn Other) {
    other.writes("one");
    let cursor = listening(&*stage.adapter(), None, async |ear| {
        ear.takes().await;
        ear.cursor.clone()
    })
    .await;
    assert!(
        cursor.is_some(),
        "a message that was taken moves the cursor"
    );
    listening(&*stage.adapter(), cursor, async |ear| {
        assert!(ear.hears_nothing().await, "what was taken comes again");
        other.writes("two");
        assert_eq!(ear.takes().await.text, "two");
    })
    .await;
}

/// Numbers that were made for somebody else say nothing about this account.
pub async fn does_not_trust_a_foreign_cursor(stage: &dyn Stage, other: &dyn Other) {
    other.writes("one");
    for cursor in ["1:999999999", "nonsense", ""] {
        let cursor = Some(cursor.to_owned());
        let heard = listening(&*stage.adapter(), cursor, async |ear| {
            ear.hears_without_taking().await
        })
        .await;
        assert_eq!(heard.text, "one");
    }
}

/// What people wrote while nobody listened is answered.
pub async fn hears_what_waited(stage: &dyn Stage, other: &dyn Other) {
    let texts: Vec<String> = (0..250).map(|number| format!("number {number}")).collect();
    for text in &texts {
        other.writes(text);
    }
    listening(&*stage.adapter(), None, async |ear| {
        for text in &texts {
            assert_eq!(ear.takes().await.text, *text);
        }
    })
    .await;
}

/// What nobody knows is passed and counted.
pub async fn counts_what_it_does_not_know(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    other.surprises();
    other.writes("after it");
    listening(&*adapter, None, async |ear| {
        assert_eq!(ear.takes().await.text, "after it");
    })
    .await;
    assert_eq!(adapter.report().unknown, 1);
}

/// While the platform is away nothing ends, and what was written meanwhile is heard.
pub async fn waits_out_an_outage(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    listening(&*adapter, None, async |ear| {
        other.writes("before");
        ear.takes().await;
        other.weather(Weather::Away);
        other.writes("meanwhile");
        until("it knows that the platform is away", || {
            is_down(&adapter.report())
        })
        .await;
        other.weather(Weather::Fair);
        assert_eq!(ear.takes().await.text, "meanwhile");
        until("it is connected again", || !is_down(&adapter.report())).await;
    })
    .await;
}

/// An answer that cannot be read is asked for again.
pub async fn loses_nothing_to_half_answers(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    other.weather(Weather::HalfAnswers);
    other.writes("one");
    listening(&*adapter, None, async |ear| {
        until("it has met half an answer", || is_down(&adapter.report())).await;
        other.weather(Weather::Fair);
        assert_eq!(ear.takes().await.text, "one");
    })
    .await;
}

/// An account that is not known any more is told, in words for people.
pub async fn tells_that_it_is_down(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    other.weather(Weather::Revoked);
    listening(&*adapter, None, async |_ear| {
        until("it is down", || is_down(&adapter.report())).await;
    })
    .await;
    let report = adapter.report();
    let why = report.health.why().unwrap_or_default();
    assert!(why.len() > 20, "words for people: {why:?}");
    let secret = stage.secret().unwrap_or_default();
    assert!(!format!("{report:?}").contains(&secret));
}

/// Each account says of every message that it came through it.
pub async fn keeps_accounts_apart(stage: &dyn Stage, other: &dyn Other) {
    other.writes("for both");
    let (one, two) = (stage.adapter(), other.second_account());
    let first = listening(&*one, None, async |ear| ear.hears_without_taking().await).await;
    let second = listening(&*two, None, async |ear| ear.hears_without_taking().await).await;
    assert_ne!(first.address.account, second.address.account);
    assert_eq!(first.address.platform, second.address.platform);
}

fn is_down(report: &Report) -> bool {
    matches!(report.health, Health::Down { .. })
}
