use angelia_core::turn::outcome::Repeating;
use serde_json::json;

use super::*;

fn busy(wait: Option<u64>) -> Failure {
    let wait = wait.map(Duration::from_secs);
    Failure::of_status(429, wait, "slow down")
}

#[test]
fn a_conversation_that_is_too_long_is_told_apart_from_a_bad_request() {
    let long = r#"{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#;
    assert!(matches!(
        Failure::of_status(400, None, long),
        Failure::Overflow(_)
    ));
    let claude = r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#;
    assert!(matches!(
        Failure::of_status(400, None, claude),
        Failure::Overflow(_)
    ));
    let bad = r#"{"error":{"message":"unknown field"}}"#;
    assert_eq!(
        Failure::of_status(400, None, bad),
        Failure::Rejected("status 400: unknown field".into())
    );
}

#[test]
fn no_money_is_not_a_matter_of_patience() {
    let body =
        r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#;
    let failure = Failure::of_status(429, None, body);
    assert_eq!(failure.remedy(1, Behind::Another, 0.0), Remedy::Next);
}

#[test]
fn a_busy_server_is_asked_again_when_it_wishes() {
    assert_eq!(
        busy(Some(7)).remedy(1, Behind::Another, 0.0),
        Remedy::Again(Duration::from_secs(7))
    );
    assert_eq!(
        busy(Some(3600)).remedy(1, Behind::Another, 0.0),
        Remedy::Next
    );
    assert_eq!(
        busy(None).remedy(TRIES_MAX, Behind::Another, 0.0),
        Remedy::Next
    );
}

#[test]
fn whoever_has_nobody_behind_is_asked_oftener_and_waited_for_longer() {
    let last = |failure: Failure, tries| failure.remedy(tries, Behind::Nobody, 1.0);
    assert!(matches!(last(busy(None), TRIES_MAX), Remedy::Again(_)));
    assert_eq!(last(busy(None), LAST_TRIES_MAX), Remedy::Next);
    let wait = Duration::from_secs(240);
    assert_eq!(last(busy(Some(240)), 1), Remedy::Again(wait));
    assert_eq!(last(busy(Some(3600)), 1), Remedy::Next);
    let gone = || Failure::Unreachable("gone".into());
    let pauses = (1..LAST_TRIES_MAX).map(|tries| match last(gone(), tries) {
        Remedy::Again(pause) => pause,
        other @ (Remedy::Shorten | Remedy::Next) => panic!("{other:?}"),
    });
    assert!(pauses.sum::<Duration>() > Duration::from_secs(10));
}

#[test]
fn pauses_grow_and_differ() {
    let at = |tries, jitter| match busy(None).remedy(tries, Behind::Another, jitter) {
        Remedy::Again(pause) => pause,
        other @ (Remedy::Shorten | Remedy::Next) => panic!("{other:?}"),
    };
    assert!(at(1, 1.0) < at(2, 1.0) && at(2, 1.0) < at(3, 1.0));
    assert!(at(2, 0.0) < at(2, 0.9));
}

#[test]
fn a_reason_is_found_in_every_shape() {
    let shapes = [
        json!({ "error": { "message": "why" } }),
        json!({ "error": "why" }),
        json!({ "error": true, "message": "why" }),
    ];
    for shape in shapes {
        assert_eq!(words_of(&shape).as_deref(), Some("why"), "{shape}");
    }
    assert_eq!(words_of(&json!({ "error": null })), None);
    assert_eq!(Failure::of_status(500, None, "").why(), "status 500");
    let list = r#"[{"error":{"message":"why"}}]"#;
    assert_eq!(Failure::of_status(500, None, list).why(), "status 500: why");
}

#[test]
fn the_pause_that_is_asked_for_is_read_in_both_fields() {
    let only = |name: &'static str, value: &'static str| {
        move |asked: &str| (asked == name).then(|| value.to_owned())
    };
    assert_eq!(
        super::super::pause::in_headers(only("retry-after", "2")),
        Some(Duration::from_secs(2))
    );
    assert_eq!(
        super::super::pause::in_headers(only("retry-after-ms", "250")),
        Some(Duration::from_millis(250))
    );
    assert_eq!(
        super::super::pause::in_headers(only("retry-after", "-1")),
        None
    );
}

#[test]
fn a_pause_until_a_date_counts_from_the_date_of_the_answer() {
    let at = |until: &'static str, now: Option<&'static str>| {
        super::super::pause::in_headers(move |asked: &str| match asked {
            "retry-after" => Some(until.to_owned()),
            "date" => now.map(str::to_owned),
            _ => None,
        })
    };
    let now = Some("Wed, 21 Oct 2026 07:28:00 GMT");
    let later = "Wed, 21 Oct 2026 07:28:30 GMT";
    assert_eq!(at(later, now), Some(Duration::from_secs(30)));
    assert_eq!(at("Wed, 21 Oct 2026 07:27:00 GMT", now), None, "it is over");
    assert_eq!(at(later, None), None);
    assert_eq!(at("tomorrow", now), None);
}

#[test]
fn a_conversation_that_is_too_long_is_known_by_the_words_of_many_servers() {
    let told = [
        "input length and max_tokens exceed context limit: 90402 + 116650 > 204648",
        "The input token count (1066750) exceeds the maximum number of tokens allowed (1048575).",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        "Please reduce the length of the messages or completion.",
        "the request exceeds the available context size. try increasing the context size",
        "number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit.",
        "Prompt tokens (9000) exceeds context size (8192)",
        "Your request exceeded model token limit: 262144",
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        "Input tokens exceed the configured limit of 272000 tokens.",
        "prompt token count of 93854 exceeds the limit of 90000",
    ];
    for words in told {
        let body = json!({ "error": { "message": words } }).to_string();
        let failure = Failure::of_status(400, None, &body);
        assert!(matches!(failure, Failure::Overflow(_)), "{words}");
        assert!(
            matches!(Failure::of_words(words), Failure::Overflow(_)),
            "{words}"
        );
    }
}

#[test]
fn a_silent_server_is_asked_once_more_and_no_oftener() {
    let silent = Failure::Silent("the server fell silent".into());
    assert!(matches!(
        silent.remedy(1, Behind::Another, 0.0),
        Remedy::Again(_)
    ));
    assert_eq!(
        silent.remedy(SILENT_TRIES_MAX, Behind::Another, 0.0),
        Remedy::Next
    );
    assert_eq!(silent.error().repeating, Repeating::Helps);
}

#[test]
fn a_quota_that_fills_again_is_waited_for_although_billing_is_spoken_of() {
    let gemini = r#"[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 36.4s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36s"}]}}]"#;
    let failure = Failure::of_status(429, None, gemini);
    assert_eq!(
        failure.remedy(1, Behind::Another, 0.0),
        Remedy::Again(Duration::from_secs(36))
    );
    for (words, millis) in [
        ("Please retry in 36.5s", 36_500),
        ("Please try again in 1m2s. Visit us.", 62_000),
        ("Rate limit reached. Please try again in 250ms.", 250),
        ("Please retry after 20 seconds.", 20_000),
    ] {
        let asked = Failure::of_status(429, None, words);
        let Failure::Busy { wait, .. } = asked else {
            panic!("{asked:?}")
        };
        assert_eq!(wait, Some(Duration::from_millis(millis)), "{words}");
    }
    let untold = Failure::of_status(429, None, "Please retry in a while");
    assert!(
        matches!(untold, Failure::Busy { wait: None, .. }),
        "{untold:?}"
    );
    let header = Failure::of_status(429, Some(Duration::from_secs(2)), gemini);
    assert_eq!(
        header.remedy(1, Behind::Another, 0.0),
        Remedy::Again(Duration::from_secs(2))
    );
}

#[test]
fn an_account_without_money_is_known_by_its_code() {
    for code in [
        "insufficient_quota",
        "billing_hard_limit_reached",
        "billing_not_active",
    ] {
        let body = json!({ "error": { "message": "no", "code": code } }).to_string();
        assert!(
            matches!(Failure::of_status(429, None, &body), Failure::Refused(_)),
            "{code}"
        );
    }
}

#[test]
fn of_a_router_the_words_of_the_server_behind_it_are_read() {
    let raw = |raw: &str| {
        let error = json!({ "code": 400, "message": "Provider returned error", "metadata": { "raw": raw } });
        words_of(&json!({ "error": error })).expect("words")
    };
    let seal = "Invalid `signature` in `thinking` block";
    assert_eq!(
        raw(&json!({ "error": { "message": seal } }).to_string()),
        seal
    );
    assert_eq!(raw("it is busy upstream"), "it is busy upstream");
    assert_eq!(raw(" "), "Provider returned error");
}

#[test]
fn to_say_it_again_is_advised_only_of_what_passes() {
    let why = || "why".to_owned();
    let wait = None;
    for passes in [
        Failure::Busy { why: why(), wait },
        Failure::Unreachable(why()),
        Failure::Silent(why()),
    ] {
        assert_eq!(passes.error().repeating, Repeating::Helps, "{passes:?}");
    }
    for stays in [
        Failure::Overflow(why()),
        Failure::Refused(why()),
        Failure::Rejected(why()),
    ] {
        assert_eq!(stays.error().repeating, Repeating::IsNoUse, "{stays:?}");
    }
}

#[test]
fn the_people_are_told_in_words_that_fit_every_refusal() {
    let body = |words: &str| json!({ "error": { "message": words } }).to_string();
    for (status, words) in [
        (401, "Incorrect API key provided"),
        (402, "Insufficient Balance"),
        (404, "The model `x` does not exist"),
    ] {
        let refused = Failure::of_status(status, None, &body(words));
        let said = format!(
            "the model cannot be asked (status {status}: {words}); whoever runs this gateway must look at \
             its [agent] settings"
        );
        assert_eq!(refused.error().why, said);
    }
}
