//! `GET /api/v1/sessions/{id}/export`: a conversation as a document.
//!
//! It is made page by page as it is read, so a long one is never in memory as a whole. A store that
//! fails on the way cuts the document short; the reader notices by its end.

use std::sync::Arc;

use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::transcript::export::{Export, Format, Head, Row};
use angelia_store::transcripts::Kept;
use angelia_store::views::Range;
use angelia_store::{Store, StoreError};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;

use super::sessions::missing;
use crate::error::ApiError;
use crate::params::{Params, Segment};
use crate::state::Shared;

/// The query.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    #[serde(default)]
    format: Form,
    #[serde(default)]
    all: bool,
}

/// The form of the document.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    #[default]
    Markdown,
    Json,
}

impl Form {
    const fn format(self) -> Format {
        match self {
            Self::Markdown => Format::Markdown,
            Self::Json => Format::Json,
        }
    }

    const fn kind(self) -> (&'static str, &'static str) {
        match self {
            Self::Markdown => ("text/markdown; charset=utf-8", "md"),
            Self::Json => ("application/json", "json"),
        }
    }
}

/// Which rows a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    Visible,
    All,
}

/// Gives the document.
pub(super) async fn export(
    State(shared): State<Shared>,
    segment: Segment,
    Params(query): Params<Query>,
) -> Result<Response, ApiError> {
    let session: SessionId = segment.id()?;
    let store = &shared.ground().store;
    let record = shared.stored(store.lookup(session).await)?;
    let record = record.ok_or_else(|| missing(session))?;
    let head = Head {
        session,
        title: record.title,
        label: record.label,
        started_at: record.created_at,
    };
    let rows = if query.all { Rows::All } else { Rows::Visible };
    let document = Document {
        store: Arc::clone(store),
        session,
        rows,
        export: Export::new(query.format.format()),
        next: Next::Head(head),
    };
    Ok(answer(query.format, session, document))
}

fn answer(form: Form, session: SessionId, document: Document) -> Response {
    let pieces = stream::try_unfold(document, Document::piece);
    let (kind, ending) = form.kind();
    let mut response = Body::from_stream(pieces).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let file = format!("attachment; filename=\"{session}.{ending}\"");
    if let Ok(file) = HeaderValue::from_str(&file) {
        headers.insert(header::CONTENT_DISPOSITION, file);
    }
    response
}

/// A document on its way out.
struct Document {
    store: Arc<dyn Store>,
    session: SessionId,
    rows: Rows,
    export: Export,
    next: Next,
}

/// What comes next.
enum Next {
    Head(Head),
    After(Option<String>),
    End,
    Nothing,
}

impl Document {
    async fn piece(mut self) -> Result<Option<(String, Self)>, StoreError> {
        let (text, next) = match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Head(head) => (self.export.open(&head), Next::After(None)),
            Next::After(after) => self.page(after).await?,
            Next::End => (self.export.close().to_owned(), Next::Nothing),
            Next::Nothing => return Ok(None),
        };
        self.next = next;
        Ok(Some((text, self)))
    }

    async fn page(&mut self, after: Option<String>) -> Result<(String, Next), StoreError> {
        let limit = limits::PAGE_ROWS_MAX;
        let page = self
            .store
            .rows(self.session, Range { after, limit })
            .await?;
        let Some(page) = page else {
            return Ok((String::new(), Next::End));
        };
        let wanted = |kept: &&Kept| self.rows == Rows::All || kept.entry.is_visible();
        let mut text = String::new();
        for kept in page.items.iter().filter(wanted) {
            let name = kept.name.as_deref();
            let (seq, entry) = (kept.seq, &kept.entry);
            text += &self.export.row(&Row { seq, name, entry });
        }
        let next = page.next.map_or(Next::End, |next| Next::After(Some(next)));
        Ok((text, next))
    }
}
