//! Every adapter keeps the promises of the seam, and `docs/platforms.md` shows the score card.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should end")]

use std::sync::{Arc, Mutex};

use angelia_core::address::{AccountId, Address, Chat, ChatKind, Moved, Platform};
use angelia_core::media::enclosure::Form;
use angelia_core::outbound::Receipt;
use angelia_core::time::Timestamp;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_platforms::telegram::{Settings, Telegram, Token};
use angelia_testkit::contract::adapter::stage::{Other, Stage, Weather};
use angelia_testkit::contract::adapter::{self, Card};
use angelia_testkit::fakes::telegram::{Call, FakeTelegram, Place, Shown, TOKEN, Trouble, Words};
use serde_json::json;

const ANNA: i64 = 7;

/// A platform of the house.
struct House(Platform);

impl Stage for House {
    fn adapter(&self) -> Arc<dyn Adapter> {
        Arc::new(Pull(self.0))
    }

    fn address(&self) -> Address {
        address(self.0, "c")
    }

    fn secret(&self) -> Option<String> {
        None
    }

    fn other(&self) -> Option<&dyn Other> {
        None
    }
}

fn address(platform: Platform, chat: &str) -> Address {
    Address {
        platform,
        account: AccountId::of(platform),
        chat: Chat {
            id: chat.to_owned(),
            kind: ChatKind::Dm,
        },
        thread: None,
    }
}

/// Telegram, played by the fake.
struct Bot {
    fake: FakeTelegram,
    last: Mutex<(i64, i64)>,
}

impl Bot {
    async fn new() -> Self {
        let fake = FakeTelegram::start().await.unwrap();
        fake.meets(ANNA, "Anna");
        Self {
            fake,
            last: Mutex::default(),
        }
    }

    fn account(&self, name: &str) -> Arc<dyn Adapter> {
        let settings = Settings {
            account: AccountId(name.to_owned()),
            token: Token::read(TOKEN).unwrap(),
            api_url: self.fake.url().parse().unwrap(),
            webhook: None,
            menus: Vec::new(),
        };
        let clock = Arc::new(|| Timestamp::from_ms(1_000_000));
        Arc::new(Telegram::new(settings, clock).unwrap())
    }
}

impl Stage for Bot {
    fn adapter(&self) -> Arc<dyn Adapter> {
        self.account("telegram")
    }

    fn address(&self) -> Address {
        address(Platform::Telegram, &ANNA.to_string())
    }

    fn secret(&self) -> Option<String> {
        Some(TOKEN.to_owned())
    }

    fn other(&self) -> Option<&dyn Other> {
        Some(self)
    }
}

impl Other for Bot {
    fn writes(&self, text: &str) {
        let (message, update) = self.fake.writes_numbered(Place::dm(ANNA), text);
        *self.last.lock().unwrap() = (message, update);
    }

    fn encloses(&self, bytes: &[u8]) {
        let id = self.fake.keeps("a.bin", bytes.to_vec());
        let file = json!({ "file_id": id, "file_unique_id": "u", "file_name": "a.bin" });
        let words = Words::default().with("document", file);
        self.fake.writes(Place::dm(ANNA), words);
    }

    fn repeats(&self) {
        let (_, update) = *self.last.lock().unwrap();
        self.fake.repeats(update);
    }

    fn corrects(&self, text: &str) {
        let (message, _) = *self.last.lock().unwrap();
        self.fake.corrects(ANNA, message, text);
    }

    fn surprises(&self) {
        // Of a kind that was asked for, and of a shape that nobody expects.
        self.fake
            .pushes("message", json!({ "message_id": "no number", "chat": [] }));
    }

    fn becomes(&self) -> Moved {
        self.fake.group(-5, "group", "Team");
        self.fake.becomes(-5, -1005, ANNA);
        Moved {
            from: "-5".to_owned(),
            to: "-1005".to_owned(),
        }
    }

    fn presses(&self, receipt: &Receipt, says: &str) {
        let message = receipt.0.parse().unwrap();
        self.fake.presses(Place::dm(ANNA), message, says);
    }

    fn unanswered_presses(&self) -> usize {
        self.fake.unanswered_presses()
    }

    fn buttons(&self) -> Vec<String> {
        self.fake.buttons(ANNA)
    }

    fn files(&self) -> Vec<(Form, Vec<u8>)> {
        let form = |kind: &str| match kind {
            "photo" => Form::Picture,
            "animation" => Form::Animation,
            "video" => Form::Video,
            "audio" => Form::Audio,
            "voice" => Form::Voice,
            _ => Form::File,
        };
        let files = self.fake.files(ANNA).into_iter();
        files
            .map(|(kind, bytes)| (form(kind), bytes.to_vec()))
            .collect()
    }

    fn shown(&self) -> Vec<String> {
        self.fake.texts(ANNA)
    }

    fn quoted(&self) -> Vec<Option<String>> {
        let quoted = |shown: &Shown| {
            shown.message["reply_to_message"]["text"]
                .as_str()
                .map(str::to_owned)
        };
        self.fake.shown(ANNA).iter().map(quoted).collect()
    }

    fn weather(&self, weather: Weather) {
        self.fake.trouble(move |call| trouble(weather, call));
    }

    fn second_account(&self) -> Arc<dyn Adapter> {
        self.account("second")
    }
}

fn trouble(weather: Weather, call: &Call) -> Option<Trouble> {
    let refuses = |code: u16, words: &str| Some(Trouble::Refused(code, words.to_owned()));
    let of_sends = |trouble: Option<Trouble>| trouble.filter(|_| call.is("sendMessage"));
    match weather {
        Weather::Fair => None,
        Weather::Flood(seconds) => Some(Trouble::Flood(seconds)),
        Weather::Blocked => of_sends(refuses(403, "Forbidden: bot was blocked by the user")),
        Weather::Malformed => of_sends(refuses(400, "Bad Request: can't parse entities: offset 1")),
        Weather::Revoked => refuses(401, "Unauthorized"),
        Weather::AnswersLost => Some(Trouble::AnswerLost),
        Weather::HalfAnswers => Some(Trouble::HalfAnswer),
        Weather::Away => Some(Trouble::Broken(502)),
    }
}

async fn cards() -> Vec<Card> {
    let mut cards = Vec::new();
    for platform in Platform::HOUSE {
        cards.push(adapter::run(platform.name(), async || House(platform)).await);
    }
    cards.push(adapter::run("telegram", Bot::new).await);
    cards
}

#[tokio::test]
async fn every_adapter_keeps_its_promises_and_the_page_says_which() {
    let table = adapter::table(&cards().await);
    let page = include_str!("../../../../docs/platforms.md");
    assert!(
        page.contains(&table),
        "docs/platforms.md should have this score card:\n{table}"
    );
}
