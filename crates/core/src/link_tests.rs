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
    let earlier = "ses_01m7r23tca.1";
    assert!(!is_of(earlier, &main), "earlier releases named no agent");
}
