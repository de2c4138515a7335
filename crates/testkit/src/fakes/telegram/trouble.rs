//! What can go wrong between a bot and Telegram, decided by the test for each call.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::Response;
use futures_util::stream;

use super::call::{Call, Refused};
use super::{Desk, answered, body, methods, plain, refused};

/// What becomes of a call instead of its ordinary answer.
#[derive(Debug, Clone)]
pub enum Trouble {
    /// Nothing is done: come back after so many seconds.
    Flood(i64),
    /// Nothing is done: a server in between answers with this status and a page of its own.
    Broken(u16),
    /// Nothing is done, and there is no answer for so long; then the line is cut.
    Hangs(Duration),
    /// Nothing is done, and the line is cut.
    Cut,
    /// It is done, and the line is cut before the answer.
    AnswerLost,
    /// It is done, and half of the answer arrives as if it were whole.
    HalfAnswer,
    /// It is done, and the answer comes late.
    Slow(Duration),
    /// Nothing is done: refused with this code and these words.
    Refused(u16, String),
}

type Decide = Box<dyn FnMut(&Call) -> Option<Trouble> + Send>;

/// Decides over calls; without a script all goes well.
#[derive(Default)]
pub(super) struct Script(Option<Decide>);

impl Script {
    pub(super) fn new(decide: impl FnMut(&Call) -> Option<Trouble> + Send + 'static) -> Self {
        Self(Some(Box::new(decide)))
    }

    pub(super) fn decide(&mut self, call: &Call) -> Option<Trouble> {
        self.0.as_mut().and_then(|decide| decide(call))
    }
}

impl Trouble {
    pub(super) async fn happen(self, desk: &Desk, call: &Call) -> Response {
        match self {
            Self::Flood(seconds) => {
                let words = format!("Too Many Requests: retry after {seconds}");
                let flood = Refused::new(429, words).with("retry_after", seconds);
                let mut response = refused(&flood);
                let value = header::HeaderValue::from(seconds);
                response.headers_mut().insert(header::RETRY_AFTER, value);
                response
            }
            Self::Broken(status) => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
                let page = format!("<html><head><title>{status}</title></head></html>");
                let mut response = plain(status, Bytes::from(page));
                let html = header::HeaderValue::from_static("text/html");
                response.headers_mut().insert(header::CONTENT_TYPE, html);
                response
            }
            Self::Hangs(time) => {
                tokio::time::sleep(time).await;
                cut()
            }
            Self::Cut => cut(),
            Self::AnswerLost => {
                // What it would have answered is what nobody hears.
                let _unheard = methods::perform(desk, call).await;
                cut()
            }
            Self::HalfAnswer => {
                let (status, whole) = body(&methods::perform(desk, call).await);
                let half = whole[..whole.floor_char_boundary(whole.len() / 2)].to_owned();
                plain(status, Bytes::from(half))
            }
            Self::Slow(time) => {
                let done = methods::perform(desk, call).await;
                tokio::time::sleep(time).await;
                answered(&done)
            }
            Self::Refused(code, words) => refused(&Refused::new(code, words)),
        }
    }
}

/// An answer that breaks off before its first byte.
fn cut() -> Response {
    let broken = std::io::Error::other("the line was cut");
    let body = stream::iter([Err::<Bytes, _>(broken)]);
    Response::new(Body::from_stream(body))
}
