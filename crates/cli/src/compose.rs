//! The composition root: settings in, the parts of a gateway out, one line per part.
//!
//! After this file no value called configuration exists: each part has the settings it consumes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use angelia_agents::Backend;
use angelia_agents::demo::Demo;
use angelia_agents::tools::terms::Terms;
use angelia_core::address::{AccountId, Platform};
use angelia_core::context::names::Privacy;
use angelia_core::mask::Masker;
use angelia_core::process::watch::Notifications;
use angelia_core::session::rules::Rules;
use angelia_gateway::env::{self, Env};
use angelia_gateway::gateway::{self, Parts};
use angelia_gateway::processes::Place;
use angelia_gateway::telling::Identifiers;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_process::held::Program;
use angelia_store::sqlite::Sqlite;
use angelia_store::{Store, StoreError};

use crate::config::{Agent, Database, Settings};
use crate::errors::Failure;
use crate::home::Home;

/// This release.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Opens the store and brings it to this release's shape.
pub(crate) fn store(database: Database, home: &Home) -> Result<Arc<dyn Store>, Failure> {
    match database {
        Database::Sqlite => {
            let path = home.database();
            let opened = Sqlite::open(&path, Arc::new(env::forward_clock()));
            Ok(Arc::new(
                opened.map_err(|error| store_failure(&path, &error))?,
            ))
        }
    }
}

/// The words for a store that cannot be used. Its errors say what to do themselves.
pub(crate) fn store_failure(path: &Path, error: &StoreError) -> Failure {
    match error {
        StoreError::Newer { found, known } => {
            let path = path.display();
            Failure::new(format!(
                "the database {path} was written by a newer release: it has version {found}, and this \
                 release knows versions up to {known}"
            ))
            .hint("run the newer release, or restore a backup made before the upgrade")
        }
        StoreError::Unavailable(_) | StoreError::Corrupt(_) => Failure::new(error.to_string()),
    }
}

/// Everything a gateway is made of.
pub(crate) fn parts(
    settings: &Settings,
    home: &Home,
    config: &Path,
    store: Arc<dyn Store>,
) -> Result<Parts, Failure> {
    Ok(Parts {
        store,
        adapters: adapters(),
        backend: backend(settings.agent, config),
        env: Env::system(),
        settings: gateway::Settings {
            home: home.path().display().to_string(),
            version: VERSION.to_owned(),
            rules: rules(settings),
            busy: settings.busy,
            drain: settings.drain,
            identifiers: identifiers(settings.privacy, home)?,
            target: settings.target.clone(),
            processes: place(home, settings.notifications),
            profiles: settings.profiles.clone(),
            terms: terms(settings, home)?,
            approvals: settings.approvals.clone(),
        },
    })
}

/// Where background processes are held. A system that does not tell which program this is cannot have
/// any.
fn place(home: &Home, notifications: Notifications) -> Option<Place> {
    let program = Program::this().inspect_err(|error| {
        tracing::warn!(%error, "there are no background processes: this program cannot find itself");
    });
    Some(Place {
        folder: home.processes(),
        program: program.ok()?,
        notifications,
    })
}

/// What holds for tools. What this install must never show is its own access token.
fn terms(settings: &Settings, home: &Home) -> Result<Terms, Failure> {
    let known = [home.token()?.reveal().to_owned()];
    Ok(Terms {
        masker: Arc::new(Masker::new(known)),
        time: settings.terminal.time,
        passed: settings.terminal.passed.clone(),
        ..Terms::default()
    })
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

/// The platforms of the house, each with its one account.
fn adapters() -> BTreeMap<AccountId, Arc<dyn Adapter>> {
    let account = |platform| {
        (
            AccountId::of(platform),
            Arc::new(Pull(platform)) as Arc<dyn Adapter>,
        )
    };
    Platform::HOUSE.into_iter().map(account).collect()
}

fn backend(agent: Agent, config: &Path) -> Arc<dyn Backend> {
    match agent {
        Agent::Demo(_) => Arc::new(Demo {
            config: config.to_owned(),
        }),
    }
}
