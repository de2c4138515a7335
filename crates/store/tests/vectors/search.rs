//! Searches over a small corpus: words, groups, substrings, filters, order and context.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use angelia_core::address::Platform;
use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::time::Timestamp;
use angelia_core::transcript::entry::{Content, Role};
use angelia_core::transcript::search_query::Scope;
use angelia_store::database::Database;
use angelia_store::search::{Hit, Query, Search as _, Sort};
use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::json;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    query: String,
    hits: Option<Vec<String>>,
    ordered_hits: Option<Vec<String>>,
    context_sizes: Option<Vec<usize>>,
    platforms: Option<Vec<String>>,
    #[serde(default, alias = "excluded_platforms", alias = "not_platforms")]
    exclude_platforms: Vec<String>,
    roles: Option<Vec<String>>,
    #[serde(default)]
    include_hidden: bool,
    sort: Option<String>,
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
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
    fn is_undone(&self) -> bool {
        self.session == "s5"
    }

    fn number(&self) -> u128 {
        self.session.trim_start_matches('s').parse().unwrap()
    }

    fn seq(&self) -> i64 {
        let (_, place) = self.label.split_once('/').unwrap();
        place.parse::<i64>().unwrap() + 1
    }
}

/// The reference's `cli` is our terminal.
fn platform(name: &str) -> Platform {
    let ours = if name == "cli" { "local" } else { name };
    ours.parse().unwrap()
}

/// The call that a row without words makes. The corpus has no calls; the tool that answers next tells.
fn call(corpus: &[Row], place: usize) -> Option<serde_json::Value> {
    let answer = corpus.get(place + 1)?.tool_name.as_ref()?;
    let asks = corpus[place].role == "assistant" && corpus[place].content.plain_text().is_empty();
    asks.then(|| json!([{ "id": "call-1", "function": { "name": answer, "arguments": "{}" } }]))
}

/// Writes the corpus into the file of a store.
fn fill(path: &Path, corpus: &[Row]) {
    let file = Connection::open(path).unwrap();
    file.execute_batch("BEGIN").unwrap();
    for (place, row) in corpus.iter().enumerate() {
        let id = SessionId::from_bits(row.number()).to_string();
        file.execute(
            "INSERT OR IGNORE INTO sessions (id, scope, key, generation, platform, account, chat, \
             chat_kind, created_at, active_at, listed_at, label, preview) \
             VALUES (?1, ?1, ?1, 1, ?2, 'a', 'c', 'dm', 0, 0, 0, '', '')",
            params![id, platform(&row.platform).name()],
        )
        .unwrap();
        let beside = json!({ "tool_name": row.tool_name, "tool_calls": call(corpus, place) });
        let body = json!({ "v": 1, "body": beside }).to_string();
        let visibility = if row.is_undone() { "hidden" } else { "visible" };
        file.execute(
            "INSERT INTO transcript (session, seq, at, role, visibility, text, body) \
             VALUES ((SELECT seq FROM sessions WHERE id = ?1), ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                id,
                row.seq(),
                place as i64,
                row.role,
                visibility,
                row.content.plain_text(),
                body
            ],
        )
        .unwrap();
    }
    file.execute_batch("COMMIT").unwrap();
}

impl Case {
    fn query(&self) -> Query {
        let platforms = |names: &[String]| names.iter().map(|name| platform(name)).collect();
        let roles = |names: &[String]| names.iter().cloned().map(Role::from).collect();
        Query {
            text: self.query.clone(),
            platforms: self.platforms.as_deref().map(platforms),
            not_platforms: platforms(&self.exclude_platforms),
            roles: self.roles.as_deref().map(roles),
            scope: if self.include_hidden {
                Scope::Everything
            } else {
                Scope::Kept
            },
            sort: match self.sort.as_deref() {
                Some("newest") => Sort::Newest,
                Some("oldest") => Sort::Oldest,
                Some(_) | None => Sort::Relevance,
            },
            ..Query::default()
        }
    }

    /// The hits that the reference is asked for; ours come page by page.
    async fn hits(&self, store: &Database) -> Vec<Hit> {
        let (mut query, mut hits) = (self.query(), Vec::new());
        query.range.limit = self.limit.unwrap_or(20);
        loop {
            let page = store.search(query.clone()).await.unwrap();
            hits.extend(page.items);
            query.range.after = page.next;
            if query.range.after.is_none() {
                break;
            }
        }
        let asked = hits.into_iter().skip(self.offset);
        asked.take(query.range.limit).collect()
    }

    fn label(&self, hit: &Hit) -> String {
        let mut rows = self.corpus.iter();
        let row = rows.find(|row| {
            SessionId::from_bits(row.number()) == hit.session && row.seq() as u64 == hit.seq
        });
        row.unwrap().label.clone()
    }

    /// Hazard 22: the reference's substring search finds what was undone.
    fn without_undone(&self, labels: &[String]) -> Vec<String> {
        let undone = |label: &String| {
            let mut rows = self.corpus.iter();
            rows.any(|row| row.label == *label && row.is_undone())
        };
        let kept = labels
            .iter()
            .filter(|label| self.include_hidden || !undone(label));
        kept.cloned().collect()
    }

    async fn run(&self) -> &'static str {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("angelia.db");
        let store = Database::open(&path, Arc::new(|| Timestamp::from_ms(0))).unwrap();
        fill(&path, &self.corpus);
        while store
            .index_more(limits::SEARCH_BATCH_ROWS)
            .await
            .unwrap()
            .waiting
            > 0
        {}
        let hits = self.hits(&store).await;
        let mut ours: Vec<String> = hits.iter().map(|hit| self.label(hit)).collect();
        if let Some(ordered) = &self.ordered_hits {
            assert_eq!(ours, *ordered, "{}", self.id);
        }
        if let Some(sizes) = &self.context_sizes {
            let shown: Vec<usize> = hits.iter().map(|hit| hit.context.len()).collect();
            assert_eq!(shown, *sizes, "{}", self.id);
        }
        let Some(theirs) = &self.hits else {
            return "the same, in order";
        };
        ours.sort_unstable();
        assert_eq!(ours, self.without_undone(theirs), "{}", self.id);
        if ours == *theirs {
            "the same"
        } else {
            "different on purpose: what was undone is not found"
        }
    }
}

#[tokio::test]
async fn a_search_finds_the_reference_s_rows_except_undone_ones() {
    let mut tally = BTreeMap::new();
    for case in cases::<Case>("sessions/search.json") {
        *tally.entry(case.run().await).or_insert(0) += 1;
    }
    eprintln!("{tally:?}");
}
