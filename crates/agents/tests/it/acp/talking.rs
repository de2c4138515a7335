//! What goes well.

use std::sync::Arc;

use angelia_core::approval::{Grant, Sort};
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::{Recorded, Step};
use angelia_core::turn::shown::{Kind, Shown, State};

use super::people::{Person, Silent};
use super::scene::{Commands, Scene};

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
    let all = [
        "planned",
        "tool_begun",
        "tool_finished",
        "planned",
        "answer",
    ];
    assert_eq!(names, all);
    let Step::ToolBegun {
        tool, arguments, ..
    } = &heard.steps[1]
    else {
        panic!("{:?}", heard.steps[1])
    };
    assert_eq!(tool, "execute");
    assert_eq!(arguments["input"]["command"], "ls");
    let Some(Step::Answer { row, spent }) = heard.steps.last() else {
        panic!("the answer comes last: {:?}", heard.steps)
    };
    assert_eq!(row.content.plain_text(), heard.reply);
    assert_eq!(spent.as_ref().unwrap().tokens.input, 3);
    let thoughts = "hmm, let me see\n\nthere it is";
    assert_eq!(row.reasoning["text"], thoughts, "as any agent's");
}

/// The steps as people see them.
fn seen(steps: &[Step]) -> Vec<Shown> {
    let recorded = (1..).zip(steps).map(|(seq, step)| Recorded {
        seq,
        at: Timestamp::default(),
        step: step.clone(),
    });
    recorded.filter_map(|one| Shown::of(&one)).collect()
}

#[tokio::test]
async fn a_plan_is_one_thing_however_often_it_is_told() {
    let scene = Scene::new(&[]);
    let heard = scene.says("work").await;
    let seen = seen(&heard.steps);
    let plans: Vec<&Shown> = seen.iter().filter(|one| one.kind == Kind::Plan).collect();
    let words = |plan: &Shown| plan.words.clone().unwrap_or_default();
    assert_eq!(
        plans.iter().map(|plan| words(plan)).collect::<Vec<_>>(),
        ["[>] look", "[x] look"]
    );
    assert_eq!(
        plans[0].id, plans[1].id,
        "the newest stands for those before"
    );
}

#[tokio::test]
async fn what_a_tool_says_is_seen_while_it_runs() {
    let scene = Scene::new(&[]);
    let heard = scene.says("work").await;
    let seen = &heard.shown;
    let [one] = &seen[..] else {
        panic!("it was told once that there is more: {seen:?}")
    };
    assert_eq!((one.kind, one.state), (Kind::Tool, State::Running));
    assert_eq!(one.output.as_ref().unwrap()["output"], "one line\n");
    let begun = &heard.steps.iter().find(|step| step.name() == "tool_begun");
    let Some(Step::ToolBegun { call, .. }) = begun else {
        panic!("{:?}", heard.steps)
    };
    assert_eq!(&one.id, call, "of the same call");
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
    turn.consent = Arc::new(Silent::default());
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
async fn an_agent_that_wants_that_only_once_it_is_prompted_is_told_of_in_the_same_words() {
    let mut scene = Scene::new(&["resume", "guarded"]);
    let why = scene.says("say hello").await.ended.unwrap_err().to_string();
    assert!(
        why.contains("Authentication required")
            && why.contains("`key` (Use a key), `browser` (Use a browser)"),
        "{why}"
    );
    scene.setup.sign_in = Some("key".to_owned());
    assert_eq!(scene.reply("say hello").await, "hello");
}

#[tokio::test]
async fn an_agent_that_sees_is_given_pictures_and_every_other_is_told_where_they_are() {
    for (words, blocks) in [
        (["resume", "sees"], "text text image"),
        (["resume", "blind"], "text text resource_link"),
    ] {
        let scene = Scene::new(&words);
        let mut turn = scene.turn("say a swan");
        turn.shows(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03");
        assert_eq!(turn.run().await.reply, "a swan");
        assert_eq!(scene.kept("blocks"), [blocks]);
    }
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

#[tokio::test]
async fn what_comes_right_behind_the_answer_belongs_to_it() {
    let scene = Scene::new(&[]);
    assert_eq!(scene.reply("say one ... two").await, "one two");
    assert_eq!(scene.reply("say three").await, "three");
}

#[tokio::test]
async fn a_question_about_a_call_tells_all_that_is_known_of_it() {
    let scene = Scene::new(&[]);
    let person = Person::who_says(Some(Grant::Once));
    let mut turn = scene.turn("vague Edit f");
    turn.consent = person.clone();
    assert_eq!(turn.run().await.reply, "asked");
    let asked = person.asked.lock().unwrap();
    assert_eq!(asked[0].sort, Sort::Edit, "it is no command");
    let words = &asked[0].command;
    for told in ["Edit f", "\"path\":\"/f\"", "-old", "+new"] {
        assert!(words.contains(told), "{told}: {words}");
    }
}

#[tokio::test]
async fn a_file_that_is_not_there_is_said_in_the_words_that_agents_know() {
    let scene = Scene::new(&[]);
    let file = scene.workdir().join("nowhere");
    let error = scene.reply(&format!("missing {}", file.display())).await;
    let error: serde_json::Value = serde_json::from_str(&error).unwrap();
    let words = format!("Resource not found: {}", file.display());
    assert_eq!(
        error,
        serde_json::json!({ "code": -32002, "message": words })
    );
}

#[tokio::test]
async fn commands_of_an_agent_end_with_its_turn() {
    for words in ["leave 2", "leave-and-wait 2"] {
        let scene = Scene::new(&[]);
        let commands = Arc::new(Commands::default());
        let mut turn = scene.turn(words);
        turn.background = commands.clone();
        let stop = turn.stop.clone();
        let stops_at = Some("waiting").filter(|_| words.starts_with("leave-and-wait"));
        let stops = |reply: &str| stops_at == Some(reply);
        let heard = turn.run_until(|reply| {
            let _stopped = stops(reply).then(|| stop.cancel());
            false
        });
        assert_eq!(heard.await.unwrap().ended, Ok(()));
        assert_eq!((commands.all(), commands.left()), (2, 0), "{words}");
    }
}
