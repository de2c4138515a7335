//! Sessions, outbox and status, with the mouse and without it.

use crate::browser::journey;

#[test]
fn browser_shows_sessions_and_transcripts_as_they_come() {
    journey(|visit| {
        visit.sign_in();
        visit.page.goto("/#/sessions");
        visit.page.wait_text(".pick", "No sessions yet");

        visit.put_in("m1", "echo from outside");
        visit.page.wait_text(".row-title", "Anna");
        visit.page.click(".row");
        visit
            .page
            .wait_text(".pane .msg.agent .prose", "from outside");

        visit.put_in("m2", "echo and once more");
        visit
            .page
            .wait_text(".pane .msg.agent .prose", "and once more");
        visit.page.wait_text(".row-text", "and once more");
        visit.page.wait(
            "both messages to be settled",
            "!document.querySelector('.pane .tag.accent')",
        );
        let said = visit.page.texts(".pane .msg .prose");
        assert_eq!(
            said,
            [
                "echo from outside",
                "from outside",
                "echo and once more",
                "and once more"
            ]
        );
    });
}

#[test]
fn browser_sorts_the_outbox_into_tabs() {
    journey(|visit| {
        visit.sign_in();
        visit.put_in("m1", "echo delivered");
        visit.page.goto("/#/outbox/sent");
        visit.page.wait_text(".delivery-text", "delivered");
        assert_eq!(visit.page.texts(".delivery .tag.good"), ["Sent"]);

        visit.page.click(".segments a[href='#/outbox/wedged']");
        visit.page.wait_text(".empty", "Nothing is stuck");
        visit.page.click(".segments a[href='#/outbox']");
        visit.page.wait_text(".empty", "Nothing is on its way");
        visit.page.click(".segments a[href='#/outbox/all']");
        visit.page.wait_text(".delivery-text", "delivered");

        visit.put_in("m2", "echo as it comes");
        visit.page.wait_text(".delivery-text", "as it comes");
        visit.page.click(".delivery .faint-link");
        visit
            .page
            .wait_text(".pane .msg.agent .prose", "as it comes");
    });
}

#[test]
fn browser_is_walked_with_the_keyboard_alone() {
    journey(|visit| {
        visit.sign_in();
        visit.page.wait(
            "the composer to have the focus",
            "document.activeElement.matches('textarea')",
        );
        visit.page.type_text("echo by hand");
        visit.page.press("Enter");
        visit.page.wait_text(".msg.agent .prose", "by hand");
        visit.page.press("Escape");

        visit.page.press("g");
        visit.page.press("s");
        visit.page.wait_for(".pick .row");
        visit.page.press("/");
        visit.page.wait(
            "the search to have the focus",
            "document.activeElement.type === 'search'",
        );
        visit.page.type_text("console");
        visit.page.wait_text(".offer", "console");
        visit.page.wait_for(".pick .row");
        visit.page.press("ArrowDown");
        visit.page.press("Enter");
        visit.page.wait_text(".pane .msg.agent .prose", "by hand");

        visit.page.press("g");
        visit.page.press("o");
        visit.page.wait_text("h1", "Outbox");
        visit.page.press("?");
        visit.page.wait_text("dialog[open]", "Keyboard shortcuts");
        visit.page.press("Escape");
        visit
            .page
            .wait("the dialog to close", "!document.querySelector('dialog')");

        visit.page.press("g");
        visit.page.press("c");
        visit.page.wait_for(".composer");
        visit.page.press("Escape");
        visit.page.press("/");
        visit.page.type_text("echo twice");
        visit.page.press("Enter");
        visit.page.wait_text(".msg.agent .prose", "twice");
    });
}
