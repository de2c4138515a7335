//! Who may enter: the bearer token, or the console's cookie.
//!
//! Both are compared in constant time. The cookie is not the token: it is a keyed digest of a fixed
//! text, so whoever reads a browser's cookies cannot call the interface as a program elsewhere would,
//! and a new token ends every sign-in. A request that changes something and comes with the cookie
//! must also come from our own page; `SameSite` alone would trust other ports of the same host.

use axum::http::{HeaderMap, HeaderName, Method, header};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::error::ApiError;
use crate::token::Token;

/// The name of the console's cookie.
const COOKIE: &str = "angelia_console";

/// What the cookie is a digest of. A new number ends every sign-in.
const COOKIE_TEXT: &[u8] = b"console v1";

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What requests are compared with.
pub(crate) struct Locks {
    token_digest: [u8; 32],
    cookie: String,
    cookie_digest: [u8; 32],
}

impl Locks {
    /// The locks that `token` opens.
    pub(crate) fn of(token: &Token) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(token.reveal().as_bytes())
            .expect("a key of any length is taken");
        mac.update(COOKIE_TEXT);
        let cookie = hex(&mac.finalize().into_bytes());
        Self {
            token_digest: digest(token.reveal()),
            cookie_digest: digest(&cookie),
            cookie,
        }
    }

    /// Lets a request in, or says why not.
    pub(crate) fn admit(&self, method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
        if let Some(given) = headers.get(header::AUTHORIZATION) {
            let token = given.to_str().ok().and_then(bearer);
            return match token {
                Some(token) if self.opens(token) => Ok(()),
                _ => Err(ApiError::unauthorized("the token is not this gateway's")),
            };
        }
        if !cookies(headers).any(|value| matches(value, &self.cookie_digest)) {
            return Err(ApiError::unauthorized("the request carries no token"));
        }
        if method.is_safe() {
            return Ok(());
        }
        from_our_page(headers)
    }

    /// Whether `token` is the one. An empty text never is.
    pub(crate) fn opens(&self, token: &str) -> bool {
        !token.is_empty() & matches(token, &self.token_digest)
    }

    /// The header that signs a browser in.
    pub(crate) fn sign_in_cookie(&self) -> String {
        format!(
            "{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/",
            self.cookie
        )
    }

    /// The header that signs a browser out.
    pub(crate) fn sign_out_cookie() -> String {
        format!("{COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0")
    }
}

/// Refuses a request that a browser made on behalf of another page. Programs send neither header.
///
/// What the browser itself says of the page decides; older browsers, and pages on plain HTTP, say only
/// where the page came from, which must then be the host that was called.
pub(crate) fn from_our_page(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let is_ours = match (text(&FETCH_SITE), text(&header::ORIGIN)) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => is_host(origin, text(&header::HOST).unwrap_or_default()),
        (None, None) => true,
    };
    if is_ours {
        Ok(())
    } else {
        Err(ApiError::forbidden())
    }
}

fn is_host(origin: &str, host: &str) -> bool {
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

/// The token of an `Authorization` header.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// Every value that was sent for our cookie; a browser may send more than one.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
}

/// Compares digests, which are equally long whatever was sent.
fn matches(text: &str, expected: &[u8; 32]) -> bool {
    digest(text).ct_eq(expected).into()
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half & 15)]);
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(*byte)])
        .collect()
}

#[cfg(test)]
#[path = "auth_tests.rs"]
mod tests;
