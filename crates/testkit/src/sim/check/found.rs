//! Search, at the end: every row is found by the word that only its message has, also where a summary
//! stands for it, and no hidden one is.

use std::collections::BTreeSet;

use angelia_core::id::SessionId;
use angelia_core::transcript::entry::Visibility;
use angelia_store::Store;
use angelia_store::search::Query;
use angelia_store::views::Range;

use super::lives::all_said;
use crate::sim::ledger::Ledger;
use crate::sim::marks;

/// A row, by its conversation and its place in it.
type Row = (SessionId, u64);

/// Looks for every message. Returns the laws that were broken.
pub async fn check(store: &dyn Store, book: &Ledger) -> Vec<String> {
    while store
        .index_more(500)
        .await
        .expect("the bare store writes")
        .waiting
        > 0
    {}
    let said = all_said(store).await;
    let mut broken = Vec::new();
    let words = book.taken.iter().filter(|one| one.is_words());
    let words: BTreeSet<&str> = words.flat_map(|one| marks::within(&one.text)).collect();
    for word in words {
        let rows = said
            .iter()
            .flat_map(|(id, rows)| rows.iter().map(move |row| (id, row)));
        let shown = rows.filter(|(_, row)| row.visibility != Visibility::Rewound);
        let holding = shown.filter(|(_, row)| marks::within(&row.text).any(|mark| mark == word));
        let must: BTreeSet<Row> = holding.map(|(id, row)| (*id, row.seq)).collect();
        let found = found(store, word).await;
        if found != must {
            broken.push(format!("search: `{word}` finds {found:?}, not {must:?}"));
        }
    }
    broken
}

async fn found(store: &dyn Store, word: &str) -> BTreeSet<Row> {
    let (mut found, mut after) = (BTreeSet::new(), None);
    loop {
        let query = Query {
            text: word.to_owned(),
            range: Range { after, limit: 200 },
            ..Query::default()
        };
        let page = store.search(query).await.expect("the bare store reads");
        found.extend(page.items.iter().map(|hit| (hit.session, hit.seq)));
        match page.next {
            Some(next) => after = Some(next),
            None => return found,
        }
    }
}
