//! Questions that want words.

use angelia_store::transcripts::{Last, Transcripts as _};

use super::*;

#[tokio::test(start_paused = true)]
async fn the_next_words_answer_a_question_and_no_turn_of_their_own_does() {
    let mut room = Room::open().await;
    let inbox = room.say("wonder red blue").await;
    let shown = |story: &Story| story.deliveries.iter().any(|one| one.sent_at.is_some());
    let story = room.house.until(inbox, shown).await;
    let text = &story.deliveries[0].text;
    assert!(
        text.contains("Which?") && text.contains("2. blue"),
        "{text}"
    );
    let asked = tokio::time::Instant::now();
    let answer = room.say("2").await;
    assert_eq!(room.reply(inbox).await, "it is blue");
    assert!(asked.elapsed() < Duration::from_secs(1), "it rang");
    assert_eq!(room.reply(answer).await, "it is blue", "one reply for both");
    let question = room.asked(1).await;
    assert_eq!(decision(&question), Some(Decision::Answered));
    let said = room
        .house
        .store
        .conversation(question.session, Last::Rows(10));
    let said = said.await.unwrap().unwrap();
    let said: Vec<String> = said
        .iter()
        .map(|kept| kept.entry.content.plain_text())
        .collect();
    assert_eq!(said, ["wonder red blue", "it is blue"]);
    let next = room.say("wonder").await;
    room.asked(2).await;
    room.say("my own words").await;
    assert_eq!(room.reply(next).await, "it is my own words");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_came_while_the_gateway_was_away_is_found() {
    let mut room = Room::open().await;
    let inbox = room.say("wonder red blue").await;
    let question = room.asked(1).await;
    room.gateway.kill();
    tokio::time::sleep(Duration::from_secs(45)).await;
    let accept = Accept {
        inbound: message("c", 800, "red"),
        inbox: InboxId::from_bits(77),
        session: question.session,
        rules: Arc::default(),
        cursor: None,
    };
    room.house.store.accept(accept).await.unwrap();
    room.restart().await;
    assert_eq!(room.reply(inbox).await, "it is red");
    assert_eq!(room.questions().await.len(), 1, "it is not asked again");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_taken_is_not_said_to_the_agent_when_its_turn_is_run_again() {
    let mut room = Room::open().await;
    let inbox = room.say("wonder red blue").await;
    let question = room.asked(1).await;
    // The node dies after it has taken the answer along, before anything was made of it.
    let accept = Accept {
        inbound: message("c", 800, "1"),
        inbox: InboxId::from_bits(77),
        session: question.session,
        rules: Arc::default(),
        cursor: None,
    };
    room.house.store.accept(accept).await.unwrap();
    while decision(&room.asked(1).await).is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    room.gateway.kill();
    room.restart().await;
    assert_eq!(room.reply(inbox).await, "it is red");
}

#[tokio::test(start_paused = true)]
async fn words_that_would_interrupt_a_turn_answer_it_while_it_asks() {
    let mut room = Room::made(Choice::default(), Mode::Interrupt).await;
    let inbox = room.say("wonder red blue").await;
    room.asked(1).await;
    room.say("blue").await;
    assert_eq!(room.reply(inbox).await, "it is blue");
    assert_eq!(state(&room.settled(inbox).await), "completed");
}

#[tokio::test(start_paused = true)]
async fn a_yes_is_no_answer_and_nobody_answering_is_told() {
    let mut room = Room::open().await;
    let inbox = room.say("wonder red blue").await;
    let question = room.asked(1).await;
    let granted = Verdict::Granted(Grant::Once);
    let ruled = approvals::decide(room.gateway.ground(), question.id, granted);
    assert_eq!(ruled.await.unwrap(), Ruled::Unfit);
    let late = room.say("/approve").await;
    let reply = room.reply(inbox).await;
    assert!(
        reply.contains("Nobody answered within 20 minutes"),
        "{reply}"
    );
    assert!(room.reply(late).await.contains("Nothing waits"));
    assert_eq!(decision(&room.asked(1).await), Some(Decision::Expired));
}

#[tokio::test(start_paused = true)]
async fn an_operator_answers_from_elsewhere_too() {
    let mut room = Room::open().await;
    let inbox = room.say("wonder red blue").await;
    let question = room.asked(1).await;
    let answer = Verdict::Answered("green".to_owned());
    approvals::decide(room.gateway.ground(), question.id, answer)
        .await
        .unwrap();
    assert_eq!(room.reply(inbox).await, "it is green");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_wants_words_is_stopped_with_its_turn() {
    let mut room = Room::open().await;
    let inbox = room.say("wonder red blue").await;
    room.asked(1).await;
    room.say("/stop").await;
    assert_eq!(state(&room.settled(inbox).await), "interrupted");
    assert_eq!(decision(&room.asked(1).await), Some(Decision::Withdrawn));
}

#[tokio::test(start_paused = true)]
async fn what_somebody_else_says_meanwhile_is_no_answer_and_waits_its_turn() {
    let room = Room::open().await;
    let in_room = |number: u32, text: &str, person: &str| {
        let mut inbound = message("room", number, text);
        inbound.address.chat.kind = ChatKind::Group;
        inbound.address.thread = Some("shared".to_owned());
        inbound.person.id = person.to_owned();
        inbound
    };
    let inbox = room.put_in(in_room(1, "wonder red blue", "anna")).await;
    room.asked(1).await;
    let other = room.put_in(in_room(2, "echo", "ben")).await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(decision(&room.asked(1).await), None);
    room.put_in(in_room(3, "red", "anna")).await;
    assert_eq!(room.reply(inbox).await, "it is red");
    assert_eq!(state(&room.settled(other).await), "completed");
}

#[tokio::test(start_paused = true)]
async fn a_command_answers_the_question_that_it_names_and_a_second_one_nothing() {
    let mut room = Room::open().await;
    let inbox = room.say("wonder red blue").await;
    let question = room.asked(1).await;
    let press = format!("/answer {} 2", question.id);
    let asked = tokio::time::Instant::now();
    let first = room.say(&press).await;
    assert_eq!(room.reply(inbox).await, "it is blue");
    assert!(asked.elapsed() < Duration::from_secs(1), "it rang");
    assert_eq!(room.reply(first).await, "it is blue", "one reply for both");
    let again = room.say(&press).await;
    let reply = room.reply(again).await;
    assert!(reply.contains("No question waits for an answer"), "{reply}");
    let next = room.say("wonder red blue").await;
    room.asked(2).await;
    let late = room.say(&press).await;
    room.say("/answer something else").await;
    assert_eq!(room.reply(next).await, "it is something else");
    let reply = room.reply(late).await;
    assert!(reply.contains("No question waits for an answer"), "{reply}");
}

#[tokio::test(start_paused = true)]
async fn a_press_that_came_while_the_gateway_was_away_is_found() {
    let mut room = Room::open().await;
    let inbox = room.say("wonder red blue").await;
    let question = room.asked(1).await;
    room.gateway.kill();
    tokio::time::sleep(Duration::from_secs(45)).await;
    for (number, inbox) in [(800, 77), (801, 78)] {
        let accept = Accept {
            inbound: message("c", number, &format!("/answer {} 1", question.id)),
            inbox: InboxId::from_bits(inbox),
            session: question.session,
            rules: Arc::default(),
            cursor: None,
        };
        room.house.store.accept(accept).await.unwrap();
    }
    room.restart().await;
    assert_eq!(room.reply(inbox).await, "it is red");
    assert_eq!(room.questions().await.len(), 1, "it is not asked again");
}
