//! Pictures in the real binary: from programs to a model, across a crash, and gone with their conversation.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use angelia_api::client::{Client, ClientError};
use angelia_api::token::Token;
use angelia_api::wire::v1::inbox::{Accepted, ChatType, Entrance, InboxRequest, Sender};
use angelia_api::wire::v1::media::{Attachment, Picture};
use angelia_core::media::{MediaId, base64};
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use rustix::process::Signal;
use tokio::runtime::Runtime;

use crate::openai::{facts, python};
use crate::world::{Gateway, World, ended, wait_for};

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

struct Scene {
    world: World,
    fake: FakeModel,
    runtime: Runtime,
}

impl Scene {
    fn new(backend: &str, script: Script) -> Self {
        let runtime = Runtime::new().unwrap();
        let fake = runtime.block_on(FakeModel::start(script)).unwrap();
        let world = World::new();
        world.configure(&format!(
            "[agent]\nbackend = \"{backend}\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\n",
            fake.base_url()
        ));
        Self {
            world,
            fake,
            runtime,
        }
    }

    fn token(&self) -> String {
        let token = fs::read_to_string(self.world.home().join("api-token")).unwrap();
        token.trim().to_owned()
    }

    fn client(&self, gateway: &Gateway) -> Client {
        let address = format!("http://{}", gateway.address);
        Client::new(&address, Token::new(&self.token())).unwrap()
    }

    fn bring(&self, gateway: &Gateway, bytes: Vec<u8>) -> Result<Picture, ClientError> {
        let client = self.client(gateway);
        let brought = client.bring_picture(bytes, Some("dot.png"));
        self.runtime.block_on(brought)
    }

    /// Says nothing but a picture.
    fn show(&self, gateway: &Gateway, id: MediaId) -> Result<Accepted, ClientError> {
        let message = InboxRequest {
            chat: "c".to_owned(),
            chat_type: ChatType::Dm,
            thread: None,
            user: Sender {
                id: "u".to_owned(),
                name: None,
            },
            text: String::new(),
            attachments: vec![Attachment { id, name: None }],
            message_id: "m1".to_owned(),
            platform: Entrance::Api,
        };
        let client = self.client(gateway);
        self.runtime.block_on(client.inbox(&message))
    }

    fn reply(&self) -> Vec<String> {
        wait_for("the reply", || {
            let sent = self.world.sent();
            (!sent.is_empty()).then_some(sent)
        })
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.world.home().join("media"));
        let entries = entries.into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }
}

fn png() -> Vec<u8> {
    base64::decode(PNG).unwrap()
}

/// How often the very picture stands in what the model was asked.
fn seen(fake: &FakeModel, number: usize) -> usize {
    fake.heard()[number].body.to_string().matches(PNG).count()
}

#[test]
fn the_official_openai_client_shows_a_model_the_very_picture() {
    let Some(python) = python() else { return };
    for backend in ["openai", "anthropic"] {
        let said = ["A dot.", "Still a dot.", "Another dot."];
        let script = Script::in_order(said.map(|words| Reply::says([words])).to_vec());
        let scene = Scene::new(backend, script);
        let gateway = scene.world.serve();
        let mut command = Command::new(&python);
        command
            .arg(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/openai/pictures.py"
            ))
            .arg(format!("http://{}/v1", gateway.address))
            .args([scene.token(), format!("data:image/png;base64,{PNG}")]);
        let ran = ended(command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let told = facts(&ran.stdout);
        assert_eq!(told["first"]["text"], "A dot.", "{backend}");
        assert_eq!(told["second"]["text"], "Still a dot.");
        assert_eq!(told["response"]["text"], "Another dot.");
        assert_eq!([0, 1, 2].map(|call| seen(&scene.fake, call)), [1, 1, 1]);
        assert_eq!(told["far"]["status"], 400);
        assert_eq!(told["far"]["code"], "invalid_image_url");
        assert_eq!(told["text"]["code"], "unsupported_content_type");
        let database = fs::read(scene.world.home().join("angelia.db")).unwrap();
        let text = PNG.as_bytes();
        assert!(
            !database.windows(text.len()).any(|part| part == text),
            "rows hold no bytes"
        );
    }
}

#[test]
fn a_picture_that_was_taken_is_answered_after_a_kill_and_shown_as_it_was() {
    let script = Script::new(|_, number| match number {
        1 => Reply::of([Piece::Pause(Duration::from_secs(600))]),
        _ => Reply::says(["A dot."]),
    });
    let scene = Scene::new("openai", script);
    let mut gateway = scene.world.serve();
    let picture = scene.bring(&gateway, png()).unwrap();
    assert_eq!(
        (picture.kind.as_str(), picture.width),
        ("image/png", Some(1))
    );
    scene.show(&gateway, picture.id).unwrap();
    wait_for("the model to be asked", || {
        (!scene.fake.heard().is_empty()).then_some(())
    });
    gateway.running.signal(Signal::KILL);
    wait_for("the gateway to be gone", || gateway.running.has_ended());
    let gateway = scene.world.serve();
    assert_eq!(scene.reply(), ["A dot."]);
    assert_eq!((seen(&scene.fake, 0), seen(&scene.fake, 1)), (1, 1));
    let client = scene.client(&gateway);
    let shown = scene.runtime.block_on(client.picture(picture.id)).unwrap();
    assert_eq!(shown, ("image/png".to_owned(), png()));
}

#[test]
fn what_cannot_be_taken_is_refused_and_leaves_nothing() {
    let scene = Scene::new("openai", Script::in_order(vec![Reply::says(["Hm."])]));
    let gateway = scene.world.serve();
    let bring = |bytes| {
        let refused = scene.bring(&gateway, bytes).unwrap_err();
        refused.code().unwrap_or_default().to_owned()
    };
    assert_eq!(bring(b"<svg/>".to_vec()), "unsupported_media_type");
    let mut large = png();
    large.resize(4 * 1024 * 1024, 0);
    assert_eq!(bring(large), "too_large");
    let nobodys = MediaId::of(b"nobody's");
    let refused = scene.show(&gateway, nobodys).unwrap_err();
    assert_eq!(refused.code(), Some("not_found"));
    let client = scene.client(&gateway);
    let missing = scene.runtime.block_on(client.picture(nobodys)).unwrap_err();
    assert_eq!(missing.code(), Some("not_found"));
    assert!(scene.files().is_empty());
}

#[test]
fn a_command_is_told_where_the_picture_is() {
    let scene = Scene::new("openai", Script::in_order(Vec::new()));
    scene.world.configure(
        "[agent]\nbackend = \"exec\"\ninput = \"json\"\n\
         command = [\"python3\", \"-c\", \"import json,sys; a=json.load(sys.stdin)['attachments'][0]; \
         print(a['type'], len(open(a['path'],'rb').read()))\"]\n",
    );
    let gateway = scene.world.serve();
    let picture = scene.bring(&gateway, png()).unwrap();
    scene.show(&gateway, picture.id).unwrap();
    assert_eq!(scene.reply(), [format!("image/png {}", png().len())]);
}
