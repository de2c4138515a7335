//! What those who watch see while a reply grows: no secret, and words and thoughts in their order beside the steps
//! that come with them.

use angelia_core::turn::shown::{Kind, State};
use angelia_gateway::feed::Frame;

use super::house;
use crate::board::Board;
use crate::house::write;

#[tokio::test(start_paused = true)]
async fn nothing_of_a_secret_is_seen_while_a_reply_grows() {
    let board = Board::default();
    let pieces = [
        "This is the key that you asked for: sk-",
        "abcdefgh",
        "ijklmnopqrst",
        "uvwx",
        " and more words,",
        " and the end.",
    ];
    let house = house(&pieces, 3000, &board);
    let gateway = house.start(18).await;
    let mut feed = gateway.ground().feed.watch();
    let inbox = write(&gateway, "c", 1, "go").await;
    house.until_answered(inbox).await;
    let whole = "This is the key that you asked for: sk-abc...uvwx and more words, and the end.";
    board.until("c", |texts| texts == [whole]).await;
    let asked = [board.asked("send"), board.asked("edit")].concat();
    assert!(asked.len() >= 2, "it grew");
    for one in asked {
        assert!(!one.text.contains("bcd"), "{}", one.text);
    }
    let mut drafts = 0;
    while let Ok(frame) = feed.try_recv() {
        if let Frame::Draft { text, .. } = frame {
            let text = text.get().unwrap();
            assert!(!text.contains("bcd"), "{text}");
            drafts += 1;
        }
    }
    assert!(drafts > 1, "it was seen to grow");
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn words_are_seen_before_the_step_that_comes_with_them_is_written() {
    let board = Board::default();
    let house = house(&["first words ", "§date"], 0, &board);
    let gateway = house.start(19).await;
    let mut feed = gateway.ground().feed.watch();
    let inbox = write(&gateway, "c", 1, "go").await;
    house.until_answered(inbox).await;
    let mut seen = Vec::new();
    while let Ok(frame) = feed.try_recv() {
        if let Frame::Draft { .. } = frame {
            seen.push("words");
        } else if let Frame::Step { .. } = frame {
            seen.push("step");
        }
    }
    assert_eq!(seen, ["words", "step"]);
    gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn thoughts_before_a_tool_are_over_when_the_tool_begins() {
    let board = Board::default();
    let house = house(&["~hm, so", "§date"], 3000, &board);
    let gateway = house.start(20).await;
    let mut feed = gateway.ground().feed.watch();
    let inbox = write(&gateway, "c", 1, "go").await;
    house.until_answered(inbox).await;
    let (mut seen, mut said) = (Vec::new(), Vec::new());
    while let Ok(frame) = feed.try_recv() {
        if let Frame::Step { step, .. } = frame {
            let step = step.get().unwrap();
            seen.push((step.kind, step.state));
            said.extend(step.words.clone());
        }
    }
    let running = State::Running;
    let expected = [
        (Kind::Answer, running),
        (Kind::Tool, running),
        (Kind::Answer, State::Done),
    ];
    assert_eq!(seen, expected);
    assert_eq!(said.last().map(String::as_str), Some("hm, so"));
    gateway.stop().await;
}
