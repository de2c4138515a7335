use super::*;
use crate::address::{AccountId, Chat, ChatKind};

fn at(platform: Platform, kind: ChatKind) -> Address {
    Address {
        platform,
        account: AccountId::of(platform),
        chat: Chat {
            id: "c".to_owned(),
            kind,
        },
        thread: None,
    }
}

fn does(mode: Mode) -> Chosen {
    Chosen {
        mode: Some(mode),
        ..Chosen::default()
    }
}

#[test]
fn the_most_specific_place_wins() {
    let places = [
        ("telegram.group", does(Mode::Interrupt)),
        ("telegram", does(Mode::Steer)),
        ("group", does(Mode::Queue)),
    ];
    let manners = Manners {
        everywhere: does(Mode::Interrupt),
        places: places
            .map(|(place, chosen)| (place.to_owned(), chosen))
            .into(),
    };
    let mode = |platform, kind| manners.at(&at(platform, kind)).mode;
    assert_eq!(mode(Platform::Telegram, ChatKind::Group), Mode::Interrupt);
    assert_eq!(mode(Platform::Telegram, ChatKind::Dm), Mode::Steer);
    assert_eq!(mode(Platform::Web, ChatKind::Group), Mode::Queue);
    assert_eq!(mode(Platform::Web, ChatKind::Dm), Mode::Interrupt);
}

#[test]
fn programs_get_a_reply_to_each_message_unless_somebody_chose_otherwise_for_them() {
    let mut manners = Manners::default();
    manners.everywhere.acks = Some(Acks::Told);
    let there = manners.at(&at(Platform::Telegram, ChatKind::Dm));
    assert_eq!(
        (there.acks, there.gathering),
        (Acks::Told, Gathering::Together)
    );
    let here = manners.at(&at(Platform::Api, ChatKind::Dm));
    assert_eq!(
        (here.acks, here.gathering),
        (Acks::Silent, Gathering::Apart)
    );
    assert_eq!(here.mode, Mode::Queue);
    let together = Chosen {
        gathering: Some(Gathering::Together),
        ..Chosen::default()
    };
    manners.places.insert("api".to_owned(), together);
    let here = manners.at(&at(Platform::Api, ChatKind::Dm));
    assert_eq!(
        (here.acks, here.gathering),
        (Acks::Silent, Gathering::Together)
    );
}
