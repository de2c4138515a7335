//! Where a message comes from or goes to, and who wrote it.
//!
//! `Platform` is a kind of chat system, `AccountId` one identity of ours on it, `Chat` a place on that
//! account, `Address` all of it together. `Person` is a sender as the platform knows them. Nothing
//! here decides who may speak or which conversation a message belongs to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A kind of chat system. What we know by name: an installation is connected to a few of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Platform {
    /// The terminal, through `angelia chat`.
    Local,
    /// The chat page of the web console.
    Web,
    /// Any program, through the HTTP interface.
    Api,
    /// Telegram.
    Telegram,
    /// Discord.
    Discord,
    /// WhatsApp, through a phone.
    Whatsapp,
    /// WhatsApp, through its cloud interface.
    WhatsappCloud,
    /// Slack.
    Slack,
    /// Signal.
    Signal,
    /// Mattermost.
    Mattermost,
    /// Matrix.
    Matrix,
    /// Home Assistant.
    Homeassistant,
    /// Mail.
    Email,
    /// Text messages of a phone.
    Sms,
    /// DingTalk.
    Dingtalk,
    /// A server that speaks for other programs.
    ApiServer,
    /// Calls from any service.
    Webhook,
    /// Calls from Microsoft Graph.
    MsgraphWebhook,
    /// Feishu.
    Feishu,
    /// WeCom.
    Wecom,
    /// WeCom, through its callbacks.
    WecomCallback,
    /// Weixin.
    Weixin,
    /// iMessage, through BlueBubbles.
    Bluebubbles,
    /// QQ.
    Qqbot,
    /// Yuanbao.
    Yuanbao,
    /// A relay that carries several platforms.
    Relay,
    /// Google Chat.
    GoogleChat,
    /// IRC.
    Irc,
    /// LINE.
    Line,
    /// ntfy.
    Ntfy,
    /// Photon.
    Photon,
    /// Raft.
    Raft,
    /// SimpleX.
    Simplex,
    /// Microsoft Teams.
    Teams,
}

impl Platform {
    /// The platforms of the house itself, which every installation has, in the order in which lists
    /// show them.
    pub const HOUSE: [Self; 3] = [Self::Local, Self::Web, Self::Api];

    /// All platforms.
    pub const ALL: [Self; 34] = [
        Self::Local,
        Self::Web,
        Self::Api,
        Self::Telegram,
        Self::Discord,
        Self::Whatsapp,
        Self::WhatsappCloud,
        Self::Slack,
        Self::Signal,
        Self::Mattermost,
        Self::Matrix,
        Self::Homeassistant,
        Self::Email,
        Self::Sms,
        Self::Dingtalk,
        Self::ApiServer,
        Self::Webhook,
        Self::MsgraphWebhook,
        Self::Feishu,
        Self::Wecom,
        Self::WecomCallback,
        Self::Weixin,
        Self::Bluebubbles,
        Self::Qqbot,
        Self::Yuanbao,
        Self::Relay,
        Self::GoogleChat,
        Self::Irc,
        Self::Line,
        Self::Ntfy,
        Self::Photon,
        Self::Raft,
        Self::Simplex,
        Self::Teams,
    ];

    /// The name used in keys, configuration and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Web => "web",
            Self::Api => "api",
            Self::Telegram => "telegram",
            Self::Discord => "discord",
            Self::Whatsapp => "whatsapp",
            Self::WhatsappCloud => "whatsapp_cloud",
            Self::Slack => "slack",
            Self::Signal => "signal",
            Self::Mattermost => "mattermost",
            Self::Matrix => "matrix",
            Self::Homeassistant => "homeassistant",
            Self::Email => "email",
            Self::Sms => "sms",
            Self::Dingtalk => "dingtalk",
            Self::ApiServer => "api_server",
            Self::Webhook => "webhook",
            Self::MsgraphWebhook => "msgraph_webhook",
            Self::Feishu => "feishu",
            Self::Wecom => "wecom",
            Self::WecomCallback => "wecom_callback",
            Self::Weixin => "weixin",
            Self::Bluebubbles => "bluebubbles",
            Self::Qqbot => "qqbot",
            Self::Yuanbao => "yuanbao",
            Self::Relay => "relay",
            Self::GoogleChat => "google_chat",
            Self::Irc => "irc",
            Self::Line => "line",
            Self::Ntfy => "ntfy",
            Self::Photon => "photon",
            Self::Raft => "raft",
            Self::Simplex => "simplex",
            Self::Teams => "teams",
        }
    }
}

impl From<Platform> for &'static str {
    fn from(platform: Platform) -> Self {
        platform.name()
    }
}

impl TryFrom<String> for Platform {
    type Error = UnknownName;

    fn try_from(text: String) -> Result<Self, UnknownName> {
        text.parse()
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A name that no platform or chat kind has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not known here")]
pub struct UnknownName(String);

impl FromStr for Platform {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let name = text.trim().to_lowercase();
        let known = |platform: &Self| platform.name() == name;
        Self::ALL
            .into_iter()
            .find(known)
            .ok_or_else(|| UnknownName(text.to_owned()))
    }
}

/// One identity of ours on a platform, by the name the configuration gives it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AccountId(pub String);

impl AccountId {
    /// The account of a platform that has only one.
    pub fn of(platform: Platform) -> Self {
        Self(platform.name().to_owned())
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// What kind of place a chat is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatKind {
    /// A private chat with one person.
    Dm,
    /// A group with several people.
    Group,
    /// A channel that people read and may answer in.
    Channel,
    /// A thread that the platform treats as a chat of its own.
    Thread,
}

impl ChatKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Dm, Self::Group, Self::Channel, Self::Thread];

    /// The name used in session keys and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dm => "dm",
            Self::Group => "group",
            Self::Channel => "channel",
            Self::Thread => "thread",
        }
    }
}

impl FromStr for ChatKind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let known = |kind: &Self| kind.name() == text;
        Self::ALL
            .into_iter()
            .find(known)
            .ok_or_else(|| UnknownName(text.to_owned()))
    }
}

/// A place on an account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Chat {
    /// The platform's id of the place.
    pub id: String,
    /// What kind of place it is.
    pub kind: ChatKind,
}

/// Where a thing came from or goes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Address {
    /// The kind of chat system.
    pub platform: Platform,
    /// Our identity there.
    pub account: AccountId,
    /// The place.
    pub chat: Chat,
    /// The thread or topic inside the place.
    pub thread: Option<String>,
}

/// A chat that is known by another id from now on, as a group that grew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The id that it had.
    pub from: String,
    /// The id that it has.
    pub to: String,
}

/// A sender as the platform knows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The platform's id of the sender.
    pub id: String,
    /// The name to show; never used to recognise anyone.
    pub name: Option<String>,
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
