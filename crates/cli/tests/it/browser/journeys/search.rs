//! Searching everything that was said, and going to the place where it was.

use crate::browser::page::Screen;
use crate::browser::{Visit, journey};

/// Something that was just said is found within a second, so the question is asked until it is.
fn search(visit: &mut Visit, words: &str, hits: usize) {
    visit.page.press("/");
    visit.page.wait(
        "the search to have the focus",
        "document.activeElement.type === 'search'",
    );
    visit.page.type_text(words);
    let is_found = format!(
        "(() => {{
           if (document.querySelectorAll('.hit').length >= {hits}) return true;
           const box = document.querySelector('input[type=search]');
           const key = {{ key: 'Enter', bubbles: true, cancelable: true }};
           if (!document.querySelector('.pick .loading'))
             box.dispatchEvent(new KeyboardEvent('keydown', key));
           return false;
         }})()"
    );
    visit.page.press("Enter");
    visit.page.wait(&format!("{hits} hits"), &is_found);
}

#[test]
fn browser_finds_a_word_marks_it_and_goes_to_its_place() {
    journey(|visit| {
        visit.sign_in();
        visit.open_session(&["the harbour at night", "something else"]);
        for number in 10..50 {
            visit.put_in(&format!("n{number}"), &format!("echo filler {number}"));
        }
        visit.page.wait_text(".pane .msg.agent .prose", "filler 49");
        visit.page.goto("/#/sessions");
        search(visit, "harbour", 2);
        assert_eq!(visit.page.texts(".hit mark"), ["harbour", "harbour"]);
        visit.page.wait_text(".hit-beside", "the harbour at night");

        visit.page.click(".hit");
        visit.page.wait_text(".msg.sought", "the harbour at night");
        let in_sight = "(() => {
            const box = document.querySelector('.sought').getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight; })()";
        visit.page.wait("the message to be in sight", in_sight);
    });
}

#[test]
fn browser_searches_with_the_keyboard_alone() {
    journey(|visit| {
        visit.sign_in();
        visit.say("echo lighthouse keeper");
        visit.settled_replies();
        visit.page.press("Escape");
        visit.page.press("g");
        visit.page.press("s");
        visit.page.wait_for(".pick .row");
        search(visit, "lighthouse", 2);

        visit.page.press("ArrowDown");
        visit.page.press("ArrowDown");
        visit.page.press("Enter");
        visit.page.wait_text(".msg.sought", "lighthouse keeper");
        visit.page.press("ArrowUp");
        visit.page.press("ArrowUp");
        visit.page.wait(
            "the search to have the focus again",
            "document.activeElement.type === 'search'",
        );
        visit.page.press("Escape");
        visit.page.wait(
            "the list to be back",
            "!document.querySelector('.hit') && document.querySelector('.pick .row')
               && document.activeElement.value === ''",
        );
    });
}

#[test]
fn browser_of_a_narrow_screen_goes_from_a_transcript_to_the_search() {
    journey(|visit| {
        visit.sign_in();
        visit.open_session(&["hello"]);
        visit.page.screen(Screen::Phone);
        visit.page.wait(
            "the transcript to cover the list",
            "!document.querySelector('input[type=search]').checkVisibility()",
        );
        visit.page.press("/");
        visit.page.wait(
            "the search to have the focus",
            "document.activeElement.type === 'search'",
        );
    });
}

#[test]
fn browser_teaches_when_nothing_is_found() {
    journey(|visit| {
        visit.sign_in();
        visit.page.goto("/#/sessions");
        visit.page.wait_text(".pick", "No sessions yet");
        search(visit, "nowhere", 0);
        visit.page.wait_text(".pick .empty", "Nothing found");
        visit.page.wait_text(".pick .empty", "\"nowhere\"");
    });
}
