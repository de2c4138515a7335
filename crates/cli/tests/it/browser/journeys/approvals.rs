//! Questions about commands, and those that want words: answered in the chat that they belong to, and in the list of all.

use super::look::fits;
use crate::browser::page::{Scheme, Screen};
use crate::browser::{Visit, journey};

/// Asked about, and without harm: no such folder is there.
const COMMAND: &str = "rm -rf ./no-such-folder-of-this-journey && echo swept, every leaf and every twig, \
    from the gate to the steps and from the steps to the wall, below the bench and behind the barrel, \
    where nobody had been with a broom since the apples were brought in and the swallows had left";

/// Lets the agent want something, and waits until its question is on the page.
fn ask(visit: &mut Visit) {
    visit.page.goto("/#/chat/console");
    visit.page.wait_for(".composer textarea");
    visit.say(&format!("run {COMMAND}"));
    visit
        .page
        .wait_text(".chat-questions .question-command", COMMAND);
}

/// Pictures of what is shown, by day, by night and on a phone; nothing runs off the side.
pub(super) fn look(visit: &mut Visit, name: &str) {
    for (scheme, light) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
        visit.page.scheme(scheme);
        for (screen, size) in [(Screen::Phone, "phone"), (Screen::Desktop, "desktop")] {
            visit.page.screen(screen);
            fits(visit, name);
            let tall = "document.documentElement.scrollHeight <= innerHeight";
            assert_eq!(visit.page.evaluate(tall), true, "{name} scrolls as a whole");
            let file = format!("{size}-{light}-{name}");
            visit.page.picture(&file).unwrap();
        }
    }
}

/// On a phone every answer can be reached, however much there is to read before it.
fn answers_are_in_sight(visit: &mut Visit) {
    visit.page.screen(Screen::Phone);
    let script = "(() => {
        const floor = document.querySelector('.composer-box').getBoundingClientRect().top;
        const answers = [...document.querySelectorAll('.chat-questions .question-answers .button')];
        return answers.length === 4 && answers.every(e => e.getBoundingClientRect().bottom <= floor);
    })()";
    visit.page.wait("all answers to be in sight", script);
    visit.page.screen(Screen::Desktop);
}

#[test]
fn browser_answers_a_question_in_its_chat_and_in_the_list() {
    journey(|visit| {
        visit.sign_in();
        ask(visit);
        answers_are_in_sight(visit);
        visit.page.wait_text(".head-state .tag", "Waits for you");
        visit
            .page
            .wait("no dots", "!document.querySelector('.msg.thinking')");
        look(visit, "question-in-chat");
        visit.page.click(".chat-questions .button.primary");
        let gone = "!document.querySelector('.chat-questions .question')";
        visit.page.wait("the question to be gone", gone);
        visit.page.wait_text(".msg.agent .prose", "swept");

        ask(visit);
        visit.page.goto("/#/approvals");
        visit
            .page
            .wait_text(".questions .question-command", COMMAND);
        look(visit, "approvals");
        visit
            .page
            .click(".questions .question-answers .button:last-child");
        visit.page.wait_for("dialog input[name=reason]");
        visit.page.click("dialog input[name=reason]");
        visit.page.type_text("not today");
        look(visit, "approvals-deny");
        visit.page.press("Enter");
        visit.page.wait_text(".empty h2", "Nothing waits for you");

        visit.page.goto("/#/approvals/all");
        visit.page.wait_text(".questions .tag", "Denied");
        visit.page.wait_text(".questions", "not today");
        look(visit, "approvals-all");
    });
}

#[test]
fn browser_answers_a_question_where_its_session_is_read() {
    journey(|visit| {
        visit.sign_in();
        ask(visit);
        visit.page.click(".head-links a[href*=sessions]");
        visit
            .page
            .wait_text(".pane .chat-questions .question-command", COMMAND);
        visit.page.wait_text(".pane .facts .tag", "asking");
        look(visit, "question-in-session");
        visit.page.click(".pane .chat-questions .button.primary");
        visit.page.wait_text(".pane .msg.agent .prose", "swept");
        let gone = "!document.querySelector('.chat-questions .question')";
        visit.page.wait("the question to be gone", gone);
    });
}

/// Longer than a phone is wide.
const LONG: &str = "right, along the river, over the old bridge, and on until the mill is in sight";

/// Lets the agent want to know something, and waits until its question is on the page.
fn wonder(visit: &mut Visit) {
    visit.page.goto("/#/chat/console");
    visit.page.wait_for(".composer textarea");
    visit.say(&format!(
        r#"tool ask_user {{"question": "Which way?", "choices": ["left", "{LONG}"]}}"#
    ));
    visit
        .page
        .wait_text(".chat-questions .question-words", "Which way?");
}

/// Whether the agent says that it was told this.
fn told(answer: &str) -> String {
    format!(
        "[...document.querySelectorAll('.msg.agent .prose')].some((one) => one.textContent.includes('{answer}'))"
    )
}

#[test]
fn browser_answers_a_question_by_a_choice_and_in_other_words() {
    journey(|visit| {
        let gone = "!document.querySelector('.chat-questions .question')";
        visit.sign_in();
        wonder(visit);
        let offered = visit
            .page
            .texts(".chat-questions .question-answers > .button");
        assert_eq!(offered, ["left", LONG]);
        look(visit, "question-with-choices");
        visit
            .page
            .click(".chat-questions .question-answers > .button:nth-child(2)");
        visit.page.wait("the question to be gone", gone);
        visit.page.wait("the agent to be told", &told(LONG));

        wonder(visit);
        visit.page.click(".chat-questions input[name=answer]");
        visit.page.type_text("straight on");
        visit.page.press("Enter");
        visit.page.wait("the question to be gone", gone);
        visit
            .page
            .wait("the agent to be told", &told("straight on"));

        wonder(visit);
        visit.say("/answer 1");
        visit.page.wait("the question to be gone", gone);
        visit.page.goto("/#/approvals/all");
        visit.page.wait_text(".questions .tag", "Answered");
        visit.page.wait_text(".questions", "“left”");
    });
}
