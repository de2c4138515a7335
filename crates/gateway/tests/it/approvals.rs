//! Questions: asked in chat, answered by the right person, and the very call goes on.

mod inquiries;
mod order;
mod outage;
mod patience;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use angelia_agents::consent::{Answer, Inquiry, Question, Sort, Told};
use angelia_agents::events::{Ended, Events};
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::address::ChatKind;
use angelia_core::approval::{Decision, Grant, Verdict};
use angelia_core::id::InboxId;
use angelia_core::inbound::Inbound;
use angelia_core::outbound::DeliveryKind;
use angelia_core::recovery::EffectClass;
use angelia_core::turn::busy::{Mode, Steering};
use angelia_core::turn::journal::{self, Progress, Step};
use angelia_gateway::approvals::{self, Choice};
use angelia_gateway::gateway::Gateway;
use angelia_store::approvals::{Approval, ApprovalFilter, Approvals, Ruled};
use angelia_store::intake::{Accept, Accepted, Intake};
use angelia_store::views::{Range, Story};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::commands::Parrot;
use crate::house::{House, message, state, write};

/// Runs what it is told, after asking: `run a b` one after the other, `both a b` at once, `later a` in a
/// while; `long a` after most of a turn's time, with work behind it; `wonder a b` asks which of them. It keeps to the journal like any tool, and remembers what really ran.
#[derive(Default)]
struct Runs {
    ran: Mutex<Vec<String>>,
}

#[async_trait]
impl Backend for Runs {
    fn name(&self) -> &'static str {
        "runs"
    }

    fn steering(&self) -> Steering {
        Steering::Impossible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        _stop: CancellationToken,
    ) -> Result<(), AgentError> {
        assert_eq!(input.messages.len(), 1, "answers are not said to the agent");
        let text = input.messages[0].text.clone();
        let mut words = text.split(' ');
        let told = match (words.next(), words.collect::<Vec<_>>().as_slice()) {
            (Some("both"), [one, two]) => {
                let (one, two) = tokio::join!(
                    self.call(&input, &events, ("1", one)),
                    self.call(&input, &events, ("2", two))
                );
                one.and(two)
            }
            (Some("later"), [one]) => {
                tokio::time::sleep(Duration::from_secs(60)).await;
                self.call(&input, &events, ("1", one)).await
            }
            (Some("long"), [one]) => {
                tokio::time::sleep(Duration::from_mins(25)).await;
                let called = self.call(&input, &events, ("1", one)).await;
                tokio::time::sleep(Duration::from_mins(4)).await;
                called
            }
            (Some("wonder"), some) => wonder(&input, &events, some).await,
            (_, some) => self.in_order(&input, &events, some).await,
        };
        told.map_err(|_| AgentError::passing("gone"))
    }
}

async fn wonder(input: &Input, events: &Events, choices: &[&str]) -> Result<(), Ended> {
    let inquiry = Inquiry {
        call: "1".to_owned(),
        question: "Which?".to_owned(),
        choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
    };
    match input.consent.inquire(inquiry).await? {
        Told::Answered(answer) => events.text(format!("it is {answer}")).await,
        Told::Nothing(why) => events.text(why).await,
    }
}

impl Runs {
    async fn in_order(&self, input: &Input, events: &Events, all: &[&str]) -> Result<(), Ended> {
        for (number, command) in (1..).zip(all) {
            let call = number.to_string();
            self.call(input, events, (&call, command)).await?;
        }
        Ok(())
    }

    async fn call(
        &self,
        input: &Input,
        events: &Events,
        (call, command): (&str, &str),
    ) -> Result<(), Ended> {
        match journal::progress(&input.journal, call) {
            Progress::Finished(output) => return events.text(output).await,
            Progress::Begun(_) => return events.text("nobody knows. ").await,
            Progress::Unbegun => (),
        }
        let question = Question {
            call: call.to_owned(),
            sort: Sort::Command,
            command: command.to_owned(),
            workdir: None,
            backend: "local".to_owned(),
            reasons: vec!["it is a test".to_owned()],
            fingerprint: [command.as_bytes()[0]; 32],
        };
        let output = match input.consent.ask(question).await? {
            Answer::Refused(why) => format!("{why} "),
            Answer::Granted(_) => {
                let begun = Step::ToolBegun {
                    call: call.to_owned(),
                    tool: "terminal".to_owned(),
                    arguments: serde_json::json!({ "command": command }),
                    effect: EffectClass::Unknown,
                };
                events.record(begun).await?;
                self.ran.lock().unwrap().push(command.to_owned());
                format!("ran {command}. ")
            }
        };
        let finished = Step::finished(call, output.as_str());
        events.record(finished).await?;
        events.text(output).await
    }
}

struct Room {
    house: House<Parrot>,
    agent: Arc<Runs>,
    gateway: Gateway,
    number: u32,
}

impl Room {
    async fn open() -> Self {
        Self::with(Choice::default()).await
    }

    async fn with(choice: Choice) -> Self {
        Self::made(choice, Mode::Queue).await
    }

    async fn made(choice: Choice, busy: Mode) -> Self {
        let mut house = House::new(Parrot::default(), busy);
        house.approvals = choice;
        Self::of(house).await
    }

    async fn of(house: House<Parrot>) -> Self {
        let agent = Arc::new(Runs::default());
        let gateway = house.start_with(1, agent.clone(), None).await;
        Self {
            house,
            agent,
            gateway,
            number: 0,
        }
    }

    /// The node dies where it stands; another one starts.
    async fn restart(&mut self) {
        self.gateway = self.house.start_with(2, self.agent.clone(), None).await;
    }

    async fn say_in(&mut self, chat: &str, text: &str) -> InboxId {
        self.number += 1;
        write(&self.gateway, chat, self.number, text).await
    }

    async fn say(&mut self, text: &str) -> InboxId {
        self.say_in("c", text).await
    }

    async fn put_in(&self, inbound: Inbound) -> InboxId {
        match self.gateway.door().accept(inbound, None).await.unwrap() {
            Accepted::New(place) => place.inbox,
            other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => panic!("{other:?}"),
        }
    }

    /// All questions, newest first.
    async fn questions(&self) -> Vec<Approval> {
        let range = Range {
            after: None,
            limit: 50,
        };
        let page = self.house.store.approvals(ApprovalFilter::default(), range);
        page.await.unwrap().items
    }

    /// Waits until so many questions were asked; the newest.
    async fn asked(&self, count: usize) -> Approval {
        for _ in 0..1000 {
            let questions = self.questions().await;
            if questions.len() >= count {
                return questions.into_iter().next().unwrap();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("nobody asked");
    }

    async fn settled(&self, inbox: InboxId) -> Story {
        let over = |story: &Story| !["waiting", "running"].contains(&state(story));
        self.house.until(inbox, over).await
    }

    async fn reply(&self, inbox: InboxId) -> String {
        let story = self.settled(inbox).await;
        let parts = story.deliveries.iter();
        let parts = parts.filter(|one| one.kind == DeliveryKind::Reply);
        parts.map(|one| one.text.as_str()).collect()
    }

    /// Says it, answers the question that follows with `answer`, and tells the reply.
    async fn ask(&mut self, text: &str, answer: &str) -> String {
        let before = self.questions().await.len();
        let inbox = self.say(text).await;
        self.asked(before + 1).await;
        self.say(answer).await;
        self.reply(inbox).await
    }

    fn ran(&self) -> Vec<String> {
        self.agent.ran.lock().unwrap().clone()
    }
}

fn decision(approval: &Approval) -> Option<Decision> {
    approval.decided.as_ref().map(|decided| decided.decision)
}

#[tokio::test(start_paused = true)]
async fn a_question_is_shown_and_an_answer_lets_the_call_go_on_at_once() {
    let mut room = Room::open().await;
    let inbox = room.say("run a").await;
    let shown = |story: &Story| story.deliveries.iter().any(|one| one.sent_at.is_some());
    let story = room.house.until(inbox, shown).await;
    assert_eq!(state(&story), "running");
    assert_eq!(story.deliveries[0].kind, DeliveryKind::Notice);
    let text = &story.deliveries[0].text;
    assert!(text.contains("    a\n") && text.contains("/approve always"));
    assert!(room.ran().is_empty());
    let answered = tokio::time::Instant::now();
    let answer = room.say("/approve").await;
    assert_eq!(room.reply(inbox).await, "ran a. ");
    assert!(answered.elapsed() < Duration::from_secs(1), "it rang");
    assert_eq!(room.reply(answer).await, "ran a. ", "one reply for both");
    assert_eq!(room.ran(), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn once_is_for_the_call_and_the_same_command_is_asked_about_again() {
    let mut room = Room::open().await;
    assert_eq!(room.ask("run a", "/approve").await, "ran a. ");
    let again = room.say("run a").await;
    room.asked(2).await;
    room.say("/deny").await;
    assert!(room.reply(again).await.contains("Not run"));
    assert_eq!(room.ran(), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn for_the_conversation_is_for_the_same_command_there() {
    let mut room = Room::open().await;
    assert_eq!(room.ask("run a", "/approve session").await, "ran a. ");
    let again = room.say("run a").await;
    assert_eq!(room.reply(again).await, "ran a. ");
    let other = room.ask("run b", "/deny").await;
    assert!(other.contains("Not run"), "{other}");
    let elsewhere = room.say_in("d", "run a").await;
    room.asked(4).await;
    room.say_in("d", "/deny").await;
    assert!(room.reply(elsewhere).await.contains("Not run"));
    assert_eq!(room.ran(), ["a", "a"]);
}

#[tokio::test(start_paused = true)]
async fn always_is_for_the_same_command_of_the_same_person_everywhere() {
    let mut room = Room::open().await;
    assert_eq!(room.ask("run a", "/approve always").await, "ran a. ");
    let elsewhere = room.say_in("d", "run a").await;
    assert_eq!(room.reply(elsewhere).await, "ran a. ");
    let other = room.ask("run b", "/deny").await;
    assert!(other.contains("Not run"), "{other}");
    let stranger = room.put_in(by("e", "run a", "somebody else")).await;
    room.asked(4).await;
    let open = room.asked(4).await;
    assert_eq!(decision(&open), None);
    let denied = Verdict::Denied(None);
    approvals::decide(room.gateway.ground(), open.id, denied)
        .await
        .unwrap();
    assert!(room.reply(stranger).await.contains("Not run"));
}

fn by(chat: &str, text: &str, person: &str) -> Inbound {
    let mut inbound = message(chat, 900, text);
    inbound.person.id = person.to_owned();
    inbound
}

#[tokio::test(start_paused = true)]
async fn a_denial_tells_the_agent_why() {
    let mut room = Room::open().await;
    let reply = room.ask("run a", "/deny not on a Friday").await;
    assert!(reply.contains("not on a Friday"), "{reply}");
    assert!(room.ran().is_empty());
}

#[tokio::test(start_paused = true)]
async fn without_an_answer_nothing_runs_and_the_turn_goes_on() {
    let mut room = Room::open().await;
    let began = tokio::time::Instant::now();
    let inbox = room.say("run a").await;
    let reply = room.reply(inbox).await;
    assert!(
        reply.contains("nobody answered the question in time"),
        "{reply}"
    );
    assert!(began.elapsed() >= Duration::from_secs(600));
    assert!(began.elapsed() < Duration::from_secs(620));
    let late = room.say("/approve").await;
    assert!(room.reply(late).await.contains("Nothing waits"));
    assert!(room.ran().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_operator_answers_from_elsewhere() {
    let mut room = Room::open().await;
    let inbox = room.say("run a").await;
    let question = room.asked(1).await;
    let granted = Verdict::Granted(Grant::Once);
    let answered = tokio::time::Instant::now();
    approvals::decide(room.gateway.ground(), question.id, granted)
        .await
        .unwrap();
    assert_eq!(room.reply(inbox).await, "ran a. ");
    assert!(answered.elapsed() < Duration::from_secs(1), "it rang");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_waits_for_an_answer_can_be_stopped() {
    let mut room = Room::open().await;
    let inbox = room.say("run a").await;
    room.asked(1).await;
    let stop = room.say("/stop").await;
    assert!(room.reply(stop).await.contains("Stopped, as you asked."));
    assert_eq!(state(&room.settled(inbox).await), "interrupted");
    assert_eq!(decision(&room.asked(1).await), Some(Decision::Withdrawn));
    let late = room.say("/approve").await;
    assert!(room.reply(late).await.contains("Nothing waits"));
    assert!(room.ran().is_empty());
}

#[tokio::test(start_paused = true)]
async fn somebody_else_in_the_room_approves_nothing_and_is_told_so() {
    let room = Room::open().await;
    let in_room = |number: u32, text: &str, person: &str| {
        let mut inbound = message("room", number, text);
        inbound.address.chat.kind = ChatKind::Group;
        inbound.address.thread = Some("shared".to_owned());
        inbound.person.id = person.to_owned();
        inbound
    };
    let inbox = room.put_in(in_room(1, "run a", "anna")).await;
    room.asked(1).await;
    room.put_in(in_room(2, "/approve", "ben")).await;
    let told = |story: &Story| {
        let mut texts = story.deliveries.iter().filter(|one| one.sent_at.is_some());
        texts.any(|one| one.text.contains("or an operator"))
    };
    let story = room.house.until(inbox, told).await;
    assert_eq!(state(&story), "running");
    assert!(room.ran().is_empty());
    room.put_in(in_room(3, "/approve", "anna")).await;
    assert_eq!(room.reply(inbox).await, "ran a. ");
}

#[tokio::test(start_paused = true)]
async fn a_yes_before_the_question_agrees_to_nothing() {
    let mut room = Room::open().await;
    let inbox = room.say("later a").await;
    let early = room.say("/approve").await;
    room.house
        .until(inbox, |story| !story.deliveries.is_empty())
        .await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert!(room.ran().is_empty());
    room.say("/deny").await;
    assert!(room.reply(inbox).await.contains("Not run"));
    assert!(room.reply(early).await.contains("Nothing waits"));
}

#[tokio::test(start_paused = true)]
async fn two_questions_of_one_turn_are_answered_in_their_order() {
    let mut room = Room::open().await;
    let inbox = room.say("both a b").await;
    room.asked(2).await;
    room.say("/deny").await;
    room.say("/approve").await;
    let reply = room.reply(inbox).await;
    assert!(
        reply.contains("Not run") && reply.contains("ran b."),
        "{reply}"
    );
    assert_eq!(room.ran(), ["b"]);
    let inbox = room.say("both a b").await;
    room.asked(4).await;
    room.say("/approve all").await;
    room.reply(inbox).await;
    assert_eq!(room.ran().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn an_operator_can_have_nobody_asked() {
    let denying = Choice {
        mode: approvals::Mode::Deny,
        ..Choice::default()
    };
    let mut room = Room::with(denying).await;
    let inbox = room.say("run a").await;
    let reply = room.reply(inbox).await;
    assert!(reply.contains("set to give none"), "{reply}");
    assert!(room.ran().is_empty() && room.questions().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn secrets_of_a_command_are_not_shown() {
    let mut room = Room::open().await;
    room.say("run API_KEY=abcdefghijklmnopqrstuvwxyz0123456789")
        .await;
    let question = room.asked(1).await;
    assert!(!question.matter.command.contains("klmnop"), "{question:?}");
}
