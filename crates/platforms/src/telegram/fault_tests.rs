use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_000_000);

fn no(code: u16, words: &str) -> Fault {
    Fault::Refused(No {
        code,
        words: words.to_owned(),
        retry_after: None,
        moved_to: None,
    })
}

/// How far a refusal goes; nothing for what is none.
fn reach(fault: &Fault) -> Option<Reach> {
    match fault.of_sending(NOW) {
        SendError::Refused { reach, .. } => Some(reach),
        SendError::Gone { .. } => Some(Reach::Message),
        SendError::Later { .. } | SendError::Unknown { .. } => None,
    }
}

#[test]
fn a_flood_names_the_moment_to_come_back() {
    let flood = Fault::Refused(No {
        code: 429,
        words: "Too Many Requests: retry after 12".to_owned(),
        retry_after: Some(Span::seconds(12)),
        moved_to: None,
    });
    let SendError::Later { not_before, .. } = flood.of_sending(NOW) else {
        panic!("a flood is not final");
    };
    assert_eq!(not_before, Some(NOW + Span::seconds(12)));
}

#[test]
fn refusals_reach_as_far_as_what_they_are_about() {
    let cases = [
        (401, "Unauthorized", Reach::Account),
        (404, "Not Found", Reach::Account),
        (403, "Forbidden: bot was blocked by the user", Reach::Chat),
        (403, "Forbidden: user is deactivated", Reach::Chat),
        (400, "Bad Request: chat not found", Reach::Chat),
        (
            400,
            "Bad Request: have no rights to send a message",
            Reach::Chat,
        ),
        (
            400,
            "Bad Request: not enough rights to send text messages to the chat",
            Reach::Chat,
        ),
        (400, "Bad Request: message thread not found", Reach::Message),
        (400, "chat not found; thread not found", Reach::Message),
        (400, "Bad Request: message is too long", Reach::Message),
        (
            400,
            "Bad Request: can't parse entities: offset 5",
            Reach::Message,
        ),
    ];
    for (code, words, expected) in cases {
        assert_eq!(reach(&no(code, words)), Some(expected), "{words}");
    }
}

#[test]
fn what_was_never_sent_is_tried_again_and_what_may_have_been_is_in_doubt() {
    for fault in [
        Fault::Unreached("refused".into()),
        Fault::Away(502),
        no(500, "Internal"),
    ] {
        assert!(
            matches!(fault.of_sending(NOW), SendError::Later { .. }),
            "{fault}"
        );
    }
    let lost = Fault::Lost("timed out".into()).of_sending(NOW);
    assert!(matches!(lost, SendError::Unknown { .. }));
}

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    error: String,
    kind: String,
    marks_target_dead: Option<String>,
}

#[derive(serde::Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

/// The cases of the reference; `ANGELIA_VECTORS` names others of the same shape.
#[expect(
    clippy::disallowed_methods,
    reason = "a test is told here where its vectors are"
)]
fn cases() -> Vec<Case> {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/src/telegram/vectors");
    let folder = std::env::var("ANGELIA_VECTORS").unwrap_or_else(|_| here.to_owned());
    let text = std::fs::read_to_string(format!("{folder}/gateway/send_error_class.json")).unwrap();
    serde_json::from_str::<Vectors>(&text).unwrap().cases
}

/// Their kinds are made of words alone; ours of the code that comes with such words.
#[test]
fn refusals_of_the_reference_reach_as_far_here() {
    for case in cases() {
        let expected = match (case.kind.as_str(), &case.marks_target_dead) {
            (_, Some(_)) => Reach::Chat,
            ("too_long" | "bad_format" | "not_found", None) => Reach::Message,
            _ => continue,
        };
        let found = reach(&no(400, &case.error));
        assert_eq!(found, Some(expected), "{}: {}", case.id, case.error);
    }
}

#[test]
fn a_message_that_cannot_be_changed_is_told_apart_from_one_that_need_not_be() {
    for words in [
        "Bad Request: message to edit not found",
        "Bad Request: message can't be edited",
        "Bad Request: message to delete not found",
    ] {
        let gone = no(400, words).of_sending(NOW);
        assert!(matches!(gone, SendError::Gone { .. }), "{words}");
    }
    let same = no(400, "Bad Request: message is not modified: it is the same");
    assert!(same.no().is_some_and(No::is_of_no_change));
}
