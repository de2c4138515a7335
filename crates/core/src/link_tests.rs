use serde_json::json;

use super::*;

fn under_way() -> Link {
    Link {
        starts: 2,
        of: "ab".to_owned(),
        agent: Some("ses_1.2".to_owned()),
        stage: Stage::Ready,
        conversation: Some("abc".to_owned()),
        prompt: Some(Prompt {
            turn: TurnId::from_bits(7),
            start: 2,
            request: 512,
            bytes: 90,
            log: 4_096,
            before: Before::Unasked,
        }),
        memory: Memory::Its,
        set_up: String::new(),
        row: None,
        sight: Sight::Links,
        commands: None,
    }
}

#[test]
fn the_stored_form_is_what_earlier_releases_wrote() {
    let turn = TurnId::from_bits(7).to_string();
    let stored = json!({
        "starts": 2, "of": "ab", "agent": "ses_1.2", "stage": "ready", "conversation": "abc",
        "prompt": { "turn": turn, "start": 2, "request": 512, "bytes": 90, "log": 4_096 },
    });
    assert_eq!(serde_json::to_value(under_way()).unwrap(), stored);
    let later = Link {
        memory: Memory::Ours,
        set_up: "ef".to_owned(),
        row: Some(0),
        sight: Sight::Pictures,
        commands: Some(Theirs::told(AgentName::main(), ["init", "compact"])),
        ..Link::default()
    };
    let stored = serde_json::to_value(&later).unwrap();
    let expected = json!({
        "starts": 0, "stage": "started", "memory": "ours", "set_up": "ef", "row": 0, "sight": "pictures",
        "commands": { "of": "main", "names": ["compact", "init"] },
    });
    assert_eq!(stored, expected);
    assert_eq!(serde_json::from_value::<Link>(stored).unwrap(), later);
    let bare: Link = serde_json::from_value(json!({ "starts": 0 })).unwrap();
    assert_eq!(bare, Link::default());
}

#[test]
fn another_process_gets_another_folder_and_knows_the_conversation_by_its_old_name() {
    let next = under_way().restarted(|number| format!("ses_1.{number}"));
    assert_eq!((next.starts, next.agent.as_deref()), (3, Some("ses_1.3")));
    assert_eq!(next.stage, Stage::Started);
    assert_eq!(next.conversation.as_deref(), Some("abc"));
    assert_eq!(
        next.under_way(),
        None,
        "the process that was given it is gone"
    );
    assert_eq!(next.before(TurnId::from_bits(7)), Before::Left);
}

#[test]
fn a_prompt_is_under_way_in_the_process_that_was_given_it() {
    assert!(under_way().under_way().is_some());
    let turn = TurnId::from_bits(7);
    assert_eq!(under_way().before(turn), Before::Unasked);
    let next = under_way().restarted(|number| number.to_string());
    let other = TurnId::from_bits(8);
    assert_eq!(next.before(other), Before::Unasked, "it is another turn's");
}

#[test]
fn that_an_earlier_process_was_asked_is_known_until_the_turn_is_over() {
    let turn = TurnId::from_bits(7);
    let ready = Link {
        stage: Stage::Ready,
        ..under_way().restarted(|number| number.to_string())
    };
    assert_eq!(
        ready.before(turn),
        Before::Left,
        "also for who finds the next one ready"
    );
    let prompt = under_way().prompt.map(|prompt| Prompt {
        start: ready.starts,
        before: ready.before(turn),
        ..prompt
    });
    let again = Link { prompt, ..ready };
    assert_eq!(
        again.before(turn),
        Before::Left,
        "also once it is written down anew"
    );
    let stored = serde_json::to_value(&again).unwrap();
    assert_eq!(stored["prompt"]["before"], json!("left"));
    assert_eq!(serde_json::from_value::<Link>(stored).unwrap(), again);
}

#[test]
fn another_agent_takes_nothing_over_but_ends_the_process() {
    assert_eq!(under_way().seen_by("ab"), under_way());
    let other = under_way().seen_by("cd");
    assert_eq!(
        (other.conversation.clone(), other.prompt.clone()),
        (None, None)
    );
    assert_eq!(other.stage, Stage::Started);
    assert_eq!(other.agent, under_way().agent, "so that it can be ended");
}

#[test]
fn a_folder_says_whose_process_it_holds() {
    let (main, helper) = (AgentName::main(), "helper".parse().unwrap());
    let held = folder(&helper, SessionId::from_bits(1), 2);
    assert!(
        held.starts_with("helper.ses_") && held.ends_with(".2"),
        "{held}"
    );
    assert!(is_of(&held, &helper) && !is_of(&held, &main));
    let long: AgentName = "helper-two".parse().unwrap();
    assert!(!is_of(&held, &long), "a name that begins alike is another");
    let earlier = format!("{}.1", SessionId::from_bits(1));
    assert!(is_of(&earlier, &main), "earlier releases named no agent");
    assert!(!is_of(&earlier, &helper) && !is_of("main", &main));
}

#[test]
fn an_agent_that_is_set_up_otherwise_is_started_anew_and_knows_the_conversation() {
    let (one, other) = (mark(b"key", "A=1"), mark(b"key", "A=2"));
    assert_ne!(one, other);
    assert_ne!(
        one,
        mark(b"another key", "A=1"),
        "nobody tries settings out"
    );
    let link = under_way().set_up(&one);
    assert_eq!(link.stage, Stage::Ready, "earlier releases did not say");
    assert_eq!(link.clone().set_up(&one), link);
    let anew = link.set_up(&other);
    assert_eq!(
        (anew.stage, anew.set_up.as_str()),
        (Stage::Started, other.as_str())
    );
    assert_eq!(anew.conversation.as_deref(), Some("abc"));
}

/// What the agent calls a conversation with these rows, if it was prompted last behind the row `last`.
fn known(last: Option<u64>, rows: &[(u64, Role)]) -> Option<String> {
    let link = Link {
        row: last,
        ..under_way()
    };
    let behind = rows.iter().filter(|(number, _)| Some(*number) > last);
    let sequel = Sequel {
        rows: behind.cloned().collect(),
        last: rows.last().map_or(0, |(number, _)| *number),
    };
    link.abreast(&sequel).conversation
}

fn notice() -> Role {
    Role::from("notice".to_owned())
}

#[test]
fn an_agent_goes_on_with_a_conversation_that_is_as_it_left_it() {
    let turn = [(1, Role::User), (2, Role::Assistant)];
    assert!(known(Some(0), &turn).is_some());
    let next = [turn.as_slice(), &[(3, Role::User), (4, Role::Assistant)]].concat();
    assert!(known(Some(2), &next).is_some());
    let heard = [next.as_slice(), &[(5, Role::User)]].concat();
    assert!(
        known(Some(2), &heard).is_some(),
        "somebody said something nearby"
    );
    assert!(known(None, &next).is_some(), "earlier releases did not say");
}

#[test]
fn an_agent_goes_on_though_the_house_spoke() {
    let rows = [
        (1, Role::User),
        (2, Role::Assistant),
        (3, Role::User),
        (4, notice()),
        (5, Role::User),
        (6, notice()),
    ];
    assert!(
        known(Some(0), &rows).is_some(),
        "two turns behind its own failed before it was prompted"
    );
    assert!(
        known(Some(2), &rows).is_some(),
        "its own was stopped, and one behind it failed"
    );
    let answered = [rows.as_slice(), &[(7, Role::User), (8, Role::Assistant)]].concat();
    assert_eq!(known(Some(0), &answered), None, "somebody else answered");
}

#[test]
fn an_agent_is_told_anew_what_others_answered_and_what_was_taken_back() {
    let rows = [
        (1, Role::User),
        (2, Role::Assistant),
        (3, Role::User),
        (4, Role::Assistant),
    ];
    assert_eq!(known(Some(0), &rows), None, "somebody else answered");
    assert_eq!(known(Some(4), &rows), None, "its last turn is taken back");
    assert_eq!(known(Some(6), &rows), None, "so is the one before");
    assert_eq!(known(Some(0), &[]), None, "so is everything");
}

#[test]
fn an_agent_is_told_anew_what_was_taken_back_also_if_another_turn_followed() {
    let first = [(1, Role::User), (2, Role::Assistant)];
    let next = [(5, Role::User), (6, Role::Assistant)];
    let rows = [first.as_slice(), &next].concat();
    assert_eq!(known(Some(2), &rows), None, "the rows 3 and 4 are gone");
    assert_eq!(known(Some(0), &next), None, "so are those before");
    let heard = [first.as_slice(), &[(3, Role::User)]].concat();
    assert_eq!(
        known(Some(2), &heard),
        None,
        "what people said nearby stayed"
    );
    assert!(
        known(Some(4), &rows).is_some(),
        "it was prompted behind what is gone"
    );
}

#[test]
fn commands_of_an_agent_are_its_own_and_outlive_its_process() {
    let other: AgentName = "coder".parse().unwrap();
    let link = Link {
        commands: Some(Theirs::told(AgentName::main(), ["compact"])),
        ..under_way()
    };
    let next = link.restarted(|number| format!("ses_1.{number}"));
    assert!(next.commands_of(&AgentName::main()).unwrap().has("compact"));
    assert_eq!(next.commands_of(&other), None);
    assert_eq!(next.seen_by("another").commands, None);
}
