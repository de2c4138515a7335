//! Pictures: added by choosing or pasting, seen before and after they are sent, whole after a reload.

use serde_json::json;

use crate::browser::page::{Scheme, Screen};
use crate::browser::{Visit, journey};

/// A file with a drawing, made by the browser itself, as somebody would paste or drop it.
const DRAWN: &str = "(async () => {
    const canvas = new OffscreenCanvas(320, 200);
    const brush = canvas.getContext('2d');
    brush.fillStyle = '#2f6f5e'; brush.fillRect(0, 0, 320, 200);
    brush.fillStyle = '#f4c95d'; brush.beginPath(); brush.arc(160, 100, 60, 0, 7); brush.fill();
    const blob = await canvas.convertToBlob({ type: 'image/png' });
    const files = new DataTransfer();
    files.items.add(new File([blob], 'sun.png', { type: 'image/png' }));
    return files;
  })()";

fn paste(visit: &mut Visit) {
    visit.page.evaluate(&format!(
        "(async () => {{
            const clipboardData = await {DRAWN};
            const event = new ClipboardEvent('paste', {{ clipboardData, bubbles: true, cancelable: true }});
            document.querySelector('.composer textarea').dispatchEvent(event);
        }})()"
    ));
    is_in(visit, ".tray-item img");
}

/// Waits until a picture is there and drawn.
fn is_in(visit: &mut Visit, selector: &str) {
    let script = format!(
        "[...document.querySelectorAll({selector:?})].some(e => e.complete && e.naturalWidth === 320)"
    );
    visit.page.wait("the picture to be drawn", &script);
}

#[test]
fn browser_shows_a_picture_before_and_after_it_is_sent() {
    journey(|visit| {
        visit.sign_in();
        visit.page.click(".composer textarea");
        paste(visit);
        visit.page.picture("picture-in-the-composer").unwrap();
        visit.page.type_text("echo a sun");
        visit.page.press("Enter");
        is_in(visit, ".msg.person .picture img");
        visit.page.wait_text(".msg.agent .prose", "a sun");
        assert_eq!(visit.settled_replies(), ["a sun"]);
        visit.page.wait(
            "the tray to be empty",
            "!document.querySelector('.tray-item')",
        );
        visit.page.picture("picture-in-the-chat").unwrap();
        visit.page.reload();
        is_in(visit, ".msg.person .picture img");
        assert_eq!(visit.page.texts(".msg.person .bubble"), ["echo a sun"]);
        visit.page.scheme(Scheme::Dark);
        visit.page.screen(Screen::Phone);
        paste(visit);
        visit.page.picture("picture-on-a-phone").unwrap();
    });
}

#[test]
fn browser_sends_a_picture_alone_and_puts_another_away() {
    journey(|visit| {
        visit.sign_in();
        visit.page.click(".composer textarea");
        paste(visit);
        visit.page.click(".tray-away");
        visit.page.wait(
            "the tray to be empty",
            "!document.querySelector('.tray-item')",
        );
        let disabled = visit
            .page
            .evaluate("document.querySelector('.send').disabled");
        assert_eq!(disabled, json!(true));
        paste(visit);
        visit.page.click(".send");
        is_in(visit, ".msg.person .picture img");
        assert!(visit.page.texts(".msg.person .bubble").is_empty());
        assert_eq!(visit.settled_replies().len(), 1);
    });
}
