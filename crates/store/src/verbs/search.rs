//! Search: two full-text indexes beside the transcript.
//!
//! ```text
//! index   rows after the position → their words → the indexes, and the position, in one transaction
//! find    a query → numbers of rows, in order, from the indexes
//! walk    a query too short for them → numbers of rows, from the rows themselves, so many at a time
//! hits    numbers of rows → what is shown of them; marks: the words around what was looked for
//! ```
//!
//! The indexes keep no texts and know nothing of visibility, so undoing and summarising cost them nothing.
//! `Filter` is the one condition on rows, the same in every statement that finds any.

mod expression;
mod filter;
mod find;
mod hits;
mod index;
mod marks;
mod tokens;
mod walk;
mod words;

use std::sync::Arc;

use angelia_core::transcript::search_query::{self, GroupIndex, Search as Plan};
use async_trait::async_trait;

use super::pages;
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::search::{Hit, Indexed, Query, Search};
use crate::views::Page;
pub(super) use index::forget;
use marks::Marker;
use tokens::Reader;

#[async_trait]
impl Search for Database {
    async fn index_more(&self, limit: usize) -> Result<Indexed, StoreError> {
        let waiting = self.read(index::waiting).await?;
        if waiting == 0 {
            return Ok(Indexed::default());
        }
        let aids = Arc::clone(&self.aids);
        self.write(move |tx| index::more(tx, &aids.reader, limit))
            .await
    }

    async fn search(&self, query: Query) -> Result<Page<Hit>, StoreError> {
        let aids = Arc::clone(&self.aids);
        self.read(move |tx| {
            let look = Look {
                tx,
                aids: &aids,
                query: &query,
            };
            answer(&look)
        })
        .await
    }
}

/// What reads texts as the index of SQLite does, on either engine.
#[derive(Default)]
pub(crate) struct Aids {
    marker: Marker,
    reader: Reader,
}

/// The rows of a page, in order, and how to mark what was looked for in them.
struct Found<'q> {
    rows: Page<i64>,
    sought: Sought<'q>,
}

/// What was looked for.
enum Sought<'q> {
    /// This expression, by words.
    Words(&'q str),
    /// Any of these, as they are.
    Terms(Vec<String>),
}

/// What a search works with.
struct Look<'t, 'c> {
    tx: &'t Tx<'c>,
    aids: &'t Aids,
    query: &'t Query,
}

fn answer(look: &Look<'_, '_>) -> Result<Page<Hit>, Fault> {
    let (tx, query) = (look.tx, look.query);
    let plan = search_query::plan(&query.text, GroupIndex::Present);
    let found = match &plan {
        Plan::Nothing => return Ok(pages::empty()),
        Plan::Words(expression) => Found {
            rows: find::by_words(look, expression)?,
            sought: Sought::Words(expression),
        },
        Plan::Groups(expression) => Found {
            rows: find::by_groups(look, expression)?,
            sought: Sought::Terms(search_query::group_terms(expression)),
        },
        Plan::Substrings(terms) => Found {
            rows: walk::by_substrings(tx, terms, query)?,
            sought: Sought::Terms(terms.clone()),
        },
    };
    let hits = hits::shown(tx, &found.rows.items, query.scope)?;
    Ok(Page {
        items: marks::marked(&look.aids.marker, &found.sought, hits)?,
        next: found.rows.next,
    })
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
