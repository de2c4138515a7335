//! What writes down what people say, as the settings have it.

use std::path::Path;
use std::sync::Arc;

use angelia_agents::model::provider::Secret;
use angelia_agents::transcription::{By, Server, Transcriber};

use crate::config::transcription::{self, Transcription};
use crate::errors::Failure;

/// The transcriber, and its key, which nothing may show.
pub(super) async fn transcriber(
    settings: Option<&Transcription>,
    folder: &Path,
) -> Result<Option<(Transcriber, Option<String>)>, Failure> {
    let Some(settings) = settings else {
        return Ok(None);
    };
    let (by, key) = match &settings.by {
        transcription::By::Command(words) => (By::Command(words.clone()), None),
        transcription::By::Server(url, model, source) => {
            let key = match source {
                Some(source) => Some(source.reveal(folder).await.map_err(no_key)?),
                None => None,
            };
            let secret = key.clone().map(Secret::new);
            let server = Server::new(url, model.clone(), secret).map_err(no_client)?;
            (By::Server(Arc::new(server)), key)
        }
    };
    let time = settings.time;
    Ok(Some((Transcriber { by, time }, key)))
}

fn no_key(why: String) -> Failure {
    Failure::new(format!("`transcription.api_key` cannot be read: {why}"))
}

fn no_client(why: String) -> Failure {
    Failure::new(format!(
        "no HTTPS client can be made for `transcription.base_url`: {why}"
    ))
    .hint("the system needs its CA certificates, or `SSL_CERT_FILE` names them")
}
