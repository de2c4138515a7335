//! Puts agents of the Agent Client Protocol together.

use std::path::Path;
use std::sync::Arc;

use angelia_agents::acp::{Acp, Setup};
use angelia_agents::mcp::settings::Settings as Server;
use angelia_agents::model::provider::Secret;
use angelia_agents::tools::files::Workspace;
use angelia_core::agent::AgentName;
use angelia_gateway::links::AgentPlace;
use angelia_process::held::Program;

use super::{Answering, Opening, own_files, variables};
use crate::config::{self, Agent};
use crate::errors::Failure;
use crate::home::Home;

/// Where agents are held. Those that an earlier choice left are ended in time, too.
pub(super) fn place(agents: &config::Agents, home: &Home) -> AgentPlace {
    let main = std::iter::once((AgentName::main(), &agents.main));
    let named = agents.named.iter();
    let all = main.chain(named.map(|(name, agent)| (name.clone(), agent)));
    let idle = all.filter_map(|(name, agent)| match agent {
        Agent::Acp(chosen) => Some((name, chosen.room.idle)),
        Agent::Demo(_) | Agent::Model(_) | Agent::Exec(_) => None,
    });
    AgentPlace {
        folder: home.agents(),
        idle: idle.collect(),
    }
}

/// The agent, and the secrets that it was given.
pub(super) async fn agent(
    chosen: &config::Acp,
    home: &Home,
    config: &Path,
    servers: &[Server],
) -> Result<Answering, Failure> {
    let (setup, secrets) = setup(chosen, (home, config), Workspace::prepare).await?;
    let setup = Setup {
        servers: servers.to_vec(),
        key: Secret::new(home.agent_key()?),
        ..setup
    };
    Ok((Arc::new(Acp::new(setup)), secrets))
}

/// How it is set up, without servers, and the secrets that it is given. `opening` is how its workspace is opened:
/// whoever only looks makes none.
pub(crate) async fn setup(
    chosen: &config::Acp,
    (home, config): (&Home, &Path),
    opening: Opening,
) -> Result<(Setup, Vec<Secret>), Failure> {
    let folder = config.parent().unwrap_or(Path::new("."));
    let (variables, secrets) = variables(&chosen.variables, folder).await?;
    let lost = |error: std::io::Error| {
        Failure::new(format!("the agent cannot be held: {error}"))
            .hint("start the gateway from its own file, in a folder that exists")
    };
    let variables = variables.into_iter();
    let setup = Setup {
        name: name(&chosen.command),
        command: chosen.command.clone(),
        variables: variables
            .map(|(name, value)| (name, Secret::new(value)))
            .collect(),
        workspace: Arc::new(workspace(chosen, (home, config), opening)?),
        sign_in: chosen.room.sign_in.clone(),
        folder: std::path::absolute(home.agents()).map_err(lost)?,
        program: Program::this().map_err(lost)?,
        pool: chosen.room.pool,
        silence: chosen.silence.to_std(),
        servers: Vec::new(),
        // Who is only tried is remembered nowhere.
        key: Secret::new(""),
    };
    Ok((setup, secrets))
}

/// Where it works. Files are served to it there as to our own tools, so nothing of the gateway's may lie there.
fn workspace(
    chosen: &config::Acp,
    (home, config): (&Home, &Path),
    opening: Opening,
) -> Result<Workspace, Failure> {
    let folder = config.parent().unwrap_or(Path::new("."));
    let said = chosen.room.workdir.as_ref().map(|said| folder.join(said));
    if let Some(said) = said.as_ref().filter(|said| !said.is_dir()) {
        let what = format!("`agent.workdir` {} is no directory", said.display());
        return Err(Failure::new(what).hint("make it, or name another one"));
    }
    let usual = home.workspace();
    let root = said.unwrap_or_else(|| usual.clone());
    opening(&root, &usual, &own_files(home, config)).map_err(|why| {
        let root = root.display();
        Failure::new(format!("the agent cannot work in {root}: {why}"))
            .hint("say another directory in `agent.workdir`, or mend its rights")
    })
}

/// What usage is counted under: the program, without its place.
fn name(command: &[String]) -> String {
    let program = command.first().map(Path::new);
    let name = program.and_then(Path::file_name);
    name.unwrap_or_default().to_string_lossy().into_owned()
}
