//! Telegram, through the Bot API.
//!
//! ```text
//! poll ─▶ gather ─▶ translate ─▶ sink          perform ─▶ speak ─▶ line ─▶ receipt, or fault ─▶ what to do next
//! ```
//!
//! `line` calls, `poll` and `webhook` hear, `wire` has the few shapes that are read, `gather` and `translate` are pure, `fault` says what a
//! refusal means, `words` how a text is marked up, `speak` does what is asked, `vitals` what others may ask about the
//! connection; `along` says what came with a message and `bring` fetches it;
//! `parcel` is a file on its way out.

mod along;
mod bring;
mod fault;
mod gather;
mod line;
mod parcel;
mod poll;
mod said;
mod speak;
mod token;
mod translate;
mod vitals;
mod webhook;
mod wire;
mod words;

use std::sync::Arc;

use angelia_core::address::{AccountId, Platform};
use angelia_core::limits;
use angelia_core::outbound::{Action, Capabilities, Dedupe, Live, Receipt, SendError};
use angelia_core::text::{Limit, Unit};
use angelia_core::time::{Span, Timestamp};
use async_trait::async_trait;
use serde::Serialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

pub use reqwest::Url;
pub use token::Token;

use crate::health::Report;
use crate::pail::{Pail, Unfetched};
use crate::push::{NotTaken, Push};
use crate::sink::Sink;
use crate::{Adapter, Disconnected};
use fault::Fault;
use line::Line;
use vitals::Vitals;
use webhook::Webhook;
use wire::User;

/// The longest text of a message.
const TEXT: Limit = Limit {
    max: 4096,
    unit: Unit::Utf16,
};

/// What Telegram bears while a reply grows: about one message a second in a chat, twenty a minute in a group, and a
/// sign of typing for five seconds.
const LIVE: Live = Live {
    pace: Span::ms(1_000),
    group_pace: Span::ms(3_000),
    typing: Span::seconds(5),
};

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// A command as the menu of a chat shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MenuEntry {
    /// Its name, without the slash.
    pub command: String,
    /// What it does, in a few words.
    pub description: String,
}

/// A menu of commands, and where it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Menu {
    /// Where.
    pub shown: ShownIn,
    /// Its commands.
    pub entries: Vec<MenuEntry>,
}

/// Where a menu is shown. A chat's own stands above that of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownIn {
    /// In private chats.
    Private,
    /// In groups.
    Groups,
    /// In this chat.
    Chat(String),
}

impl ShownIn {
    fn scope(&self) -> Value {
        match self {
            Self::Private => json!({ "type": "all_private_chats" }),
            Self::Groups => json!({ "type": "all_group_chats" }),
            Self::Chat(id) => json!({ "type": "chat", "chat_id": id }),
        }
    }
}

/// What an account needs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The account.
    pub account: AccountId,
    /// What opens it.
    pub token: Token,
    /// Where the Bot API is.
    pub api_url: Url,
    /// Where Telegram shall push to; without it, it is polled.
    pub webhook: Option<Url>,
    /// The menus of commands.
    pub menus: Vec<Menu>,
}

/// One bot.
pub struct Telegram {
    account: AccountId,
    line: Line,
    webhook: Option<Webhook>,
    menus: Vec<Menu>,
    clock: Clock,
    vitals: Vitals,
}

impl Telegram {
    /// Makes the way to a bot. Nothing is asked yet.
    ///
    /// # Errors
    /// Why no HTTPS client can be made here.
    pub fn new(settings: Settings, clock: Clock) -> Result<Self, String> {
        let webhook = settings.webhook;
        Ok(Self {
            account: settings.account,
            webhook: webhook.map(|url| Webhook::new(url, &settings.token)),
            line: Line::new(settings.api_url, settings.token)?,
            menus: settings.menus,
            clock,
            vitals: Vitals::default(),
        })
    }

    /// Asks Telegram who the bot is, and returns the name by which people mention it.
    ///
    /// # Errors
    /// What Telegram said, without the token.
    pub async fn probe(&self) -> Result<String, String> {
        let me = self.meet().await.map_err(|fault| fault.to_string())?;
        Ok(me.username.unwrap_or(me.first_name))
    }

    async fn meet(&self) -> Result<User, Fault> {
        let time = limits::platform::CALL_TIME.to_std();
        let me: User = self.line.call("getMe", &json!({}), time).await?;
        self.vitals.met(me.clone());
        Ok(me)
    }

    /// Fills the menus of commands. Without them people type as before; the chat of somebody who never wrote has none.
    async fn announce(&self) {
        let time = limits::platform::CALL_TIME.to_std();
        for menu in &self.menus {
            let params = json!({ "commands": menu.entries, "scope": menu.shown.scope() });
            let told = self.line.call::<bool>("setMyCommands", &params, time);
            if let Err(fault) = told.await {
                tracing::info!(account = %self.account, %fault, "a menu of commands was not told");
            }
        }
    }

    async fn hear(&self, cursor: Option<String>, sink: &Sink) -> Result<(), Disconnected> {
        match &self.webhook {
            Some(webhook) => self.be_called(webhook).await,
            None => self.poll(cursor, sink).await,
        }
    }
}

#[async_trait]
impl Adapter for Telegram {
    fn platform(&self) -> Platform {
        Platform::Telegram
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            text: TEXT,
            dedupe: Dedupe::None,
            live: Some(LIVE),
        }
    }

    fn report(&self) -> Report {
        self.vitals.report()
    }

    async fn listen(
        &self,
        cursor: Option<String>,
        sink: &Sink,
        stop: &CancellationToken,
    ) -> Result<(), Disconnected> {
        tokio::select! {
            biased;
            () = stop.cancelled() => Ok(()),
            ended = self.hear(cursor, sink) => ended,
        }
    }

    async fn pushed(&self, push: Push<'_>, sink: &Sink) -> Result<(), NotTaken> {
        self.take_push(push, sink).await
    }

    async fn fetch(&self, remote: &str, pail: &mut dyn Pail) -> Result<(), Unfetched> {
        self.bring(remote, pail).await
    }

    async fn perform(&self, action: Action) -> Result<Receipt, SendError> {
        self.speak(action).await
    }
}
