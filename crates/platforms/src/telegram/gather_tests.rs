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

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    kind: String,
    #[serde(default)]
    last_chunk: usize,
    #[serde(default)]
    wait: f64,
    #[serde(default)]
    split_setting: f64,
}

#[derive(serde::Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

/// The cases of the reference; `ANGELIA_VECTORS` names others of the same shape.
#[expect(
    clippy::disallowed_methods,
    reason = "a test is told here where its vectors are"
)]
fn cases() -> Vec<Case> {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/src/telegram/vectors");
    let folder = std::env::var("ANGELIA_VECTORS").unwrap_or_else(|_| here.to_owned());
    let text = std::fs::read_to_string(format!("{folder}/gateway/telegram_batching.json")).unwrap();
    serde_json::from_str::<Vectors>(&text).unwrap().cases
}

/// Only a text that its client may have cut is waited for, as long as in the reference; what is shorter is committed
/// at once (D-32).
#[test]
fn the_rest_of_a_cut_text_is_waited_for_as_in_the_reference_and_nothing_else_is() {
    let (mut same, mut at_once, mut others) = (0, 0, 0);
    for case in cases() {
        match case.kind.as_str() {
            "telegram_text_delay" => (),
            "clamped_setting" | "reply_mode" => {
                others += 1;
                continue;
            }
            other => panic!("{}: nobody judged `{other}`", case.id),
        }
        let ours = wait(&updates(&[said(1, &"x".repeat(case.last_chunk))]));
        let theirs = Duration::from_secs_f64(case.wait);
        match ours {
            None => {
                assert!(case.last_chunk < CUT_UNITS, "{}", case.id);
                at_once += 1;
            }
            Some(ours) => {
                let is_usual = Duration::from_secs_f64(case.split_setting) == TEXT_WAIT;
                assert!(ours == theirs || !is_usual, "{}", case.id);
                same += 1;
            }
        }
    }
    eprintln!("telegram_batching: {same} wait, {at_once} are taken at once, {others} others");
    assert!(same > 0);
}
