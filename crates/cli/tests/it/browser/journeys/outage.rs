//! The gateway dies in the middle of an answer and comes back; the page finds it again by itself.

use rustix::process::Signal;

use crate::browser::journey;
use crate::browser::watch::Weather;
use crate::world::wait_for;

#[test]
fn browser_finds_a_killed_gateway_again_and_shows_the_answer_once() {
    journey(|visit| {
        visit.sign_in();
        visit.say("sleep 2");
        visit.page.wait_for(".msg.thinking");
        visit.world.turns_running(1);

        visit.page.weather(Weather::Outage);
        visit.gateway.running.signal(Signal::KILL);
        wait_for("the gateway to be gone", || {
            visit.gateway.running.has_ended()
        });
        visit.page.wait_text("#notices", "onnect");

        let again = ["serve", "--listen", &visit.gateway.address];
        let _again = visit.world.start(&again);
        visit.page.wait_text(".msg.agent .prose", "slept 2 s");
        assert_eq!(visit.settled_replies(), ["slept 2 s"]);
        visit.page.weather(Weather::Fair);

        visit.say("echo still here");
        visit.page.wait_text(".msg.agent .prose", "still here");
        assert_eq!(visit.settled_replies(), ["slept 2 s", "still here"]);
        assert_eq!(visit.world.sent(), ["still here", "slept 2 s"]);
        visit.page.had_no_trouble();
    });
}
