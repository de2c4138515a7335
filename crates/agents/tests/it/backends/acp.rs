//! An agent of the Agent Client Protocol: the scripted one. It stays when its turn is over, so it is at rest
//! once it has answered, or is gone.

use std::sync::Arc;
use std::time::Duration;

use angelia_agents::acp::{Acp, Setup};
use angelia_testkit::contract::backend::stage::{Act, Pace, Scene, Stage};
use async_trait::async_trait;
use rustix::process::{Pid, test_kill_process};

use super::WORDS;
use crate::acp::place::Place;

struct Peers;

/// What the agent is told, and how its words begin.
fn told(act: Act) -> (String, String) {
    let words = WORDS.concat();
    let one = WORDS[0].trim_end().to_owned();
    match act {
        Act::Says => (format!("speak {words}"), format!("{words} ")),
        Act::GoesOn => ("wait".to_owned(), "waiting".to_owned()),
        Act::Hangs => (format!("stall {one}"), one),
        Act::Breaks => ("die always".to_owned(), String::new()),
        Act::Floods => ("flood 500".to_owned(), "xxxx".to_owned()),
        Act::Raves => (format!("rave {one}"), one),
        Act::Works => (format!("toil {one}"), one),
    }
}

#[async_trait]
impl Stage for Peers {
    async fn set(&self, act: Act) -> Scene {
        let place = Arc::new(Place::new());
        let (message, words) = told(act);
        let setup = Setup {
            // Long enough for a slow machine to start a script, short enough to wait for.
            silence: match act {
                Act::Hangs => Duration::from_secs(5),
                Act::Says | Act::GoesOn | Act::Breaks | Act::Floods | Act::Raves | Act::Works => {
                    Duration::from_secs(600)
                }
            },
            ..place.setup(&[])
        };
        let (counted, looked_at, done) = (place.clone(), place.clone(), place.clone());
        Scene {
            backend: Arc::new(Acp::new(setup)),
            message,
            words,
            begun: Box::new(move || Some(counted.kept("prompts").len())),
            deeds: Box::new(move || Some(done.kept("deeds").len())),
            busy: Box::new(move || works(&looked_at)),
            links: Arc::default(),
            pace: Pace::Real,
            kept: Box::new(place),
        }
    }
}

/// Whether an agent that lives has a prompt which it has not answered.
fn works(place: &Place) -> bool {
    let lives = |pid: &String| {
        let pid = pid.parse().ok().and_then(Pid::from_raw);
        pid.is_some_and(|pid| test_kill_process(pid).is_ok())
    };
    place.kept("prompts").len() > place.kept("answered").len()
        && place.kept("started").iter().any(lives)
}

angelia_testkit::backend_contract!(Peers);
angelia_testkit::backend_tools!(Peers);
