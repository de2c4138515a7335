use super::*;

use std::sync::Mutex;

/// Answers every question alike, and remembers them.
#[derive(Debug)]
struct Answers {
    answer: Answer,
    rules: Rules,
    asked: Mutex<Vec<Question>>,
}

#[async_trait]
impl Consent for Answers {
    fn policy(&self) -> Policy {
        Policy {
            rules: Arc::new(self.rules.clone()),
            surface: Surface::Person,
        }
    }

    async fn ask(&self, question: Question) -> Result<Answer, Ended> {
        self.asked.lock().unwrap().push(question);
        Ok(self.answer.clone())
    }
}

fn answers(answer: Answer) -> Answers {
    Answers {
        answer,
        rules: Rules::default(),
        asked: Mutex::default(),
    }
}

fn granting() -> Answers {
    answers(Answer::Granted(Grant::Once))
}

fn wanted(command: &str) -> Wanted<'_> {
    Wanted {
        call: "1",
        command,
        workdir: Some(Path::new("/work")),
        backend: "local",
        isolation: Isolation::None,
    }
}

#[tokio::test]
async fn harmless_commands_need_no_question() {
    let consent = granting();
    let given = leave(&consent, &wanted("ls -l")).await.unwrap();
    assert_eq!(given, Leave::Given);
    assert!(consent.asked.lock().unwrap().is_empty());
    assert_eq!(
        leave(&NobodyAsked, &wanted("ls -l")).await,
        Ok(Leave::Given)
    );
}

#[tokio::test]
async fn dangerous_ones_are_asked_about_with_what_an_answer_is_bound_to() {
    let consent = granting();
    let command = "rm -rf build";
    assert_eq!(leave(&consent, &wanted(command)).await, Ok(Leave::Given));
    let asked = consent.asked.lock().unwrap();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        (asked[0].call.as_str(), asked[0].command.as_str()),
        ("1", command)
    );
    assert!(!asked[0].reasons.is_empty());
    let print = danger::fingerprint(command, "/work", "local");
    assert_eq!(asked[0].fingerprint, print);
}

#[tokio::test]
async fn a_no_is_told_to_the_agent_as_it_was_said() {
    let consent = answers(Answer::Refused("not today".into()));
    let refused = leave(&consent, &wanted("rm -rf build")).await;
    assert_eq!(refused, Ok(Leave::Refused("not today".into())));
}

#[tokio::test]
async fn what_is_never_run_is_refused_without_a_question() {
    let consent = Answers {
        rules: Rules {
            deny: vec!["git push*".to_owned()],
            ..Rules::default()
        },
        ..granting()
    };
    for command in ["rm -rf /", "git push origin"] {
        let refused = leave(&consent, &wanted(command)).await.unwrap();
        assert!(matches!(refused, Leave::Refused(_)), "{command}");
    }
    assert!(consent.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn where_nobody_can_be_asked_nothing_is_agreed_to() {
    let refused = leave(&NobodyAsked, &wanted("rm -rf build")).await.unwrap();
    assert!(matches!(refused, Leave::Refused(_)));
    let question = Question {
        call: "1".into(),
        command: "x".into(),
        workdir: None,
        backend: "local".into(),
        reasons: Vec::new(),
        fingerprint: [0; 32],
    };
    let refused = NobodyAsked.ask(question).await.unwrap();
    assert!(matches!(refused, Answer::Refused(_)));
}
