//! Replies that people see while they grow: paced, whole in the end, once, and also after a crash.

use std::sync::Arc;
use std::time::Duration;

use angelia_agents::AgentError;
use angelia_agents::events::Events;
use angelia_core::display::{Displays, Layer};
use angelia_core::outbound::DeliveryState;
use angelia_core::recovery::EffectClass;
use angelia_core::turn::busy::Mode;
use angelia_core::turn::journal::Step;
use angelia_store::drafts::Drafts as _;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::board::{Board, PACE, Trouble};
use crate::house::{House, Script, state, write};

mod watched;

/// Says its pieces with a pause between them. `§` calls a tool, `~` thinks.
struct Talker {
    pieces: Vec<String>,
    pause: Duration,
}

#[async_trait]
impl Script for Talker {
    async fn answer(&self, _text: String, events: Events) -> Result<(), AgentError> {
        for (number, piece) in self.pieces.iter().enumerate() {
            if let Some(thought) = piece.strip_prefix('~') {
                events.think(thought);
                tokio::time::sleep(self.pause).await;
                continue;
            }
            let told = match piece.strip_prefix('§') {
                None => events.text(piece.clone()).await,
                Some(command) => {
                    let step = Step::ToolBegun {
                        call: number.to_string(),
                        tool: "terminal".to_owned(),
                        arguments: json!({ "command": command }),
                        effect: EffectClass::Pure,
                    };
                    events.record(step).await
                }
            };
            if told.is_err() {
                return Ok(());
            }
            tokio::time::sleep(self.pause).await;
        }
        Ok(())
    }
}

fn house(pieces: &[&str], pause_ms: u64, board: &Board) -> House<Talker> {
    let talker = Talker {
        pieces: pieces.iter().map(|piece| (*piece).to_owned()).collect(),
        pause: Duration::from_millis(pause_ms),
    };
    let mut house = House::new(talker, Mode::Queue);
    house.adapter = Arc::new(board.clone());
    house.displays = showing(json!({ "tool_progress": "off" }));
    house
}

fn showing(written: Value) -> Displays {
    let (everywhere, problems) = Layer::read(written.as_object().unwrap());
    assert!(problems.is_empty(), "{problems:?}");
    Displays {
        everywhere,
        ..Displays::default()
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_grows_in_one_message_and_ends_in_it() {
    let board = Board::default();
    let words: Vec<String> = (0..120).map(|number| format!("word {number} ")).collect();
    let pieces: Vec<&str> = words.iter().map(String::as_str).collect();
    let house = house(&pieces, 50, &board);
    let gateway = house.start(1).await;
    let began = Instant::now();
    let inbox = write(&gateway, "c", 1, "go").await;
    board.until("c", |texts| !texts.is_empty()).await;
    assert!(board.texts("c")[0].starts_with("word 0"), "it grows");
    let story = house.until_answered(inbox).await;
    let lasted = began.elapsed();
    assert_eq!(board.texts("c"), [words.concat().trim_end()]);
    let allowed = 2 + lasted.as_millis() / u128::from(PACE.as_ms().unsigned_abs());
    assert!(board.asked("edit").len() as u128 <= allowed);
    assert_eq!(board.asked("send").len(), 1);
    let [delivery] = story.deliveries.as_slice() else {
        panic!("one part: {story:?}");
    };
    assert_eq!(
        delivery.state,
        DeliveryState::Sent(angelia_core::outbound::Receipt("1".to_owned()))
    );
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn no_secret_of_a_reply_is_left_where_people_read_it() {
    let board = Board::default();
    let pieces = [
        "The key ",
        "is sk-abcdefgh",
        "ijklmnop1234, ",
        "keep it ",
        "well.",
    ];
    let house = house(&pieces, 1_500, &board);
    let gateway = house.start(1).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    let story = house.until_answered(inbox).await;
    let shown = board.texts("c").concat();
    assert!(!shown.contains("efgh"), "{shown}");
    assert!(
        shown.starts_with("The key is sk-abc") && shown.ends_with("keep it well."),
        "{shown}"
    );
    assert!(
        !story.deliveries[0].text.contains("efgh"),
        "nor is it planned"
    );
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_bare_error_of_a_provider_is_a_sentence_for_people_in_the_end() {
    let board = Board::default();
    let house = house(&["Error code: 401 - ", "invalid key"], 100, &board);
    let gateway = house.start(1).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    house.until_answered(inbox).await;
    let shown = board.texts("c").concat();
    assert!(
        shown.starts_with("The model") && !shown.contains("401"),
        "{shown}"
    );
    gateway.stop().await;
}

fn long_reply() -> String {
    let line = "    let value = compute(with, some, arguments); // and a remark\n";
    let part = |number| {
        format!(
            "Part {number} **is** here.\n\n```rust\n{}```\n\n",
            line.repeat(40)
        )
    };
    let text: String = (0..12).map(part).collect();
    assert!(text.len() > 30_000);
    text
}

/// The words, without what is added where a text is cut.
fn letters(text: &str) -> String {
    let bare = text.replace("```rust", "").replace("```", "");
    bare.split_whitespace().collect()
}

#[tokio::test(start_paused = true)]
async fn a_long_reply_with_code_arrives_whole_in_order_and_once_under_floods() {
    let board = Board::default();
    let text = long_reply();
    let pieces: Vec<&str> = text
        .as_bytes()
        .chunks(97)
        .map(|piece| std::str::from_utf8(piece).unwrap())
        .collect();
    let house = house(&pieces, 40, &board);
    let flood = || Some(Trouble::Flood(Duration::from_secs(3)));
    board.will(
        "send",
        [None, flood()].into_iter().cycle().take(8).collect(),
    );
    board.will(
        "edit",
        [None, flood(), flood()]
            .into_iter()
            .cycle()
            .take(24)
            .collect(),
    );
    let gateway = house.start(2).await;
    let began = Instant::now();
    let inbox = write(&gateway, "c", 1, "go").await;
    house
        .until(inbox, |story| {
            let mut parts = story.deliveries.iter();
            !story.deliveries.is_empty() && parts.all(|one| one.sent_at.is_some())
        })
        .await;
    let lasted = began.elapsed();
    let shown = board.texts("c");
    assert!(shown.len() >= 8, "{}", shown.len());
    assert_eq!(letters(&shown.concat()), letters(&text));
    assert!(shown.iter().all(|text| text.encode_utf16().count() <= 4096));
    let edits = board.asked("edit").len() as u128;
    let allowed = 2 + lasted.as_millis() / u128::from(PACE.as_ms().unsigned_abs());
    assert!(edits <= allowed, "{edits} edits, {allowed} allowed");
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_said_after_a_tool_is_a_message_below_the_line_about_it() {
    let board = Board::default();
    let pieces = [
        "I will look at the files here.",
        "§ls -l",
        "\n\nThere are two of them, a and b.",
    ];
    let mut house = house(&pieces, 4000, &board);
    house.displays = showing(json!({ "tool_progress": "all" }));
    let gateway = house.start(3).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    house.until_answered(inbox).await;
    let wanted = [
        "I will look at the files here.",
        "⚙️ terminal: \"ls -l\"",
        "There are two of them, a and b.",
    ];
    board.until("c", |texts| texts == wanted).await;
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn people_choose_in_their_chat_what_they_see_there() {
    let board = Board::default();
    let pieces = [
        "§ls -l",
        "<think>hm</think>",
        "There are two of them, a and b.",
    ];
    let house = house(&pieces, 4000, &board);
    let gateway = house.start(14).await;
    for (number, (asked, told)) in (1..).zip([
        ("/reasoning", "not shown"),
        ("/verbose loud", "off | new | all | verbose"),
        ("/verbose", "another tool"),
        ("/reasoning on", "is shown"),
    ]) {
        let inbox = write(&gateway, "c", number, asked).await;
        let story = house.until_answered(inbox).await;
        let said = &story.deliveries[0].text;
        assert!(said.contains(told), "{asked}: {said}");
    }
    for (number, chat) in (9..).zip(["c", "d"]) {
        let inbox = write(&gateway, chat, number, "go").await;
        house.until_answered(inbox).await;
    }
    let chosen = board.texts("c");
    let shown = |what: &str| chosen.iter().any(|text| text.contains(what));
    assert!(shown("ls -l") && shown("hm"), "{chosen:?}");
    assert_eq!(board.texts("d"), ["There are two of them, a and b."]);
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn lines_about_tools_go_where_people_want_them_to() {
    let board = Board::default();
    let pieces = ["§ls -l", "There are two of them, a and b."];
    let mut house = house(&pieces, 4000, &board);
    house.displays = showing(json!({ "tool_progress": "all", "cleanup_progress": true }));
    let gateway = house.start(4).await;
    write(&gateway, "c", 1, "go").await;
    board
        .until("c", |texts| texts.iter().any(|text| text.contains("ls -l")))
        .await;
    board
        .until("c", |texts| texts == ["There are two of them, a and b."])
        .await;
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_was_cut_off_ends_in_the_messages_that_it_began_in() {
    let board = Board::default();
    let long = "a line of words that is not short at all\n".repeat(300);
    let pieces: Vec<&str> = long.split_inclusive('\n').collect();
    let house = house(&pieces, 100, &board);
    let gateway = house.start(5).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    board.until("c", |texts| texts.len() == 2).await;
    gateway.kill();
    let gateway = house.start(6).await;
    let story = house
        .until(inbox, |story| {
            story.deliveries.iter().any(|one| one.sent_at.is_some())
        })
        .await;
    let turn = story.turn.as_ref().unwrap().id;
    board
        .until("c", |texts| letters(&texts.concat()) == letters(&long))
        .await;
    assert_eq!(board.texts("c").len(), 4);
    assert_eq!(board.asked("send").len(), 4, "nothing was sent twice");
    forgotten(&house, turn).await;
    gateway.stop().await;
}

async fn forgotten(house: &House<Talker>, turn: angelia_core::id::TurnId) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !house.store.drafts(turn).await.unwrap().is_empty() {
        assert!(Instant::now() < deadline, "rows of drafts stay");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn silence_leaves_nothing_behind() {
    let board = Board::default();
    let pieces = ["NO_", "REPLY"];
    let house = house(&pieces, 3000, &board);
    let gateway = house.start(7).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    house
        .until(inbox, |story| state(story) == "completed")
        .await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert!(board.texts("c").is_empty() && board.asked("send").is_empty());
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_message_that_somebody_took_away_is_sent_again() {
    let board = Board::default();
    let pieces = ["Some words that are long enough,", " and the end of them."];
    let house = house(&pieces, 5000, &board);
    let gateway = house.start(8).await;
    write(&gateway, "c", 1, "go").await;
    board.until("c", |texts| texts.len() == 1).await;
    board.lose("Some words that are long enough,");
    let whole = "Some words that are long enough, and the end of them.";
    board.until("c", |texts| texts == [whole]).await;
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_edit_that_hangs_does_not_keep_the_reply_from_its_end() {
    let board = Board::default();
    let pieces = [
        "Some words that are long enough,",
        " more of them,",
        " and the end.",
    ];
    let house = house(&pieces, 3000, &board);
    board.will("edit", vec![Some(Trouble::Hangs), Some(Trouble::Lost)]);
    let gateway = house.start(9).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    house.until_answered(inbox).await;
    let whole = "Some words that are long enough, more of them, and the end.";
    assert_eq!(board.texts("c"), [whole]);
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_sign_of_typing_is_renewed_while_the_turn_works_and_ends_with_it() {
    let board = Board::default();
    let house = house(&["A first word or two.", " The end."], 10_000, &board);
    board.will(
        "typing",
        vec![None, Some(Trouble::Flood(Duration::from_secs(1)))],
    );
    let gateway = house.start(10).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    house.until_answered(inbox).await;
    let typed = board.asked("typing");
    assert_eq!(typed.len(), 2, "after \"not now\" it rests");
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(board.asked("typing").len(), 2);
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn thoughts_are_shown_only_where_people_want_to_see_them() {
    for (shown, wanted) in [
        (false, "Here is the answer to it."),
        (true, "> hm\n\nHere is the answer to it."),
    ] {
        let board = Board::default();
        let pieces = ["<think>h", "m</think>", "Here is the answer to it."];
        let mut house = house(&pieces, 2000, &board);
        house.displays = showing(json!({
            "tool_progress": "off", "show_reasoning": shown, "reasoning_style": "blockquote",
        }));
        let gateway = house.start(11).await;
        let inbox = write(&gateway, "c", 1, "go").await;
        house.until_answered(inbox).await;
        assert_eq!(board.texts("c"), [wanted]);
        gateway.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_is_not_begun_before_what_was_to_be_said_first() {
    let board = Board::default();
    let pieces = ["Some words that are long enough,", " and the end."];
    let house = house(&pieces, 4000, &board);
    let gateway = house.start(12).await;
    // The first reply is put off for a while; the second turn is at work meanwhile.
    board.will("send", vec![Some(Trouble::Flood(Duration::from_secs(30)))]);
    let status = write(&gateway, "c", 1, "/status").await;
    let inbox = write(&gateway, "c", 2, "go").await;
    house.until_answered(inbox).await;
    house.until_answered(status).await;
    let texts = board.texts("c");
    assert_eq!(texts.len(), 2);
    assert_eq!(texts[1], "Some words that are long enough, and the end.");
    gateway.stop().await;
}

/// The signs that were put on messages, in order.
fn signs(board: &Board) -> Vec<String> {
    let asked = board.asked("react").into_iter();
    asked.map(|one| one.text).collect()
}

async fn signed(board: &Board, wanted: &[&str]) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while signs(board) != wanted {
        assert!(Instant::now() < deadline, "{:?}", signs(board));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_sign_on_the_message_tells_that_it_is_answered_and_that_it_was() {
    let board = Board::default();
    let mut house = house(&["A first word or two.", " The end."], 3000, &board);
    house.displays = showing(json!({ "tool_progress": "off", "reactions": true }));
    // What is put off is put there later.
    board.will(
        "react",
        vec![None, Some(Trouble::Flood(Duration::from_secs(1)))],
    );
    let gateway = house.start(15).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    let story = house.until_answered(inbox).await;
    signed(&board, &["working", "done", "done"]).await;
    forgotten(&house, story.turn.unwrap().id).await;
    let inbox = write(&gateway, "c", 2, "/status").await;
    house.until_answered(inbox).await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(
        signs(&board).len(),
        3,
        "what only tells something has no sign"
    );
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_sign_of_work_does_not_outlive_the_work_though_the_gateway_is_killed() {
    let board = Board::default();
    let mut house = house(&["A first word or two.", " The end."], 3000, &board);
    house.displays = showing(json!({ "tool_progress": "off", "reactions": true }));
    let gateway = house.start(16).await;
    let inbox = write(&gateway, "c", 1, "go").await;
    signed(&board, &["working"]).await;
    gateway.kill();
    let gateway = house.start(17).await;
    house.until_answered(inbox).await;
    signed(&board, &["working", "done"]).await;
    gateway.stop().await;
}
