//! Files that come and go, as the settings have it: what writes down what people say, what says what stickers show, what
//! speaks answers, and what agents may send.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use angelia_agents::description::{self as describing, Describer};
use angelia_agents::model::album::Eyes;
use angelia_agents::model::looking::Looker;
use angelia_agents::model::provider::{Place, Secret};
use angelia_agents::model::wire::Wire;
use angelia_agents::speech::{self as speaking, Speaker};
use angelia_agents::transcription::{By, Server, Transcriber};
use angelia_core::limits;
use angelia_core::media::policy::Policy;

use crate::config::secret::Source;
use crate::config::speech::{self, Speech};
use crate::config::transcription::{self, Transcription};
use crate::config::{Agent, Settings, environment, stickers};
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
            let key = key("transcription", source.as_ref(), folder).await?;
            let secret = key.clone().map(Secret::new);
            let server = Server::new(url, model.clone(), secret);
            let server = server.map_err(|why| no_client("transcription", &why))?;
            (By::Server(Arc::new(server)), key)
        }
    };
    let time = settings.time;
    Ok(Some((Transcriber { by, time }, key)))
}

/// Who looks at stickers, and its key, which nothing may show. The model of `[agent]` looks if it can see.
pub(super) async fn describer(
    settings: &Settings,
    folder: &Path,
) -> Result<Option<(Describer, Option<String>)>, Failure> {
    let Some(chosen) = &settings.stickers else {
        return Ok(None);
    };
    let (by, key) = match (&chosen.by, &settings.agents.main) {
        (stickers::By::Command(words), _) => (describing::By::Command(words.clone()), None),
        (stickers::By::Server(url, model, source), _) => {
            let key = key("stickers", source.as_ref(), folder).await?;
            let place = Place {
                wire: Wire::OpenAi,
                base_url: url.clone(),
                model: model.clone(),
                api_key: key.clone().map(Secret::new),
                answer_tokens: None,
                request: serde_json::Map::new(),
            };
            (describing::By::Model(looker("stickers", &[place])?), key)
        }
        (stickers::By::Agent, Agent::Model(model)) if model.eyes == Eyes::Open => {
            let places = super::places(model, folder).await?;
            (describing::By::Model(looker(&model.table, &places)?), None)
        }
        (
            stickers::By::Agent,
            Agent::Model(_) | Agent::Demo(_) | Agent::Acp(_) | Agent::Exec(_),
        ) => return Ok(None),
    };
    let time = chosen.time;
    Ok(Some((Describer { by, time }, key)))
}

fn looker(table: &str, places: &[Place]) -> Result<Looker, Failure> {
    let cannot = |why| {
        Failure::new(format!(
            "the model that looks at stickers cannot be asked: {why}"
        ))
    };
    Looker::new(places).map_err(|why| cannot(why).hint(format!("look at `[{table}]`")))
}

/// What speaks, and its key, which nothing may show.
pub(super) async fn speaker(
    settings: Option<&Speech>,
    folder: &Path,
) -> Result<Option<(Speaker, Option<String>)>, Failure> {
    let Some(settings) = settings else {
        return Ok(None);
    };
    let (by, key) = match &settings.by {
        speech::By::Command(words) => (speaking::By::Command(words.clone()), None),
        speech::By::Server(url, names, source) => {
            let key = key("speech", source.as_ref(), folder).await?;
            let secret = key.clone().map(Secret::new);
            let server = speaking::Server::new(url, names.clone(), secret);
            let server = server.map_err(|why| no_client("speech", &why))?;
            (speaking::By::Server(Arc::new(server)), key)
        }
    };
    let time = settings.time;
    Ok(Some((Speaker { by, time }, key)))
}

/// The key of a server, if it has one.
async fn key(
    table: &str,
    source: Option<&Source>,
    folder: &Path,
) -> Result<Option<String>, Failure> {
    let Some(source) = source else {
        return Ok(None);
    };
    let key = source.reveal(folder).await;
    let key = key.map_err(|why| Failure::new(format!("`{table}.api_key` cannot be read: {why}")));
    key.map(Some)
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

fn no_client(table: &str, why: &str) -> Failure {
    Failure::new(format!(
        "no HTTPS client can be made for `{table}.base_url`: {why}"
    ))
    .hint("the system needs its CA certificates, or `SSL_CERT_FILE` names them")
}
