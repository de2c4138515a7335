//! How it looks: on a phone nothing runs off the side, and day differs from night.
//!
//! Each view is also kept as a picture below the target directory.

use crate::browser::page::{Scheme, Screen};
use crate::browser::{Visit, journey};

/// Every view: its name, its address, and what is there once it has been read.
const VIEWS: [(&str, &str, &str); 5] = [
    ("chat", "/#/chat/console", ".msg.agent"),
    ("welcome", "/#/chat/quiet-brook", ".prompts button"),
    ("sessions", "/#/sessions", ".row"),
    ("outbox", "/#/outbox/all", ".delivery"),
    ("status", "/#/status", ".counts"),
];

/// A conversation with everything that is hard to fit: long words, long lines, code.
fn talk_at_length(visit: &mut Visit) {
    let unbroken = "a-word-that-will-not-break".repeat(20);
    let table = "| a | b | c |\n| --- | --- | --- |\n| one | two | three |";
    let asked = [
        "echo Good morning! Here is **what I found**:\n\n1. one\n2. two\n\n```sh\nangelia serve --listen 127.0.0.1:8787 --home /a/rather/long/path/that/does/not/fit/on/a/phone\n```".to_owned(),
        format!("echo {unbroken}"),
        format!("echo {table}"),
        "long 2500".to_owned(),
    ];
    for (before, text) in asked.iter().enumerate() {
        visit.say(text);
        let script =
            format!("document.querySelectorAll('.msg.agent:not(.thinking)').length > {before}");
        visit.page.wait("the next reply", &script);
        visit.settled_replies();
    }
}

fn overhang(visit: &mut Visit) -> Vec<String> {
    let script = "[...document.querySelectorAll('body *')]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 0.5
            && !e.closest('pre, .table, .visually-hidden'))
        .map(e => `${e.tagName}.${e.className} ${e.getBoundingClientRect().right}`).slice(0, 5)";
    serde_json::from_value(visit.page.evaluate(script)).unwrap()
}

/// Neither the page nor anything on it is wider than the screen, but for what scrolls on purpose.
pub(super) fn fits(visit: &mut Visit, view: &str) {
    let wide = overhang(visit);
    assert!(wide.is_empty(), "{view} runs off the side: {wide:?}");
    let widest = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)";
    let script = format!("{widest} <= innerWidth");
    assert_eq!(
        visit.page.evaluate(&script),
        true,
        "{view} scrolls sideways"
    );
}

#[test]
fn browser_of_a_phone_never_scrolls_sideways() {
    journey(|visit| {
        visit.page.screen(Screen::Phone);
        visit.page.goto("/");
        visit.page.wait_for(".signin");
        fits(visit, "sign-in");
        visit.sign_in();
        talk_at_length(visit);
        for (name, address, ready) in VIEWS {
            visit.page.goto(address);
            visit.page.wait_for(ready);
            fits(visit, name);
        }
        visit.page.goto("/#/sessions");
        visit.page.click(".row");
        visit.page.wait_for(".pane .msg.agent");
        fits(visit, "transcript");
        visit.choose("Undo turns");
        visit.page.wait_for("dialog .hides");
        fits(visit, "dialog");
        visit.page.press("Escape");
        visit.page.click("[aria-label='More for this session']");
        visit.page.wait_for(".menu-item");
        fits(visit, "menu");

        visit.page.goto("/#/chat/console");
        visit.page.wait_for(".composer textarea");
        let bottom =
            "(() => { const box = document.querySelector('.composer-box').getBoundingClientRect();
            return box.top > 0 && box.bottom <= innerHeight; })()";
        assert_eq!(
            visit.page.evaluate(bottom),
            true,
            "the composer is out of sight"
        );
    });
}

#[test]
fn browser_by_night_has_another_background_than_by_day() {
    journey(|visit| {
        visit.sign_in();
        talk_at_length(visit);
        let mut backgrounds = Vec::new();
        for (scheme, light) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
            visit.page.scheme(scheme);
            for (screen, size) in [(Screen::Desktop, "desktop"), (Screen::Phone, "phone")] {
                visit.page.screen(screen);
                keep_pictures(visit, &format!("{size}-{light}"));
            }
            backgrounds.push(
                visit
                    .page
                    .evaluate("getComputedStyle(document.body).backgroundColor"),
            );
        }
        assert_ne!(backgrounds[0], backgrounds[1]);
    });
}

fn keep_pictures(visit: &mut Visit, under: &str) {
    for (name, address, ready) in VIEWS {
        visit.page.goto(address);
        visit.page.wait_for(ready);
        visit.page.picture(&format!("{under}-{name}")).unwrap();
    }
}
