use super::*;
use serde_json::{Value, json};

fn updates(messages: &[Value]) -> Vec<Update> {
    let update = |(number, message): (i64, &Value)| Update {
        update_id: number,
        message: Some(serde_json::from_value(message.clone()).unwrap()),
        ..Update::default()
    };
    (1..).zip(messages).map(update).collect()
}

fn said(person: i64, text: &str) -> Value {
    json!({ "message_id": 1, "from": { "id": person }, "chat": { "id": 5 }, "text": text })
}

fn counts(joined: &[Update]) -> Vec<(i64, usize)> {
    let more = |update: &Update| update.message.as_ref().map_or(0, |one| one.more.len());
    joined
        .iter()
        .map(|one| (one.update_id, more(one)))
        .collect()
}

#[test]
fn the_rest_of_a_cut_text_joins_it_and_ordinary_texts_stay_apart() {
    let long = "x".repeat(4096);
    let joined = join(updates(&[
        said(1, &long),
        said(1, &long),
        said(1, "end"),
        said(1, "new"),
    ]));
    assert_eq!(counts(&joined), [(3, 2), (4, 0)]);
    let apart = join(updates(&[said(1, "a"), said(1, "b")]));
    assert_eq!(counts(&apart), [(1, 0), (2, 0)]);
}

#[test]
fn another_sender_and_a_command_never_join() {
    let long = "x".repeat(4096);
    let joined = join(updates(&[
        said(1, &long),
        said(2, "me"),
        said(2, &long),
        said(2, "/stop"),
    ]));
    assert_eq!(counts(&joined), [(1, 0), (2, 0), (3, 0), (4, 0)]);
}

#[test]
fn an_album_is_one_and_its_rest_is_waited_for() {
    let picture = |album: &str| json!({ "message_id": 1, "from": { "id": 1 }, "chat": { "id": 5 }, "photo": [], "media_group_id": album });
    let album = updates(&[picture("a"), picture("a"), picture("b")]);
    assert_eq!(wait(&album), Some(ALBUM_WAIT));
    assert_eq!(counts(&join(album)), [(2, 1), (3, 0)]);
    assert_eq!(wait(&updates(&[said(1, "short")])), None);
    assert_eq!(
        wait(&updates(&[said(1, &"é".repeat(4000))])),
        Some(TEXT_WAIT)
    );
}
