use super::*;

use crate::agent::models::Choice;

const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

fn title(text: &str) -> Title {
    Title::clean(text).unwrap().unwrap()
}

#[test]
fn help_lists_every_command_once_and_in_order() {
    let said = help();
    let mut from = 0;
    for spec in TABLE {
        let usage = format!("{}: ", spec.usage());
        assert_eq!(said.matches(&format!("\n{usage}")).count(), 1, "{usage}");
        let at = said.find(&usage).unwrap();
        assert!(at > from);
        from = at;
    }
    assert!(said.contains("/new [title]: "));
    assert!(said.contains("(also /reset)"));
}

#[test]
fn a_taken_title_is_told_with_one_that_is_free() {
    let taken = Titled::Taken {
        wish: title("Rome"),
        free: title("Rome #2"),
    };
    assert!(entitled(&taken).contains("/title Rome #2"));
    assert!(anew(&taken).contains("A new conversation begins."));
    assert!(branched(&taken).contains("/title Rome #2"));
    assert!(!anew(&Titled::Unasked).contains("/title"));
}

#[test]
fn a_list_says_what_can_be_done_with_it() {
    let here = Listed {
        number: 2,
        called: "Rome".into(),
        active_at: NOW,
        standing: Standing::Here,
    };
    let earlier = Listed {
        number: 1,
        called: "a long\nstory ".repeat(40),
        active_at: NOW - Span::hours(25),
        standing: Standing::Earlier,
    };
    assert!(sessions(std::slice::from_ref(&here), NOW).contains("/new"));
    let said = sessions(&[here, earlier], NOW);
    assert!(said.contains("2. Rome (this one)\n1. a long story"));
    assert!(said.contains("(1 day ago)\n"));
    assert!(said.ends_with("/resume and a number to go on in one of them."));
    assert_eq!(said.lines().count(), 4, "one line each");
}

#[test]
fn quotes_are_bounded_and_on_one_line() {
    let said = undone(1, &"word\n".repeat(1_000));
    assert!(said.chars().count() < 150 && !said.contains('\n'), "{said}");
    assert!(undone(1, "").contains("without words"));
    assert!(undone(3, "first").contains("3 questions"));
}

#[test]
fn what_waits_is_told_when_something_does() {
    assert_eq!(stopped(0), "Stopped, as you asked.");
    assert!(stopped(1).contains("1 message waits"));
    assert!(nothing_runs(2).contains("2 messages wait"));
}

#[test]
fn a_status_shows_tokens_only_when_some_were_counted() {
    let mut standing = Status {
        session: SessionId::from_bits(7),
        title: None,
        agent: None,
        model: Some("m".into()),
        usual_model: None,
        turns: 3,
        created_at: NOW - Span::minutes(61),
        tokens: (0, 0),
        waiting: 0,
        work: Work::Rests,
        home: Home::NotHere,
    };
    let said = status(&standing, NOW);
    assert!(said.contains("Begun: 1 hour ago\nNothing else"), "{said}");
    assert!(said.contains("Title: none yet\nModel: m, chosen here\n"));
    standing.tokens = (0, 5);
    assert!(status(&standing, NOW).contains("Tokens: 0 read, 5 written\n"));
    assert!(!status(&standing, NOW).contains("Home:"));
    standing.home = Home::Here;
    assert!(status(&standing, NOW).contains("Home: what the gateway says unasked comes here\n"));
}

#[test]
fn models_are_told_with_what_else_can_be_chosen() {
    let mut known = Models {
        usual: Some("small".into()),
        others: vec!["large".into(), "tiny".into()],
        choice: Choice::Listed,
        window: None,
    };
    let told = model(None, &known);
    assert!(told.contains("the usual model, small") && told.contains("large, tiny"));
    assert!(model(Some("large"), &known).contains("/model clear for the usual model, small"));
    let told = no_such_model("huge", &known);
    assert!(told.contains("“huge”") && told.contains("large, tiny") && told.contains("small"));
    assert!(known.allow("tiny") && known.allow("small") && !known.allow("huge"));
    known.choice = Choice::Any;
    assert!(known.allow("huge"));
    assert!(model(None, &Models::default()).contains("the usual model. Send /model"));
}

#[test]
fn an_agent_that_chooses_its_model_itself_has_none_chosen_for_it() {
    let known = Models::its_own();
    assert!(!known.allow("large"));
    for told in [
        model(None, &known),
        model(Some("large"), &known),
        no_such_model("large", &known),
    ] {
        assert!(told.contains("chooses its model itself"), "{told}");
    }
    assert!(no_such_model("large", &known).contains("Nothing was changed"));
}
