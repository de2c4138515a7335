//! The demo agent, which does what the message says. It never misbehaves.

use std::sync::Arc;

use angelia_agents::demo::Demo;
use angelia_testkit::contract::backend::stage::{Act, Pace, Scene, Stage};
use async_trait::async_trait;

struct Demos;

#[async_trait]
impl Stage for Demos {
    async fn set(&self, act: Act) -> Scene {
        let (message, words) = match act {
            Act::Says => ("stream 3", "word1 word2 word3"),
            Act::GoesOn | Act::Floods => ("stream 100000", "word1"),
            Act::Hangs | Act::Breaks | Act::Raves => panic!("the demo agent cannot do this"),
        };
        Scene {
            backend: Arc::new(Demo {
                config: "angelia.toml".into(),
            }),
            message: message.to_owned(),
            words: words.to_owned(),
            begun: Box::new(|| None),
            busy: Box::new(|| false),
            links: Arc::default(),
            pace: Pace::Virtual,
            kept: Box::new(()),
        }
    }
}

angelia_testkit::backend_basics!(Demos);
