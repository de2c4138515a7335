//! The agent: what it needs, whether it answers, and where its commands run.

use std::path::{Path, PathBuf};

use angelia_agents::acp::Setup;
use angelia_agents::acp::trial::{self as acp, Greeted};
use angelia_agents::exec::trial as exec;
use angelia_agents::model::provider::Place;
use angelia_agents::model::trial;
use angelia_agents::tools::files::Workspace;
use angelia_core::agent::AgentName;
use angelia_core::time::Span;
use angelia_process::command::Command;
use angelia_process::environment::Passed;
use angelia_process::foreground::{self, Status};

use super::{Finding, Patient, Trial};
use crate::compose;
use crate::config::{self, environment};
use crate::config::{Agent, Model, Settings, Wish};
use crate::home::Home;

/// Where systems keep the certificates of those whom they trust.
const BUNDLES: [&str; 5] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
];

/// How long a place may take to answer. A container may have to be made first.
const TARGET_TIME: Span = Span::seconds(60);

pub(super) async fn look(patient: &Patient<'_>) -> Vec<Finding> {
    let Ok(settings) = &patient.settings else {
        let says = "the configuration cannot be read";
        return vec![
            Finding::skipped("agent", says),
            Finding::skipped("terminal", says),
        ];
    };
    let agents = &settings.agents;
    let all = || std::iter::once(&agents.main).chain(agents.named.values());
    let mut found = certificates(all());
    let passed = &settings.terminal.passed;
    found.extend(one(&agents.main, patient, passed).await);
    for (name, agent) in &agents.named {
        let of_this = one(agent, patient, passed).await.into_iter();
        found.extend(of_this.map(|finding| of(name, finding)));
    }
    found.push(terminal(settings).await);
    found
}

/// What was found of an agent with a name of its own.
fn of(name: &AgentName, found: Finding) -> Finding {
    let name = name.as_str();
    let own = |words: String| {
        let words = words.replace("`agent.", &format!("`agents.{name}."));
        words.replace("[agent]", &format!("[agents.{name}]"))
    };
    Finding {
        says: format!("{name}: {}", own(found.says)),
        mend: found.mend.map(own),
        ..found
    }
}

/// Only who speaks HTTPS needs them.
fn certificates<'a>(mut agents: impl Iterator<Item = &'a Agent>) -> Vec<Finding> {
    let speaks =
        |agent: &Agent| matches!(agent, Agent::Model(model) if model.base_url.scheme() == "https");
    if !agents.any(speaks) {
        return Vec::new();
    }
    let named = environment::variable("SSL_CERT_FILE").map(PathBuf::from);
    let usual = || BUNDLES.iter().map(PathBuf::from).find(|path| path.exists());
    vec![match named.or_else(usual) {
        Some(path) if path.exists() => Finding::fine("certificates", path.display().to_string()),
        Some(path) => {
            let says = format!("SSL_CERT_FILE names {}, which is not there", path.display());
            Finding::wrong("certificates", says)
                .mend("unset SSL_CERT_FILE, or name a file that is there")
        }
        None => {
            let says = "the system has no CA certificates, so no server can be trusted";
            Finding::wrong("certificates", says).mend("apt install ca-certificates")
        }
    }]
}

async fn one(agent: &Agent, patient: &Patient<'_>, passed: &Passed) -> Vec<Finding> {
    let folder = patient.config.parent().unwrap_or(Path::new("."));
    match (agent, patient.trial) {
        (Agent::Demo(Wish::Asked), _) => {
            vec![Finding::fine(
                "agent",
                "the demo agent, which needs nothing",
            )]
        }
        (Agent::Demo(Wish::Default), _) => {
            let says = "none is chosen: the demo agent answers";
            vec![Finding::note("agent", says).mend("angelia setup")]
        }
        (Agent::Model(_), Trial::None) => {
            vec![Finding::skipped("agent", "it was not to be called")]
        }
        (Agent::Model(chosen), Trial::Usual | Trial::Call) => models(chosen, folder).await,
        (Agent::Acp(chosen), Trial::None) => vec![command(&chosen.command, folder).await],
        (Agent::Acp(chosen), Trial::Usual) => {
            vec![judged(
                greeted(chosen, (patient.home, patient.config), passed).await,
            )]
        }
        (Agent::Exec(chosen), Trial::None | Trial::Usual) => {
            vec![command(&chosen.command, folder).await]
        }
        (Agent::Acp(_) | Agent::Exec(_), Trial::Call) => {
            let place = (patient.home, patient.config);
            vec![judged(call(agent, place, passed).await)]
        }
    }
}

fn judged(tried: Result<String, String>) -> Finding {
    let mend =
        "try `agent.command` by hand, or mend `[agent]` in the file of `angelia config path`";
    match tried {
        Ok(says) => Finding::fine("agent", says),
        Err(why) => Finding::wrong("agent", why).mend(mend),
    }
}

/// Gives an agent that is a program one message; what is told of it then.
///
/// # Errors
/// Why it did not answer.
pub(crate) async fn call(
    agent: &Agent,
    (home, config): (&Home, &Path),
    passed: &Passed,
) -> Result<String, String> {
    match agent {
        Agent::Acp(chosen) => {
            let setup = acp_setup(chosen, (home, config)).await?;
            let called = acp::call(&setup, passed).await;
            told(
                &setup.name,
                called.map(|greeted| (greeted, "answers a message")),
            )
        }
        Agent::Exec(chosen) => {
            let setup = compose::command_setup(chosen, home, config).await;
            let (setup, _) = setup.map_err(|failure| failure.told().0.to_owned())?;
            let program = chosen.command.first().map_or("", String::as_str);
            match exec::call(&setup, passed).await {
                Ok(_) => Ok(format!("the command `{program}` answers a message")),
                Err(why) => Err(format!("the command `{program}` does not answer: {why}")),
            }
        }
        Agent::Demo(_) | Agent::Model(_) => Err("it is no program".to_owned()),
    }
}

/// An agent that speaks ACP is started and greeted, which costs nothing, and ended again.
async fn greeted(
    chosen: &config::Acp,
    place: (&Home, &Path),
    passed: &Passed,
) -> Result<String, String> {
    let setup = acp_setup(chosen, place).await?;
    let greeted = acp::greet(&setup, passed).await;
    told(&setup.name, greeted.map(|greeted| (greeted, "answers")))
}

async fn acp_setup(chosen: &config::Acp, place: (&Home, &Path)) -> Result<Setup, String> {
    let setup = compose::acp::setup(chosen, place, Workspace::at).await;
    let setup = setup.map(|(setup, _)| setup);
    setup.map_err(|failure| failure.told().0.to_owned())
}

fn told(program: &str, tried: Result<(Greeted, &str), String>) -> Result<String, String> {
    let (greeted, does) = tried.map_err(|why| format!("`{program}` does not answer: {why}"))?;
    let name = greeted.name.as_deref().unwrap_or(program);
    let version = greeted.protocol;
    let can = match greeted.can.join(", ") {
        none if none.is_empty() => "it begins each conversation anew".to_owned(),
        some => format!("it can {some}"),
    };
    Ok(format!(
        "{name} {does}, in version {version} of the protocol; {can}"
    ))
}

/// A command may do anything, so it is looked for and not run, unless somebody wants that.
async fn command(words: &[String], folder: &Path) -> Finding {
    let program = words.first().map_or("", String::as_str);
    let quoted = program.replace('\'', "'\\''");
    let look = Command {
        workdir: Some(folder.to_owned()),
        ..Command::new(format!("command -v -- '{quoted}'"))
    };
    match foreground::run(&look).await {
        Ok(ended) if ended.status == Status::Exited(0) => {
            Finding::fine("agent", format!("the command `{program}` is there"))
        }
        Ok(_) | Err(_) => Finding::wrong("agent", format!("the command `{program}` is not found"))
            .mend("name another in `agent.command`, or put it where `PATH` leads"),
    }
}

/// Each model that may be asked is asked once, also those behind the first.
async fn models(chosen: &Model, folder: &Path) -> Vec<Finding> {
    match compose::places(chosen, folder).await {
        Ok(places) => {
            let mut found = Vec::new();
            for place in &places {
                found.push(model(place).await);
            }
            found
        }
        Err(failure) => {
            let mend = "set it where the gateway starts and where this runs, or `angelia setup`";
            vec![Finding::wrong("agent", failure.told().0).mend(mend)]
        }
    }
}

async fn model(place: &Place) -> Finding {
    let who = format!("{} at {}", place.model, place.base_url);
    match trial::call(place).await {
        Ok(_) => Finding::fine("agent", format!("{who} answers")),
        Err(why) => Finding::wrong("agent", format!("{who} does not answer: {why}"))
            .mend("angelia setup, or mend `[agent]` in the file of `angelia config path`"),
    }
}

/// Where the agent's commands run.
async fn terminal(settings: &Settings) -> Finding {
    if settings.target.is_local() {
        return Finding::fine("terminal", "commands run on this machine");
    }
    let tried = Command {
        target: settings.target.clone(),
        time: TARGET_TIME,
        ..Command::new("exit 0")
    };
    let why = match foreground::run(&tried).await {
        Ok(ended) if ended.status == Status::Exited(0) => {
            return Finding::fine("terminal", "the place for commands can be reached");
        }
        Ok(ended) => ended.output.trim().to_owned(),
        Err(error) => error.to_string(),
    };
    Finding::wrong(
        "terminal",
        format!("the place for commands cannot be reached: {why}"),
    )
    .mend("look at `[terminal]` in the file of `angelia config path`")
}
