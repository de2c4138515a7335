use super::*;

#[path = "tools/consent_tests.rs"]
mod consent;
#[path = "tools/elsewhere_tests.rs"]
mod elsewhere;
#[path = "tools/together_tests.rs"]
mod together;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use angelia_core::id::ProcessId;
use angelia_core::process::{Mode, Notice, State, Watch};
use angelia_core::time::{Span, Timestamp};
use angelia_core::turn::journal::Recorded;
use angelia_process::target::Target;
use async_trait::async_trait;

use crate::background::act::{Act, Acted, Looked, Words};
use crate::background::{Background, NoBackground, NotStarted, Started, Wish};
use crate::consent::{Answer, Consent, Grant, Inquiry, NobodyAsked, Question, Told};
use crate::context::Context;
use crate::events::{self, AgentEvent};
use crate::past::NoPast;
use crate::tools::set::Toolset;
use crate::tools::terms::Terms;

/// Writes down what was asked of it.
#[derive(Debug)]
struct Asked {
    started: Result<Started, NotStarted>,
    calls: Mutex<Vec<String>>,
}

#[async_trait]
impl Background for Asked {
    async fn start(&self, wish: Wish) -> Result<Started, NotStarted> {
        self.calls
            .lock()
            .unwrap()
            .push(format!("start {}", wish.call));
        self.started.clone()
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        self.calls.lock().unwrap().push(format!("{act:?}"));
        Ok(Acted::NotFound)
    }
}

const ID: ProcessId = ProcessId::from_bits(7);

fn asked(started: Result<Started, NotStarted>) -> Arc<Asked> {
    let calls = Mutex::default();
    Arc::new(Asked { started, calls })
}

pub(super) fn input(steps: Vec<Step>, background: Arc<dyn Background>) -> Input {
    let record = |(seq, step)| Recorded {
        seq,
        at: Timestamp::default(),
        step,
    };
    Input {
        messages: Vec::new(),
        journal: (1..).zip(steps).map(record).collect(),
        context: Context::default(),
        past: Arc::new(NoPast),
        pictures: std::sync::Arc::new(crate::pictures::NoPictures),
        background,
        consent: Arc::new(NobodyAsked),
        links: Arc::new(crate::links::InMemory::default()),
        terms: Terms::default(),
        choice: Default::default(),
        spending: std::sync::Arc::new(crate::spending::Unlimited),
    }
}

fn asked_to_start() -> Arc<Asked> {
    asked(Ok(Started { id: ID, pid: None }))
}

/// Calls a tool; tells its answer and the steps that it wrote down.
async fn called(
    input: &Input,
    (tool, arguments): (&str, Value),
) -> (Result<Value, Ended>, Vec<Step>) {
    let (events, mut told) = events::channel();
    let calling = async {
        let result = Toolbox::new(input, &events)
            .call("1", tool, arguments)
            .await;
        drop(events);
        result
    };
    let hearing = async {
        let mut steps = Vec::new();
        while let Some(event) = told.recv().await {
            match event {
                AgentEvent::Text(_)
                | AgentEvent::AnswerBegins
                | AgentEvent::AnswerDropped
                | AgentEvent::Thought(_)
                | AgentEvent::Between(_)
                | AgentEvent::Heard(_)
                | AgentEvent::Shown(_) => {
                    panic!("a tool itself says nothing")
                }
                AgentEvent::Step(step, durable) => {
                    steps.push(step);
                    durable.send(()).unwrap();
                }
            }
        }
        steps
    };
    tokio::join!(calling, hearing)
}

async fn ran(steps: Vec<Step>, dir: &Path) -> (Value, Vec<Step>) {
    let input = input(steps, Arc::new(NoBackground));
    let (result, steps) = called(&input, ("terminal", counted(dir))).await;
    (result.unwrap(), steps)
}

/// A command that leaves a line in `runs` each time it is run.
fn counted(dir: &Path) -> Value {
    json!({ "command": "echo run >>runs; echo hi", "workdir": dir })
}

fn runs(dir: &Path) -> usize {
    fs::read_to_string(dir.join("runs")).map_or(0, |lines| lines.lines().count())
}

fn begun(effect: EffectClass) -> Step {
    Step::ToolBegun {
        call: "1".into(),
        tool: "terminal".into(),
        arguments: json!({}),
        effect,
    }
}

fn finished(output: &str) -> Step {
    Step::finished("1", output)
}

async fn terminal(arguments: Value) -> Value {
    let input = input(Vec::new(), Arc::new(NoBackground));
    called(&input, ("terminal", arguments)).await.0.unwrap()
}

#[tokio::test]
async fn a_new_call_is_made_once_and_written_down_before_and_after() {
    let dir = tempfile::tempdir().unwrap();
    let (result, steps) = ran(Vec::new(), dir.path()).await;
    assert_eq!(
        result,
        json!({ "output": "hi", "exit_code": 0, "error": null })
    );
    let [
        Step::ToolBegun {
            effect, arguments, ..
        },
        Step::Moved { .. },
        last,
    ] = &steps[..]
    else {
        panic!("{steps:?}");
    };
    assert_eq!(
        (*effect, arguments),
        (EffectClass::Unknown, &counted(dir.path()))
    );
    assert_eq!(*last, finished(&result.to_string()));
    assert_eq!(runs(dir.path()), 1);
}

#[tokio::test]
async fn a_call_that_cannot_be_written_down_is_not_made() {
    let dir = tempfile::tempdir().unwrap();
    let (events, told) = events::channel();
    drop(told);
    let input = input(Vec::new(), Arc::new(NoBackground));
    let toolbox = Toolbox::new(&input, &events);
    assert_eq!(
        toolbox.call("1", "terminal", counted(dir.path())).await,
        Err(Ended)
    );
    assert_eq!(runs(dir.path()), 0);
}

#[tokio::test]
async fn a_finished_call_is_read_and_not_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let journal = vec![
        begun(EffectClass::Unknown),
        finished(r#"{"output":"earlier"}"#),
    ];
    let (result, steps) = ran(journal, dir.path()).await;
    assert_eq!((result, steps.len()), (json!({ "output": "earlier" }), 0));
    let (result, _) = ran(vec![finished("plain words")], dir.path()).await;
    assert_eq!(
        result,
        json!("plain words"),
        "as an earlier version wrote it"
    );
    assert_eq!(runs(dir.path()), 0);
}

#[tokio::test]
async fn a_command_that_was_cut_off_is_not_run_again_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let (result, steps) = ran(vec![begun(EffectClass::Unknown)], dir.path()).await;
    let said = result["error"].as_str().unwrap();
    assert!(said.starts_with(UNKNOWN), "{said}");
    assert_eq!(result["status"], "unknown");
    assert_eq!(steps, [finished(&result.to_string())]);
    assert_eq!(runs(dir.path()), 0);
}

#[tokio::test]
async fn of_a_command_that_was_cut_off_is_said_that_it_may_be_running_still() {
    let dir = tempfile::tempdir().unwrap();
    let (result, _) = ran(vec![begun(EffectClass::Unknown)], dir.path()).await;
    let said = result["error"].as_str().unwrap();
    assert!(
        said.contains("may also be running still") && said.contains("`ps -ef`"),
        "{said}"
    );
    // Nothing runs by itself that was typed into a process.
    let input = input(vec![begun(EffectClass::Unknown)], Arc::new(NoBackground));
    let (result, _) = called(&input, ("process", json!({ "action": "submit" }))).await;
    assert_eq!(result.unwrap()["error"], UNKNOWN);
}

#[tokio::test]
async fn a_start_that_was_cut_off_is_made_again_under_the_same_key() {
    let background = asked(Ok(Started {
        id: ID,
        pid: Some(42),
    }));
    let input = input(vec![begun(EffectClass::Keyed)], background.clone());
    let arguments = json!({ "command": "make", "background": true });
    let (result, steps) = called(&input, ("terminal", arguments)).await;
    let result = result.unwrap();
    assert_eq!(
        (&result["session_id"], &result["pid"]),
        (&json!(ID.to_string()), &json!(42))
    );
    assert_eq!(
        (&result["exit_code"], &result["error"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(steps, [finished(&result.to_string())]);
    assert_eq!(*background.calls.lock().unwrap(), ["start 1"]);
}

#[tokio::test]
async fn a_start_that_began_is_found_whatever_has_been_forbidden_since() {
    let arguments = json!({ "command": "make", "background": true });
    for (command, calls) in [("make", 1), ("make all", 0)] {
        let background = asked_to_start();
        let begun = Step::ToolBegun {
            call: "1".into(),
            tool: "terminal".into(),
            arguments: arguments.clone(),
            effect: EffectClass::Keyed,
        };
        let mut input = input(vec![begun], background.clone());
        Arc::make_mut(&mut input.terms.rules).deny = vec!["make*".into()];
        input.context.directory = Some("/gone/for/good".into());
        let again = json!({ "command": command, "background": true });
        called(&input, ("terminal", again)).await.0.unwrap();
        assert_eq!(background.calls.lock().unwrap().len(), calls, "{command}");
    }
}

#[tokio::test]
async fn a_start_that_fails_is_a_result_and_the_end_of_the_turn_is_none() {
    let arguments = || ("terminal", json!({ "command": "make", "background": true }));
    let why = "too many".to_owned();
    let failed = asked(Err(NotStarted::Failed { id: ID, why }));
    let (result, _) = called(&input(Vec::new(), failed), arguments()).await;
    let result = result.unwrap();
    assert_eq!(
        (&result["exit_code"], &result["error"]),
        (&json!(-1), &json!("too many"))
    );
    assert_eq!(
        result["session_id"],
        ID.to_string(),
        "what failed can be looked at"
    );
    let ended = asked(Err(NotStarted::Ended));
    let (result, steps) = called(&input(Vec::new(), ended), arguments()).await;
    assert_eq!((result, steps.len()), (Err(Ended), 1));
}

#[tokio::test]
async fn what_was_typed_is_not_typed_again_but_a_kill_is_made_again() {
    let background = asked(Err(NotStarted::Ended));
    for (action, effect) in [
        ("submit", EffectClass::Unknown),
        ("kill", EffectClass::Keyed),
    ] {
        let input = input(vec![begun(effect)], background.clone());
        let arguments = json!({ "action": action, "session_id": "p", "data": "y" });
        called(&input, ("process", arguments)).await.0.unwrap();
    }
    assert_eq!(*background.calls.lock().unwrap(), ["Kill(\"p\")"]);
}

#[tokio::test]
async fn a_wrong_call_is_a_result() {
    let input = input(Vec::new(), Arc::new(NoBackground));
    let (result, steps) = called(&input, ("terminals", json!({}))).await;
    assert_eq!(
        result.unwrap()["error"],
        "there is no tool `terminals`; did you mean `terminal`?"
    );
    assert_eq!(steps.len(), 2);
    let (result, _) = called(&input, ("process", json!({ "action": "dance" }))).await;
    assert!(
        result.unwrap()["error"]
            .as_str()
            .unwrap()
            .contains("list, poll, log")
    );
    let long = json!({ "command": "x".repeat(300_000) });
    let (result, _) = called(&input, ("terminal", long)).await;
    assert!(
        result.unwrap()["error"]
            .as_str()
            .unwrap()
            .contains("too long")
    );
}

#[tokio::test]
async fn how_a_command_ended_is_the_truth() {
    let result = terminal(json!({ "command": "printf ' \\033[31ma\\033[0m\\n\\n'; exit 3" })).await;
    assert_eq!(
        result,
        json!({ "output": "a", "exit_code": 3, "error": null })
    );
    let result = terminal(json!({ "command": "kill -9 $$" })).await;
    assert_eq!(
        (&result["exit_code"], &result["signal"]),
        (&json!(-9), &json!(9))
    );
    let result = terminal(json!({ "command": "echo a; sleep 1000", "timeout": 4 })).await;
    assert_eq!(
        (&result["exit_code"], &result["timed_out"]),
        (&json!(124), &json!(true))
    );
    assert_eq!(result["output"], "a\n[timed out after 4 s]");
    let result = terminal(json!({ "command": "true", "workdir": "/no/such/place" })).await;
    assert!(
        result["error"]
            .as_str()
            .unwrap()
            .contains("could not be started")
    );
    assert_eq!(result["exit_code"], -1);
}

/// Answers every question alike, and writes down what was asked.
#[derive(Debug)]
struct Person {
    answer: Answer,
    asked: Mutex<Vec<Question>>,
}

#[async_trait]
impl Consent for Person {
    async fn ask(&self, question: Question) -> Result<Answer, Ended> {
        self.asked.lock().unwrap().push(question);
        Ok(self.answer.clone())
    }

    async fn inquire(&self, inquiry: Inquiry) -> Result<Told, Ended> {
        Ok(Told::Answered(inquiry.choices.join(" and ")))
    }
}

#[tokio::test]
async fn an_output_of_any_length_fits_an_entry_of_the_journal() {
    let noise = "head -c 10000000 /dev/zero | tr '\\0' '\\377'";
    let result = terminal(json!({ "command": noise })).await;
    assert!(result.to_string().len() <= angelia_core::limits::STEP_BYTES_MAX);
    assert!(result["output"].as_str().unwrap().contains("TRUNCATED"));
}

#[tokio::test]
async fn a_directory_that_vanished_is_refused_and_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().canonicalize().unwrap();
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.context.directory = Some(place.join("gone/for/good"));
    for workdir in [json!(null), json!("below")] {
        let arguments = json!({ "command": "pwd", "workdir": workdir });
        let (result, _) = called(&input, ("terminal", arguments)).await;
        let result = result.unwrap();
        assert_eq!(result["status"], "blocked");
        let why = result["error"].as_str().unwrap();
        assert!(
            why.contains(&format!("such as {}.", place.display())),
            "{why}"
        );
    }
    let named = json!({ "command": "pwd", "workdir": place });
    let (result, _) = called(&input, ("terminal", named)).await;
    assert_eq!(result.unwrap()["output"], place.display().to_string());
}

/// Says yes, after something has happened to a directory.
#[derive(Debug)]
struct Slow {
    gone: PathBuf,
}

#[async_trait]
impl Consent for Slow {
    async fn ask(&self, _question: Question) -> Result<Answer, Ended> {
        fs::remove_dir_all(&self.gone).unwrap();
        Ok(Answer::Granted(Grant::Once))
    }

    async fn inquire(&self, _inquiry: Inquiry) -> Result<Told, Ended> {
        Err(Ended)
    }
}

#[tokio::test]
async fn a_directory_that_vanishes_while_somebody_is_asked_is_not_replaced_either() {
    let dir = tempfile::tempdir().unwrap();
    let gone = dir.path().join("work");
    fs::create_dir(&gone).unwrap();
    fs::write(dir.path().join("precious"), "x").unwrap();
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.context.directory = Some(gone.clone());
    input.consent = Arc::new(Slow { gone });
    let (result, _) = called(&input, ("terminal", json!({ "command": "rm -rf *" }))).await;
    let result = result.unwrap();
    assert_eq!(result["exit_code"], -1, "{result}");
    assert!(dir.path().join("precious").exists());
}

/// Another place on this machine: its shell has a home of its own.
fn elsewhere(home: &Path) -> Target {
    let home = format!("HOME={}", home.display());
    Target::Template(["env", &home, "sh", "-s"].map(str::to_owned).into())
}

#[tokio::test]
async fn in_another_place_nothing_is_looked_up_here() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().canonicalize().unwrap();
    fs::create_dir(home.join("below")).unwrap();
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.context.target = elsewhere(&home);
    let at_home = json!({ "command": "pwd", "workdir": "~/below" });
    let (result, steps) = called(&input, ("terminal", at_home)).await;
    let below = home.join("below").display().to_string();
    assert_eq!(result.unwrap()["output"], below);
    let moved = Step::Moved { directory: below };
    assert!(steps.contains(&moved), "{steps:?}");
    input.context.directory = Some(home.join("only/there"));
    let (result, _) = called(&input, ("terminal", json!({ "command": "echo ran" }))).await;
    let why = result.unwrap();
    assert!(
        why["error"].as_str().unwrap().contains("only/there"),
        "{why}"
    );
    assert_eq!(why["output"], "");
}

#[tokio::test]
async fn a_question_says_where_the_command_would_run_and_the_answer_is_for_that_place() {
    let asked = async |target: Target| {
        let person = Arc::new(Person {
            answer: Answer::Refused("no".into()),
            asked: Mutex::default(),
        });
        let mut input = input(Vec::new(), Arc::new(NoBackground));
        input.consent = person.clone();
        input.context.target = target;
        let command = json!({ "command": "rm -r x", "workdir": "/srv" });
        called(&input, ("terminal", command)).await.0.unwrap();
        person.asked.lock().unwrap().remove(0)
    };
    let here = asked(Target::Local).await;
    let there = asked(elsewhere(Path::new("/x"))).await;
    assert_eq!(here.backend, "local");
    assert_eq!(there.backend, "template:env HOME=/x sh -s");
    assert_ne!(here.fingerprint, there.fingerprint);
}

#[tokio::test]
async fn a_tilde_is_the_home_directory() {
    let home = terminal(json!({ "command": "cd && pwd -P" })).await;
    let there = terminal(json!({ "command": "pwd -P", "workdir": "~" })).await;
    assert_eq!(home["exit_code"], 0);
    assert_eq!(there["output"], home["output"]);
}

#[tokio::test]
async fn what_is_refused_before_anything_runs() {
    for (arguments, status) in [
        (json!({ "command": "npm run dev" }), "error"),
        (json!({ "command": "sleep 9 &" }), "error"),
        (
            json!({ "command": "true", "workdir": "/a$(id)" }),
            "blocked",
        ),
    ] {
        let result = terminal(arguments).await;
        assert_eq!(
            (&result["status"], &result["exit_code"]),
            (&json!(status), &json!(-1))
        );
    }
    let found = terminal(json!({ "command": "echo a | grep b" })).await;
    assert_eq!(found["exit_code"], 1);
    assert!(found["exit_code_meaning"].is_string(), "{found}");
}

#[tokio::test]
async fn commands_go_on_where_the_last_one_left_off_also_in_another_turn() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().canonicalize().unwrap();
    let first = input(Vec::new(), Arc::new(NoBackground));
    let there = json!({ "command": format!("cd {}", place.display()) });
    let (_, steps) = called(&first, ("terminal", there)).await;
    let moved = Step::Moved {
        directory: place.display().to_string(),
    };
    assert_eq!(steps[1], moved);
    let pwd = || ("terminal", json!({ "command": "pwd" }));
    let again = input(vec![moved], Arc::new(NoBackground));
    let (result, steps) = called(&again, pwd()).await;
    assert_eq!(result.unwrap()["output"], place.display().to_string());
    assert_eq!(steps.len(), 2, "who stays says nothing");
    let mut later = input(Vec::new(), Arc::new(NoBackground));
    later.context.directory = Some(place.clone());
    let (result, _) = called(&later, pwd()).await;
    assert_eq!(result.unwrap()["output"], place.display().to_string());
}

#[tokio::test]
async fn a_tool_that_is_not_in_the_set_is_refused() {
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.terms.tools = Toolset::new([]);
    let (result, _) = called(&input, ("terminal", json!({ "command": "echo hi" }))).await;
    let why = result.unwrap()["error"].to_string();
    assert!(why.contains("there is no tool `terminal`"), "{why}");
}

#[tokio::test]
async fn a_person_is_asked_and_the_answer_is_told() {
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.consent = Arc::new(Person {
        answer: Answer::Granted(Grant::Once),
        asked: Mutex::default(),
    });
    let question = json!({ "question": "Which?", "choices": ["red", "blue"] });
    let (told, steps) = called(&input, ("ask_user", question.clone())).await;
    assert_eq!(
        told.unwrap(),
        json!({ "status": "answered", "answer": "red and blue" })
    );
    assert!(matches!(
        &steps[0],
        Step::ToolBegun {
            effect: EffectClass::Keyed,
            ..
        }
    ));
    input.consent = Arc::new(NobodyAsked);
    let (told, _) = called(&input, ("ask_user", question)).await;
    assert_eq!(told.unwrap()["status"], "unanswered");
    for wrong in [
        json!({ "question": " " }),
        json!({ "question": "x".repeat(3_000) }),
        json!({ "question": "x", "choices": [""] }),
        json!({ "question": "x", "choices": vec!["y"; 11] }),
    ] {
        let (told, _) = called(&input, ("ask_user", wrong)).await;
        assert!(told.unwrap()["error"].is_string());
    }
}
