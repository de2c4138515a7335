//! Where a message comes from or goes to, and who wrote it.
//!
//! `Platform` is a kind of chat system, `AccountId` one identity of ours on it, `Chat` a place on that
//! account, `Address` all of it together. `Person` is a sender as the platform knows them. Nothing
//! here decides who may speak or which conversation a message belongs to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A kind of chat system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Platform {
    /// The terminal, through `angelia chat`.
    Local,
    /// The chat page of the web console.
    Web,
    /// Any program, through the HTTP interface.
    Api,
}

impl Platform {
    /// All platforms, in the order in which lists show them.
    pub const ALL: [Self; 3] = [Self::Local, Self::Web, Self::Api];

    /// The name used in keys, configuration and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Web => "web",
            Self::Api => "api",
        }
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
        let known = |platform: &Self| platform.name() == text;
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

/// A sender as the platform knows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The platform's id of the sender.
    pub id: String,
    /// The name to show; never used to recognise anyone.
    pub name: Option<String>,
}
