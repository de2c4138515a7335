//! What goes well.

use std::sync::Arc;

use angelia_core::approval::Grant;
use angelia_core::turn::journal::Step;

use super::scene::{Person, Scene};

#[tokio::test]
async fn an_agent_answers_and_remembers_and_is_started_once() {
    let scene = Scene::new(&[]);
    assert_eq!(scene.reply("say hello").await, "hello");
    assert_eq!(scene.reply("say again").await, "again");
    assert_eq!(scene.reply("recall").await, "say hello / say again");
    assert_eq!((scene.kept("started").len(), scene.agents()), (1, 1));
    let prompts = scene.kept("prompts");
    assert_eq!(prompts[0], "You are in a chat. | say hello");
    assert_eq!(prompts[1], "say again", "it knows where it is");
}

#[tokio::test]
async fn tools_plans_and_thoughts_are_steps_and_no_part_of_the_reply() {
    let scene = Scene::new(&[]);
    let heard = scene.says("work").await;
    assert_eq!(heard.reply, "Looking.\n\nFound it.");
    let names: Vec<&str> = heard.steps.iter().map(Step::name).collect();
    let call = ["tool_begun", "tool_finished"];
    assert_eq!(names[..2], call, "the plan");
    assert_eq!(names[2..4], call, "the tool");
    let Step::ToolBegun {
        tool, arguments, ..
    } = &heard.steps[2]
    else {
        panic!("{:?}", heard.steps[2])
    };
    assert_eq!(tool, "execute");
    assert_eq!(arguments["input"]["command"], "ls");
    let Some(Step::Answer { row, spent }) = heard.steps.last() else {
        panic!("the answer comes last: {:?}", heard.steps)
    };
    assert_eq!(row.content.plain_text(), heard.reply);
    assert_eq!(spent.as_ref().unwrap().tokens.input, 3);
}

#[tokio::test]
async fn a_permission_is_a_question_for_a_person() {
    for (answer, picked) in [(Some(Grant::Once), "picked now"), (None, "picked no")] {
        let scene = Scene::new(&[]);
        let person = Person::who_says(answer);
        let mut turn = scene.turn("permission make install");
        turn.consent = person.clone();
        assert_eq!(turn.run().await.reply, picked);
        let asked = person.asked.lock().unwrap();
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].command, "make install");
        assert_eq!(asked[0].workdir, Some(scene.workdir()));
    }
}

#[tokio::test]
async fn what_never_runs_is_refused_without_a_question() {
    let scene = Scene::new(&[]);
    let person = Person::who_says(Some(Grant::Once));
    let mut turn = scene.turn("permission rm -rf /");
    turn.consent = person.clone();
    assert_eq!(turn.run().await.reply, "picked no");
    assert!(person.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn files_of_the_workspace_are_served_and_no_others() {
    let scene = Scene::new(&[]);
    let file = scene.workdir().join("f");
    let heard = scene.says(&format!("files {}", file.display())).await;
    assert_eq!(heard.reply, "wrote True, read two, outside True");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "one\ntwo\n");
}

#[tokio::test]
async fn an_agent_that_will_not_or_cannot_says_so() {
    let scene = Scene::new(&[]);
    assert_eq!(
        scene.reply("refuse").await,
        "(The agent declined to go on.)"
    );
    let failed = scene.says("nonsense").await.ended.unwrap_err();
    assert_eq!(
        failed.to_string(),
        "its agent failed: Internal error: what?"
    );
    assert_eq!(scene.reply("say on").await, "on");
    assert_eq!(scene.kept("started").len(), 1);
}

#[tokio::test]
async fn a_stopped_turn_stops_its_agent_and_the_next_goes_on_with_it() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("wait");
    let stop = turn.stop.clone();
    let heard = turn.run_until(|reply| {
        if reply == "waiting" {
            stop.cancel();
        }
        false
    });
    assert_eq!(heard.await.unwrap().ended, Ok(()));
    assert!(scene.kept("methods").contains(&"session/cancel".to_owned()));
    assert_eq!(scene.reply("say next").await, "next");
    assert_eq!(scene.kept("started").len(), 1);
}

#[tokio::test]
async fn a_question_that_is_open_when_the_turn_stops_is_answered_as_cancelled() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("permission make");
    turn.consent = Arc::new(super::scene::Silent);
    let stop = turn.stop.clone();
    let stopping = async {
        while !scene
            .kept("prompts")
            .iter()
            .any(|it| it.ends_with("permission make"))
        {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        stop.cancel();
    };
    let (heard, ()) = tokio::join!(turn.run(), stopping);
    assert_eq!(heard.ended, Ok(()));
    assert_eq!(scene.reply("say next").await, "next");
    assert_eq!(scene.kept("started").len(), 1, "it was not ended");
}

#[tokio::test]
async fn an_agent_that_wants_somebody_to_sign_in_is_told_who_by_the_way_that_was_chosen() {
    let mut scene = Scene::new(&["resume", "locked"]);
    let why = scene.says("say hello").await.ended.unwrap_err().to_string();
    assert!(
        why.contains("Authentication required")
            && why.contains("`key` (Use a key), `browser` (Use a browser)")
            && why.contains("agent.sign_in"),
        "{why}"
    );
    scene.setup.sign_in = Some("key".to_owned());
    assert_eq!(scene.reply("say hello").await, "hello");
}

#[tokio::test]
async fn what_the_operator_sets_for_an_agent_reaches_it_whatever_it_is_called() {
    let mut scene = Scene::new(&[]);
    for (name, value) in [("ANTHROPIC_API_KEY", "a word"), ("PLAIN", "another")] {
        let value = angelia_agents::model::provider::Secret::new(value.to_owned());
        scene.setup.variables.insert(name.to_owned(), value);
    }
    assert_eq!(scene.reply("variable ANTHROPIC_API_KEY").await, "a word");
    assert_eq!(scene.reply("variable PLAIN").await, "another");
    assert_eq!(scene.reply("variable OPENAI_API_KEY").await, "(none)");
}
