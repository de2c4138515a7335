//! The tool that looks for words in earlier conversations.
//!
//! It finds what the place of the turn may reach, and nothing of anybody else's; which that is, the store decides
//! (`Past::search`). Looking changes nothing.

use serde_json::{Value, json};

use super::form::{Argument, Form, Given, Kind};
use super::{Toolbox, fit};
use crate::past::{Find, Found, Sort};
use angelia_core::limits;
use angelia_core::mask::Surface;

/// What the tool takes.
pub(crate) const FORM: Form = Form {
    name: "session_search",
    family: "session_search",
    about: "Finds what was said earlier: in this conversation and in the earlier ones of the same place or person. Use \
            it when somebody refers to something that you do not see. Words are looked for together; use OR between \
            alternatives, quotes around phrases and a star behind beginnings of words.",
    required: &["query"],
    arguments: &[
        Argument {
            name: "query",
            kind: Kind::Text,
            about: "The words to look for.",
        },
        Argument {
            name: "sort",
            kind: Kind::Choice(&["relevance", "newest", "oldest"]),
            about: "What comes first: what fits best unless said.",
        },
        Argument {
            name: "limit",
            kind: Kind::Whole(1),
            about: "How many finds at most; 5 unless said, 20 at most.",
        },
    ],
};

/// Finds that are told unless the call says otherwise.
const FINDS: usize = 5;

/// Reads a call.
pub(super) fn find(given: &Given) -> Find {
    let limit = given
        .whole("limit")
        .and_then(|limit| usize::try_from(limit).ok());
    Find {
        words: given.text("query").unwrap_or_default().to_owned(),
        sort: match given.text("sort") {
            Some("newest") => Sort::Newest,
            Some("oldest") => Sort::Oldest,
            Some(_) | None => Sort::Relevance,
        },
        limit: limit.unwrap_or(FINDS).min(limits::SESSION_FINDS_MAX),
    }
}

impl Toolbox<'_> {
    /// Looks, and tells what was found.
    pub(super) async fn looked_for(&self, find: Find) -> Value {
        match self.input.past.search(find).await {
            Ok(finds) => {
                let told = json!({ "found": finds.len(), "results": finds.iter().map(shown).collect::<Vec<_>>() });
                fit::masked(told, (&self.input.terms.masker, Surface::Output))
            }
            Err(why) => json!({ "error": why.to_string() }),
        }
    }
}

fn shown(found: &Found) -> Value {
    let beside = found.beside.iter();
    let beside = beside.map(|(role, text)| json!({ "role": role, "text": text }));
    json!({
        "session_id": found.session.to_string(),
        "role": found.role,
        "when": found.at.to_string(),
        "snippet": found.snippet,
        "context": beside.collect::<Vec<_>>(),
    })
}
