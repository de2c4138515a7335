//! What is dangerous is asked about before it is done: commands, and what is typed into a shell.

use super::*;

/// Runs a dangerous command that removes `dir`, with this answer to any question.
async fn removed(dir: &Path, answer: Answer) -> (Value, Vec<Step>, Vec<Question>) {
    let asked = Mutex::default();
    let person = Arc::new(Person { answer, asked });
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.consent = person.clone();
    let command = json!({ "command": format!("rm -r {}", dir.display()) });
    let (result, steps) = called(&input, ("terminal", command)).await;
    let asked = person.asked.lock().unwrap().clone();
    (result.unwrap(), steps, asked)
}

#[tokio::test]
async fn what_is_dangerous_runs_after_a_yes_and_never_after_a_no() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("inner");
    fs::create_dir(&place).unwrap();
    let (result, steps, asked) = removed(&place, Answer::Refused("no, leave it".into())).await;
    assert_eq!(
        (&result["status"], &result["error"]),
        (&json!("blocked"), &json!("no, leave it"))
    );
    assert_eq!((asked.len(), steps.len(), place.exists()), (1, 2, true));
    assert!(!asked[0].reasons.is_empty());
    let (result, _, asked) = removed(&place, Answer::Granted(Grant::Once)).await;
    assert_eq!((&result["exit_code"], place.exists()), (&json!(0), false));
    assert_eq!(asked[0].call, "1");
    assert!(
        asked[0].command.starts_with("rm -r"),
        "the very words are shown"
    );
}

#[tokio::test]
async fn some_commands_are_never_asked_about() {
    let person = Arc::new(Person {
        answer: Answer::Granted(Grant::Always),
        asked: Mutex::default(),
    });
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.consent = person.clone();
    for command in ["rm -rf /", "angelia serve --replace", "pkill angelia"] {
        let arguments = json!({ "command": command });
        let (result, _) = called(&input, ("terminal", arguments)).await;
        assert_eq!(result.unwrap()["status"], "blocked", "{command}");
    }
    assert!(person.asked.lock().unwrap().is_empty());
}

/// A conversation with one process, which runs this.
#[derive(Debug)]
struct Running {
    command: &'static str,
    told: Mutex<Vec<Words>>,
}

#[async_trait]
impl Background for Running {
    async fn start(&self, _wish: Wish) -> Result<Started, NotStarted> {
        let pid = None;
        Ok(Started { id: ID, pid })
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        if let Act::Tell(_, words) = act {
            self.told.lock().unwrap().push(words);
            return Ok(Acted::Told(1));
        }
        Ok(Acted::Looked(Looked {
            id: ID,
            command: self.command.to_owned(),
            workdir: Some("/srv".to_owned()),
            mode: Mode::Pipe,
            pid: None,
            started_at: Timestamp::default(),
            age: Span::default(),
            state: State::Running,
            watch: Watch::the_end(Notice::Unwanted),
            output: String::new(),
            output_bytes: 0,
        }))
    }
}

/// Types into a process that runs `command`; tells the answer, what was asked and what was written.
async fn typed(command: &'static str, data: &str, answer: Answer) -> (Value, usize, usize) {
    let person = Arc::new(Person {
        answer,
        asked: Mutex::default(),
    });
    let told = Mutex::default();
    let running = Arc::new(Running { command, told });
    let mut input = input(Vec::new(), running.clone());
    input.consent = person.clone();
    let arguments = json!({ "action": "submit", "session_id": ID.to_string(), "data": data });
    let (result, _) = called(&input, ("process", arguments)).await;
    let asked = person.asked.lock().unwrap().len();
    let told = running.told.lock().unwrap().len();
    (result.unwrap(), asked, told)
}

#[tokio::test]
async fn what_is_typed_into_a_shell_is_judged_like_a_command() {
    let yes = || Answer::Granted(Grant::Once);
    let no = || Answer::Refused("no".into());
    let (_, asked, told) = typed("bash -i", "ls", no()).await;
    assert_eq!((asked, told), (0, 1));
    for command in ["rm -rf /", "angelia stop", "angelia serve --replace"] {
        let (result, asked, told) = typed("sh", command, yes()).await;
        assert_eq!((asked, told), (0, 0), "{command}");
        assert_eq!(result["status"], "blocked", "{command}");
    }
    let (result, asked, told) = typed("sh", "rm -rf build", no()).await;
    assert_eq!((asked, told), (1, 0));
    assert_eq!(result, json!({ "status": "blocked", "error": "no" }));
    let (_, asked, told) = typed("sh", "rm -rf build", yes()).await;
    assert_eq!((asked, told), (1, 1));
    let (_, asked, told) = typed("cat", "rm -rf /", no()).await;
    assert_eq!((asked, told), (0, 1), "who does not run it may hear it");
}

#[tokio::test]
async fn a_shell_that_can_be_typed_into_is_started_after_a_yes() {
    let no = Answer::Refused("no".into());
    for (more, questions) in [
        (json!({}), 1),
        (json!({ "stdin": "open" }), 1),
        (json!({ "pty": true }), 1),
        (json!({ "stdin": "closed" }), 0),
    ] {
        let asked = Mutex::default();
        let answer = no.clone();
        let person = Arc::new(Person { answer, asked });
        let started = asked_to_start();
        let mut input = input(Vec::new(), started);
        input.consent = person.clone();
        let mut arguments = json!({ "command": "sh", "background": true });
        let all = arguments.as_object_mut().unwrap();
        all.extend(more.as_object().unwrap().clone());
        called(&input, ("terminal", arguments)).await.0.unwrap();
        assert_eq!(person.asked.lock().unwrap().len(), questions, "{more}");
    }
}

#[tokio::test]
async fn a_question_comes_before_the_beginning_is_written_down() {
    let dir = tempfile::tempdir().unwrap();
    let (events, told) = events::channel();
    drop(told);
    let asked = Mutex::default();
    let person = Arc::new(Person {
        answer: Answer::Granted(Grant::Once),
        asked,
    });
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.consent = person.clone();
    let command = json!({ "command": format!("rm -r {}", dir.path().display()) });
    let called = Toolbox::new(&input, &events)
        .call("1", "terminal", command)
        .await;
    assert_eq!(
        called,
        Err(Ended),
        "the turn ended while the question was open"
    );
    assert_eq!(person.asked.lock().unwrap().len(), 1);
    assert!(dir.path().exists());
}
