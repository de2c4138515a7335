//! What somebody said, as words: by a command, or by a server that speaks the OpenAI-compatible interface for sounds.
//!
//! ```text
//! file ─▶ command {file} ─▶ what it prints          file ─▶ POST …/audio/transcriptions ─▶ {"text": …}
//! ```
//!
//! Which of them, if any, is the operator's choice. It is given a file and a time, and what it answers is bounded. It
//! knows nothing of messages: whoever asks decides what to do without an answer.

use std::path::Path;
use std::sync::Arc;

use angelia_core::limits;
use angelia_core::media::file::FileKind;
use angelia_core::multipart::{Multipart, Part};
use angelia_core::time::Span;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, RequestBuilder, Url};
use serde::Deserialize;

use crate::by_command::{self, Unprinted};
use crate::model::provider::Secret;

pub use crate::by_command::FILE;

/// An answer of a server: the words, each letter perhaps as an escape of six, and what stands around them.
const ANSWER_BYTES_MAX: usize = 6 * limits::TRANSCRIPT_BYTES_MAX + 4 * 1024;

/// Writes down what is said in a file.
#[derive(Debug, Clone)]
pub struct Transcriber {
    /// By what.
    pub by: By,
    /// How long it may take.
    pub time: Span,
}

/// What writes down what is said.
#[derive(Debug, Clone)]
pub enum By {
    /// A command; it is given the path of the file and prints the words.
    Command(Vec<String>),
    /// A server.
    Server(Arc<Server>),
}

/// A server that hears.
#[derive(Debug)]
pub struct Server {
    client: Client,
    url: Url,
    model: String,
    key: Option<Secret>,
}

#[derive(Deserialize)]
struct Heard {
    text: String,
}

impl Server {
    /// The way to a server, below whose address `audio/transcriptions` is.
    ///
    /// # Errors
    /// Why no HTTPS client can be made here.
    pub fn new(base: &Url, model: String, key: Option<Secret>) -> Result<Self, String> {
        // Somebody may have chosen before; what matters is that there is a choice.
        let _chosen = rustls::crypto::ring::default_provider().install_default();
        let builder = Client::builder().redirect(reqwest::redirect::Policy::none());
        let builder = match base.scheme() {
            // A server on this machine needs no certificates, and some machines have none.
            "http" => builder.tls_certs_only([]),
            _ => builder,
        };
        let mut url = base.clone();
        let above = base.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{above}/audio/transcriptions"));
        Ok(Self {
            client: builder.build().map_err(|error| error.to_string())?,
            url,
            model,
            key,
        })
    }

    fn asked(&self, bytes: &[u8], kind: FileKind, boundary: u128) -> RequestBuilder {
        let name = format!("voice.{}", kind.ending());
        let (form, body) = Multipart::new(boundary)
            .field("model", &self.model)
            .field("response_format", "json")
            .file(Part {
                field: "file",
                name: &name,
                media_type: kind.media_type(),
                bytes,
            })
            .finish();
        let asked = self.client.post(self.url.clone()).body(body);
        let asked = asked.header(CONTENT_TYPE, form);
        match &self.key {
            Some(key) => asked.bearer_auth(key.reveal()),
            None => asked,
        }
    }

    async fn heard(&self, asked: RequestBuilder) -> Result<String, String> {
        let away = |error: reqwest::Error| {
            let error = error.without_url();
            format!("the server that writes it down cannot be reached: {error}")
        };
        let mut answer = asked.send().await.map_err(away)?;
        let status = answer.status();
        if !status.is_success() {
            return Err(format!("the server that writes it down answers {status}"));
        }
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(away)? {
            body.extend_from_slice(&piece);
            if body.len() > ANSWER_BYTES_MAX {
                let most = ANSWER_BYTES_MAX / 1024;
                return Err(format!(
                    "the server that writes it down answers more than {most} KiB"
                ));
            }
        }
        let heard: Result<Heard, _> = serde_json::from_slice(&body);
        let heard = heard.map_err(|_| "the server that writes it down answers something else");
        Ok(heard?.text)
    }
}

impl Transcriber {
    /// The words in a file, or why there are none.
    ///
    /// # Errors
    /// In words for people and agents.
    pub async fn write_down(
        &self,
        file: &Path,
        kind: FileKind,
        boundary: u128,
    ) -> Result<String, String> {
        let hearing = async {
            match &self.by {
                By::Command(words) => self.run(words, file).await,
                By::Server(server) => {
                    let bytes = read(file).await?;
                    server.heard(server.asked(&bytes, kind, boundary)).await
                }
            }
        };
        let heard = tokio::time::timeout(self.time.to_std(), hearing).await;
        let mut words = heard.unwrap_or_else(|_| Err(late()))?;
        words.truncate(words.floor_char_boundary(limits::TRANSCRIPT_BYTES_MAX));
        match words.trim() {
            "" => Err("nothing was understood".to_owned()),
            some => Ok(some.to_owned()),
        }
    }

    async fn run(&self, words: &[String], file: &Path) -> Result<String, String> {
        let printed = by_command::printed(words, file, ("writes it down", self.time)).await;
        printed.map_err(|why| match why {
            Unprinted::Late => late(),
            Unprinted::Failed(why) => why,
        })
    }
}

fn late() -> String {
    "it was not written down in time".to_owned()
}

async fn read(file: &Path) -> Result<Vec<u8>, String> {
    let file = file.to_owned();
    let read = tokio::task::spawn_blocking(move || std::fs::read(file)).await;
    let gone = || "its file cannot be read".to_owned();
    read.ok().and_then(Result::ok).ok_or_else(gone)
}

#[cfg(test)]
#[path = "transcription_tests.rs"]
mod tests;
