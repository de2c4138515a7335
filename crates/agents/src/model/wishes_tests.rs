use super::*;

#[test]
fn what_a_server_wants_otherwise_is_read_from_its_words() {
    let cases = [
        (
            "Function tools with reasoning_effort are not supported for gpt-x in /v1/chat/completions. Please use \
             /v1/responses or set reasoning_effort to 'none'.",
            Some(Wish::NoEffort),
        ),
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            Some(Wish::OtherLimit),
        ),
        (
            "body.max_completion_tokens: Extra inputs are not permitted",
            Some(Wish::OtherLimit),
        ),
        (
            "messages.1.content.0: Invalid `signature` in `thinking` block",
            Some(Wish::NoThoughts),
        ),
        (
            "property 'reasoning_content' is unsupported",
            Some(Wish::NoThoughts),
        ),
        (
            "The encrypted content gAAA for item rs_1 could not be verified.",
            Some(Wish::NoThoughts),
        ),
        (
            "Function call is missing a thought_signature in functionCall parts.",
            Some(Wish::Seals),
        ),
        (
            "function call `default_api:x` in the 12. content block is missing a `thought_signature`.",
            Some(Wish::Seals),
        ),
        ("Thought signature is not valid.", Some(Wish::NoThoughts)),
        ("Corrupted thought signature.", Some(Wish::NoThoughts)),
        (
            "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
            Some(Wish::ShortIds),
        ),
        (
            "max_tokens is too large: 16384. This model supports at most 4096",
            None,
        ),
        (
            "`max_tokens` must be greater than `thinking.budget_tokens`",
            None,
        ),
        (
            "'reasoning_effort' does not support 'x'. Supported values are: 'none' and 'low'",
            None,
        ),
    ];
    for (words, wish) in cases {
        assert_eq!(Wish::in_words(words), wish, "{words}");
    }
}

#[test]
fn thoughts_that_are_missed_are_not_taken_away() {
    let missed = [
        "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
        "The `reasoning_content` in the thinking mode must be passed back to the API.",
        "The `content[].thinking` in the thinking mode must be passed back to the API.",
        "Missing thinking block in the assistant message at message index 11. For more information, see the guide.",
        "Missing `reasoning_content` field in the assistant message at message index 1.",
    ];
    for words in missed {
        assert_eq!(Wish::in_words(words), Some(Wish::Thoughts), "{words}");
    }
    let refused = [
        "reasoning_content: extra inputs are not permitted; tool_calls: field is missing",
        "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is \
         enabled, a final `assistant` message must start with a thinking block.",
        "messages.6.content.0.thinking.signature: Field required",
    ];
    for words in refused {
        assert_eq!(Wish::in_words(words), Some(Wish::NoThoughts), "{words}");
    }
    assert_eq!(Wish::in_words("reasoning_details are missing"), None);
}

#[test]
fn each_wish_is_followed_once() {
    let all = [
        Wish::NoEffort,
        Wish::OtherLimit,
        Wish::NoThoughts,
        Wish::Thoughts,
        Wish::Seals,
        Wish::ShortIds,
    ];
    let mut manner = Manner::default();
    for wish in all {
        manner = manner.after(wish, Wire::OpenAi).expect("another manner");
    }
    for wish in all {
        assert_eq!(manner.after(wish, Wire::OpenAi), None, "{wish:?}");
    }
}

#[test]
fn who_still_misses_thoughts_on_anthropics_wire_is_asked_without_any() {
    let missing = |manner: Manner| manner.after(Wish::Thoughts, Wire::Anthropic);
    let filled = missing(Manner::default()).expect("another manner");
    assert_eq!(
        (filled.demands.gaps, filled.thoughts),
        (Gaps::Filled, Thoughts::Returned)
    );
    let left = missing(filled).expect("yet another manner");
    assert_eq!(left.thoughts, Thoughts::Left);
    assert_eq!(missing(left), None);
}

#[test]
fn what_helped_is_remembered_for_the_model_and_without_its_thoughts() {
    let manners = Manners::default();
    let manner = Manner {
        effort: Effort::None,
        limit: Limit::Usual,
        thoughts: Thoughts::Left,
        demands: Demands {
            gaps: Gaps::Filled,
            ..Demands::default()
        },
    };
    manners.remember("m", manner);
    let kept = Manner {
        thoughts: Thoughts::Returned,
        ..manner
    };
    assert_eq!(
        (manners.of("m"), manners.of("n")),
        (kept, Manner::default())
    );
}

#[test]
fn what_one_conversation_learned_stays_when_another_knew_less() {
    let manners = Manners::default();
    let limited = Manner {
        limit: Limit::Other,
        ..Manner::default()
    };
    let demanding = |demands| Manner {
        demands,
        ..Manner::default()
    };
    let sealed = Demands {
        seals: Seals::Filled,
        ..Demands::default()
    };
    let short = Demands {
        ids: Ids::Short,
        ..Demands::default()
    };
    for manner in [limited, demanding(sealed), demanding(short)] {
        manners.remember("m", manner);
        manners.remember("m", Manner::default());
    }
    let all = Manner {
        demands: Demands {
            ids: Ids::Short,
            ..sealed
        },
        ..limited
    };
    assert_eq!(manners.of("m"), all);
}

#[test]
fn a_known_model_pushes_no_other_out() {
    let manners = Manners::default();
    let limited = Manner {
        limit: Limit::Other,
        ..Manner::default()
    };
    for number in 0..MODELS_MAX {
        manners.remember(&format!("m{number}"), limited);
    }
    let silent = Manner {
        effort: Effort::None,
        ..limited
    };
    manners.remember("m0", silent);
    assert_eq!((manners.of("m0"), manners.of("m1")), (silent, limited));
}
