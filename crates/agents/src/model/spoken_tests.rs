use super::*;

fn gathered(pieces: Vec<Spoken>) -> Result<Answer, NoAnswer> {
    let mut gather = Gather::default();
    for piece in pieces {
        gather.take(piece)?;
    }
    gather.finish()
}

fn piece(id: &str, name: &str, arguments: &str) -> CallPiece {
    CallPiece {
        id: Some(id.to_owned()),
        name: Some(name.to_owned()),
        arguments: arguments.to_owned(),
        ..CallPiece::default()
    }
}

#[test]
fn a_stream_that_does_not_say_why_it_ended_was_cut() {
    assert_eq!(
        gathered(vec![Spoken::Text("half".into())]),
        Err(NoAnswer::Cut)
    );
    let failed = vec![
        Spoken::Text("half".into()),
        Spoken::Failed("overloaded".into()),
    ];
    assert_eq!(gathered(failed), Err(NoAnswer::Failed("overloaded".into())));
}

#[test]
fn all_arguments_may_stand_in_quotes_and_none_may_be_nothing() {
    for (written, read) in [
        (r#""{\"command\": \"ls\"}""#, r#"{"command": "ls"}"#),
        (r#"{"command": "ls"}"#, r#"{"command": "ls"}"#),
        ("null", ""),
        ("", ""),
        // What is no object in them either stays as it is, and the tool refuses it.
        (r#""[]""#, r#""[]""#),
        (r#""{\"x\":""#, r#""{\"x\":""#),
    ] {
        let pieces = vec![
            Spoken::Call(0, piece("a", "terminal", written)),
            Spoken::Stopped(Stop::Calls),
        ];
        let answer = gathered(pieces).expect("an answer");
        assert_eq!(answer.calls[0].arguments, read, "{written}");
    }
    let last_word = |written: &str| {
        let call = Spoken::Call(0, piece("a", "terminal", written));
        gathered(vec![call, Spoken::Over]).is_ok()
    };
    assert!(last_word(r#""{}""#) && last_word("null"));
    assert!(!last_word(r#""{\"x\":""#));
}

#[test]
fn names_count_towards_what_an_answer_may_be() {
    let mut gather = Gather::default();
    let mut more = |number: usize| {
        let mut piece = Map::from_iter([("type".to_owned(), "t".into())]);
        piece.insert(format!("{number:0>1000}"), 1.into());
        gather.take(Spoken::Detail(piece))
    };
    let taken = (0..ANSWER_BYTES_MAX / 1000).try_for_each(&mut more);
    assert_eq!(taken, Err(NoAnswer::TooLong));
}

#[test]
fn a_last_word_ends_what_is_whole_and_nothing_else() {
    let over = |pieces: Vec<Spoken>| gathered([pieces, vec![Spoken::Over]].concat());
    let said = over(vec![Spoken::Text("all".into())]).expect("an answer");
    assert_eq!((said.text.as_str(), said.stop), ("all", Stop::Done));
    let called = over(vec![Spoken::Call(0, piece("a", "todo", "{}"))]).expect("an answer");
    assert_eq!((called.calls.len(), called.stop), (1, Stop::Calls));
    let cut = [
        Vec::new(),
        vec![Spoken::Thought(0, "hm".into())],
        vec![
            Spoken::Text("I look.".into()),
            Spoken::Call(0, piece("a", "todo", "{\"x\":")),
        ],
        vec![Spoken::Call(0, piece("a", "", "{}"))],
    ];
    for pieces in cut {
        assert_eq!(over(pieces), Err(NoAnswer::Cut));
    }
    let failed = vec![Spoken::Text("half".into()), Spoken::Failed("why".into())];
    assert_eq!(over(failed), Err(NoAnswer::Failed("why".into())));
}

#[test]
fn calls_that_come_in_turns_are_joined_by_their_numbers() {
    let answer = gathered(vec![
        Spoken::Call(0, piece("a", "files", "{\"p\"")),
        Spoken::Call(1, piece("b", "todo", "")),
        Spoken::Call(0, piece("", "", ":1}")),
        Spoken::Stopped(Stop::Done),
    ])
    .expect("an answer");
    assert_eq!(answer.stop, Stop::Calls, "whatever the server says");
    let [first, second] = &answer.calls[..] else {
        panic!("{:?}", answer.calls)
    };
    assert_eq!((first.id.as_str(), first.name.as_str()), ("a", "files"));
    assert_eq!(first.arguments, "{\"p\":1}");
    assert_eq!(second.arguments, "");
}

#[test]
fn thoughts_keep_their_blocks_and_seals() {
    let answer = gathered(vec![
        Spoken::Thought(0, "I ".into()),
        Spoken::Thought(0, "think".into()),
        Spoken::Sealed(0, "sig".into()),
        Spoken::Text("Hello".into()),
        Spoken::Stopped(Stop::Done),
    ])
    .expect("an answer");
    let words = Thought::Words {
        text: "I think".into(),
        seal: Some("sig".into()),
    };
    assert_eq!(answer.thoughts, [words]);
}

#[test]
fn later_numbers_replace_earlier_ones_and_silence_replaces_nothing() {
    let told = |input, output| {
        Spoken::Used(Used {
            input,
            output,
            ..Used::default()
        })
    };
    let answer = gathered(vec![
        told(Some(10), Some(1)),
        told(None, Some(25)),
        Spoken::Stopped(Stop::Done),
    ])
    .expect("an answer");
    assert_eq!((answer.tokens.input, answer.tokens.output), (10, 25));
}

#[test]
fn an_answer_without_end_is_refused() {
    let mut gather = Gather::default();
    let piece = "x".repeat(64 * 1024);
    let refused = (0..64).find_map(|_| gather.take(Spoken::Text(piece.clone())).err());
    assert_eq!(refused, Some(NoAnswer::TooLong));
}
