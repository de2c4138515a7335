//! The running gateway: whether it answers, what its loops met, and what its service manager does to
//! background processes.

use std::fs;

use angelia_api::client::{Client, ClientError};
use angelia_api::wire::v1::status::Status;
use angelia_core::time::Span;
use angelia_process::command::Command;
use angelia_process::foreground;

use super::{Finding, Patient};
use crate::compose::VERSION;
use crate::home::Home;

/// How long the service manager may take to answer.
const ASK_TIME: Span = Span::seconds(5);

/// What lets background processes outlive a restart of the service.
const KEEPS: [&str; 2] = ["process", "none"];

/// What there is to say, and what the gateway said, if it runs.
pub(super) async fn look(patient: &Patient<'_>) -> (Vec<Finding>, Option<Status>) {
    let home = patient.home;
    let Some(address) = home.facts().and_then(|facts| facts.address) else {
        let found = Finding::note("gateway", "it does not run").mend("angelia serve");
        return (vec![found], None);
    };
    match status(home, &address).await {
        Err(finding) => (vec![finding], None),
        Ok(status) => {
            let mut found = vec![gateway(&status, &address)];
            found.extend(loops(&status));
            found.extend(service(status.pid).await);
            (found, Some(status))
        }
    }
}

async fn status(home: &Home, address: &str) -> Result<Status, Finding> {
    let token = home.token().map_err(|failure| {
        let (what, hint) = failure.told();
        let finding = Finding::wrong("gateway", what);
        hint.map_or(finding.clone(), |hint| finding.mend(hint))
    })?;
    let client = Client::new(address, token);
    let client = client.map_err(|error| Finding::wrong("gateway", error.to_string()))?;
    client
        .status()
        .await
        .map_err(|error| unanswered(&error, address))
}

fn unanswered(error: &ClientError, address: &str) -> Finding {
    match error {
        ClientError::Unreachable { .. } => {
            let says = format!("nobody answers at {address}: it was ended, or cannot be reached");
            Finding::note("gateway", says).mend("angelia serve")
        }
        ClientError::Api { status: 401, .. } => {
            let says = format!("{address} does not take the token of this home");
            Finding::wrong("gateway", says).mend("angelia serve --replace")
        }
        ClientError::Api { .. } | ClientError::Address(_) | ClientError::Malformed { .. } => {
            Finding::wrong("gateway", error.to_string()).mend("angelia serve --replace")
        }
    }
}

fn gateway(status: &Status, address: &str) -> Finding {
    if status.version != VERSION {
        let says = format!(
            "release {} runs at {address}; this is {VERSION}",
            status.version
        );
        return Finding::note("gateway", says).mend("angelia serve --replace");
    }
    Finding::fine(
        "gateway",
        format!("{} at {address}, pid {}", status.phase, status.pid),
    )
}

fn loops(status: &Status) -> Vec<Finding> {
    let mut found: Vec<Finding> = status
        .loops
        .iter()
        .filter_map(|one| {
            let why = one.last_error.as_ref()?;
            let says = format!("{}: {why}", one.name);
            Some(Finding::wrong("loops", says).mend("angelia status"))
        })
        .collect();
    if status.wedged > 0 {
        let says = format!("{} replies were set aside", status.wedged);
        found.push(Finding::wrong("outbox", says).mend("angelia outbox list --state wedged"));
    }
    found
}

/// A unit that ends everybody it started ends background processes with every restart.
async fn service(pid: u32) -> Option<Finding> {
    let (scope, unit) = unit(&fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?)?;
    let asked = Command {
        time: ASK_TIME,
        ..Command::new(format!(
            "systemctl {scope} show --property=KillMode --value '{unit}'"
        ))
    };
    let answer = foreground::run(&asked).await.ok()?;
    let mode = answer.output.trim();
    Some(match KEEPS.contains(&mode) {
        true => Finding::fine("service", format!("{unit} with KillMode={mode}")),
        false => Finding::wrong(
            "service",
            format!("{unit} has KillMode={mode}: a restart ends background processes too"),
        )
        .mend(format!(
            "systemctl {scope} edit {unit}   # [Service] KillMode=process"
        )),
    })
}

/// The unit of a process and which manager has it, from its control group.
fn unit(groups: &str) -> Option<(&'static str, String)> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let unit = path.rsplit('/').find(|part| part.ends_with(".service"))?;
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.@:\\".contains(sign);
    let scope = match path.contains("/user@") {
        true => "--user",
        false => "--system",
    };
    // The service of a whole session is nobody's unit of a gateway.
    let is_ours = unit.chars().all(is_plain) && !unit.starts_with("user@");
    is_ours.then(|| (scope, unit.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_a_process_stands_in_its_control_group() {
        let system = "0::/system.slice/angelia.service\n";
        assert_eq!(
            unit(system),
            Some(("--system", "angelia.service".to_owned()))
        );
        let user = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/angelia.service\n";
        assert_eq!(unit(user), Some(("--user", "angelia.service".to_owned())));
        let shell = "0::/user.slice/user-1000.slice/user@1000.service/tmux.scope\n";
        assert_eq!(unit(shell), None);
        assert_eq!(unit("0::/\n"), None);
    }
}
