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
use std::sync::Arc;

use angelia_api::client::Client;
use angelia_api::token::Token;
use angelia_api::wire::v1::inbox::{ChatType, Entrance, InboxRequest, Sender};

use crate::world::{Gateway, World, wait_for};
use chromium::Chromium;
use page::Page;

/// Nothing is being answered in the open session.
const AT_REST: &str = "document.querySelector('.pane .msg.agent') && !document.querySelector(
    '.pane .msg.thinking, .pane .msg.growing, .pane .facts .tag.accent')";

/// Everything a journey has at hand. The page goes first when it ends, then the gateway, then the home.
struct Visit {
    page: Page,
    gateway: Gateway,
    world: Arc<World>,
}

/// Walks through the console of a new home, and then asks whether anything went wrong on the way.
fn journey(walk: impl FnOnce(&mut Visit)) {
    journey_in(World::new(), walk);
}

/// The same, in a home that is set up already.
fn journey_in(world: impl Into<Arc<World>>, walk: impl FnOnce(&mut Visit)) {
    let world = world.into();
    journey_at(Arc::clone(&world), || world.serve(), walk);
}

/// The same, with a gateway that is started otherwise.
fn journey_at(world: Arc<World>, serve: impl FnOnce() -> Gateway, walk: impl FnOnce(&mut Visit)) {
    let Some(chromium) = Chromium::start() else {
        return;
    };
    let gateway = serve();
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

    /// A message from Anna, who writes on another platform, as a program would put it in.
    fn put_in(&self, message_id: &str, text: &str) {
        let address = format!("http://{}", self.gateway.address);
        let client = Client::new(&address, Token::new(&self.token())).unwrap();
        let message = InboxRequest {
            attachments: Vec::new(),
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

    /// Anna says each of these, one after the other, and the page shows the session of it.
    fn open_session(&mut self, words: &[&str]) {
        self.page.goto("/#/sessions");
        self.page.wait_for(".pick");
        for (number, word) in words.iter().enumerate() {
            self.put_in(&format!("m{number}"), &format!("echo {word}"));
            if number == 0 {
                self.page.wait_text(".row-title", "Anna");
                self.page.click(".row");
            }
            self.page.wait_text(".pane .msg.agent .prose", word);
            self.page.wait("the turn to be over", AT_REST);
        }
    }

    /// Chooses from the menu of the open session.
    fn choose(&mut self, label: &str) {
        self.page.click("[aria-label='More for this session']");
        let script = format!(
            "[...document.querySelectorAll('.menu-item')].find(
               e => e.checkVisibility() && e.textContent.includes({label:?}))?.click() ?? true"
        );
        self.page.wait_for(".menu-item");
        self.page.evaluate(&script);
    }

    /// Everything that stands in the open session, as it is read.
    fn said(&mut self) -> Vec<String> {
        self.page.texts(".pane .msg .prose")
    }

    /// What was delivered, once nothing is on its way: a reply may be seen a moment before that.
    fn delivered(&self) -> Vec<String> {
        wait_for("nothing to be on its way", || {
            let open = self.world.json(&["outbox", "list", "--json"]);
            open["items"].as_array()?.is_empty().then_some(())
        });
        self.world.sent()
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
