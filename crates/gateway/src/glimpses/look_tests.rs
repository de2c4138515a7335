use std::sync::Arc;

use angelia_core::address::{AccountId, Address, Chat, ChatKind, Platform};
use angelia_core::display::Display;
use angelia_core::id::{InboxId, SessionId};
use angelia_core::outbound::Live;
use angelia_core::stream::glimpse::Work;
use angelia_core::stream::progress::Mode;
use angelia_core::time::{Span, Timestamp};
use angelia_core::turn::shown::{Kind, Shown, State};

use super::*;
use crate::sketches::{Line, Piece, Sketch, Sketches, Subject};

fn glimpse(text: &str, breaks: &[usize], calls: &[(usize, &str)]) -> Glimpse {
    Glimpse {
        session: SessionId::from_bits(1),
        messages: vec![InboxId::from_bits(2)],
        address: Address {
            platform: Platform::Telegram,
            account: AccountId("bot".to_owned()),
            chat: Chat {
                id: "7".to_owned(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        message_id: "3".to_owned(),
        notice: None,
        text: text.to_owned(),
        breaks: breaks.to_vec(),
        thoughts: String::new(),
        work: Work::Going,
        steps: calls.iter().map(|(after, id)| call(*after, id)).collect(),
    }
}

fn call(after: usize, id: &str) -> Seen {
    Seen {
        seq: Some(1),
        at: Timestamp::from_ms(1),
        after,
        step: Shown::new(id, Kind::Tool, State::Running),
    }
}

fn drawn() -> (Sight, Arc<Sketch>) {
    let (sketches, first) = (Sketches::default(), glimpse("", &[], &[]));
    let account = first.address.account.clone();
    let pen = sketches.begin(Subject {
        turn: TurnId::from_bits(1),
        address: first.address.clone(),
        live: Live {
            pace: Span::seconds(1),
            group_pace: Span::seconds(3),
            typing: Span::seconds(5),
        },
        display: Display {
            tool_progress: Mode::All,
            ..Display::usual(Platform::Telegram)
        },
        message: "1".to_owned(),
        notice: None,
        quotes: None,
    });
    let sketch = sketches.take_up(&account).remove(0);
    let sight = Sight {
        pen,
        ..Sight::of(NodeId::from_bits(9), &first)
    };
    (sight, sketch)
}

fn said(text: &str) -> Piece {
    Piece::Said(text.to_owned())
}

#[test]
fn what_is_new_is_drawn_in_the_order_in_which_it_was_said_and_done() {
    let (mut sight, sketch) = drawn();
    sight.goes_on(&glimpse("I look. It is so", &[7], &[(7, "a")]));
    assert_eq!(
        sketch.take(),
        [said("I look."), Piece::Part, said(" It is so")]
    );
    let lines = sketch.take_lines();
    assert!(
        matches!(&lines[..], [Line::Words, Line::Call(call), Line::Words] if call.id == "a"),
        "{lines:?}"
    );
    sight.goes_on(&glimpse("I look. It is so far.", &[7, 21], &[(7, "a")]));
    assert_eq!(sketch.take(), [said(" far."), Piece::Part]);
    assert_eq!(sketch.take_lines(), [Line::Words]);
}

#[test]
fn what_was_seen_before_is_not_drawn_again() {
    let (mut sight, sketch) = drawn();
    let seen = glimpse("so far", &[2], &[(2, "a")]);
    sight.goes_on(&seen);
    let _drawn = (sketch.take(), sketch.take_lines());
    sight.goes_on(&seen);
    assert_eq!((sketch.take(), sketch.take_lines()), (vec![], vec![]));
}

#[test]
fn words_that_were_taken_back_are_drawn_anew() {
    let (mut sight, sketch) = drawn();
    sight.goes_on(&glimpse("so far", &[], &[]));
    sketch.take();
    sight.goes_on(&glimpse("no", &[1], &[(2, "a")]));
    let anew = Piece::Rewritten("no".to_owned(), vec![1]);
    assert_eq!(sketch.take(), [anew]);
    sight.goes_on(&glimpse("no way", &[1], &[(2, "a")]));
    assert_eq!(sketch.take(), [said(" way")]);
}
