//! Sessions, outbox and status, with the mouse and without it.

use angelia_api::client::Client;
use angelia_api::token::Token;
use angelia_api::wire::v1::inbox::{ChatType, Entrance, InboxRequest, Sender};

use crate::browser::{Visit, journey};

/// A message from somebody elsewhere, as a program would put it in.
fn put_in(visit: &Visit, message_id: &str, text: &str) {
    let address = format!("http://{}", visit.gateway.address);
    let client = Client::new(&address, Token::new(&visit.token())).unwrap();
    let message = InboxRequest {
        chat: "c1".to_owned(),
        chat_type: ChatType::Dm,
        thread: None,
        user: Sender {
            id: "u1".to_owned(),
            name: Some("Anna".to_owned()),
        },
        text: text.to_owned(),
        message_id: message_id.to_owned(),
        platform: Entrance::Api,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(client.inbox(&message)).unwrap();
}

#[test]
fn browser_shows_sessions_and_transcripts_as_they_come() {
    journey(|visit| {
        visit.sign_in();
        visit.page.goto("/#/sessions");
        visit.page.wait_text(".pick", "No sessions yet");

        put_in(visit, "m1", "echo from outside");
        visit.page.wait_text(".row-title", "Anna");
        visit.page.click(".row");
        visit
            .page
            .wait_text(".pane .msg.agent .prose", "from outside");

        put_in(visit, "m2", "echo and once more");
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
        put_in(visit, "m1", "echo delivered");
        visit.page.goto("/#/outbox/sent");
        visit.page.wait_text(".delivery-text", "delivered");
        assert_eq!(visit.page.texts(".delivery .tag.good"), ["Sent"]);

        visit.page.click(".segments a[href='#/outbox/wedged']");
        visit.page.wait_text(".empty", "Nothing is stuck");
        visit.page.click(".segments a[href='#/outbox']");
        visit.page.wait_text(".empty", "Nothing is on its way");
        visit.page.click(".segments a[href='#/outbox/all']");
        visit.page.wait_text(".delivery-text", "delivered");

        put_in(visit, "m2", "echo as it comes");
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
            "the filter to have the focus",
            "document.activeElement.type === 'search'",
        );
        visit.page.type_text("console");
        visit.page.press("Tab");
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
