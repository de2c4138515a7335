use serde_json::json;

use super::*;

fn seen() -> Trust {
    Trust {
        author: Author::Bot,
        grant: Grant::Role,
        path: Path::Relay,
    }
}

#[test]
fn what_is_known_survives_writing_and_reading_except_trust() {
    let about = About {
        chat_name: Some("Ops".into()),
        person_alt: Some("uuid".into()),
        profile: Some("work".parse().unwrap()),
        auto_thread: Some(AutoThread {
            initial: Some("…".into()),
        }),
        trust: seen(),
        ..About::default()
    };
    let written = serde_json::to_value(&about).unwrap();
    assert_eq!(
        written,
        json!({
            "chat_name": "Ops",
            "person_alt": "uuid",
            "profile": "work",
            "auto_thread": {"initial": "…"},
        })
    );
    let read: About = serde_json::from_value(written).unwrap();
    assert_eq!(
        read,
        About {
            trust: Trust::default(),
            ..about
        }
    );
}

#[test]
fn nobody_can_claim_trust_in_a_row() {
    let forged = json!({
        "trust": {"path": "relay"}, "path": "relay", "author": "bot", "is_bot": true,
        "role_authorized": true, "delivered_via_upstream_relay": true,
    });
    let read: About = serde_json::from_value(forged).unwrap();
    assert_eq!(read, About::default());
}

#[test]
fn a_message_about_which_only_trust_is_known_writes_nothing() {
    let about = About {
        trust: seen(),
        ..About::default()
    };
    assert!(about.is_unwritten());
    assert_eq!(serde_json::to_value(&about).unwrap(), json!({}));
}

#[test]
fn a_server_may_be_called_guild() {
    let read: About = serde_json::from_value(json!({"guild": "G"})).unwrap();
    assert_eq!(read.scope.as_deref(), Some("G"));
}
