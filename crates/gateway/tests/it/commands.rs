//! Commands: followed by the gateway, once, and never seen by the agent.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use angelia_agents::AgentError;
use angelia_agents::events::Events;
use angelia_core::id::{InboxId, SessionId};
use angelia_core::turn::busy::Mode;
use angelia_gateway::gateway::Gateway;
use angelia_store::intake::{Accept, Accepted, Intake};
use angelia_store::transcripts::{Last, Transcripts};
use angelia_store::views::Story;
use async_trait::async_trait;

use crate::house::{House, Script, message, state, write};

/// Repeats what it hears, or hangs; remembers all of it.
#[derive(Default)]
pub(crate) struct Parrot {
    pub(crate) heard: Mutex<Vec<String>>,
}

#[async_trait]
impl Script for Parrot {
    async fn answer(&self, text: String, events: Events) -> Result<(), AgentError> {
        self.heard.lock().unwrap().push(text.clone());
        let gone = |_| AgentError::passing("gone");
        events.text(format!("re: {text}")).await.map_err(gone)?;
        if text.starts_with("hang") {
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}

impl Parrot {
    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

/// A conversation with one person.
struct Chat {
    house: House<Parrot>,
    gateway: Gateway,
    number: u32,
}

impl Chat {
    async fn begin() -> Self {
        let house = House::new(Parrot::default(), Mode::Queue);
        let gateway = house.start(1).await;
        Self {
            house,
            gateway,
            number: 0,
        }
    }

    async fn send(&mut self, text: &str) -> InboxId {
        self.number += 1;
        write(&self.gateway, "c", self.number, text).await
    }

    /// What comes back.
    async fn ask(&mut self, text: &str) -> String {
        let inbox = self.send(text).await;
        reply(&self.house.until_answered(inbox).await)
    }

    /// What a model would be given.
    async fn said(&self, inbox: InboxId) -> Vec<String> {
        let session = self.house.story(inbox).await.session;
        let rows = self.house.store.conversation(session, Last::All).await;
        let rows = rows.unwrap().unwrap();
        rows.iter()
            .map(|row| row.entry.content.plain_text())
            .collect()
    }
}

pub(crate) fn reply(story: &Story) -> String {
    let texts: Vec<&str> = story
        .deliveries
        .iter()
        .map(|one| one.text.as_str())
        .collect();
    texts.join("")
}

#[tokio::test(start_paused = true)]
async fn a_command_is_answered_without_the_agent_and_is_no_part_of_the_conversation() {
    let mut chat = Chat::begin().await;
    let first = chat.send("hello").await;
    chat.house.until_answered(first).await;
    assert!(chat.ask("/help").await.contains("/undo [n]: "));
    assert!(chat.ask("/stats").await.contains("Did you mean /status?"));
    assert!(chat.ask("/stop").await.contains("Nothing is running"));
    assert_eq!(
        chat.ask("/usr/bin/x is what?").await,
        "re: /usr/bin/x is what?"
    );
    assert_eq!(chat.house.script.heard(), ["hello", "/usr/bin/x is what?"]);
    assert_eq!(
        chat.said(first).await,
        [
            "hello",
            "re: hello",
            "/usr/bin/x is what?",
            "re: /usr/bin/x is what?"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_to_stop_ends_a_hanging_turn_at_once_and_is_answered_with_it() {
    let mut chat = Chat::begin().await;
    let hanging = chat.send("hang").await;
    chat.house
        .until(hanging, |story| state(story) == "running")
        .await;
    let began = tokio::time::Instant::now();
    let stop = chat.send("/stop").await;
    let story = chat.house.until_answered(stop).await;
    assert!(began.elapsed() < Duration::from_secs(1), "it rang");
    assert_eq!(reply(&story), "re: hang\n\nStopped, as you asked.");
    assert_eq!(state(&story), "interrupted");
    let both = chat.house.story(hanging).await;
    assert_eq!(both.deliveries, story.deliveries, "one reply for both");
    assert_eq!(both.deliveries[0].inbox_ids, [hanging, stop]);
    assert_eq!(chat.ask("after").await, "re: after");
    assert_eq!(chat.said(hanging).await[0], "hang");
    assert!(!chat.said(hanging).await.contains(&"/stop".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_call_to_stop_leaves_what_waits_and_says_so() {
    let mut chat = Chat::begin().await;
    let hanging = chat.send("hang").await;
    chat.house
        .until(hanging, |story| state(story) == "running")
        .await;
    let waits = chat.send("and this").await;
    let stop = chat.send("/stop").await;
    let story = chat.house.until_answered(stop).await;
    assert!(reply(&story).ends_with("1 message waits and is answered next."));
    assert_eq!(
        reply(&chat.house.until_answered(waits).await),
        "re: and this"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_to_stop_that_was_not_heard_costs_one_period() {
    let mut chat = Chat::begin().await;
    let hanging = chat.send("hang").await;
    chat.house
        .until(hanging, |story| state(story) == "running")
        .await;
    // Another node took the message: this one hears no bell.
    let unheard = Accept {
        inbound: message("c", 9, "/stop"),
        inbox: InboxId::from_bits(9),
        session: SessionId::from_bits(9),
        rules: Arc::default(),
        cursor: None,
    };
    let accepted = chat.house.store.accept(unheard).await.unwrap();
    assert!(matches!(accepted, Accepted::New(_)));
    let stop = InboxId::from_bits(9);
    let began = tokio::time::Instant::now();
    let story = chat.house.until_answered(stop).await;
    assert_eq!(state(&story), "interrupted");
    assert!(
        began.elapsed() < Duration::from_secs(7),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_question_about_the_state_does_not_interrupt() {
    let house = House::new(Parrot::default(), Mode::Interrupt);
    let gateway = house.start(1).await;
    let hanging = write(&gateway, "c", 1, "hang").await;
    house
        .until(hanging, |story| state(story) == "running")
        .await;
    write(&gateway, "c", 2, "/status").await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(state(&house.story(hanging).await), "running");
    write(&gateway, "c", 3, "something else").await;
    let ended = |story: &Story| state(story) == "interrupted";
    house.until(hanging, ended).await;
}

#[tokio::test(start_paused = true)]
async fn turns_are_taken_back_and_told() {
    let mut chat = Chat::begin().await;
    assert!(chat.ask("/undo").await.contains("Nothing was asked"));
    let first = chat.send("one").await;
    chat.house.until_answered(first).await;
    for text in ["two", "three"] {
        chat.ask(text).await;
    }
    let said = chat.ask("/undo").await;
    assert!(said.contains("“three”"), "{said}");
    assert_eq!(chat.said(first).await, ["one", "re: one", "two", "re: two"]);
    assert!(chat.ask("/undo 9").await.contains("2 questions"));
    assert!(chat.said(first).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_last_question_is_asked_again_once() {
    let mut chat = Chat::begin().await;
    let first = chat.send("one").await;
    chat.house.until_answered(first).await;
    let retry = chat.send("/retry").await;
    let told = reply(&chat.house.until_answered(retry).await);
    assert_eq!(told, "Asking again: “one”");
    let repeated = message("c", chat.number, "/retry");
    let again = chat.gateway.door().accept(repeated, None).await.unwrap();
    assert!(matches!(again, Accepted::Duplicate(_)));
    assert_eq!(chat.ask("two").await, "re: two");
    assert_eq!(chat.house.script.heard(), ["one", "one", "two"]);
    assert_eq!(chat.said(first).await, ["one", "re: one", "two", "re: two"]);
}

#[tokio::test(start_paused = true)]
async fn a_title_is_shown_set_and_refused_when_it_is_taken() {
    let mut chat = Chat::begin().await;
    assert!(chat.ask("/title").await.contains("no title yet"));
    assert!(chat.ask("/title Rome").await.contains("now called: Rome"));
    assert!(chat.ask("/title").await.contains("is called: Rome."));
    let other = write(&chat.gateway, "d", 1, "/title Rome").await;
    let told = reply(&chat.house.until_answered(other).await);
    assert!(told.contains("/title Rome #2"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn it_goes_on_in_a_copy_and_what_waits_goes_along() {
    let mut chat = Chat::begin().await;
    let first = chat.send("one").await;
    chat.house.until_answered(first).await;
    let branch = chat.send("/branch Another way").await;
    let after = chat.send("two").await;
    let told = reply(&chat.house.until_answered(branch).await);
    assert!(told.contains("Another way"), "{told}");
    chat.house.until_answered(after).await;
    let (here, there) = (chat.house.story(first).await, chat.house.story(after).await);
    assert_ne!(here.session, there.session);
    assert_eq!(chat.said(after).await, ["one", "re: one", "two", "re: two"]);
    assert_eq!(chat.said(first).await, ["one", "re: one"]);
    let listed = chat.ask("/sessions").await;
    assert!(listed.contains("2. Another way (this one)"), "{listed}");
    assert!(listed.contains("1. re: one"), "{listed}");
}

#[tokio::test(start_paused = true)]
async fn the_status_tells_how_the_conversation_stands() {
    let mut chat = Chat::begin().await;
    let first = chat.send("one").await;
    chat.house.until_answered(first).await;
    let told = chat.ask("/status").await;
    let session = chat.house.story(first).await.session;
    assert!(told.contains(&session.to_string()), "{told}");
    assert!(told.contains("Questions: 1\n"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_new_conversation_begins_and_what_was_written_behind_it_belongs_to_it() {
    let mut chat = Chat::begin().await;
    let first = chat.send("one").await;
    chat.house.until_answered(first).await;
    let new = chat.send("/new Rome").await;
    let after = chat.send("two").await;
    let told = reply(&chat.house.until_answered(new).await);
    assert!(
        told.starts_with("A new conversation begins: Rome."),
        "{told}"
    );
    assert_eq!(reply(&chat.house.until_answered(after).await), "re: two");
    assert_eq!(chat.said(first).await, ["one", "re: one"]);
    assert_eq!(chat.said(after).await, ["two", "re: two"]);
    assert!(chat.ask("/title").await.contains("is called: Rome."));
    let told = chat.ask("/reset Rome").await;
    assert!(told.contains("/title Rome #2"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn an_earlier_conversation_is_listed_and_resumed() {
    let mut chat = Chat::begin().await;
    let first = chat.send("one").await;
    chat.house.until_answered(first).await;
    chat.ask("/title Rome").await;
    chat.ask("/new").await;
    let second = chat.send("two").await;
    chat.house.until_answered(second).await;
    for list in [chat.ask("/sessions").await, chat.ask("/resume").await] {
        assert!(
            list.contains("2. re: two (this one)\n1. Rome (just now)"),
            "{list}"
        );
    }
    assert!(chat.ask("/resume Paris").await.contains("“Paris”"));
    assert!(
        chat.ask("/resume 2")
            .await
            .contains("the conversation we are in")
    );
    let told = chat.ask("/resume rome").await;
    assert!(
        told.contains("We go on in this conversation: Rome."),
        "{told}"
    );
    chat.ask("three").await;
    assert_eq!(
        chat.said(first).await,
        ["one", "re: one", "three", "re: three"]
    );
    assert!(chat.ask("/resume 2").await.contains("re: two"));
    chat.ask("four").await;
    assert_eq!(
        chat.said(second).await,
        ["two", "re: two", "four", "re: four"]
    );
}

#[tokio::test(start_paused = true)]
async fn nobody_resumes_what_belongs_to_another_place() {
    let mut chat = Chat::begin().await;
    let mine = chat.send("mine").await;
    chat.house.until_answered(mine).await;
    let id = chat.house.story(mine).await.session.to_string();
    let mut stranger = message("d", 1, &format!("/resume {id}"));
    stranger.person.id = "stranger".into();
    let accepted = chat.gateway.door().accept(stranger, None).await.unwrap();
    let Accepted::New(place) = accepted else {
        panic!("{accepted:?}");
    };
    let told = reply(&chat.house.until_answered(place.inbox).await);
    assert!(told.contains("No conversation of this place"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_model_is_chosen_shown_and_cleared() {
    let mut chat = Chat::begin().await;
    assert!(chat.ask("/model").await.contains("the usual model"));
    assert!(
        chat.ask("/model big-one")
            .await
            .contains("the model big-one")
    );
    assert!(chat.ask("/model").await.contains("the model big-one"));
    assert!(
        chat.ask("/status")
            .await
            .contains("Model: big-one, chosen here\n")
    );
    assert!(chat.ask("/model clear").await.contains("the usual model"));
    assert!(chat.ask("/status").await.contains("Model: the usual one\n"));
    assert!(chat.house.script.heard().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_chat_that_is_made_home_says_so_until_another_is() {
    let mut chat = Chat::begin().await;
    assert!(!chat.ask("/status").await.contains("Home:"));
    assert!(
        chat.ask("/sethome")
            .await
            .contains("comes here from now on")
    );
    assert!(chat.ask("/status").await.contains("Home:"));
    let other = write(&chat.gateway, "d", 1, "/sethome").await;
    chat.house.until_answered(other).await;
    assert!(!chat.ask("/status").await.contains("Home:"));
}
