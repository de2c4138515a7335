//! The demo agent, which does what the message says, within limits.
//!
//! It breaks and floods, so it joins those cases. It is silent for as long as it was asked to be and answers then, and has
//! no wire on which it could rave: the cases about that are none of its.

use std::sync::Arc;

use angelia_agents::demo::Demo;
use angelia_testkit::contract::backend::stage::{Act, Pace, Scene, Stage};
use async_trait::async_trait;

use super::lines;

/// It says its words one by one where it says many.
struct Demos;

/// It says them all at once.
struct AtOnce;

/// What it is told, and how its words begin.
fn told(act: Act, deeds: &str) -> (String, &'static str) {
    match act {
        Act::Says => ("stream 3".to_owned(), "word1 word2 word3"),
        Act::GoesOn | Act::Floods => ("stream 100000".to_owned(), "word1"),
        Act::Breaks => ("fail".to_owned(), ""),
        Act::Works => (format!("run echo done >>{deeds}; echo done"), "done"),
        Act::Hangs | Act::Raves => panic!("the demo agent cannot do this"),
    }
}

#[async_trait]
impl Stage for Demos {
    async fn set(&self, act: Act) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let deeds = folder.path().join("deeds");
        let (message, words) = told(act, &deeds.display().to_string());
        Scene {
            backend: Arc::new(Demo {
                config: "angelia.toml".into(),
            }),
            message,
            words: words.to_owned(),
            begun: Box::new(|| None),
            deeds: Box::new(move || Some(lines(&deeds))),
            busy: Box::new(|| false),
            links: Arc::default(),
            pace: Pace::Virtual,
            kept: Box::new(folder),
        }
    }
}

#[async_trait]
impl Stage for AtOnce {
    async fn set(&self, act: Act) -> Scene {
        Scene {
            message: "long 500000".to_owned(),
            words: "line 1 of".to_owned(),
            ..Demos.set(act).await
        }
    }
}

angelia_testkit::backend_basics!(Demos);
angelia_testkit::backend_tools!(Demos);
angelia_testkit::backend_cases! { Demos; faults:
    an_agent_that_breaks_off_is_told_and_leaves_nothing_half_said_twice,
    an_agent_that_floods_is_held_back,
}
angelia_testkit::backend_cases! { AtOnce; faults:
    what_is_said_without_end_has_an_end,
}
