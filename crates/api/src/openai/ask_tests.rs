//! What a request says, and to whom.

use super::*;

fn names(session: Option<&str>, key: Option<&str>) -> Names {
    Names {
        session: session.map(str::to_owned),
        key: key.map(str::to_owned),
        fresh: "f1".to_owned(),
    }
}

fn asked(body: &str) -> Result<Inbound, ApiError> {
    read(serde_json::from_str(body).unwrap(), &names(None, None)).map(|ask| ask.inbound)
}

fn hello(names: &Names) -> Inbound {
    let body = r#"{"messages":[{"role":"user","content":"hello"}]}"#;
    read(serde_json::from_str(body).unwrap(), names)
        .unwrap()
        .inbound
}

#[test]
fn the_last_words_of_the_user_are_the_text_and_the_rest_goes_along() {
    let message = asked(
        r#"{"model":"m","temperature":0.5,"messages":[
            {"role":"developer","content":"be kind"},
            {"role":"user","content":"one"},
            {"role":"assistant","content":"two"},
            {"role":"assistant","content":null,"tool_calls":[]},
            {"role":"user","name":"Anna","content":[{"type":"text","text":"three"},{"type":"text","text":"four"}]}
        ],"user":"u7"}"#,
    )
    .unwrap();
    assert_eq!(message.text, "three\nfour");
    assert_eq!(message.person.id, "u7");
    assert_eq!(message.person.name.as_deref(), Some("Anna"));
    let context: Vec<_> = message
        .context
        .iter()
        .map(|said| (said.role, said.text.as_str()))
        .collect();
    let expected = [
        (Role::System, "be kind"),
        (Role::User, "one"),
        (Role::Assistant, "two"),
    ];
    assert_eq!(context, expected);
}

#[test]
fn a_session_keeps_its_chat_and_a_request_without_one_has_its_own() {
    let kept = hello(&names(Some("notes"), None));
    assert_eq!(
        (kept.address.chat.id.as_str(), kept.message_id.as_str()),
        ("notes", "f1")
    );
    let own = hello(&names(None, None));
    assert_eq!(own.address.chat.id, "req-f1");
    assert_eq!(own.person.id, "openai");
}

fn said(words: &str) -> Request {
    let body = format!(r#"{{"messages":[{{"role":"user","content":"{words}"}}]}}"#);
    serde_json::from_str(&body).unwrap()
}

fn keyed(words: &str, names: &Names) -> Inbound {
    read(said(words), names).unwrap().inbound
}

#[test]
fn a_repeated_request_meets_the_same_row_however_fresh_it_is_and_however_it_is_answered() {
    let first = keyed("hello", &names(None, Some("k1")));
    let later = Names {
        fresh: "f2".into(),
        ..names(None, Some("k1"))
    };
    let streamed = Request {
        stream: Some(true),
        ..said("hello")
    };
    let again = read(streamed, &later).unwrap().inbound;
    assert_eq!(first.event_key, again.event_key);
    assert_eq!(first.address, again.address);
    let other = keyed("hello", &names(None, Some("k2")));
    assert_ne!(first.address, other.address);
    let in_session = keyed("hello", &names(Some("notes"), Some("k1")));
    assert_eq!(in_session.address.chat.id, "notes");
    assert_ne!(in_session.event_key, first.event_key);
}

#[test]
fn another_request_under_the_same_key_is_another_message() {
    for session in [None, Some("notes")] {
        let names = names(session, Some("k1"));
        let (one, other) = (keyed("one", &names), keyed("other", &names));
        assert_ne!(one.event_key, other.event_key);
        assert_ne!(one.message_id, other.message_id);
        assert_eq!(one.address == other.address, session.is_some());
    }
    let with = |more: &str| {
        let body = format!(r#"{{"messages":[{more}{{"role":"user","content":"hi"}}]}}"#);
        let request = serde_json::from_str(&body).unwrap();
        read(request, &names(None, Some("k1"))).unwrap().inbound
    };
    let told = with(r#"{"role":"system","content":"be brief"},"#);
    assert_ne!(
        told.event_key,
        with("").event_key,
        "what was said before counts"
    );
}

#[test]
fn what_would_change_the_meaning_is_refused() {
    for body in [
        r#"{"messages":[]}"#,
        r#"{"messages":[{"role":"assistant","content":"hi"}]}"#,
        r#"{"messages":[{"role":"tool","content":"42"},{"role":"user","content":"hi"}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]}"#,
        r#"{"n":2,"messages":[{"role":"user","content":"hi"}]}"#,
    ] {
        assert!(asked(body).is_err(), "{body}");
    }
}

#[test]
fn pictures_stay_with_the_words_that_they_came_with() {
    let image = |text: &str| {
        let data = angelia_core::media::base64::encode(text.as_bytes());
        format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{data}"}}}}"#)
    };
    let body = format!(
        r#"{{"messages":[
            {{"role":"user","content":[{},"one"]}},
            {{"role":"assistant","content":"seen"}},
            {{"role":"user","content":[{}]}}
        ]}}"#,
        image("old"),
        image("new"),
    );
    let ask = read(serde_json::from_str(&body).unwrap(), &names(None, None)).unwrap();
    assert_eq!(ask.inbound.text, "");
    assert_eq!(ask.images, [b"new".to_vec()]);
    assert_eq!(ask.earlier, [(0, b"old".to_vec())]);
    let many = vec![image("x"); 9].join(",");
    let body = format!(r#"{{"messages":[{{"role":"user","content":[{many}]}}]}}"#);
    let refused = read(serde_json::from_str(&body).unwrap(), &names(None, None));
    assert_eq!(refused.unwrap_err().kind, crate::error::Kind::TooLarge);
}
