//! Files that come and go, as the settings have it: what writes down what people say, and what agents may send.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use angelia_agents::model::provider::Secret;
use angelia_agents::transcription::{By, Server, Transcriber};
use angelia_core::limits;
use angelia_core::media::policy::Policy;

use crate::config::transcription::{self, Transcription};
use crate::config::{Settings, environment};
use crate::errors::Failure;
use crate::home::Home;

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

/// Which files agents may send: those where their tools have theirs and new ones, and never the gateway's own.
pub(super) fn policy(settings: &Settings, home: &Home, config: &Path) -> Policy {
    let followed = |path: PathBuf| path.canonicalize().unwrap_or(path);
    let folder = config.parent().unwrap_or(Path::new("."));
    let chosen = settings.tools.root.as_ref().map(|root| folder.join(root));
    Policy {
        roots: chosen.map(followed).into_iter().collect(),
        own: [home.path().to_owned(), config.to_owned()]
            .map(followed)
            .into(),
        shared: [home.media(), home.workspace()].map(followed).into(),
        user: environment::variable("HOME").map(PathBuf::from),
        fresh: limits::SENT_FILE_AGE,
    }
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
