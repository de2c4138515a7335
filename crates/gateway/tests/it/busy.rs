//! What becomes of those who write while an answer is being made.

use std::time::Duration;

use angelia_agents::events::Events;
use angelia_agents::{AgentError, Input};
use angelia_core::turn::busy::Mode;
use angelia_core::turn::journal::Step;
use angelia_core::turn::manners::{Acks, Chosen, Gathering, Manners};
use async_trait::async_trait;

use crate::house::{House, Script, state, write};

/// Works in steps of a second, as many as it is told (`work 3`), and tells what it heard between them.
struct Working;

#[async_trait]
impl Script for Working {
    async fn answer(&self, _text: String, _events: Events) -> Result<(), AgentError> {
        Ok(())
    }

    async fn run(&self, input: Input, events: Events) -> Result<(), AgentError> {
        let gone = |_| AgentError::passing("gone");
        let asked = &input.messages[0].text;
        let steps = asked
            .strip_prefix("work ")
            .and_then(|count| count.parse().ok());
        let mut heard = Vec::new();
        for recorded in &input.journal {
            if let Step::Steered { said } = &recorded.step {
                heard.extend(said.iter().map(|one| one.text.clone()));
            }
        }
        for _ in 0..steps.unwrap_or(0) {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let said = events.heed().await.map_err(gone)?;
            heard.extend(said.iter().map(|row| row.content.plain_text()));
        }
        let reply = format!("re:{asked} heard:{}", heard.join("|"));
        events.text(reply).await.map_err(gone)
    }
}

async fn texts(house: &House<Working>, inbox: angelia_core::id::InboxId) -> Vec<String> {
    let story = house.until_answered(inbox).await;
    story.deliveries.into_iter().map(|one| one.text).collect()
}

#[tokio::test(start_paused = true)]
async fn words_that_steer_enter_the_running_turn_between_two_steps() {
    let house = House::new(Working, Mode::Steer);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "work 3").await;
    house.until(first, |story| state(story) == "running").await;
    let second = write(&gateway, "c", 2, "and faster").await;
    assert_eq!(texts(&house, second).await, ["re:work 3 heard:and faster"]);
    let story = house.story(first).await;
    assert_eq!(story.deliveries[0].inbox_ids, [first, second]);
}

#[tokio::test(start_paused = true)]
async fn words_that_come_too_late_to_steer_are_answered_by_themselves() {
    let house = House::new(Working, Mode::Steer);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "work 1").await;
    house.until(first, |story| state(story) == "running").await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    let second = write(&gateway, "d", 1, "elsewhere").await;
    assert_eq!(texts(&house, second).await, ["re:elsewhere heard:"]);
    let first = write(&gateway, "e", 1, "no steps").await;
    let third = write(&gateway, "e", 2, "too late").await;
    assert_eq!(texts(&house, third).await, ["re:too late heard:"]);
    assert_eq!(texts(&house, first).await, ["re:no steps heard:"]);
}

#[tokio::test(start_paused = true)]
async fn slash_steer_and_slash_queue_work_in_every_mode() {
    for mode in [Mode::Queue, Mode::Steer, Mode::Interrupt] {
        let house = House::new(Working, mode);
        let gateway = house.start(1).await;
        let first = write(&gateway, "c", 1, "work 3").await;
        house.until(first, |story| state(story) == "running").await;
        let queued = write(&gateway, "c", 2, "/queue later").await;
        let steered = write(&gateway, "c", 3, "/steer now").await;
        assert_eq!(
            texts(&house, steered).await,
            ["re:work 3 heard:now"],
            "{mode:?}"
        );
        assert_eq!(texts(&house, queued).await, ["re:later heard:"], "{mode:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_beside_is_answered_while_the_conversation_is_at_work() {
    for mode in [Mode::Queue, Mode::Steer, Mode::Interrupt] {
        let house = House::new(Working, mode);
        let gateway = house.start(1).await;
        let first = write(&gateway, "c", 1, "work 9").await;
        house.until(first, |story| state(story) == "running").await;
        let beside = write(&gateway, "c", 2, "/background what is the time").await;
        assert_eq!(
            texts(&house, beside).await,
            [
                "You asked beside our conversation: “what is the time”",
                "re:what is the time heard:"
            ],
            "{mode:?}"
        );
        assert_eq!(state(&house.story(first).await), "running", "{mode:?}");
        let story = house.story(beside).await;
        assert_eq!(story.deliveries[1].address.chat.id, "c");
        assert_ne!(story.session, house.story(first).await.session);
        assert_eq!(texts(&house, first).await, ["re:work 9 heard:"], "{mode:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn slash_steer_with_nothing_running_is_an_ordinary_message() {
    let house = House::new(Working, Mode::Queue);
    let gateway = house.start(1).await;
    let only = write(&gateway, "c", 1, "/steer hello").await;
    assert_eq!(texts(&house, only).await, ["re:hello heard:"]);
    let slip = write(&gateway, "c", 2, "/steer").await;
    assert!(texts(&house, slip).await[0].contains("no words behind /steer"));
    let slip = write(&gateway, "c", 3, "/queue /new").await;
    assert!(texts(&house, slip).await[0].contains("not a command"));
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_run_again_hears_the_same_words_once() {
    let house = House::new(Working, Mode::Steer);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "work 60").await;
    house.until(first, |story| state(story) == "running").await;
    let second = write(&gateway, "c", 2, "and faster").await;
    house.until(second, |story| state(story) == "running").await;
    gateway.kill();
    let _next = house.start(2).await;
    assert_eq!(texts(&house, second).await, ["re:work 60 heard:and faster"]);
    let story = house.story(first).await;
    assert_eq!(story.turn.unwrap().attempts, 2);
    assert_eq!(story.deliveries.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_a_turn_that_was_steered_and_answers_all_of_it() {
    let house = House::new(Working, Mode::Steer);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "work 600").await;
    house.until(first, |story| state(story) == "running").await;
    let second = write(&gateway, "c", 2, "and faster").await;
    house.until(second, |story| state(story) == "running").await;
    let stop = write(&gateway, "c", 3, "/stop").await;
    let told = texts(&house, stop).await;
    assert!(told[0].contains("Stopped"), "{told:?}");
    for inbox in [first, second] {
        assert_eq!(state(&house.story(inbox).await), "interrupted");
        assert_eq!(texts(&house, inbox).await, told);
    }
}

fn told(mode: Mode) -> Manners {
    let chosen = Chosen {
        acks: Some(Acks::Told),
        ..Chosen::default()
    };
    Manners {
        places: [("api".to_owned(), chosen)].into(),
        ..Manners::from(mode)
    }
}

#[tokio::test(start_paused = true)]
async fn who_writes_meanwhile_is_told_once_in_a_while_what_becomes_of_it() {
    let house = House::new(Working, told(Mode::Queue));
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "work 100").await;
    house.until(first, |story| state(story) == "running").await;
    let afterthought = write(&gateway, "c", 2, "and this").await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    write(&gateway, "c", 3, "hello?").await;
    write(&gateway, "c", 4, "hello??").await;
    tokio::time::sleep(Duration::from_secs(40)).await;
    let last = write(&gateway, "c", 5, "hello???").await;
    house.until_answered(last).await;
    let said: Vec<String> = texts(&house, first).await;
    assert_eq!(said.len(), 3, "two notices and the reply: {said:?}");
    assert!(said[0].contains("after 2 others"), "{said:?}");
    assert!(said[1].contains("after 3 others"), "{said:?}");
    assert_eq!(texts(&house, afterthought).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_where_the_state_is_shown_anyway() {
    let house = House::new(Working, Mode::Queue);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "work 60").await;
    house.until(first, |story| state(story) == "running").await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    let second = write(&gateway, "c", 2, "hello?").await;
    house.until_answered(second).await;
    assert_eq!(texts(&house, first).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_one_person_writes_meanwhile_is_answered_together() {
    let chosen = Chosen {
        gathering: Some(Gathering::Together),
        ..Chosen::default()
    };
    let manners = Manners {
        places: [("api".to_owned(), chosen)].into(),
        ..Manners::default()
    };
    let house = House::new(Working, manners);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "work 3").await;
    house.until(first, |story| state(story) == "running").await;
    let one = write(&gateway, "c", 2, "one").await;
    let two = write(&gateway, "c", 3, "two").await;
    let alone = write(&gateway, "c", 4, "/queue alone").await;
    house.until_answered(alone).await;
    let told = texts(&house, one).await;
    assert_eq!(told, ["re:one heard:"], "the script tells the first");
    assert_eq!(texts(&house, two).await, told);
    assert_eq!(house.story(one).await.deliveries[0].inbox_ids, [one, two]);
    assert_eq!(texts(&house, alone).await, ["re:alone heard:"]);
}

#[tokio::test(start_paused = true)]
async fn commands_that_only_tell_are_answered_while_the_agent_works() {
    let house = House::new(Working, Mode::Queue);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "work 600").await;
    house.until(first, |story| state(story) == "running").await;
    for (number, (asked, told)) in (2..).zip([
        ("/status", "An answer is being made"),
        ("/whoami", "You are api:u"),
        ("/processes", "Nothing runs in the background"),
        ("/version", "This is Angelia"),
        ("/stauts", "/status?"),
    ]) {
        let inbox = write(&gateway, "c", number, asked).await;
        let story = house.until_answered(inbox).await;
        assert_eq!(state(&story), "running", "{asked}");
        let said = story.deliveries.iter().any(|one| one.text.contains(told));
        assert!(said, "{asked}: {story:?}");
    }
}
