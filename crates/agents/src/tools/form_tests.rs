use super::*;

const FORM: Form = Form {
    name: "thing",
    family: "thing",
    about: "For tests.",
    required: &["what"],
    arguments: &[
        argument("what", Kind::Choice(&["this", "that"])),
        argument("text", Kind::Text),
        argument("name", Kind::Name),
        argument("flag", Kind::Flag),
        argument("number", Kind::Number),
        argument("whole", Kind::Whole(1)),
        argument("any_whole", Kind::Whole(i64::MIN)),
        argument("texts", Kind::Texts(2)),
    ],
};

const fn argument(name: &'static str, kind: Kind) -> Argument {
    let about = "For tests.";
    Argument { name, kind, about }
}

/// Values of every kind that JSON has, and around every bound.
fn values() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(17),
        json!(1.0),
        json!(1.5),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e300),
        json!(""),
        json!("this"),
        json!("This"),
        json!("17"),
        json!([]),
        json!(["a"]),
        json!(["a", "b"]),
        json!(["a", "b", "c"]),
        json!(["a", 1]),
        json!([null]),
        json!({}),
        json!({ "this": 1 }),
        json!([{ "id": "1", "content": "x", "status": "pending" }]),
        json!([{ "content": "x" }, {}]),
        json!([{ "content": "x", "status": "done" }]),
        json!([{ "content": 1 }]),
        json!([{ "other": "x" }]),
    ]
}

/// What the schema says of a value: the few words of JSON Schema that ours has.
fn schema_allows(schema: &Value, value: &Value) -> bool {
    let kind = &schema["type"];
    let kinds = kind
        .as_array()
        .cloned()
        .unwrap_or_else(|| vec![kind.clone()]);
    let is_whole = |value: &Value| {
        value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|one| one.fract() == 0.0)
    };
    let is_kind = |kind: &Value| match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => is_whole(value),
        "array" => value.is_array(),
        "object" => value.as_object().is_some_and(|given| {
            let properties = schema["properties"].as_object().unwrap();
            let known = |(name, value): (&String, &Value)| {
                properties
                    .get(name)
                    .is_some_and(|one| schema_allows(one, value))
            };
            given.iter().all(known)
        }),
        other => panic!("no tool has a {other}"),
    };
    let chosen = schema["enum"]
        .as_array()
        .is_none_or(|words| words.contains(value));
    let enough = schema["minimum"]
        .as_f64()
        .zip(value.as_f64())
        .is_none_or(|(least, number)| number >= least);
    let listed = value.as_array().filter(|_| schema.get("items").is_some());
    let items = listed.is_none_or(|items| {
        schema["maxItems"]
            .as_u64()
            .is_none_or(|most| items.len() as u64 <= most)
            && items
                .iter()
                .all(|item| schema_allows(&schema["items"], item))
    });
    kinds.iter().any(is_kind) && chosen && enough && items
}

fn assert_read(form: &Form, arguments: Value) {
    let schema = form.schema();
    let given = arguments.as_object().unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let required = schema["required"].as_array().unwrap();
    let wanted = required
        .iter()
        .all(|name| given.contains_key(name.as_str().unwrap()))
        && given.iter().all(|(name, value)| {
            properties
                .get(name)
                .is_some_and(|schema| schema_allows(schema, value))
        });
    match form.read(arguments.clone()) {
        Ok(read) if wanted => {
            let said = given.iter().filter(|(_, value)| !value.is_null());
            assert!(said.eq(&read.0), "{arguments}: {read:?}");
        }
        Ok(read) => {
            let mut meant = read.0.iter();
            assert!(
                meant.all(|(name, value)| schema_allows(&properties[name], value)),
                "{arguments}: {read:?}"
            );
        }
        Err(why) => assert!(!wanted, "{arguments}: {why}"),
    }
}

#[test]
fn a_call_is_read_if_the_schema_allows_it_or_what_it_means() {
    for form in [&FORM].into_iter().chain(crate::tools::HOUSE) {
        let good = match form.name {
            "thing" => json!("this"),
            "process" => json!("poll"),
            _ => json!("make"),
        };
        let needed = form
            .required
            .iter()
            .map(|&name| (name.to_owned(), good.clone()));
        let needed = Value::Object(needed.collect());
        for argument in form.arguments {
            for value in values() {
                let mut arguments = needed.clone();
                arguments[argument.name] = value;
                assert_read(form, arguments);
            }
        }
        assert_read(form, json!({}));
        let mut other = needed.clone();
        other["other"] = 1.into();
        assert_read(form, other);
    }
}

#[test]
fn what_is_wrong_is_said_with_what_is_right() {
    let why = |arguments: Value| FORM.read(arguments).unwrap_err();
    assert_eq!(why(json!({})), "`what` is required: one of this, that");
    assert_eq!(
        why(json!({ "what": "dance" })),
        "`what` cannot be \"dance\": it is one of this, that"
    );
    assert_eq!(
        why(json!({ "what": "this", "wohle": 1 })),
        "`thing` has no argument `wohle`; did you mean `whole`?"
    );
    assert_eq!(
        why(json!({ "what": "this", "whole": 0 })),
        "`whole` cannot be 0: it is a whole number, at least 1"
    );
    assert!(why(json!("this")).contains("must be a JSON object"));
}

#[test]
fn numbers_are_names_too_and_null_is_nothing() {
    let given = FORM.read(json!({
        "what": "this", "name": 17, "text": null, "whole": 3.0, "any_whole": 1e300,
    }));
    let given = given.unwrap();
    assert_eq!(given.name("name").as_deref(), Some("17"));
    assert_eq!(given.text("text"), None);
    assert_eq!(given.whole("whole"), Some(3));
    assert_eq!(given.whole("any_whole"), Some(i64::MAX));
    assert!(!given.flag("flag"));
}

#[test]
fn what_may_be_a_password_is_not_repeated() {
    let form = &crate::tools::process::FORM;
    let wrong = form.read(json!({ "action": "submit", "data": [123_456] }));
    assert_eq!(wrong.unwrap_err(), "`data` must be a text");
    assert!(form.repeats("session_id") && !form.repeats("data") && !form.repeats("dat"));
}
