//! Pages: some rows, and where the next ones begin.

use angelia_store::views;
use serde::{Deserialize, Serialize};

/// Some rows of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// Passed back as `after=` it brings the rows that follow; nothing after the last.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// Converts every row of a page that the store read.
    pub fn of<R: Into<T>>(page: views::Page<R>) -> Self {
        Self {
            items: page.items.into_iter().map(Into::into).collect(),
            next: page.next,
        }
    }
}
