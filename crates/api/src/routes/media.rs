//! `POST /api/v1/media`: a picture in. `GET /api/v1/media/{id}`: the picture, or a file that an agent sent.
//!
//! A picture is brought first and named by a message later, so that a message stays small and a picture that
//! is sent twice is sent once. What it is, is looked at; what its sender says it is, is not.

use angelia_core::limits;
use angelia_core::media::{self as core, MediaId, Unfit};
use angelia_gateway::media::NotKept;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::body;
use crate::error::{ApiError, Kind};
use crate::params::{Params, Segment};
use crate::state::{Inner, Shared};
use crate::wire::v1::media::{Attachment, Picture};

/// The bytes of a picture never change, and nobody but the reader may keep them.
const KEPT_BY_THE_READER: HeaderValue =
    HeaderValue::from_static("private, max-age=31536000, immutable");

/// The query of a picture that is brought.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    name: Option<String>,
}

/// Keeps a picture. The answer follows when it is durable.
pub(super) async fn keep(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
    body: Body,
) -> Result<(StatusCode, Json<Picture>), ApiError> {
    let bytes = body::bytes(body, limits::PICTURE_BYTES_MAX).await?;
    let picture = kept(&shared, bytes.to_vec(), query.name.as_deref()).await?;
    Ok((StatusCode::CREATED, Json(picture.into())))
}

/// Shows a picture, or gives out a file.
pub(super) async fn show(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<Response, ApiError> {
    let id: MediaId = segment
        .0
        .parse()
        .map_err(|error: core::NotAMediaId| ApiError::not_found(error.to_string()))?;
    let media = &shared.ground().media;
    let Some(picture) = shared.stored(media.find(id).await)? else {
        return file(&shared, id).await;
    };
    let bytes = media.read(&picture).await.ok_or_else(|| missing(id))?;
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(picture.kind.media_type()),
        ),
        (header::CACHE_CONTROL, KEPT_BY_THE_READER),
    ];
    Ok((headers, bytes).into_response())
}

/// Gives out a file that is no picture: to be kept by the reader, never to be shown as a page of ours.
async fn file(shared: &Inner, id: MediaId) -> Result<Response, ApiError> {
    let found = shared.stored(shared.ground().media.file(id).await)?;
    let (kind, bytes) = found.ok_or_else(|| missing(id))?;
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(kind.media_type()),
        ),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static("attachment"),
        ),
        (header::CACHE_CONTROL, KEPT_BY_THE_READER),
    ];
    Ok((headers, bytes).into_response())
}

fn missing(id: MediaId) -> ApiError {
    ApiError::not_found(format!("there is no picture or file {id}"))
}

/// Keeps a picture, or says why not.
pub(super) async fn kept(
    shared: &Inner,
    bytes: Vec<u8>,
    name: Option<&str>,
) -> Result<core::Picture, ApiError> {
    let kept = shared.ground().media.keep(bytes, name).await;
    kept.or_else(|why| match why {
        NotKept::Store(error) => shared.stored(Err(error)),
        why @ (NotKept::Unfit(_) | NotKept::Full | NotKept::Nowhere | NotKept::Disk(_)) => {
            Err(refused(&why))
        }
    })
}

fn refused(why: &NotKept) -> ApiError {
    let said = why.to_string();
    match why {
        NotKept::Unfit(Unfit::Unknown) => {
            ApiError::new(Kind::UnsupportedMedia, said, "send one of these")
        }
        NotKept::Unfit(Unfit::TooLarge | Unfit::TooWide) => ApiError::too_large(said),
        NotKept::Full => ApiError::new(Kind::NoRoom, said, "delete some, then send it again"),
        NotKept::Nowhere => ApiError::not_found(said),
        NotKept::Disk(_) | NotKept::Store(_) => {
            tracing::warn!(%why, "a picture is not kept");
            let what = "the picture could not be written to the disk of the gateway";
            ApiError::new(
                Kind::Unavailable,
                what,
                "see the log of the gateway; try again soon",
            )
        }
    }
}

/// The pictures that a message names.
pub(super) async fn named(
    shared: &Inner,
    attachments: Vec<Attachment>,
) -> Result<Vec<core::Picture>, ApiError> {
    if attachments.len() > limits::PICTURES_PER_MESSAGE {
        let most = limits::PICTURES_PER_MESSAGE;
        return Err(ApiError::too_large(format!(
            "a message has at most {most} attachments"
        )));
    }
    let mut pictures = Vec::with_capacity(attachments.len());
    for Attachment { id, name } in attachments {
        let found = shared.stored(shared.ground().media.find(id).await)?;
        let picture = found.ok_or_else(|| missing(id))?;
        pictures.push(picture.called(name.as_deref()));
    }
    Ok(pictures)
}
