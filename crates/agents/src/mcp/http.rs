//! The HTTP client for one server: its headers, and nobody else's door.

use std::error::Error;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Url};

use crate::model::provider::Secret;

/// How long a server may take to answer the door.
const CONNECT_TIME: std::time::Duration = std::time::Duration::from_secs(10);

/// How often a server may send us on.
const REDIRECTS_MAX: usize = 5;

/// What an address must be.
const ADDRESS: &str = "an address such as \"https://example.com/mcp\", without user and password";

/// The address of a server.
///
/// # Errors
/// What it should be, without repeating it: it may hold a secret.
pub fn address(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text.trim()).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
    url.ok_or(ADDRESS)
}

/// Whether a header can have this name and this value.
///
/// # Errors
/// What is wrong with it, without its value.
pub fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), String> {
    let key = HeaderName::from_bytes(name.as_bytes());
    let key = key.map_err(|_| format!("`{name}` is no name of a header"))?;
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| format!("the header `{name}` has signs that no header may have"))?;
    value.set_sensitive(true);
    Ok((key, value))
}

/// A client that sends these headers with every request.
pub(super) fn client(url: &Url, headers: &[(String, Secret)]) -> Result<Client, String> {
    // Somebody may have chosen before; what matters is that there is a choice.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let named = headers.iter();
    let named = named.map(|(name, value)| header(name, value.reveal()));
    let headers: HeaderMap = named.collect::<Result<_, _>>()?;
    let builder = Client::builder()
        .connect_timeout(CONNECT_TIME)
        .default_headers(headers)
        .redirect(Policy::custom(redirected));
    let builder = match url.scheme() {
        // A server on this machine needs no certificates, and some machines have none.
        "http" => builder.tls_certs_only([]),
        _ => builder,
    };
    let unusable = |error: reqwest::Error| format!("there is no HTTPS client: {}", inmost(&error));
    builder.build().map_err(unusable)
}

/// What we send may hold secrets, which stay with the server they are for.
fn redirected(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let first = attempt.previous().first();
    let is_same = first.is_some_and(|first| first.origin() == attempt.url().origin());
    match is_same && attempt.previous().len() <= REDIRECTS_MAX {
        true => attempt.follow(),
        false => attempt.stop(),
    }
}

/// The first cause of a failure. Those above it repeat the address, which may be a secret.
pub(super) fn inmost(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    match cause.downcast_ref::<reqwest::Error>() {
        Some(error) if error.is_timeout() => "it did not answer in time".to_owned(),
        Some(error) if error.is_redirect() => "it sends us elsewhere".to_owned(),
        Some(error) if error.status().is_some() => error
            .status()
            .map(|status| format!("it answered {status}"))
            .unwrap_or_default(),
        Some(_) => "the connection failed".to_owned(),
        None => cause.to_string(),
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
