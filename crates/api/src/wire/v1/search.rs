//! What was found in everything that was said.

use angelia_core::address::Platform;
use angelia_core::id::SessionId;
use angelia_core::transcript::entry;
use angelia_store::search;
use angelia_store::views::SessionRow;
use serde::{Deserialize, Serialize};

use super::session::Role;
use super::time::Time;

/// An entry that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// The conversation.
    pub session_id: SessionId,
    /// What somebody called it.
    pub title: Option<String>,
    /// Who or what it is with.
    pub label: String,
    /// The platform it takes place on.
    pub platform: Platform,
    /// The chat it takes place in.
    pub chat: String,
    /// When it began.
    pub session_created_at: Time,
    /// The place of the entry in it.
    pub seq: u64,
    /// Who spoke.
    pub role: Role,
    /// The tool that answered.
    pub tool: Option<String>,
    /// When.
    pub at: Time,
    /// The words around what was looked for.
    pub snippet: Vec<Piece>,
    /// The entry before, the entry itself and the one after, as far as they may be shown.
    pub context: Vec<Excerpt>,
}

/// A piece of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The words.
    pub text: String,
    /// Whether they are what was looked for.
    pub hit: bool,
}

/// The beginning of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// Its place in the conversation.
    pub seq: u64,
    /// Who spoke.
    pub role: Role,
    /// The beginning of its words.
    pub text: String,
}

/// Which hit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// The one that fits best.
    #[default]
    Relevance,
    /// The newest.
    Newest,
    /// The oldest.
    Oldest,
}

impl Sort {
    /// The name used in the address.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Newest => "newest",
            Self::Oldest => "oldest",
        }
    }
}

impl From<Sort> for search::Sort {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Relevance => Self::Relevance,
            Sort::Newest => Self::Newest,
            Sort::Oldest => Self::Oldest,
        }
    }
}

impl From<&entry::Role> for Role {
    fn from(role: &entry::Role) -> Self {
        match role {
            entry::Role::System => Self::System,
            entry::Role::User => Self::User,
            entry::Role::Assistant => Self::Assistant,
            entry::Role::Tool => Self::Tool,
            entry::Role::Summary => Self::Notice,
            entry::Role::Other(name) if name == "notice" => Self::Notice,
            entry::Role::Other(_) => Self::Unknown,
        }
    }
}

impl Hit {
    /// A hit and the conversation that it was found in.
    pub fn of(hit: search::Hit, session: &SessionRow) -> Self {
        let excerpt = |one: search::Excerpt| Excerpt {
            seq: one.seq,
            role: (&one.role).into(),
            text: one.text,
        };
        Self {
            session_id: hit.session,
            title: session.title.clone(),
            label: session.label.clone(),
            platform: hit.platform,
            chat: session.address.chat.id.clone(),
            session_created_at: hit.session_started.into(),
            seq: hit.seq,
            role: (&hit.role).into(),
            tool: hit.tool_name,
            at: hit.at.into(),
            snippet: pieces(&hit.snippet),
            context: hit.context.into_iter().map(excerpt).collect(),
        }
    }
}

/// The snippet cut at its marks. Whoever reads it needs to know nothing about how letters are counted.
fn pieces(snippet: &search::Snippet) -> Vec<Piece> {
    let text = &snippet.text;
    let mut pieces = Vec::new();
    let mut done = 0;
    let mut add = |range: std::ops::Range<usize>, hit| {
        if let Some(words) = text.get(range).filter(|words| !words.is_empty()) {
            let text = words.to_owned();
            pieces.push(Piece { text, hit });
        }
    };
    for mark in &snippet.marks {
        add(done..mark.start, false);
        add(mark.clone(), true);
        done = mark.end;
    }
    add(done..text.len(), false);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_cut_at_its_marks_and_loses_nothing() {
        let snippet = search::Snippet {
            text: "…für die Reise".to_owned(),
            marks: vec![3..7, 12..17],
        };
        let pieces = pieces(&snippet);
        let told: Vec<_> = pieces
            .iter()
            .map(|one| (one.text.as_str(), one.hit))
            .collect();
        assert_eq!(
            told,
            [
                ("…", false),
                ("für", true),
                (" die ", false),
                ("Reise", true)
            ]
        );
    }
}
