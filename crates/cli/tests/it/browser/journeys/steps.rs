//! What a turn does: seen while it is done, the same after a reload, folded once the reply is whole.

use std::fs;
use std::time::Duration;

use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use serde_json::json;
use tokio::runtime::Runtime;

use super::approvals::look;
use crate::browser::{Visit, journey_in};
use crate::world::World;

/// A word that looks like what opens a door.
const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// One line of each step that is in sight.
const LINES: &str = ".work .step summary";

fn think(words: &str) -> Piece {
    Piece::Think(words.to_owned())
}

fn call(id: &str, command: &str) -> Piece {
    Piece::Call {
        id: id.to_owned(),
        name: "terminal".to_owned(),
        arguments: json!({ "command": command }),
    }
}

/// Thinks, looks, fails at something, waits for a gate, and tells.
fn script(gate: &str) -> Script {
    let wait = format!("until [ -e {gate} ]; do sleep 0.05; done; seq 1 400");
    Script::steps(vec![
        Reply::of([
            think("The person wants to know what is here.\n"),
            Piece::Pause(Duration::from_millis(300)),
            think("First I look at the folder, then at the logs."),
            Piece::Say("Let me look.".to_owned()),
            call("c1", &format!("printf 'README.md\\nsrc\\n'; echo {SECRET}")),
        ]),
        Reply::of([
            call("c2", "cat ./no-such-file-of-this-journey"),
            call("c3", &wait),
        ]),
        Reply::of([
            think("There are two entries, and four hundred lines."),
            Piece::Say("There are **two** entries: a readme and the sources.".to_owned()),
        ]),
    ])
}

/// A home whose agent has that script, and what opens its gate.
fn scene(runtime: &Runtime) -> (World, FakeModel, std::path::PathBuf) {
    let world = World::new();
    let gate = world.home().with_extension("gate");
    let script = script(&gate.display().to_string());
    let fake = runtime.block_on(FakeModel::start(script)).unwrap();
    world.configure(&format!(
        "[agent]\nbackend = \"openai\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\n",
        fake.base_url()
    ));
    (world, fake, gate)
}

/// Everything that the block of steps holds, open or not.
fn told(visit: &mut Visit) -> String {
    let texts = "document.querySelector('.work')?.textContent ?? ''";
    visit.page.evaluate(texts).as_str().unwrap().to_owned()
}

#[test]
fn browser_shows_the_steps_of_a_turn_live_after_a_reload_and_folded() {
    let runtime = Runtime::new().unwrap();
    let (world, _fake, gate) = scene(&runtime);
    journey_in(world, |visit| {
        visit.sign_in();
        visit.say("What is here?");
        visit.page.wait_text(LINES, "until [");
        visit.page.wait_for(".step[data-state=running]");
        let names = visit.page.texts(".work .step-name");
        assert_eq!(names, ["Thought", "terminal", "terminal", "terminal"]);
        visit.page.click(LINES);
        visit.page.wait_text(".step-text", "First I look");
        look(visit, "steps-live");
        let before = told(visit);
        assert!(!before.contains(SECRET), "{before}");

        visit.page.reload();
        visit.page.wait_for(".step[data-state=running]");
        assert_eq!(visit.page.texts(".work .step-name"), names);
        fs::write(&gate, "").unwrap();
        visit.page.wait_text(".msg.agent .prose", "two entries");
        visit.settled_replies();
        folds_and_opens(visit);
        in_the_session(visit);
    });
}

/// Folded it says how much it was; open again it tells everything, and what failed is seen to.
fn folds_and_opens(visit: &mut Visit) {
    visit.page.wait_for(".work.folded");
    let sum = visit.page.texts(".work-sum").join("");
    assert!(sum.starts_with("5 steps · "), "{sum}");
    assert!(sum.ends_with("330 tokens"), "{sum}");
    look(visit, "steps-folded");
    assert_eq!(
        visit.replies(),
        [
            "Let me look.",
            "There are two entries: a readme and the sources."
        ]
    );
    visit.page.click(".work-sum");
    visit.page.wait_for("[aria-expanded=true].work-sum");
    let open = "[...document.querySelectorAll('.step')].slice(0, 4).forEach(
        step => step.querySelector('details').open = true) ?? true";
    visit.page.evaluate(open);
    visit.page.wait_text(".step-state", "exit 1");
    look(visit, "steps-open");
    let told = told(visit);
    assert!(
        told.contains("README.md") && !told.contains(SECRET),
        "{told}"
    );
}

/// The transcript of the session tells the same, read from the rows alone.
fn in_the_session(visit: &mut Visit) {
    visit.page.goto("/#/sessions");
    visit.page.click(".row");
    visit.page.wait_text(".pane .work-sum", "5 steps");
    visit.page.click(".pane .work-sum");
    visit.page.wait_text(".pane .step-gist", "no-such-file");
    assert!(
        visit
            .page
            .texts(".pane .msg .prose")
            .iter()
            .all(|text| !text.is_empty())
    );
    look(visit, "steps-session");
}
