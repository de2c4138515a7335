//! One call of the Bot API: JSON out, JSON in, nothing of the address in what is said about it.

use std::time::Duration;

use reqwest::{Body, Client, RequestBuilder, Response, Url, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use angelia_core::limits;
use angelia_core::time::Span;

use super::fault::{Fault, No};
use super::token::Token;
use super::wire::Answer;

/// How long Telegram may take to open its door.
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// The way to the Bot API.
#[derive(Debug, Clone)]
pub(super) struct Line {
    client: Client,
    base: Url,
    token: Token,
}

/// A body in parts, with files that are read on the way.
pub(super) struct Load {
    pub(super) kind: String,
    pub(super) bytes: u64,
    pub(super) body: Body,
}

impl Line {
    pub(super) fn new(base: Url, token: Token) -> Result<Self, String> {
        // Somebody may have chosen before; what matters is that there is a choice.
        let _chosen = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder()
            .connect_timeout(CONNECT_TIME)
            // The token stands in the address, and must not follow wherever a server sends its callers.
            .redirect(reqwest::redirect::Policy::none());
        let builder = match base.scheme() {
            // A server on this machine needs no certificates, and some machines have none.
            "http" => builder.tls_certs_only([]),
            _ => builder,
        };
        let client = builder.build().map_err(|error| error.to_string())?;
        Ok(Self {
            client,
            base,
            token,
        })
    }

    /// Calls a method and waits for its answer no longer than `time`.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
        time: Duration,
    ) -> Result<T, Fault> {
        let asked = self.client.post(self.url(method)).json(params);
        self.answered(asked.timeout(time)).await
    }

    /// Calls a method with a body in parts.
    pub(super) async fn upload<T: DeserializeOwned>(
        &self,
        method: &str,
        load: Load,
        time: Duration,
    ) -> Result<T, Fault> {
        let asked = self.client.post(self.url(method)).body(load.body);
        let asked = asked.header(header::CONTENT_TYPE, load.kind);
        let asked = asked.header(header::CONTENT_LENGTH, load.bytes);
        self.answered(asked.timeout(time)).await
    }

    async fn answered<T: DeserializeOwned>(&self, asked: RequestBuilder) -> Result<T, Fault> {
        let answer = asked.send().await;
        let mut answer = answer.map_err(|error| self.broken(error))?;
        let status = answer.status().as_u16();
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(|error| self.lost(error))? {
            body.extend_from_slice(&piece);
            if body.len() > limits::platform::ANSWER_BYTES_MAX {
                return Err(Fault::Lost("it is longer than can be read".to_owned()));
            }
        }
        let result = self.read(status, &body)?;
        serde_json::from_value(result).map_err(|_| unreadable())
    }

    /// Opens a file at the path that Telegram named.
    pub(super) async fn file(&self, path: &str, time: Duration) -> Result<Response, Fault> {
        let mut url = self.base.clone();
        let above = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{above}/file/bot{}/{path}", self.token.reveal()));
        let asked = self.client.get(url).timeout(time).send().await;
        let answer = asked.map_err(|error| self.broken(error))?;
        let status = answer.status().as_u16();
        match status {
            200 => Ok(answer),
            500.. => Err(Fault::Away(status)),
            code => Err(Fault::Refused(No {
                code,
                words: "the file is not given out".to_owned(),
                retry_after: None,
                moved_to: None,
            })),
        }
    }

    fn read(&self, status: u16, body: &[u8]) -> Result<Value, Fault> {
        match serde_json::from_slice::<Answer>(body) {
            Ok(answer) if answer.ok => Ok(answer.result),
            Ok(answer) => {
                let parameters = answer.parameters.unwrap_or_default();
                let words = answer.description.unwrap_or_default();
                Err(Fault::Refused(No {
                    code: answer.error_code.unwrap_or(status),
                    words: self.token.clean(&words),
                    retry_after: parameters.retry_after.map(Span::seconds),
                    moved_to: parameters.migrate_to_chat_id,
                }))
            }
            // A front that waited in vain cannot tell whether the call got through.
            Err(_) if status >= 500 && status != 504 => Err(Fault::Away(status)),
            Err(_) => Err(unreadable()),
        }
    }

    fn url(&self, method: &str) -> Url {
        let mut url = self.base.clone();
        let above = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{above}/bot{}/{method}", self.token.reveal()));
        url
    }

    fn broken(&self, error: reqwest::Error) -> Fault {
        if error.is_connect() || error.is_builder() {
            Fault::Unreached(self.words(error))
        } else {
            self.lost(error)
        }
    }

    pub(super) fn lost(&self, error: reqwest::Error) -> Fault {
        if error.is_timeout() {
            return Fault::Lost("it did not come in time".to_owned());
        }
        Fault::Lost(self.words(error))
    }

    /// What went wrong, with its causes and without the address: the token stands there.
    fn words(&self, error: reqwest::Error) -> String {
        use std::error::Error as _;
        let error = error.without_url();
        let mut words = error.to_string();
        let mut cause = error.source();
        while let Some(deeper) = cause {
            words = format!("{words}: {deeper}");
            cause = deeper.source();
        }
        self.token.clean(&words)
    }
}

fn unreadable() -> Fault {
    Fault::Lost("it cannot be read".to_owned())
}
