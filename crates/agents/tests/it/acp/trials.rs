//! Agents that are only tried out.

use angelia_agents::acp::trial;
use angelia_agents::model::provider::Secret;
use angelia_process::environment::Passed;

use super::place::Place;

#[tokio::test]
async fn an_agent_that_is_tried_says_who_it_is_and_is_gone() {
    let place = Place::new();
    let greeted = trial::greet(&place.setup(&["load"]), &Passed::default())
        .await
        .unwrap();
    assert_eq!(greeted.name.as_deref(), Some("Scripted peer 1.0"));
    assert_eq!(
        (greeted.protocol, greeted.can),
        (1, vec!["load conversations"])
    );
    assert_eq!(place.kept("methods"), ["initialize"]);
    let pid = place.kept("started")[0].parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    assert!(
        rustix::process::test_kill_process(pid).is_err(),
        "it runs on"
    );
    assert!(!place.agents().exists(), "nothing is left of it");
}

#[tokio::test]
async fn an_agent_that_is_given_a_message_answers_in_a_conversation_of_its_own_and_is_gone() {
    let place = Place::new();
    let greeted = trial::call(&place.setup(&[]), &Passed::default())
        .await
        .unwrap();
    assert_eq!(greeted.name.as_deref(), Some("Scripted peer 1.0"));
    let methods = ["initialize", "session/new", "session/prompt"];
    assert_eq!(place.kept("methods"), methods);
    let pid = place.kept("started")[0].parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    assert!(
        rustix::process::test_kill_process(pid).is_err(),
        "it runs on"
    );
    assert!(!place.agents().exists(), "nothing is left of it");
}

#[tokio::test]
async fn an_agent_that_wants_somebody_to_sign_in_is_tried_by_the_way_that_was_chosen() {
    let place = Place::new();
    let mut setup = place.setup(&["resume", "locked"]);
    let why = trial::call(&setup, &Passed::default()).await.unwrap_err();
    assert!(
        why.contains("`key` (Use a key)") && why.contains("agent.sign_in"),
        "{why}"
    );
    setup.sign_in = Some("browser".to_owned());
    let why = trial::greet(&setup, &Passed::default()).await.unwrap_err();
    assert!(
        why.contains("`browser`") && why.contains("no such way"),
        "{why}"
    );
    setup.sign_in = Some("key".to_owned());
    trial::call(&setup, &Passed::default()).await.unwrap();
    assert!(place.kept("methods").contains(&"authenticate".to_owned()));
}

#[tokio::test]
async fn one_that_ends_or_refuses_says_why_without_its_secrets() {
    let place = Place::new();
    let mut setup = place.setup(&[]);
    setup
        .variables
        .insert("WORD".to_owned(), Secret::new("sesame-open-now".to_owned()));
    for (script, says) in [
        (
            "echo \"no $WORD here\" >&2; exit 3",
            "ended without an answer: no ",
        ),
        (
            "read line; echo '{\"id\":0,\"error\":{\"code\":1,\"message\":\"busy\"}}'",
            "busy",
        ),
        (
            "read line; echo nonsense; echo '{\"id\":0,\"result\":{\"protocolVersion\":9}}'",
            "version 9",
        ),
    ] {
        setup.command = ["sh", "-c", script].map(str::to_owned).to_vec();
        let why = trial::greet(&setup, &Passed::default()).await.unwrap_err();
        assert!(why.contains(says) && !why.contains("sesame"), "{why}");
    }
    setup.command = vec!["/no/such/agent".to_owned()];
    let why = trial::greet(&setup, &Passed::default()).await.unwrap_err();
    assert!(why.contains("/no/such/agent"), "{why}");
}
