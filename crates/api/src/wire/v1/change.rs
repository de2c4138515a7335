//! Wishes for a conversation, and what came of them.
//!
//! Every field that may be left out has a meaning when it is; see docs/http.md.

use angelia_core::id::{SessionId, TurnId};
use serde::{Deserialize, Serialize};

/// Begin anew.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct New {
    /// What the new one is called.
    pub title: Option<String>,
    /// The id of the new one, so that asking again changes nothing.
    pub session_id: Option<SessionId>,
}

/// Go on in another conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResumeWish {
    /// In which.
    pub target: SessionId,
}

/// Take back. One of the two is given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RewindWish {
    /// How many turns, counted from what is visible.
    pub turns: Option<u32>,
    /// From which entry on.
    pub from: Option<u64>,
}

/// What was taken back, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewound {
    /// The first entry.
    pub from: u64,
    /// How many entries.
    pub rows: usize,
    /// How many turns; nothing where an entry was named.
    pub turns: Option<usize>,
    /// The words of the first entry; nothing where an entry was named.
    pub text: Option<String>,
}

/// Go another way from here.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BranchWish {
    /// What the copy is called.
    pub title: Option<String>,
    /// The last entry to take along; all when absent.
    pub up_to: Option<u64>,
    /// Where people go on.
    pub then: Then,
    /// The id of the copy, so that asking again changes nothing.
    pub session_id: Option<SessionId>,
}

/// Where people go on after a branch was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// Where they are.
    #[default]
    Stay,
    /// In the copy.
    Move,
}

/// What was stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// The turn that ends; nothing if none was open.
    pub turn: Option<TurnId>,
}

/// Call it so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TitleWish {
    /// The title; nothing takes it away.
    #[serde(deserialize_with = "Option::deserialize")]
    pub title: Option<String>,
}

/// End what nobody uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PruneWish {
    /// For how long nothing happened in it: a length of time such as `30d`.
    pub older_than: String,
}

/// What was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// How many.
    pub ended: usize,
}

/// The conversation that a text stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSession {
    /// Its id.
    pub id: SessionId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_taken_away_only_if_it_is_said() {
        assert!(serde_json::from_str::<TitleWish>("{}").is_err());
        let taken: TitleWish = serde_json::from_str(r#"{"title":null}"#).unwrap();
        assert_eq!(taken.title, None);
    }

    #[test]
    fn a_misspelt_field_is_a_mistake() {
        assert!(serde_json::from_str::<New>(r#"{"titel":"x"}"#).is_err());
        assert!(serde_json::from_str::<RewindWish>(r#"{"turn":1}"#).is_err());
    }
}
