//! The MCP servers of the configuration: as the running gateway finds them, or tried here while none runs.

use std::path::Path;
use std::sync::Arc;

use angelia_agents::mcp::Server;
use angelia_agents::mcp::settings::Settings as ServerSettings;
use angelia_api::wire::v1::status::{McpServer, Status};
use angelia_core::mask::Masker;
use tokio_util::sync::CancellationToken;

use super::{Finding, Patient, Trial};
use crate::compose;

/// Where each begins to be mended.
const MEND: &str = "look at its `[mcp.NAME]` in the file of `angelia config path`";

pub(super) async fn look(patient: &Patient<'_>, status: Option<&Status>) -> Vec<Finding> {
    let Ok(settings) = &patient.settings else {
        return Vec::new();
    };
    match (status, patient.trial) {
        (Some(status), _) => status.mcp.iter().map(reported).collect(),
        (None, Trial::None) if settings.mcp.is_empty() => Vec::new(),
        (None, Trial::None) => vec![Finding::skipped("mcp", "they were not to be called")],
        (None, Trial::Usual | Trial::Call) => {
            let folder = patient.config.parent().unwrap_or(Path::new("."));
            let (servers, known) = compose::mcp::servers(&settings.mcp, folder).await;
            let masker = Arc::new(Masker::new(known));
            let mut found = Vec::new();
            for server in servers {
                found.push(tried(server, masker.clone()).await);
            }
            found
        }
    }
}

/// Starts one, waits until it has answered or failed to, and ends it again.
async fn tried(settings: ServerSettings, masker: Arc<Masker>) -> Finding {
    let server = Arc::new(Server::new(settings, masker));
    let stop = CancellationToken::new();
    let kept = server.clone().keep(stop.clone());
    tokio::pin!(kept);
    tokio::select! {
        () = server.tried() => (),
        () = &mut kept => (),
    }
    let report = server.report();
    stop.cancel();
    kept.await;
    finding(
        &report.name,
        report.state.name(),
        report.tools as u64,
        report.why,
    )
}

fn reported(server: &McpServer) -> Finding {
    finding(
        &server.name,
        &server.state,
        server.tools,
        server.why.clone(),
    )
}

fn finding(name: &str, state: &str, tools: u64, why: Option<String>) -> Finding {
    match (state, why) {
        ("ready", _) => Finding::fine("mcp", format!("{name} brings {tools} tools")),
        (_, Some(why)) => Finding::wrong("mcp", format!("{name} is not there: {why}")).mend(MEND),
        (state, None) => Finding::note("mcp", format!("{name} is {state}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;

    #[test]
    fn a_server_that_is_down_is_wrong_and_says_why() {
        let found = finding("notes", "down", 0, Some("no such program".to_owned()));
        assert_eq!(found.verdict, Verdict::Wrong);
        assert!(found.says.contains("notes") && found.says.contains("no such program"));
        assert_eq!(finding("notes", "ready", 3, None).verdict, Verdict::Fine);
        assert_eq!(finding("notes", "starting", 0, None).verdict, Verdict::Note);
    }
}
