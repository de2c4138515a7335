//! The machine, its services and containers.

use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::reason::Reason;

const STOPS: &[&str] = &[
    "stop",
    "restart",
    "disable",
    "mask",
    "kill",
    "try-restart",
    "reload-or-restart",
    "force-reload",
];

const POWER: &[&str] = &["poweroff", "reboot", "halt", "kexec", "soft-reboot"];

const LAUNCHD: &[&str] = &[
    "stop",
    "kickstart",
    "bootout",
    "unload",
    "kill",
    "disable",
    "remove",
];

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    let lowered: Vec<String> = call
        .operands()
        .iter()
        .map(|text| text.to_lowercase())
        .collect();
    let operands: Vec<&str> = lowered.iter().map(String::as_str).collect();
    match program {
        "shutdown" | "reboot" | "halt" | "poweroff" => found.refuse(Reason::PowerOff),
        "init" | "telinit" if matches!(operands.first(), Some(&"0" | &"6")) => {
            found.refuse(Reason::PowerOff)
        }
        "systemctl" => system(&operands, found),
        "docker" | "podman" | "nerdctl" => container(&operands, found),
        "docker-compose" | "podman-compose" => compose(&operands, found),
        "launchctl" if launchd(&operands) => found.ask(Category::GatewayLifecycle),
        _ => (),
    }
}

/// The first operands are the verb, behind the name of a host if one is given, and its units.
fn system(operands: &[&str], found: &mut Findings) {
    let is_power = |text: &&str| POWER.contains(&text.trim_end_matches(".target"));
    let begins = matches!(operands.first(), Some(&"start" | &"isolate"));
    let asked = operands.iter().take(2).any(|text| POWER.contains(text));
    if asked || (begins && operands.iter().any(is_power)) {
        found.refuse(Reason::PowerOff);
    }
    if operands.iter().take(2).any(|text| STOPS.contains(text)) {
        found.ask(Category::ServiceStop);
    }
}

fn container(operands: &[&str], found: &mut Findings) {
    match operands {
        ["compose", rest @ ..] => compose(rest, found),
        ["container", verb, ..] | [verb, ..] if ["restart", "stop", "kill"].contains(verb) => {
            found.ask(Category::ContainerStop);
        }
        _ => (),
    }
}

fn compose(operands: &[&str], found: &mut Findings) {
    if operands
        .iter()
        .any(|text| ["restart", "stop", "kill", "down"].contains(text))
    {
        found.ask(Category::ContainerStop);
    }
}

fn launchd(operands: &[&str]) -> bool {
    let verb = operands.first().is_some_and(|verb| LAUNCHD.contains(verb));
    verb && operands.iter().any(|text| text.contains("angelia"))
}
