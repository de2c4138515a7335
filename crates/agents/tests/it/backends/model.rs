//! The built-in agent over both wires, with a model that is told what to do.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use angelia_agents::model::wire::Wire;
use angelia_testkit::contract::backend::stage::{Act, Pace, Scene, Stage};
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use async_trait::async_trait;
use serde_json::json;

use super::{WAVE, WORDS, lines};
use crate::talk::{model, place};

/// Longer than any limit of the agent.
const LONG: Duration = Duration::from_secs(100_000);

struct Models(Wire);

/// A model whose tool leaves a line in that file.
fn working(deeds: &Path) -> Script {
    let command = json!({ "command": format!("echo done >>{}", deeds.display()) });
    Script::steps(vec![
        Reply::calls("c", "terminal", command),
        Reply::says(WORDS),
    ])
}

fn reply(act: Act) -> Reply {
    let word = || Piece::Say(WORDS[0].to_owned());
    match act {
        Act::Says | Act::Works => Reply::says(WORDS),
        Act::GoesOn | Act::Hangs => Reply::of([word(), Piece::Pause(LONG)]),
        Act::Breaks => Reply::of([word(), Piece::HangUp]),
        Act::Floods => Reply::says(std::iter::repeat_n(WAVE, 30_000)),
        Act::Raves => Reply::of([
            word(),
            Piece::Raw("data: {\"choices\": [3\n\n:\ndata\n\u{7}\n\n".to_owned()),
            Piece::HangUp,
        ]),
    }
}

#[async_trait]
impl Stage for Models {
    async fn set(&self, act: Act) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let deeds = folder.path().join("deeds");
        let script = match act == Act::Works {
            true => working(&deeds),
            false => Script::new(move |_, _| reply(act)),
        };
        let fake = Arc::new(FakeModel::start(script).await.unwrap());
        let (asked, speaking) = (fake.clone(), fake.clone());
        Scene {
            backend: Arc::new(model(vec![place(&fake, self.0)])),
            message: "speak".to_owned(),
            words: match act {
                Act::Says | Act::Works => WORDS.concat(),
                Act::Floods => WAVE.to_owned(),
                Act::GoesOn | Act::Hangs | Act::Breaks | Act::Raves => WORDS[0].to_owned(),
            },
            begun: Box::new(move || Some(asked.heard().len())),
            deeds: Box::new(move || Some(lines(&deeds))),
            busy: Box::new(move || speaking.speaking() > 0),
            links: Arc::default(),
            pace: Pace::Virtual,
            kept: Box::new((fake, folder)),
        }
    }
}

mod openai {
    use super::*;

    angelia_testkit::backend_contract!(Models(Wire::OpenAi));
    angelia_testkit::backend_tools!(Models(Wire::OpenAi));
}

mod anthropic {
    use super::*;

    angelia_testkit::backend_contract!(Models(Wire::Anthropic));
    angelia_testkit::backend_tools!(Models(Wire::Anthropic));
}
