use super::*;
use crate::about::About;
use crate::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use crate::inbound::EventKey;

fn attached(sort: Sort, name: Option<&str>) -> Attached {
    Attached {
        name: name.map(str::to_owned),
        ..Attached::new(sort, "r")
    }
}

fn message(text: &str, attached: Vec<Attached>) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Telegram,
            account: AccountId("telegram".to_owned()),
            chat: Chat {
                id: "7".to_owned(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: "7".to_owned(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: "1".to_owned(),
        text: text.to_owned(),
        pictures: Vec::new(),
        attached,
        context: Vec::new(),
        about: About::default(),
    }
}

fn lying() -> Lying {
    Lying {
        media_type: "application/pdf",
        bytes: 12,
        path: "/kept/x.pdf".to_owned(),
    }
}

fn picture() -> Picture {
    Picture::of(b"GIF89a\x01\0\x01\0", None).unwrap()
}

#[test]
fn a_message_is_opened_in_the_order_in_which_things_came() {
    let came = vec![
        attached(Sort::Picture, None),
        attached(Sort::Voice, None),
        attached(Sort::File, Some("../notes.txt")),
        attached(Sort::File, Some("a.pdf")),
        attached(Sort::Video, None),
    ];
    let found = vec![
        Found::Picture(picture()),
        Found::Spoken(" hello there ".to_owned()),
        Found::Text("one\ntwo\n".to_owned(), None),
        Found::File(lying(), Some("look at it with a tool".to_owned())),
        Found::Nothing("it has more than 20 MB".to_owned()),
    ];
    let opened = opened(&message("look", came), found);
    assert_eq!(
        opened.text,
        "look\n[voice message, written down: “hello there”]\n[file “notes.txt”]\none\ntwo\n[end of the file]\n\
         [file “a.pdf”: application/pdf, 12 bytes, at /kept/x.pdf; look at it with a tool]\n\
         [video: it has more than 20 MB]"
    );
    assert_eq!(opened.pictures, [picture()]);
    assert!(opened.attached.is_empty());
}

#[test]
fn what_nobody_looked_at_is_said_to_be_missing_and_never_a_command() {
    let opened = opened(
        &message("", vec![attached(Sort::File, Some("/stop"))]),
        Vec::new(),
    );
    assert_eq!(opened.text, "[file “stop”: it was not looked at]");
}

#[test]
fn a_sticker_is_its_sign_its_set_and_what_it_shows() {
    let sticker = Attached {
        sign: Some("🎉".to_owned()),
        sticker: Sticker::of("u1", Some("Cats")),
        ..attached(Sort::Sticker, None)
    };
    let shown = |found| opened(&message("", vec![sticker.clone()]), vec![found]).text;
    let words = shown(Found::Described("a cat dances".to_owned()));
    assert_eq!(words, "[sticker 🎉 of the set “Cats”: a cat dances]");
    assert_eq!(shown(Found::Sign), "[sticker 🎉 of the set “Cats”]");
}

#[test]
fn a_text_that_does_not_fit_is_a_path() {
    let long = "x".repeat(limits::ATTACHED_TEXT_BYTES_MAX);
    let three = (0..3).map(|_| attached(Sort::File, None)).collect();
    let texts = (0..3).map(|_| Found::Text(long.clone(), Some(lying())));
    let opened = opened(&message("", three), texts.collect());
    assert!(opened.text.len() <= limits::TEXT_BYTES_MAX);
    assert_eq!(opened.text.matches("at /kept/x.pdf").count(), 2);
}

#[test]
fn a_message_that_was_not_opened_says_what_came_with_it() {
    let message = message(
        "look",
        vec![attached(Sort::Voice, None), attached(Sort::File, Some("a"))],
    );
    assert_eq!(message.words(), "look\n[voice message] [file “a”]");
}
