//! What stands in the address: path segments, ids, query parameters, pages.
//!
//! Everything that does not fit becomes one `ApiError` with words for people, never the framework's
//! plain text.

use std::str::FromStr;

use angelia_core::id::NotAnId;
use angelia_core::limits;
use angelia_store::views::Range;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The one variable segment of a path.
pub(crate) struct Segment(pub(crate) String);

impl Segment {
    /// The segment as an id. What is no id names nothing that exists.
    pub(crate) fn id<T: FromStr<Err = NotAnId>>(&self) -> Result<T, ApiError> {
        let id = self.0.parse();
        id.map_err(|error: NotAnId| ApiError::not_found(error.to_string()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(text)| Self(text))
            .map_err(|error| ApiError::bad_request(error.body_text()))
    }
}

/// The query of an address.
pub(crate) struct Params<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let query = Query::<T>::try_from_uri(&parts.uri);
        query
            .map(|Query(value)| Self(value))
            .map_err(|error| ApiError::bad_request(error.body_text()))
    }
}

/// The query of a plain listing.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageParams {
    after: Option<String>,
    limit: Option<usize>,
}

impl PageParams {
    /// The rows that were asked for.
    pub(crate) fn range(self) -> Result<Range, ApiError> {
        range(self.after, self.limit)
    }
}

/// The rows after `after`, at most `limit`.
pub(crate) fn range(after: Option<String>, limit: Option<usize>) -> Result<Range, ApiError> {
    let limit = limit.unwrap_or(limits::PAGE_ROWS);
    if !(1..=limits::PAGE_ROWS_MAX).contains(&limit) {
        let most = limits::PAGE_ROWS_MAX;
        let said = format!("`limit` is {limit}; it must be from 1 to {most}");
        return Err(ApiError::bad_request(said));
    }
    Ok(Range { after, limit })
}
