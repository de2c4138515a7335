//! A published agent in the console: it answers, asks before it runs a command, and both outlive a gateway
//! that is killed in between.

use std::fs;

use rustix::process::Signal;

use crate::acp::{Scene, asked, patiently, runs_once};
use crate::browser::journey_in;
use crate::browser::watch::Weather;
use crate::world::wait_for;

#[test]
fn browser_talks_to_opencode_across_a_killed_gateway() {
    let Some(scene) = Scene::new(runs_once) else {
        return;
    };
    journey_in(scene.world.clone(), |visit| {
        visit.sign_in();
        visit.say("hello");
        patiently("the reply", || {
            (!visit.world.sent().is_empty()).then_some(())
        });
        visit
            .page
            .wait_text(".msg.agent .prose", "Hello from the model.");
        visit.say("run it");
        patiently("the question", || {
            let questions = visit.world.json(&["approvals", "list", "--json"]);
            (!questions["items"].as_array()?.is_empty()).then_some(())
        });
        visit
            .page
            .wait_text(".chat-questions .question-command", "echo ran >> ran.txt");

        visit.page.weather(Weather::Outage);
        visit.gateway.running.signal(Signal::KILL);
        wait_for("the gateway to be gone", || {
            visit.gateway.running.has_ended()
        });
        visit.page.wait_text("#notices", "Reconnecting");
        let again = ["serve", "--listen", &visit.gateway.address];
        visit.gateway.running = scene.world.start(&again);
        let back = "!document.querySelector('#notices')?.textContent.includes('Reconnecting')";
        visit.page.wait("the gateway to be found again", back);
        visit.page.weather(Weather::Fair);

        visit.page.wait_for(".chat-questions .button.primary");
        visit.page.click(".chat-questions .button.primary");
        patiently("the command to run", || {
            scene.file("ran.txt").exists().then_some(())
        });
        visit.page.wait_text(".msg.agent .prose", "It ran.");
        let replies = visit.settled_replies();
        assert_eq!(replies.len(), 2, "{replies:?}");
        let ran = fs::read_to_string(scene.file("ran.txt")).unwrap();
        assert_eq!(ran, "ran\n");
        assert_eq!(asked(&scene.fake), 3);
    });
}
