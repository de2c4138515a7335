//! Who waits to be let in, and who may speak.

use angelia_core::access::grant;
use angelia_core::address::Platform;
use angelia_core::id::{GrantId, KnockId};
use angelia_core::toolset;
use angelia_store::access;
use serde::{Deserialize, Serialize};

use super::time::Time;

/// Somebody who was answered with a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knock {
    /// Its id.
    pub id: KnockId,
    /// The platform.
    pub platform: Platform,
    /// The account.
    pub account: String,
    /// The person, by the platform's id.
    pub user_id: String,
    /// What they are called.
    pub name: Option<String>,
    /// The chat they wrote in.
    pub chat: String,
    /// When.
    pub asked_at: Time,
    /// Until when they may be let in by it.
    pub ends_at: Time,
}

impl From<access::Knock> for Knock {
    fn from(knock: access::Knock) -> Self {
        Self {
            id: knock.id,
            platform: knock.holder.platform,
            account: knock.holder.account.0,
            user_id: knock.holder.person,
            name: knock.holder.name,
            chat: knock.address.chat.id,
            asked_at: knock.asked_at.into(),
            ends_at: knock.ends_at.into(),
        }
    }
}

/// What somebody is to the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Whoever runs it.
    Operator,
    /// Somebody it is there for.
    #[default]
    Member,
    /// Somebody who may speak to it and no more.
    Guest,
}

impl Role {
    /// The name used in the interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Member => "member",
            Self::Guest => "guest",
        }
    }
}

impl From<toolset::Role> for Role {
    fn from(role: toolset::Role) -> Self {
        match role {
            toolset::Role::Operator => Self::Operator,
            toolset::Role::Member => Self::Member,
            toolset::Role::Guest => Self::Guest,
        }
    }
}

impl From<Role> for toolset::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Operator => Self::Operator,
            Role::Member => Self::Member,
            Role::Guest => Self::Guest,
        }
    }
}

/// Leave to speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// The platform.
    pub platform: Platform,
    /// The account on which it holds.
    pub account: String,
    /// The person, by the platform's id.
    pub user_id: String,
    /// What they are called.
    pub name: Option<String>,
    /// What they are.
    pub role: Role,
    /// Who gave it: `token`, or an account and a person.
    pub granted_by: String,
    /// When.
    pub granted_at: Time,
    /// Why.
    pub why: Option<String>,
    /// Who took it back; nothing while it holds.
    pub revoked_by: Option<String>,
    /// When.
    pub revoked_at: Option<Time>,
    /// Why.
    pub revoked_why: Option<String>,
}

impl From<grant::Grant> for Grant {
    fn from(grant: grant::Grant) -> Self {
        let (holder, given, revoked) = (grant.holder, grant.given, grant.revoked);
        Self {
            id: grant.id,
            platform: holder.platform,
            account: holder.account.0,
            user_id: holder.person,
            name: holder.name,
            role: grant.role.into(),
            granted_by: given.by.to_string(),
            granted_at: given.at.into(),
            why: given.why,
            revoked_by: revoked.as_ref().map(|deed| deed.by.to_string()),
            revoked_at: revoked.as_ref().map(|deed| deed.at.into()),
            revoked_why: revoked.and_then(|deed| deed.why),
        }
    }
}

/// A wish to let somebody in who knocked: by their code, or by the knock.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApproveWish {
    /// The code that they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The knock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knock: Option<KnockId>,
    /// As what; a member if nothing is said.
    #[serde(default)]
    pub role: Role,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A wish to give somebody leave who did not knock, or other leave than they have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantWish {
    /// The account, or the platform if it has one account.
    pub account: String,
    /// The person, by the platform's id.
    pub user_id: String,
    /// What they are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// As what; a member if nothing is said.
    #[serde(default)]
    pub role: Role,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A wish to take leave back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokeWish {
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}
