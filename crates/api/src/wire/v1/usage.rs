//! What was spent on models, by day and person, and what may be.

use angelia_core::cost::Amount;
use angelia_core::cost::caps::{Cap, Caps};
use angelia_core::transcript::usage::Micros;
use angelia_store::costs::Spent;
use serde::{Deserialize, Serialize};

/// What was spent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UsageReport {
    /// The day that it is now where the gateway lives, as `2026-11-16`.
    pub today: String,
    /// The days on which something was spent, newest first.
    pub items: Vec<Day>,
    /// What calls may have used of which nobody has told: under way, or cut off.
    pub reserved: Spending,
    /// How much may be spent.
    pub caps: CapsTold,
    /// The day on which the prices of this release were true.
    pub prices_as_of: String,
}

/// One day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Day {
    /// Which, as `2026-11-16`.
    pub day: String,
    /// What everybody spent together.
    #[serde(flatten)]
    pub all: Calls,
    /// Who spent it, those first who spent most. Beyond a hundred, the others are only in the sum.
    pub people: Vec<Spender>,
}

/// What one person spent on one day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spender {
    /// The account of ours that they spoke to.
    pub account: String,
    /// Their id there.
    pub user_id: String,
    /// What.
    #[serde(flatten)]
    pub all: Calls,
}

/// Calls, and what they used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calls {
    /// How many.
    pub calls: u64,
    /// What they used.
    #[serde(flatten)]
    pub used: Spending,
}

/// Tokens, and what they cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// Tokens of all kinds.
    pub tokens: u64,
    /// What they cost by known prices; nothing if none is known.
    pub cost_usd: Option<f64>,
}

/// How much may be spent. What is absent has no cap.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CapsTold {
    /// By everybody in one day.
    pub per_day: CapTold,
    /// By one person in one day.
    pub per_person_per_day: CapTold,
    /// In one conversation.
    pub per_session: CapTold,
}

/// One cap.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CapTold {
    /// In dollars.
    pub usd: Option<f64>,
    /// In tokens.
    pub tokens: Option<u64>,
}

impl From<Amount> for Spending {
    fn from(amount: Amount) -> Self {
        Self {
            tokens: amount.tokens,
            cost_usd: amount.micros.map(Micros::dollars),
        }
    }
}

impl From<Cap> for CapTold {
    fn from(cap: Cap) -> Self {
        Self {
            usd: cap.micros.map(Micros::dollars),
            tokens: cap.tokens,
        }
    }
}

impl From<Caps> for CapsTold {
    fn from(caps: Caps) -> Self {
        Self {
            per_day: caps.day.into(),
            per_person_per_day: caps.person.into(),
            per_session: caps.session.into(),
        }
    }
}

impl Day {
    /// The rows of the store, which begin each day with everybody.
    pub fn all(rows: Vec<Spent>) -> Vec<Self> {
        let mut days: Vec<Self> = Vec::new();
        for row in rows {
            let all = Calls {
                calls: row.calls,
                used: row.used.into(),
            };
            match (row.who, days.last_mut()) {
                (Some((account, user_id)), Some(day)) => day.people.push(Spender {
                    account: account.0,
                    user_id,
                    all,
                }),
                (_, _) => days.push(Self {
                    day: row.day,
                    all,
                    people: Vec::new(),
                }),
            }
        }
        days
    }
}
