//! Queries, and the searches that need no index.

use std::collections::BTreeMap;

use angelia_core::transcript::entry::{Content, Visibility};
use angelia_core::transcript::search_query::{GroupIndex, Scope, Search, clean, plan};
use serde::Deserialize;

use crate::cases;

#[derive(Deserialize)]
struct Query {
    id: String,
    query: String,
    cleaned: String,
}

#[test]
fn queries_are_cleaned_as_in_the_reference() {
    for case in cases::<Query>("sessions/fts_query.json") {
        assert_eq!(clean(&case.query), case.cleaned, "{}", case.id);
    }
}

#[derive(Deserialize)]
struct Found {
    id: String,
    query: String,
    hits: Option<Vec<String>>,
    platforms: Option<Vec<String>>,
    roles: Option<Vec<String>>,
    #[serde(default)]
    include_hidden: bool,
    corpus: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    label: String,
    session: String,
    platform: String,
    role: String,
    content: Content,
    tool_name: Option<String>,
}

impl Row {
    /// The file says in words that all rows of this session were undone.
    fn visibility(&self) -> Visibility {
        if self.session == "s5" {
            Visibility::Rewound
        } else {
            Visibility::Visible
        }
    }

    fn holds(&self, word: &str) -> bool {
        let name = self.tool_name.as_deref().unwrap_or("");
        self.content.plain_text().contains(word) || name.contains(word)
    }
}

fn wanted(among: Option<&Vec<String>>, own: &String) -> bool {
    among.is_none_or(|among| among.contains(own))
}

impl Found {
    fn substrings(&self, words: &[String]) -> Vec<String> {
        let scope = if self.include_hidden {
            Scope::Everything
        } else {
            Scope::Kept
        };
        let admitted = self
            .corpus
            .iter()
            .filter(|row| scope.admits(row.visibility()));
        let asked = admitted.filter(|row| {
            wanted(self.platforms.as_ref(), &row.platform) && wanted(self.roles.as_ref(), &row.role)
        });
        let found = asked.filter(|row| words.iter().any(|word| row.holds(word)));
        found.map(|row| row.label.clone()).collect()
    }

    fn is_undone(&self, label: &String) -> bool {
        let mut undone = self
            .corpus
            .iter()
            .filter(|row| row.visibility() == Visibility::Rewound);
        undone.any(|row| row.label == *label)
    }
}

/// Words and groups need an index, which is the store's; here they are only told apart.
#[test]
fn a_search_without_an_index_finds_the_reference_s_rows_except_undone_ones() {
    let mut tally = BTreeMap::new();
    for case in cases::<Found>("sessions/search.json") {
        let searched = match plan(&case.query, GroupIndex::Present) {
            Search::Nothing => Some(("nothing to look for", Vec::new())),
            Search::Substrings(words) => Some(("substrings", case.substrings(&words))),
            Search::Words(_) | Search::Groups(_) => None,
        };
        // An order is the store's as well.
        let (Some((way, ours)), Some(mut theirs)) = (searched, case.hits.clone()) else {
            *tally.entry("open: needs the store").or_insert(0) += 1;
            continue;
        };
        *tally.entry(way).or_insert(0) += 1;
        // Hazard 22: the reference's substring search finds what was undone.
        theirs.retain(|label| case.include_hidden || !case.is_undone(label));
        assert_eq!(ours, theirs, "{}", case.id);
    }
    eprintln!("{tally:?}");
}
