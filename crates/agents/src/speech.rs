//! Words, as something to be heard: by a command, or by a server that speaks the OpenAI-compatible interface for sounds.
//!
//! ```text
//! words ─▶ command, on its input ─▶ its output          words ─▶ POST …/audio/speech ─▶ the sound
//! ```
//!
//! Which of them, if any, is the operator's choice. It is given words and a time, and what it answers is bounded. It
//! knows nothing of messages: whoever asks decides what to do without a sound.

use std::path::Path;
use std::sync::Arc;

use angelia_core::limits;
use angelia_core::time::Span;
use angelia_process::command::Command;
use angelia_process::foreground::{self, Status};
use reqwest::{Client, Url};
use serde_json::json;

use crate::by_command::quoted;
use crate::model::provider::Secret;

/// What is asked of a server: what platforms show as something spoken.
const FORMAT: &str = "opus";

/// Speaks.
#[derive(Debug, Clone)]
pub struct Speaker {
    /// By what.
    pub by: By,
    /// How long it may take.
    pub time: Span,
}

/// What speaks.
#[derive(Debug, Clone)]
pub enum By {
    /// A command: the words are its input, the sound is its output.
    Command(Vec<String>),
    /// A server.
    Server(Arc<Server>),
}

/// A server that speaks.
#[derive(Debug)]
pub struct Server {
    client: Client,
    url: Url,
    model: String,
    voice: String,
    key: Option<Secret>,
}

/// Two files for a command: the words that it reads, and the sound that it writes. Both are whoever asks' to remove.
#[derive(Debug, Clone, Copy)]
pub struct Desk<'d> {
    /// For the words.
    pub words: &'d Path,
    /// For the sound.
    pub sound: &'d Path,
}

impl Server {
    /// The way to a server, below whose address `audio/speech` is.
    ///
    /// # Errors
    /// Why no HTTPS client can be made here.
    pub fn new(
        base: &Url,
        (model, voice): (String, String),
        key: Option<Secret>,
    ) -> Result<Self, String> {
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
        url.set_path(&format!("{above}/audio/speech"));
        Ok(Self {
            client: builder.build().map_err(|error| error.to_string())?,
            url,
            model,
            voice,
            key,
        })
    }

    async fn said(&self, words: &str) -> Result<Vec<u8>, String> {
        let away = |error: reqwest::Error| {
            let error = error.without_url();
            format!("the server that speaks cannot be reached: {error}")
        };
        let asked = self.client.post(self.url.clone()).json(&json!({
            "model": self.model, "voice": self.voice, "input": words, "response_format": FORMAT,
        }));
        let asked = match &self.key {
            Some(key) => asked.bearer_auth(key.reveal()),
            None => asked,
        };
        let mut answer = asked.send().await.map_err(away)?;
        let status = answer.status();
        if !status.is_success() {
            return Err(format!("the server that speaks answers {status}"));
        }
        let mut sound = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(away)? {
            sound.extend_from_slice(&piece);
            if sound.len() > limits::SPEECH_BYTES_MAX {
                return Err(too_long());
            }
        }
        Ok(sound)
    }
}

impl Speaker {
    /// The sound of these words, or why there is none.
    ///
    /// # Errors
    /// In words for people.
    pub async fn speak(&self, words: &str, desk: Desk<'_>) -> Result<Vec<u8>, String> {
        let speaking = async {
            match &self.by {
                By::Command(command) => self.run(command, words, desk).await,
                By::Server(server) => server.said(words).await,
            }
        };
        let said = tokio::time::timeout(self.time.to_std(), speaking).await;
        let sound = said.unwrap_or_else(|_| Err(late()))?;
        match sound.is_empty() {
            true => Err("nothing was said".to_owned()),
            false => Ok(sound),
        }
    }

    async fn run(
        &self,
        command: &[String],
        words: &str,
        desk: Desk<'_>,
    ) -> Result<Vec<u8>, String> {
        let (path, text) = (desk.words.to_owned(), words.to_owned());
        on_disk(move || std::fs::write(path, text)).await?;
        let program: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        let quoted_path = |path: &Path| quoted(&path.display().to_string());
        // The limit of a file counts blocks of half a kilobyte.
        let text = format!(
            "ulimit -f {}; {} < {} > {} 2>/dev/null",
            limits::SPEECH_BYTES_MAX / 512,
            program.join(" "),
            quoted_path(desk.words),
            quoted_path(desk.sound),
        );
        let command = Command {
            time: self.time,
            ..Command::new(text)
        };
        let finished = foreground::run(&command).await;
        let finished = finished.map_err(|_| "the command that speaks did not start")?;
        match finished.status {
            Status::Exited(0) => {
                let path = desk.sound.to_owned();
                on_disk(move || std::fs::read(path)).await
            }
            Status::Exited(code) => Err(format!("the command that speaks ended with {code}")),
            Status::Signalled(_) => Err("the command that speaks was killed".to_owned()),
            Status::TimedOut => Err(late()),
        }
    }
}

fn late() -> String {
    "it was not spoken in time".to_owned()
}

fn too_long() -> String {
    let most = limits::SPEECH_BYTES_MAX / 1024 / 1024;
    format!("what was spoken has more than {most} MiB")
}

async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, String> {
    let done = tokio::task::spawn_blocking(work).await;
    let failed = || "the files of the command that speaks cannot be used".to_owned();
    done.ok().and_then(Result::ok).ok_or_else(failed)
}

#[cfg(test)]
#[path = "speech_tests.rs"]
mod tests;
