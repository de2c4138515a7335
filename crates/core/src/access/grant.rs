//! What somebody was given: by whom, when and why. It holds until somebody takes it back.

use std::fmt;
use std::str::FromStr;

use crate::address::{AccountId, Platform};
use crate::id::GrantId;
use crate::time::Timestamp;
use crate::toolset::Role;

/// Leave to speak, and as what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// Whose it is.
    pub holder: Holder,
    /// What they are.
    pub role: Role,
    /// Who gave it, when and why.
    pub given: Deed,
    /// Who took it back, when and why; nothing while it holds.
    pub revoked: Option<Deed>,
}

/// Somebody on one account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holder {
    /// The platform of the account.
    pub platform: Platform,
    /// The account.
    pub account: AccountId,
    /// The person's id there, as [`super::identity`] has it.
    pub person: String,
    /// What they are called.
    pub name: Option<String>,
}

/// That somebody did something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// Who.
    pub by: By,
    /// When.
    pub at: Timestamp,
    /// Why, in their own words.
    pub why: Option<String>,
}

/// Who gives and takes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// Whoever holds the gateway's token: the console, the command line, a program.
    Token,
    /// An operator in a chat.
    Person {
        /// Through which account.
        account: AccountId,
        /// Who.
        person: String,
    },
}

/// The name for whoever holds the token.
const TOKEN: &str = "token";

impl fmt::Display for By {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token => out.write_str(TOKEN),
            Self::Person { account, person } => write!(out, "{account}:{person}"),
        }
    }
}

/// A text that names nobody who could give anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names nobody; expected `token`, or an account, a colon and a person")]
pub struct Nobody(String);

impl FromStr for By {
    type Err = Nobody;

    fn from_str(text: &str) -> Result<Self, Nobody> {
        match text.split_once(':') {
            None if text == TOKEN => Ok(Self::Token),
            Some((account, person)) if !account.is_empty() && !person.is_empty() => {
                Ok(Self::Person {
                    account: AccountId(account.to_owned()),
                    person: person.to_owned(),
                })
            }
            Some(_) | None => Err(Nobody(text.to_owned())),
        }
    }
}

#[cfg(test)]
#[path = "grant_tests.rs"]
mod tests;
