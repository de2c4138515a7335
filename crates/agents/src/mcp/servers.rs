//! All servers of a gateway.

use std::sync::Arc;

use angelia_core::limits;
use futures_util::future::join_all;
use tokio::time::timeout;

use super::life::Server;
use super::state::Report;
use crate::tools::HOUSE_TOOLS;
use crate::tools::source::ToolSource;

/// All servers of a gateway. A clone is the same list.
#[derive(Debug, Clone, Default)]
pub struct Servers(Arc<[Arc<Server>]>);

impl Servers {
    /// These servers, in this order.
    pub fn new(servers: impl IntoIterator<Item = Server>) -> Self {
        Self(servers.into_iter().map(Arc::new).collect())
    }

    /// Each of them, for whoever keeps it.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Server>> {
        self.0.iter()
    }

    /// Each of them, as what brings tools.
    pub fn sources(&self) -> Vec<Arc<dyn ToolSource>> {
        let sources = self.0.iter().cloned();
        sources
            .map(|server| server as Arc<dyn ToolSource>)
            .collect()
    }

    /// How each of them is. Of the tools of all, those count that a turn has which may use everything.
    pub fn reports(&self) -> Vec<Report> {
        let reports = self.0.iter().map(|server| server.report());
        within(limits::TOOLSET_MAX - HOUSE_TOOLS, reports)
    }

    /// Waits a moment for those that start for the first time. Whoever is late is not waited for.
    pub async fn tried(&self) {
        if self.0.is_empty() {
            return;
        }
        let trying = join_all(self.0.iter().map(|server| server.tried()));
        let _late = timeout(limits::mcp::FIRST_WAIT.to_std(), trying)
            .await
            .is_err();
    }
}

/// The reports where there is room for so many tools; those beyond it are left out.
fn within(mut room: usize, reports: impl Iterator<Item = Report>) -> Vec<Report> {
    let fitted = |mut report: Report| {
        let beyond = report.tools.saturating_sub(room);
        report.tools -= beyond;
        report.left_out += beyond;
        room -= report.tools;
        report
    };
    reports.map(fitted).collect()
}

#[cfg(test)]
#[path = "servers_tests.rs"]
mod tests;
