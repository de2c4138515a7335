use angelia_core::transcript::entry::Content;

use super::*;

const FILLED: Demands = Demands {
    gaps: Gaps::Filled,
    seals: Seals::Open,
    ids: Ids::Usual,
};
const SEALED: Demands = Demands {
    gaps: Gaps::Open,
    seals: Seals::Filled,
    ids: Ids::Usual,
};
const SHORTENED: Demands = Demands {
    gaps: Gaps::Open,
    seals: Seals::Open,
    ids: Ids::Short,
};

/// An answer with a call, and the result.
fn called() -> Vec<Entry> {
    let call =
        json!({ "id": "a", "type": "function", "function": { "name": "one", "arguments": "{}" } });
    let asked = Entry {
        tool_calls: vec![ToolCall::new(call)],
        ..Entry::new(Role::Assistant, Content::Nothing)
    };
    let result = Entry {
        tool_call_id: Some("a".into()),
        ..Entry::new(Role::Tool, "done")
    };
    vec![asked, result]
}

#[test]
fn nothing_changes_where_nothing_is_demanded() {
    let rows = called();
    assert!(matches!(
        met(Cow::Borrowed(&rows), Demands::default()),
        Cow::Borrowed(_)
    ));
}

#[test]
fn an_answer_without_thoughts_has_one_without_words() {
    let mut rows = called();
    rows.push(Entry::new(Role::Assistant, "Done."));
    rows.push(Entry::new(Role::User, "and now?"));
    let told = met(Cow::Borrowed(&rows), FILLED);
    let thoughts = told
        .iter()
        .map(|row| row.continuation.get(THOUGHT).cloned());
    let blank = || Some(json!(" "));
    assert_eq!(thoughts.collect::<Vec<_>>(), [blank(), None, blank(), None]);
}

#[test]
fn on_anthropics_wire_calls_without_a_thought_have_a_block_without_words() {
    let mut rows = called();
    rows.push(Entry::new(Role::Assistant, "Done."));
    let known = json!([{ "type": "thinking", "thinking": "hm", "signature": "s" }]);
    let mut thought = called().remove(0);
    thought.continuation.insert(BLOCKS.into(), known.clone());
    rows.push(thought);
    let told = met(Cow::Owned(rows), FILLED);
    let blocks = told.iter().map(|row| row.continuation.get(BLOCKS).cloned());
    let blank = json!([{ "type": "thinking", "thinking": " ", "signature": "" }]);
    assert_eq!(
        blocks.collect::<Vec<_>>(),
        [Some(blank), None, None, Some(known)]
    );
}

#[test]
fn a_thought_that_is_there_stays_and_an_empty_one_is_none() {
    for (known, told) in [("hm", "hm"), ("", " ")] {
        let mut rows = called();
        rows[0].continuation.insert(THOUGHT.into(), known.into());
        let filled = met(Cow::Owned(rows), FILLED);
        assert_eq!(filled[0].continuation[THOUGHT], told);
    }
}

#[test]
fn the_first_of_calls_without_a_seal_has_the_one_that_is_not_checked() {
    let named = |id: &str| {
        ToolCall::new(json!({ "id": id, "function": { "name": "one", "arguments": "{}" } }))
    };
    let mut rows = called();
    rows[0].tool_calls = vec![named("a"), named("b")];
    let told = met(Cow::Owned(rows), SEALED);
    let calls: Vec<Value> = told[0].tool_calls.iter().map(|call| json!(call)).collect();
    assert_eq!(
        calls[0]["extra_content"]["google"]["thought_signature"],
        UNCHECKED
    );
    assert_eq!(calls[1].get("extra_content"), None);
    assert!(told[1].tool_calls.is_empty());
}

#[test]
fn a_seal_that_is_there_stays_and_anything_else_is_none() {
    let cases = [
        (json!({ "google": { "thought_signature": "s" } }), "s"),
        (
            json!({ "google": { "thought_signature": null } }),
            UNCHECKED,
        ),
        (json!({ "other": 1 }), UNCHECKED),
        (json!("what"), UNCHECKED),
    ];
    for (extra, seal) in cases {
        let call = json!({ "id": "a", "function": {}, "extra_content": extra });
        let mut rows = called();
        rows[0].tool_calls = vec![ToolCall::new(call)];
        let told = json!(met(Cow::Owned(rows), SEALED)[0].tool_calls[0]);
        let sealed = &told["extra_content"];
        assert_eq!(sealed["google"]["thought_signature"], seal, "{told}");
        assert_eq!(sealed.get("other"), extra.get("other"));
    }
}

#[test]
fn ids_are_nine_letters_and_digits_the_same_for_a_call_and_its_result() {
    let mut known = Vec::new();
    for id in [
        "call_1",
        "call_2",
        "functions.one:0",
        "a",
        "abc-45678",
        "ä2345678",
    ] {
        let mut rows = called();
        rows[0].tool_calls = vec![ToolCall::new(json!({ "id": id, "function": {} }))];
        rows[1].tool_call_id = Some(id.to_owned());
        let told = met(Cow::Owned(rows), SHORTENED);
        let new = told[0].tool_calls[0].id().expect("an id").to_owned();
        assert!(new.len() == 9 && new.chars().all(|one| one.is_ascii_alphanumeric()));
        assert_eq!(told[1].tool_call_id.as_deref(), Some(&*new));
        assert!(!known.contains(&new), "{new}");
        known.push(new);
    }
    assert_eq!(short("D681PevKs"), "D681PevKs", "one that is short already");
}
