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
    let _whole = sketches.begin(subject());
    sketches.rested(turn).await;
    let account = AccountId("bot".to_owned());
    assert!(sketches.take_up(&account).is_empty(), "it is whole");
    let pen = sketches.begin(subject());
    let taken = sketches.take_up(&AccountId("bot".to_owned()));
    assert_eq!(taken.len(), 1);
    assert!(
        sketches.take_up(&AccountId("bot".to_owned())).is_empty(),
        "it is shown once"
    );
    drop(pen);
    let shown = BTreeMap::from([("5".to_owned(), "all of it".to_owned())]);
    let rests = async { sketches.rests(&taken[0], shown) };
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

#[test]
fn what_nobody_shows_any_more_is_taken_up_again_with_all_its_words() {
    let (sketches, account) = (Sketches::default(), AccountId("bot".to_owned()));
    let mut pen = sketches.begin(subject());
    pen.follow("one two", &[3]);
    let taken = sketches.take_up(&account);
    taken[0].take();
    sketches.rests(&taken[0], BTreeMap::new());
    let again = sketches.take_up(&account);
    assert_eq!(again.len(), 1);
    pen.follow("one two three", &[3]);
    let whole = Piece::Rewritten("one two three".to_owned(), vec![3]);
    assert_eq!(again[0].take(), [whole]);
}

#[test]
fn of_two_attempts_at_a_turn_the_second_is_shown_when_the_first_rests() {
    let (sketches, account) = (Sketches::default(), AccountId("bot".to_owned()));
    let first = sketches.begin(subject());
    let taken = sketches.take_up(&account);
    let second = sketches.begin(subject());
    assert_eq!(taken[0].work(), Work::Over, "another goes on");
    assert!(sketches.take_up(&account).is_empty());
    sketches.rests(&taken[0], BTreeMap::new());
    assert_eq!(sketches.take_up(&account).len(), 1);
    drop(first);
    assert!(sketches.grows(subject().turn), "the second is another");
    drop(second);
    assert!(!sketches.grows(subject().turn));
}
