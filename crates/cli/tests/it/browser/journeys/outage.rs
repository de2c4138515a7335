//! The gateway dies in the middle of an answer and comes back; the page finds it again by itself, and
//! what was written meanwhile goes out then. And an account that is not connected is told.

use std::sync::Arc;

use angelia_testkit::fakes::telegram::Call;
use rustix::process::Signal;

use super::approvals::look;
use crate::browser::watch::Weather;
use crate::browser::{journey, journey_at};
use crate::telegram::{Scene, other_poller};
use crate::world::wait_for;

#[test]
fn browser_finds_a_killed_gateway_again_and_shows_the_answer_once() {
    journey(|visit| {
        visit.sign_in();
        visit.say("sleep 8");
        visit.page.wait_for(".msg.thinking");
        visit.world.turns_running(1);

        visit.page.weather(Weather::Outage);
        visit.gateway.running.signal(Signal::KILL);
        wait_for("the gateway to be gone", || {
            visit.gateway.running.has_ended()
        });
        visit.page.wait_text("#notices", "Reconnecting");
        visit.say("echo said meanwhile");
        visit.page.wait_text(".foot.failed", "by itself");

        let again = ["serve", "--listen", &visit.gateway.address];
        visit.gateway.running = visit.world.start(&again);
        visit.page.wait_text(".msg.agent .prose", "said meanwhile");
        assert_eq!(visit.settled_replies(), ["slept 8 s", "said meanwhile"]);
        visit.page.weather(Weather::Fair);

        let sent = visit.delivered();
        assert_eq!(sent, ["said meanwhile", "slept 8 s"]);
    });
}

#[test]
fn browser_tells_which_account_is_not_connected() {
    let scene = Scene::new("");
    let another = |call: &Call| call.is("getUpdates").then(other_poller);
    scene.fake.trouble(another);
    journey_at(
        Arc::clone(&scene.world),
        || scene.serve(),
        |visit| {
            visit.sign_in();
            visit.page.goto("/#/status");
            let verdict = "telegram is not connected";
            visit.page.wait_text(".verdict h2", verdict);
            visit.page.wait_text(".loops .loop-name", "telegram");
            look(visit, "status-not-connected");
        },
    );
}
