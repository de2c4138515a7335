use super::*;
use crate::address::{AccountId, Chat, Platform};

fn address(kind: ChatKind, thread: Option<&str>) -> Address {
    Address {
        platform: Platform::Telegram,
        account: AccountId("telegram".to_owned()),
        chat: Chat {
            id: "7".to_owned(),
            kind,
        },
        thread: thread.map(str::to_owned),
    }
}

fn quoted(quoting: Quoting, part: u32) -> Option<String> {
    let quotes = Quotes::of(&address(ChatKind::Dm, None), "5", quoting)?;
    quotes.at(part).map(str::to_owned)
}

#[test]
fn a_part_quotes_as_the_place_wants_it() {
    assert_eq!(quoted(Quoting::Off, 1), None);
    assert_eq!(quoted(Quoting::First, 1).as_deref(), Some("5"));
    assert_eq!(quoted(Quoting::First, 2), None);
    assert_eq!(quoted(Quoting::All, 2).as_deref(), Some("5"));
}

#[test]
fn in_a_topic_of_a_group_nothing_is_quoted() {
    let quotes = |kind, thread| Quotes::of(&address(kind, thread), "5", Quoting::First).is_some();
    assert!(quotes(ChatKind::Group, None));
    assert!(!quotes(ChatKind::Group, Some("1")));
    assert!(quotes(ChatKind::Dm, Some("1")));
}

#[test]
fn what_has_no_number_is_not_quoted() {
    let nowhere = Quotes::of(&address(ChatKind::Dm, None), "", Quoting::All);
    assert_eq!(nowhere, None);
}
