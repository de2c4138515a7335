use super::*;
use angelia_core::media::attached::{Attached, Sort};
use angelia_core::media::sticker::Sticker;
use serde_json::{Value, json};

fn heard(update: Value) -> Heard {
    let me: User = serde_json::from_value(
        json!({ "id": 42, "is_bot": true, "first_name": "A", "username": "a_bot" }),
    )
    .unwrap();
    let account = AccountId("work".into());
    let ear = Ear {
        account: &account,
        me: &me,
    };
    ear.translate(&serde_json::from_value(update).unwrap())
}

fn message(more: Value) -> Value {
    let mut message = json!({
        "message_id": 9,
        "from": { "id": 7, "first_name": "Anna", "last_name": "B" },
        "chat": { "id": 7, "type": "private" },
    });
    let more = more.as_object().unwrap().clone();
    message.as_object_mut().unwrap().extend(more);
    json!({ "update_id": 1, "message": message })
}

fn in_group(text: &str, entities: Value) -> Value {
    let chat = json!({ "id": -5, "type": "supergroup", "title": "Team" });
    message(json!({ "chat": chat, "text": text, "entities": entities }))
}

fn inbound(update: Value) -> Inbound {
    let heard = heard(update);
    let Heard::Message(inbound) = heard else {
        panic!("no message: {heard:?}");
    };
    *inbound
}

#[test]
fn a_private_text_has_its_place_its_person_and_a_key_that_corrections_share() {
    let said = inbound(message(json!({ "text": "hi" })));
    assert_eq!(said.address.chat.kind, ChatKind::Dm);
    assert_eq!(said.person.name.as_deref(), Some("Anna B"));
    let corrected =
        json!({ "update_id": 2, "edited_message": message(json!({ "text": "ho" }))["message"] });
    assert_eq!(inbound(corrected).event_key, said.event_key);
}

#[test]
fn topics_are_threads_and_replies_in_plain_groups_are_not() {
    let topic = message(json!({ "text": "x", "message_thread_id": 3, "is_topic_message": true }));
    assert_eq!(inbound(topic).address.thread.as_deref(), Some("3"));
    let reply = message(json!({ "text": "x", "message_thread_id": 3 }));
    assert_eq!(inbound(reply).address.thread, None);
}

#[test]
fn a_group_is_answered_when_it_speaks_to_the_bot() {
    let mention = json!([{ "type": "mention", "offset": 0, "length": 6 }]);
    let said = inbound(in_group("@A_Bot hello", mention));
    assert_eq!(
        (said.text.as_str(), said.about.chat_name.as_deref()),
        ("hello", Some("Team"))
    );
    let command = |text: &str| {
        let length = text.split(' ').next().unwrap().len();
        in_group(
            text,
            json!([{ "type": "bot_command", "offset": 0, "length": length }]),
        )
    };
    assert_eq!(inbound(command("/stop")).text, "/stop");
    assert_eq!(inbound(command("/stop@a_bot now")).text, "/stop@a_bot now");
    assert!(matches!(
        heard(command("/stop@other_bot")),
        Heard::Passed(_)
    ));
    assert!(matches!(
        heard(in_group("just talk", json!([]))),
        Heard::Passed(_)
    ));
    let mut answer = in_group("yes", json!([]));
    answer["message"]["reply_to_message"] = json!({
        "message_id": 8, "from": { "id": 42, "is_bot": true, "first_name": "A" },
        "chat": { "id": -5, "type": "supergroup" }, "text": "sure?",
    });
    assert_eq!(inbound(answer).text, "[in reply to A: \"sure?\"]\nyes");
}

fn came(more: Value) -> Vec<Attached> {
    inbound(message(more)).attached
}

#[test]
fn what_comes_along_is_named_by_what_telegram_gives_it_out_for() {
    let look = inbound(message(json!({
        "caption": "look",
        "photo": [
            { "file_id": "small", "width": 90, "height": 60, "file_size": 1_000 },
            { "file_id": "large", "width": 1_280, "height": 853, "file_size": 200_000 },
            { "file_id": "huge", "width": 9_000, "height": 6_000, "file_size": 9_000_000 },
        ],
    })));
    assert_eq!(look.text, "look");
    assert_eq!(
        look.attached[0].remote, "large",
        "the largest that a model takes"
    );
    let file =
        came(json!({ "document": { "file_id": "x", "file_name": "a.txt", "file_size": 3 } }));
    assert_eq!(file[0].note(), "[file “a.txt”]");
    assert_eq!(file[0].bytes, Some(3));
    let spoken = came(json!({ "voice": { "file_id": "v", "duration": 2 } }));
    assert_eq!(spoken[0].sort, Sort::Voice);
    let sticker =
        |kind: &str| came(json!({ "sticker": { "file_id": "s", "emoji": "🎉", kind: true } }));
    assert_eq!(sticker("is_premium")[0].sort, Sort::Sticker);
    assert_eq!(sticker("is_video")[0].sort, Sort::MovingSticker);
    assert_eq!(sticker("is_animated")[0].note(), "[sticker 🎉]");
    assert_eq!(sticker("is_premium")[0].sticker, None);
    let known = came(json!({ "sticker":
        { "file_id": "s", "file_unique_id": "u1", "emoji": "🎉", "set_name": "Cats" } }));
    assert_eq!(known[0].sticker, Sticker::of("u1", Some("Cats")));
    assert_eq!(known[0].note(), "[sticker 🎉 of the set “Cats”]");
}

#[test]
fn a_film_that_is_also_called_a_document_comes_once() {
    let film = json!({ "file_id": "f", "file_name": "a.mp4" });
    let came = came(json!({ "animation": film, "document": film }));
    assert_eq!((came.len(), came[0].sort), (1, Sort::Video));
}

#[test]
fn what_is_no_file_is_named_in_words_and_silence_is_passed() {
    let here = json!({ "location": { "latitude": 1.0, "longitude": 2.0 } });
    assert_eq!(inbound(message(here)).text, "[location: 1, 2]");
    let venue = json!({
        "location": { "latitude": 1.5, "longitude": -2.0 },
        "venue": { "title": "Bar", "address": "Street 1" },
    });
    let said = inbound(message(venue)).text;
    assert_eq!(said, "[location: Bar, Street 1 (1.5, -2)]");
    let contact = json!({ "contact": { "phone_number": "+49", "first_name": "Ben" } });
    assert_eq!(inbound(message(contact)).text, "[contact: Ben, +49]");
    let options = json!([{ "text": "yes" }, { "text": "no" }]);
    let poll = json!({ "poll": { "question": "Go?", "options": options } });
    assert_eq!(inbound(message(poll)).text, "[poll: Go? – yes / no]");
    let title = json!({ "new_chat_title": "x" });
    assert!(matches!(heard(message(title)), Heard::Passed(_)));
}

#[test]
fn something_spoken_in_reply_says_what_it_replies_to() {
    let answered =
        json!({ "message_id": 8, "text": "sure?", "from": { "id": 42, "first_name": "A" } });
    let said = inbound(message(
        json!({ "voice": { "file_id": "v" }, "reply_to_message": answered }),
    ));
    assert_eq!(said.text, "[in reply to A: \"sure?\"]");
}

#[test]
fn programs_channels_and_unknown_updates_start_nothing() {
    let bot =
        message(json!({ "text": "x", "from": { "id": 8, "is_bot": true, "first_name": "B" } }));
    assert!(matches!(heard(bot), Heard::Passed(_)));
    let nobody = message(json!({ "text": "x", "from": null }));
    assert!(matches!(heard(nobody), Heard::Passed(_)));
    assert_eq!(
        heard(json!({ "update_id": 1, "poll_answer": {} })),
        Heard::Unknown
    );
}

#[test]
fn a_press_says_what_its_button_was_made_to_say_and_only_commands() {
    let press = |data: &str| {
        json!({ "update_id": 1, "callback_query": {
            "id": "q1", "from": { "id": 7, "first_name": "Anna" }, "data": data,
            "message": { "message_id": 4, "chat": { "id": 7, "type": "private" }, "text": "sure?" },
        } })
    };
    let Heard::Press(inbound) = heard(press("/approve")) else {
        panic!("no press");
    };
    assert_eq!(
        (inbound.text.as_str(), inbound.person.id.as_str()),
        ("/approve", "7")
    );
    assert!(matches!(heard(press("rm -rf")), Heard::Passed(_)));
}

#[test]
fn a_group_that_has_become_another_is_told_by_both_ids() {
    let moved = Heard::Moved(Moved {
        from: "-5".to_owned(),
        to: "-1005".to_owned(),
    });
    let old = json!({ "chat": { "id": -5, "type": "group" }, "migrate_to_chat_id": -1005 });
    assert_eq!(heard(message(old)), moved);
    let new = json!({ "chat": { "id": -1005, "type": "supergroup" }, "migrate_from_chat_id": -5 });
    assert_eq!(heard(message(new)), moved);
}

#[test]
fn what_is_said_aloud_is_marked_so() {
    let voice = json!({ "voice": { "file_id": "v" } });
    assert_eq!(inbound(message(voice)).about.said, Said::Aloud);
    let text = json!({ "text": "hi" });
    assert_eq!(inbound(message(text)).about.said, Said::Written);
}

/// An album of pictures with these captions, as it stands after it was gathered.
fn album(chat: &Value, captions: &[&str]) -> Heard {
    let picture = |(number, caption): (i64, &&str)| {
        let mut picture = message(json!({
            "chat": chat,
            "media_group_id": "a",
            "photo": [{ "file_id": format!("p{number}"), "file_size": 9, "width": 1, "height": 1 }],
        }));
        picture["update_id"] = json!(number);
        if !caption.is_empty() {
            picture["message"]["caption"] = json!(caption);
            let mention = json!([{ "type": "mention", "offset": 0, "length": 6 }]);
            picture["message"]["caption_entities"] = mention;
        }
        serde_json::from_value(picture).unwrap()
    };
    let updates = (1..).zip(captions).map(picture).collect();
    let mut joined = super::super::gather::join(updates);
    assert_eq!(joined.len(), 1);
    let me = json!({ "id": 42, "is_bot": true, "first_name": "A", "username": "a_bot" });
    let ear = Ear {
        account: &AccountId("work".into()),
        me: &serde_json::from_value(me).unwrap(),
    };
    ear.translate(&joined.remove(0))
}

#[test]
fn all_captions_of_an_album_are_heard_and_each_of_them_once() {
    let chat = json!({ "id": 7, "type": "private" });
    let heard = album(&chat, &["the garden", "", "the house", "the garden"]);
    let Heard::Message(inbound) = heard else {
        panic!("no message: {heard:?}");
    };
    assert_eq!(inbound.text, "the garden\nthe house");
    assert_eq!(inbound.attached.len(), 4);
}

#[test]
fn an_album_is_for_the_bot_whichever_of_its_captions_names_it() {
    let chat = json!({ "id": -5, "type": "supergroup", "title": "Team" });
    let heard = album(&chat, &["", "@a_bot what is this?"]);
    let Heard::Message(inbound) = heard else {
        panic!("no message: {heard:?}");
    };
    assert_eq!(inbound.text, "what is this?");
    assert!(matches!(album(&chat, &["", "look"]), Heard::Passed(_)));
}
