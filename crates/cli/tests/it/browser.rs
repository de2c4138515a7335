//! The console as a person meets it: the real binary, a real browser, every step by mouse and keyboard.
//!
//! A journey gets a home, a gateway on it and a page of a fresh Chromium. It walks, and at its end the
//! page must have had no trouble: no error in the console, no exception, no breach of the content policy
//! and no request to anybody but this gateway. The browser is spoken to over its own protocol (`cdp`);
//! nothing here sleeps and hopes, it waits for what a reader would see.
//!
//! Without a browser a journey says loudly that it did not take place; with `CI=true` that is a failure.

mod cdp;
mod chromium;
mod journeys;
mod keys;
mod page;
mod watch;

use std::fs;

use crate::world::{Gateway, World};
use chromium::Chromium;
use page::Page;

/// Everything a journey has at hand. The page goes first when it ends, then the gateway, then the home.
struct Visit {
    page: Page,
    gateway: Gateway,
    world: World,
}

/// Walks through the console and then asks whether anything went wrong on the way.
fn journey(walk: impl FnOnce(&mut Visit)) {
    let Some(chromium) = Chromium::start() else {
        return;
    };
    let world = World::new();
    let gateway = world.serve();
    let origin = format!("http://{}", gateway.address);
    let page = Page::open(chromium, &origin);
    let mut visit = Visit {
        page,
        gateway,
        world,
    };
    walk(&mut visit);
    visit.page.had_no_trouble();
}

impl Visit {
    fn token(&self) -> String {
        let text = fs::read_to_string(self.world.home().join("api-token")).unwrap();
        text.trim().to_owned()
    }

    /// Follows the link that `angelia serve` prints.
    fn sign_in(&mut self) {
        let link = format!("/#token={}", self.token());
        self.page.goto(&link);
        self.page.wait_for(".composer textarea");
    }

    /// Writes into the composer and sends with Enter.
    fn say(&mut self, text: &str) {
        self.page.click(".composer textarea");
        self.page.type_text(text);
        self.page.press("Enter");
    }

    /// What the agent said, as far as it stands on the page.
    fn replies(&mut self) -> Vec<String> {
        self.page.texts(".msg.agent:not(.thinking) .prose")
    }

    /// Waits until the agent has nothing left to do in this conversation, and gives its replies.
    fn settled_replies(&mut self) -> Vec<String> {
        self.page.wait(
            "the agent to be done",
            "document.querySelector('.msg.agent') && !document.querySelector(
               '.head-state .tag, .msg.thinking, .msg.growing')",
        );
        self.replies()
    }
}
