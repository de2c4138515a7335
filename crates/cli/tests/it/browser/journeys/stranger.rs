//! Somebody whom nobody knows, from the first word to the day after: on a fake Telegram, with whoever runs
//! the bot at the console.

use std::fs;
use std::sync::Arc;

use angelia_testkit::fakes::telegram::Place;

use super::approvals::look;
use crate::browser::{Visit, journey_at};
use crate::telegram::{ANNA, Scene};
use crate::world::wait_for;

impl Scene {
    /// Waits until Anna reads something with these words.
    fn anna_reads(&self, words: &str) {
        wait_for("words for Anna", || {
            let texts = self.fake.texts(ANNA);
            texts.iter().any(|text| text.contains(words)).then_some(())
        });
    }

    /// Anna is asked about a command, and says yes by the first button.
    fn anna_agrees(&self) {
        let question = wait_for("a question with buttons", || {
            let mut shown = self.fake.shown(ANNA).into_iter();
            shown.find(|one| one.message["reply_markup"].is_object())
        });
        let yes = self.fake.buttons(ANNA)[0].clone();
        self.presses(Place::dm(ANNA), question.id, &yes);
    }
}

/// Lets the one who waits in, from the card, as an operator.
fn let_in(visit: &mut Visit) {
    visit.sign_in();
    visit.page.goto("/#/access");
    visit.page.wait_text(".visitor-who", "Anna");
    look(visit, "access-waiting");
    visit.page.click(".visitor .button.primary");
    visit.page.wait_for("dialog select[name=role]");
    look(visit, "access-let-in");
    let choose = "document.querySelector('dialog select[name=role]').value = 'operator'";
    visit.page.evaluate(choose);
    visit.page.click("dialog .button.primary");
    visit.page.wait_text(".empty h2", "Nobody waits");
    visit.page.goto("/#/access/held");
    visit.page.wait_text(".visitor .tag", "Operator");
    look(visit, "access-held");
}

#[test]
fn browser_lets_a_stranger_in_who_talks_agrees_stops_and_goes_on_after_a_restart() {
    let scene = Scene::new("");
    let swept = scene.world.home().join("swept");
    fs::create_dir_all(&swept).unwrap();
    let serve = || scene.serve();
    journey_at(Arc::clone(&scene.world), serve, |visit| {
        scene.says(ANNA, "echo too early");
        scene.anna_reads("I do not know you yet");
        let_in(visit);
        scene.anna_reads("You have been let in");
        scene.says(ANNA, "echo hello");
        scene.anna_reads("hello");

        scene.says(ANNA, &format!("run rm -rf {}", swept.display()));
        scene.anna_agrees();
        wait_for("the command to be run", || (!swept.exists()).then_some(()));
        scene.anna_reads("it runs this once.");

        scene.rests();
        scene.says(ANNA, "sleep 600");
        scene.world.turns_running(1);
        scene.says(ANNA, "/stop");
        scene.anna_reads("Stopped");
        scene.rests();
    });
    scene.says(ANNA, "echo said while nobody listened");
    let _gateway = scene.serve();
    scene.anna_reads("said while nobody listened");
    scene.says(ANNA, "echo and the day after");
    scene.anna_reads("and the day after");
    let texts = scene.fake.texts(ANNA);
    for words in ["too early", "hello", "said while", "the day after"] {
        let times = texts.iter().filter(|text| text.contains(words)).count();
        let expected = usize::from(words != "too early");
        assert_eq!(times, expected, "{words}: {texts:#?}");
    }
}
