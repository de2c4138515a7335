//! What a model is shown: the very bytes, on both wires, from people and from tools.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use angelia_agents::Input;
use angelia_agents::model::wire::Wire;
use angelia_agents::pictures::Pictures;
use angelia_agents::tools::files::Workspace;
use angelia_agents::tools::shelf::Shelf;
use angelia_agents::tools::terms::Terms;
use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::media::{MediaId, Picture, base64};
use angelia_core::turn::journal::Step;
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::talk::{Heard, WIRES, blind_model, input, model, place, turn};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\0\xff\xfe";

/// Pictures in memory.
#[derive(Debug, Default)]
struct Gallery(Mutex<BTreeMap<MediaId, Vec<u8>>>);

#[async_trait]
impl Pictures for Gallery {
    async fn look(&self, picture: &Picture) -> Option<Vec<u8>> {
        self.0.lock().unwrap().get(&picture.id).cloned()
    }

    async fn keep(&self, bytes: Vec<u8>, name: Option<&str>) -> Result<Picture, String> {
        let picture = Picture::of(&bytes, name).map_err(|why| why.to_string())?;
        self.0.lock().unwrap().insert(picture.id, bytes);
        Ok(picture)
    }

    fn file(&self, _picture: &Picture) -> Option<PathBuf> {
        None
    }
}

/// A message with these pictures.
pub(crate) fn said(text: &str, pictures: Vec<Picture>) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat: Chat {
                id: "c1".to_owned(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: "u1".to_owned(),
            name: None,
        },
        event_key: EventKey::in_chat("c1", "m1"),
        message_id: "m1".to_owned(),
        text: text.to_owned(),
        pictures,
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

async fn showing(words: &str) -> Input {
    let gallery = Arc::new(Gallery::default());
    let picture = gallery.keep(PNG.to_vec(), Some("a.png")).await.unwrap();
    Input {
        messages: vec![Arc::new(said(words, vec![picture]))],
        pictures: gallery,
        ..input(words, Vec::new())
    }
}

/// The parts of the last message that the model was given.
fn last_parts(fake: &FakeModel) -> Vec<Value> {
    let body = fake.heard().pop().unwrap().body;
    let last = body["messages"].as_array().unwrap().last().unwrap().clone();
    last["content"].as_array().cloned().unwrap_or_default()
}

/// The bytes of a part that is a picture.
fn bytes(part: &Value) -> Option<Vec<u8>> {
    let url = part["image_url"]["url"].as_str();
    let inline = url.and_then(|url| url.strip_prefix("data:image/png;base64,"));
    let source = &part["source"];
    let data = inline.or_else(|| source["data"].as_str())?;
    base64::decode(data)
}

#[tokio::test]
async fn a_model_sees_the_very_bytes_that_a_person_sent() {
    for wire in WIRES {
        let fake = FakeModel::start(Script::in_order(vec![Reply::says(["A swan."])]))
            .await
            .unwrap();
        let model = model(vec![place(&fake, wire)]);
        let heard = turn(
            &model,
            showing("what is it?").await,
            CancellationToken::new(),
        )
        .await;
        assert_eq!(
            (heard.ended.clone(), heard.reply.as_str()),
            (Ok(()), "A swan.")
        );
        let parts = last_parts(&fake);
        let kinds: Vec<&str> = parts
            .iter()
            .filter_map(|part| part["type"].as_str())
            .collect();
        let expected = match wire {
            Wire::OpenAi => ["text", "image_url"],
            Wire::Anthropic => ["image", "text"],
        };
        assert_eq!(kinds, expected);
        let seen: Vec<Vec<u8>> = parts.iter().filter_map(bytes).collect();
        assert_eq!(seen, [PNG]);
        let steps = serde_json::to_string(&heard.steps).unwrap();
        assert!(
            !steps.contains(&base64::encode(PNG)),
            "the journal holds no bytes"
        );
    }
}

#[tokio::test]
async fn a_model_that_cannot_see_is_told_so() {
    for wire in WIRES {
        let fake = FakeModel::start(Script::in_order(vec![Reply::says(["Hm."])]))
            .await
            .unwrap();
        let model = blind_model(vec![place(&fake, wire)]);
        turn(
            &model,
            showing("what is it?").await,
            CancellationToken::new(),
        )
        .await;
        let parts = json!(last_parts(&fake)).to_string();
        assert!(
            parts.contains("[picture “a.png”: PNG 2×3] (not shown to you)"),
            "{parts}"
        );
        assert!(!parts.contains("base64"));
    }
}

#[tokio::test]
async fn a_picture_that_is_gone_is_told_in_words() {
    for wire in WIRES {
        let fake = FakeModel::start(Script::in_order(vec![Reply::says(["Hm."])]))
            .await
            .unwrap();
        let asked = Input {
            pictures: Arc::new(Gallery::default()),
            ..showing("look").await
        };
        let heard = turn(
            &model(vec![place(&fake, wire)]),
            asked,
            CancellationToken::new(),
        )
        .await;
        assert_eq!(heard.ended, Ok(()));
        assert!(
            json!(last_parts(&fake))
                .to_string()
                .contains("not shown to you")
        );
    }
}

/// A turn in which the model reads `a.png` of the workspace.
async fn reading((fake, wire): (&FakeModel, Wire), world: &Path, before: Vec<Step>) -> Heard {
    let root = world.join("w");
    let workspace = Workspace::prepare(&root, &root, &[]).unwrap();
    std::fs::write(root.join("a.png"), PNG).unwrap();
    let shelf = Arc::new(Shelf::default());
    let asked = showing("look").await;
    let asked = Input {
        messages: Vec::new(),
        terms: Terms {
            workspace: Some(Arc::new(workspace)),
            tools: shelf.set(&Default::default()),
            shelf,
            ..Terms::default()
        },
        journal: input("look", before).journal,
        ..asked
    };
    turn(
        &model(vec![place(fake, wire)]),
        asked,
        CancellationToken::new(),
    )
    .await
}

fn read_file(id: &str) -> Piece {
    Piece::Call {
        id: id.to_owned(),
        name: "read_file".to_owned(),
        arguments: json!({ "path": "a.png" }),
    }
}

#[tokio::test]
async fn a_model_sees_the_pictures_that_its_tools_bring() {
    for wire in WIRES {
        let script = Script::in_order(vec![
            Reply::of([read_file("x"), read_file("y")]),
            Reply::says(["A swan."]),
        ]);
        let fake = FakeModel::start(script).await.unwrap();
        let world = tempfile::tempdir().unwrap();
        let heard = reading((&fake, wire), world.path(), Vec::new()).await;
        assert_eq!(
            (heard.ended.clone(), heard.reply.as_str()),
            (Ok(()), "A swan.")
        );
        let output: Value = serde_json::from_str(heard.outputs()[0]).unwrap();
        assert_eq!(output["pictures"][0]["type"], "image/png");
        match wire {
            Wire::OpenAi => stand_behind_the_results(&fake),
            Wire::Anthropic => stand_in_the_results(&fake),
        }
    }
}

fn stand_behind_the_results(fake: &FakeModel) {
    let seen: Vec<Vec<u8>> = last_parts(fake).iter().filter_map(bytes).collect();
    assert_eq!(seen, [PNG, PNG]);
    let body = fake.heard().pop().unwrap().body;
    let messages = body["messages"].as_array().unwrap().iter();
    let roles: Vec<&str> = messages.filter_map(|one| one["role"].as_str()).collect();
    let expected = ["system", "user", "assistant", "tool", "tool", "user"];
    assert_eq!(roles, expected);
}

fn stand_in_the_results(fake: &FakeModel) {
    let parts = last_parts(fake);
    assert_eq!(parts.len(), 2);
    for part in parts {
        let inner = part["content"].as_array().unwrap();
        assert_eq!(bytes(&inner[1]).as_deref(), Some(PNG));
    }
}

/// Finished calls are not made again, and their pictures are seen again.
#[tokio::test]
async fn a_turn_that_is_run_again_sees_what_it_saw() {
    for wire in WIRES {
        let script =
            || Script::in_order(vec![Reply::of([read_file("x")]), Reply::says(["A swan."])]);
        let fake = FakeModel::start(script()).await.unwrap();
        let world = tempfile::tempdir().unwrap();
        let first = reading((&fake, wire), world.path(), Vec::new()).await;
        let seen = fake.heard().pop().unwrap().body;
        let answered = first.steps.len() - 1;
        let again = FakeModel::start(Script::in_order(vec![Reply::says(["A swan."])]))
            .await
            .unwrap();
        let steps = first.steps[..answered].to_vec();
        let second = reading((&again, wire), world.path(), steps).await;
        assert_eq!(second.reply, "A swan.");
        assert_eq!(again.heard()[0].body["messages"], seen["messages"]);
    }
}
