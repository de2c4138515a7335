use angelia_core::address::{Chat, ChatKind, Platform};
use angelia_core::time::Span;

use super::*;

fn subject() -> Subject {
    let address = Address {
        platform: Platform::Telegram,
        account: AccountId("bot".to_owned()),
        chat: Chat {
            id: "7".to_owned(),
            kind: ChatKind::Dm,
        },
        thread: None,
    };
    Subject {
        turn: TurnId::from_bits(1),
        display: Display::usual(Platform::Telegram),
        live: Live {
            pace: Span::seconds(1),
            group_pace: Span::seconds(3),
            typing: Span::seconds(5),
        },
        notice: None,
        quotes: None,
        address,
    }
}

#[test]
fn what_nobody_took_yet_is_one_piece_and_words_taken_back_are_not_in_it() {
    let sketches = Sketches::default();
    let mut pen = sketches.begin(subject());
    let taken = sketches.take_up(&AccountId("bot".to_owned()));
    pen.follow("one", &[]);
    pen.follow("one two", &[]);
    pen.part();
    assert_eq!(
        taken[0].take(),
        [Piece::Said("one two".to_owned()), Piece::Part]
    );
    pen.follow("one two three", &[7]);
    pen.follow("one two", &[7]);
    pen.follow("one two four", &[7]);
    assert_eq!(
        taken[0].take(),
        [
            Piece::Rewritten("one two".to_owned(), vec![7]),
            Piece::Said(" four".to_owned())
        ]
    );
}

#[tokio::test]
async fn a_courier_waits_only_for_what_somebody_shows() {
    let sketches = Sketches::default();
    let turn = subject().turn;
    let pen = sketches.begin(subject());
    sketches.rested(turn).await;
    assert_eq!(sketches.take_up(&AccountId("bot".to_owned())).len(), 1);
    assert!(
        sketches.take_up(&AccountId("bot".to_owned())).is_empty(),
        "it is shown once"
    );
    drop(pen);
    let shown = BTreeMap::from([("5".to_owned(), "all of it".to_owned())]);
    let rests = async { sketches.rests(turn, shown) };
    tokio::join!(sketches.rested(turn), rests);
    let receipt = Receipt("5".to_owned());
    assert!(sketches.shows(turn, &receipt, "all of it"));
    assert!(!sketches.shows(turn, &receipt, "all"));
    sketches.delivered(turn);
    assert!(!sketches.shows(turn, &receipt, "all of it"));
}

#[test]
fn where_nothing_is_shown_a_pen_writes_nowhere() {
    let mut pen = Pen::default();
    pen.follow("words", &[]);
    pen.part();
    pen.call(|| panic!("nobody sees this"));
}
