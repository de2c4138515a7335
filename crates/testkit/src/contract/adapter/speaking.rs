//! What goes out: every failure says what to do next.

use angelia_core::id::DeliveryId;
use angelia_core::outbound::{Action, Reach, SendError};

use super::stage::{Other, Stage, Weather, listening, send};

/// A pace that is too fast is slowed to the moment that the platform names.
pub async fn comes_back_when_told(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    other.weather(Weather::Flood(7));
    let SendError::Later { not_before, .. } = failed(stage, "x").await else {
        panic!("a flood is not final");
    };
    assert!(not_before.is_some(), "the platform named a moment");
    other.weather(Weather::Fair);
    assert!(send(&*adapter, stage, "x").await.is_ok());
    assert_eq!(other.shown(), ["x"]);
}

/// A refusal stops the message, its chat, or the account.
pub async fn says_how_far_a_refusal_reaches(stage: &dyn Stage, other: &dyn Other) {
    let cases = [
        (Weather::Malformed, Reach::Message),
        (Weather::Blocked, Reach::Chat),
        (Weather::Revoked, Reach::Account),
    ];
    for (weather, expected) in cases {
        other.weather(weather);
        let error = failed(stage, "x").await;
        let SendError::Refused { reach, .. } = error else {
            panic!("{weather:?} is final: {error:?}");
        };
        assert_eq!(reach, expected, "{weather:?}");
    }
    assert!(other.shown().is_empty());
}

/// What may have been shown is in doubt; what was not is simply late.
pub async fn knows_doubt_from_failure(stage: &dyn Stage, other: &dyn Other) {
    for weather in [Weather::AnswersLost, Weather::HalfAnswers] {
        other.weather(weather);
        let error = failed(stage, "shown").await;
        assert!(
            matches!(error, SendError::Unknown { .. }),
            "{weather:?}: {error:?}"
        );
    }
    let shown = other.shown().len();
    other.weather(Weather::Away);
    let error = failed(stage, "late").await;
    assert!(matches!(error, SendError::Later { .. }), "{error:?}");
    assert_eq!(other.shown().len(), shown);
}

/// Whatever goes wrong, the words about it are free of what opens the account.
pub async fn keeps_its_secret(stage: &dyn Stage, other: &dyn Other) {
    let secret = stage
        .secret()
        .expect("an account with another side has one");
    let all = [
        Weather::Flood(1),
        Weather::Malformed,
        Weather::Blocked,
        Weather::AnswersLost,
        Weather::HalfAnswers,
        Weather::Away,
        Weather::Revoked,
    ];
    for weather in all {
        other.weather(weather);
        let error = failed(stage, "x").await;
        let said = format!("{error} {error:?}");
        assert!(!said.contains(&secret), "{weather:?} tells the secret");
        let half = &secret[secret.len() / 2..];
        assert!(!said.contains(half), "{weather:?} tells half of the secret");
    }
}

async fn failed(stage: &dyn Stage, text: &str) -> SendError {
    let sent = send(&*stage.adapter(), stage, text).await;
    sent.expect_err("the weather is bad")
}

/// Below the message that it answers; if somebody took that away, it is shown all the same.
pub async fn quotes_what_it_answers(stage: &dyn Stage, other: &dyn Other) {
    let adapter = stage.adapter();
    let asked = listening(&*adapter, None, async |ear| {
        other.writes("what is it?");
        ear.takes().await.message_id
    });
    let asked = asked.await;
    for quotes in [
        Some(asked),
        Some("999999".to_owned()),
        Some("no number".to_owned()),
    ] {
        let sent = adapter.perform(Action::Send {
            key: DeliveryId::from_bits(7),
            address: stage.address(),
            text: "this".to_owned(),
            buttons: Vec::new(),
            quotes,
        });
        assert!(sent.await.is_ok());
    }
    assert_eq!(other.quoted(), [Some("what is it?".to_owned()), None, None]);
}
