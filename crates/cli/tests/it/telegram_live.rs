//! What people see on Telegram while an answer grows, in the real binary.

use std::fs;

use angelia_core::restart::Going;
use angelia_gateway::env::Env;
use angelia_testkit::fakes::telegram::{Call, Trouble};
use rustix::process::Signal;

use crate::telegram::{ANNA, Scene};
use crate::world::wait_for;

/// The reply of the demo agent to `stream N`.
fn streamed(words: usize) -> String {
    let words = (1..=words).map(|number| format!("word{number}"));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn telegram_an_answer_grows_in_one_message_while_telegram_asks_for_patience() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let mut edits = 0;
    scene.fake.trouble(move |call: &Call| {
        edits += usize::from(call.is("editMessageText"));
        (call.is("editMessageText") && edits == 2).then_some(Trouble::Flood(1))
    });
    let _gateway = scene.serve();
    let begun = Env::system().steady();
    scene.says(ANNA, "stream 80");
    wait_for("the first words", || {
        (!scene.fake.texts(ANNA).is_empty()).then_some(())
    });
    scene.shows(ANNA, &[&streamed(80)]);
    // Eighty words take four seconds, and longer on a machine that is busy: one change a second.
    let edits = scene.fake.calls_of("editMessageText").len();
    let most = 4 + usize::try_from(begun.elapsed().as_secs()).unwrap();
    assert!((2..=most).contains(&edits), "{edits}");
    assert_eq!(scene.fake.calls_of("sendMessage").len(), 1);
    assert!(!scene.fake.calls_of("sendChatAction").is_empty());
    scene.rests();
    scene.shows(ANNA, &[&streamed(80)]);
}

#[test]
fn telegram_whoever_waits_when_the_gateway_is_stopped_sees_one_answer() {
    let scene = Scene::new("allow = [\"telegram:*\"]");
    let path = scene.world.home().join("angelia.toml");
    let text = fs::read_to_string(path).unwrap();
    scene
        .world
        .configure(&format!("{text}\n[drain]\ntimeout = \"1s\"\n"));
    let gateway = scene.serve();
    let people: Vec<i64> = (300..320).collect();
    for person in &people {
        scene.fake.meets(*person, "P");
        scene.says(*person, "stream 200");
    }
    let all = |wanted: &dyn Fn(&[String]) -> bool| {
        let mut people = people.iter();
        people.all(|person| wanted(&scene.fake.texts(*person)))
    };
    wait_for("everybody to see something", || {
        all(&|texts| !texts.is_empty()).then_some(())
    });
    gateway.running.signal(Signal::TERM);
    let mut gateway = gateway;
    wait_for("the gateway to be gone", || gateway.running.has_ended());
    let _gateway = scene.serve();
    let whole = streamed(200);
    let seen = [whole.as_str(), Going::Stop.banner()];
    wait_for("everybody to see the answer", || {
        all(&|texts| texts == seen).then_some(())
    });
    scene.rests();
    assert!(all(&|texts| texts == seen), "and nothing else");
}
