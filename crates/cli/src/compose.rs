//! The composition root: settings in, the parts of a gateway out, one line per part.
//!
//! After this file no value called configuration exists: each part has the settings it consumes.

pub(crate) mod acp;
pub(crate) mod mcp;
mod media;
pub(crate) mod platforms;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use angelia_agents::Backend;
use angelia_agents::demo::Demo;
use angelia_agents::exec::{self, Exec};
use angelia_agents::mcp::settings::Settings as ServerSettings;
use angelia_agents::mcp::{Server, Servers};
use angelia_agents::model::agent::{Model, Setup};
use angelia_agents::model::prompt::PROMPT;
use angelia_agents::model::provider::{Place, Secret};
use angelia_agents::tools::files::{Unfit, Workspace};
use angelia_agents::tools::shelf::Shelf;
use angelia_agents::tools::terms::Terms;
use angelia_core::agent::AgentName;
use angelia_core::agent::models::Models;
use angelia_core::context::names::Privacy;
use angelia_core::display::Displays;
use angelia_core::mask::Masker;
use angelia_core::session::rules::Rules;
use angelia_gateway::agents::Agents;
use angelia_gateway::env::{self, Env};
use angelia_gateway::gateway::{self, Parts};
use angelia_gateway::media::Exchange;
use angelia_gateway::processes;
use angelia_gateway::spending::Budget;
use angelia_gateway::telling::Identifiers;
use angelia_process::environment;
use angelia_process::held::Program;
use angelia_store::{Store, StoreError, database, postgres};

use crate::config::secret::Source;
use crate::config::{self, Agent, Database, Processes, Settings};
use crate::errors::Failure;
use crate::home::Home;

/// This release.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Bytes of the words for a model. They are sent with every call.
const PROMPT_BYTES_MAX: u64 = 256 * 1024;

/// Opens the store and brings it to this release's shape.
pub(crate) fn store(settings: &Settings, home: &Home) -> Result<Arc<dyn Store>, Failure> {
    let opened = match &settings.database {
        Database::Sqlite => {
            database::Database::open(&home.database(), Arc::new(env::forward_clock()))
        }
        Database::Postgres(address) => postgres::open(address.reveal()),
    };
    let opened = opened.map_err(|error| store_failure(&kept_at(settings, home), &error))?;
    Ok(Arc::new(opened.with_days_of(settings.time_zone.clone())))
}

/// The words for where everything is kept.
pub(crate) fn kept_at(settings: &Settings, home: &Home) -> String {
    match &settings.database {
        Database::Sqlite => home.database().display().to_string(),
        Database::Postgres(address) => {
            postgres::said(address.reveal()).unwrap_or_else(|error| error.to_string())
        }
    }
}

/// The words for a store that cannot be used. Its errors say what to do themselves.
pub(crate) fn store_failure(place: &str, error: &StoreError) -> Failure {
    match error {
        StoreError::Newer { found, known } => Failure::new(format!(
            "the database {place} was written by a newer release: it has version {found}, and this \
                 release knows versions up to {known}"
        ))
        .hint("run the newer release, or restore a backup made before the upgrade"),
        StoreError::Unfinished { from } => Failure::new(format!(
            "{place} is a copy of {from} that is not finished"
        ))
        .hint(format!(
            "run the same `angelia migrate` again, with `database` still naming {from}: it goes on where it stopped"
        )),
        StoreError::Unavailable(_) | StoreError::Corrupt(_) | StoreError::Overtaken => {
            Failure::new(error.to_string())
        }
    }
}

/// Everything a gateway is made of.
pub(crate) async fn parts(
    settings: &Settings,
    home: &Home,
    config: &Path,
    store: Arc<dyn Store>,
) -> Result<Parts, Failure> {
    let folder = config.parent().unwrap_or(Path::new("."));
    let (servers, words) = mcp::servers(&settings.mcp, folder).await;
    let (agents, secrets) = agents(&settings.agents, (home, config), &servers).await?;
    let secrets = secrets.iter().map(|secret| secret.reveal().to_owned());
    let (adapters, tokens) =
        platforms::adapters(&settings.accounts, &settings.access, folder).await?;
    let transcriber = media::transcriber(settings.transcription.as_ref(), folder).await?;
    let describer = media::describer(settings, folder).await?;
    let speaker = media::speaker(settings.speech.as_ref(), folder).await?;
    let keys = [
        transcriber.as_ref().and_then(|(_, key)| key.clone()),
        describer.as_ref().and_then(|(_, key)| key.clone()),
        speaker.as_ref().and_then(|(_, key)| key.clone()),
    ];
    let keys = keys.into_iter().flatten();
    let words = words.into_iter().chain(secrets).chain(tokens).chain(keys);
    Ok(Parts {
        store,
        adapters,
        agents,
        env: Env::system(),
        settings: gateway::Settings {
            home: home.identity()?,
            place: home.whereabouts(),
            version: VERSION.to_owned(),
            rules: rules(settings),
            access: settings.access.clone(),
            busy: settings.busy.clone(),
            drain: settings.drain,
            display: displays(settings),
            exchange: Exchange {
                transcriber: transcriber.map(|(transcriber, _)| transcriber),
                describer: describer.map(|(describer, _)| describer),
                speaker: speaker.map(|(speaker, _)| speaker),
                policy: media::policy(settings, home, config),
            },
            identifiers: identifiers(settings.privacy, home)?,
            instructions: settings.instructions.clone(),
            target: settings.target.clone(),
            agents: Some(acp::place(&settings.agents, home)),
            media: Some(home.media()),
            processes: holders(home, settings.processes),
            profiles: settings.profiles.clone(),
            terms: terms(settings, (home, config), (words, servers))?,
            approvals: settings.approvals.clone(),
            budget: Budget {
                caps: Arc::new(settings.costs.caps),
                prices: Arc::new(settings.costs.prices.clone()),
            },
        },
    })
}

/// What people want to see where.
fn displays(settings: &Settings) -> Displays {
    let accounts = settings.accounts.iter();
    Displays {
        places: accounts
            .map(|account| (account.name.0.clone(), account.display))
            .collect(),
        ..Displays::default()
    }
}

/// Where background processes are held. A system that does not tell which program this is cannot have
/// any.
fn holders(home: &Home, chosen: Processes) -> Option<processes::Place> {
    let program = Program::this().inspect_err(|error| {
        tracing::warn!(%error, "there are no background processes: this program cannot find itself");
    });
    Some(processes::Place {
        folder: home.processes(),
        program: program.ok()?,
        notifications: chosen.notifications,
        log_bytes_max: chosen.log_bytes_max,
        nice: chosen.nice,
    })
}

/// What holds for tools. What this install must never show are its own access token, the secrets of its
/// agent, and those of the servers that bring tools.
fn terms(
    settings: &Settings,
    (home, config): (&Home, &Path),
    (words, servers): (impl Iterator<Item = String>, Vec<ServerSettings>),
) -> Result<Terms, Failure> {
    let token = home.token()?.reveal().to_owned();
    let masker = Arc::new(Masker::new([token].into_iter().chain(words)));
    let servers = servers.into_iter();
    let servers = Servers::new(servers.map(|server| Server::new(server, masker.clone())));
    Ok(Terms {
        shelf: Arc::new(Shelf::new(servers.sources())),
        servers,
        masker,
        time: settings.terminal.time,
        passed: settings.terminal.passed.clone(),
        policies: Arc::new(settings.tools.policies.clone()),
        workspace: Some(Arc::new(workspace(settings, home, config)?)),
        ..Terms::default()
    })
}

/// Where agents reach files. Nothing of the gateway's own may be reached there: neither its home nor its settings.
fn workspace(settings: &Settings, home: &Home, config: &Path) -> Result<Workspace, Failure> {
    let usual = home.workspace();
    let folder = config.parent().unwrap_or(Path::new("."));
    let chosen = settings.tools.root.as_ref().map(|root| folder.join(root));
    let root = chosen.unwrap_or_else(|| usual.clone());
    Workspace::prepare(&root, &usual, &own_files(home, config)).map_err(|why| {
        let root = root.display();
        Failure::new(format!("files cannot be reached in {root}: {why}"))
            .hint("say another directory in `tools.files.root`, or mend its rights")
    })
}

/// How a workspace is opened: made, or only looked at.
pub(crate) type Opening = fn(&Path, &Path, &[PathBuf]) -> Result<Workspace, Unfit>;

/// What no agent may reach: the gateway's home and its settings.
fn own_files(home: &Home, config: &Path) -> [PathBuf; 2] {
    [home.path().to_owned(), config.to_owned()]
}

/// How agents are told of people and chats. The key is made when it is first needed.
fn identifiers(privacy: Privacy, home: &Home) -> Result<Identifiers, Failure> {
    Ok(match privacy {
        Privacy::Open => Identifiers::Shown,
        Privacy::Hidden => Identifiers::Hidden(home.pseudonyms()?),
    })
}

/// What conversations are, as the door is told with every message.
fn rules(settings: &Settings) -> Rules {
    let sessions = &settings.sessions;
    Rules {
        isolation: sessions.isolation,
        resets: sessions.resets.clone(),
        zone: settings.time_zone.clone(),
        resume_window: sessions.resume_window,
        forget_after: sessions.forget_after,
    }
}

/// Everybody who answers, and the secrets that they were given.
async fn agents(
    chosen: &config::Agents,
    (home, config): (&Home, &Path),
    servers: &[ServerSettings],
) -> Result<(Agents, Vec<Secret>), Failure> {
    let (main, mut secrets) = backend(&chosen.main, home, config, servers).await?;
    let mut others = BTreeMap::new();
    for (name, agent) in &chosen.named {
        let (other, more) = backend(agent, home, config, servers).await?;
        others.insert(name.clone(), other);
        secrets.extend(more);
    }
    let agents = Agents::of(main, others, chosen.routes.clone());
    let agents = agents.with_models(models(chosen));
    let agents = agents.with_turn_times(chosen.turn_times.clone());
    Ok((agents, secrets))
}

/// The models that conversations can choose.
fn models(chosen: &config::Agents) -> BTreeMap<AgentName, Models> {
    let named = chosen.named.iter();
    let named = named.map(|(name, agent)| (name.clone(), agent));
    let all = [(AgentName::main(), &chosen.main)].into_iter().chain(named);
    let known = all.map(|(name, agent)| match agent {
        Agent::Model(model) => (name, model.known()),
        Agent::Demo(_) | Agent::Acp(_) | Agent::Exec(_) => (name, Models::its_own()),
    });
    known.collect()
}

/// Who answers, and the secrets that it was given.
type Answering = (Arc<dyn Backend>, Vec<Secret>);

async fn backend(
    agent: &Agent,
    home: &Home,
    config: &Path,
    servers: &[ServerSettings],
) -> Result<Answering, Failure> {
    match agent {
        Agent::Demo(_) => {
            let config = config.to_owned();
            Ok((Arc::new(Demo { config }), Vec::new()))
        }
        Agent::Model(chosen) => model(chosen, config).await,
        Agent::Acp(chosen) => acp::agent(chosen, home, config, servers).await,
        Agent::Exec(chosen) => command(chosen, home, config).await,
    }
}

async fn command(chosen: &config::Exec, home: &Home, config: &Path) -> Result<Answering, Failure> {
    let (setup, secrets) = command_setup(chosen, home, config).await?;
    let home = home.identity()?;
    let setup = exec::Setup { home, ..setup };
    Ok((Arc::new(Exec::new(setup)), secrets))
}

/// How a command is set up, in a home that has no name yet, and the secrets that it is given.
pub(crate) async fn command_setup(
    chosen: &config::Exec,
    home: &Home,
    config: &Path,
) -> Result<(exec::Setup, Vec<Secret>), Failure> {
    let folder = config.parent().unwrap_or(Path::new("."));
    let (variables, secrets) = variables(&chosen.variables, folder).await?;
    let lost = |error: std::io::Error| {
        Failure::new(format!("the agent's command cannot be held: {error}"))
            .hint("start the gateway from its own file, in a folder that exists")
    };
    let setup = exec::Setup {
        command: chosen.command.clone(),
        workdir: std::path::absolute(folder).map_err(lost)?,
        form: chosen.form,
        variables,
        silence: chosen.silence,
        folder: std::path::absolute(home.runs()).map_err(lost)?,
        home: String::new(),
        program: Program::this().map_err(lost)?,
    };
    Ok((setup, secrets))
}

/// The variables for an agent that is a program, and those of them that nobody may see.
async fn variables(
    sources: &BTreeMap<String, Source>,
    folder: &Path,
) -> Result<(BTreeMap<String, String>, Vec<Secret>), Failure> {
    let (mut variables, mut secrets) = (BTreeMap::new(), Vec::new());
    for (name, source) in sources {
        let word = revealed(&format!("agent.env.{name}"), source, folder).await?;
        if !matches!(source, Source::Literal(_)) || environment::looks_secret(name) {
            secrets.push(Secret::new(word.clone()));
        }
        variables.insert(name.clone(), word);
    }
    Ok((variables, secrets))
}

async fn model(chosen: &config::Model, config: &Path) -> Result<Answering, Failure> {
    let folder = config.parent().unwrap_or(Path::new("."));
    let places = places(chosen, folder).await?;
    let keys = places.iter().filter_map(|place| place.api_key.clone());
    let keys: Vec<Secret> = keys.collect();
    let setup = Setup {
        places,
        prompt: prompt(chosen, folder)?,
        context_tokens: chosen.context_tokens,
        eyes: chosen.eyes,
    };
    let made = Model::new(&setup).map_err(|why| {
        let table = &chosen.table;
        let what = format!("the model cannot be asked: {why}");
        Failure::new(what).hint(format!(
            "look at `[{table}]`; `angelia config show` prints what holds"
        ))
    })?;
    Ok((Arc::new(made), keys))
}

/// Where models are, the first one first.
pub(crate) async fn places(chosen: &config::Model, folder: &Path) -> Result<Vec<Place>, Failure> {
    let mut places = vec![place(chosen, folder).await?];
    for (number, other) in (1..).zip(&chosen.fallback) {
        let name = format!("{}.fallback.{number}.api_key", chosen.table);
        places.push(Place {
            wire: other.wire,
            base_url: other.base_url.clone(),
            model: other.model.clone(),
            api_key: key(&name, other.api_key.as_ref(), folder).await?,
            answer_tokens: other.answer_tokens,
            request: other.request.clone(),
        });
    }
    Ok(places)
}

/// Where the first model is, with its key.
async fn place(chosen: &config::Model, folder: &Path) -> Result<Place, Failure> {
    Ok(Place {
        wire: chosen.wire,
        base_url: chosen.base_url.clone(),
        model: chosen.model.clone(),
        answer_tokens: chosen.answer_tokens,
        request: chosen.request.clone(),
        api_key: key(
            &format!("{}.api_key", chosen.table),
            chosen.api_key.as_ref(),
            folder,
        )
        .await?,
    })
}

async fn key(
    name: &str,
    source: Option<&Source>,
    folder: &Path,
) -> Result<Option<Secret>, Failure> {
    let Some(source) = source else {
        return Ok(None);
    };
    let word = revealed(name, source, folder).await;
    word.map(Secret::new).map(Some)
}

async fn revealed(key: &str, source: &Source, folder: &Path) -> Result<String, Failure> {
    let word = source.reveal(folder).await;
    word.map_err(|why| {
        Failure::new(format!("`{key}` {why}"))
            .hint("a gateway that cannot read it would only refuse every message later")
    })
}

fn prompt(chosen: &config::Model, folder: &Path) -> Result<String, Failure> {
    let Some(file) = &chosen.prompt_file else {
        return Ok(PROMPT.to_owned());
    };
    let (table, path) = (&chosen.table, folder.join(file));
    let mut words = String::new();
    let read = File::open(&path).and_then(|file| {
        let limit = PROMPT_BYTES_MAX + 1;
        file.take(limit).read_to_string(&mut words)
    });
    read.map_err(|error| {
        let path = path.display();
        Failure::new(format!(
            "`{table}.prompt_file` {path} cannot be read: {error}"
        ))
        .hint("write the file, or remove the key: there are words for the model without it")
    })?;
    if words.len() as u64 > PROMPT_BYTES_MAX {
        let path = path.display();
        let what = format!("`{table}.prompt_file` {path} is longer than {PROMPT_BYTES_MAX} bytes");
        return Err(Failure::new(what).hint("shorten it: it is sent with every call"));
    }
    Ok(words)
}
