//! The machine, its services and containers, and the gateway itself.

use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::reason::Reason;
use crate::danger::shell::Ends;
use crate::danger::wrapper;

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

/// Options of our own program that take the next word as their value.
const OWN_VALUED: &[&str] = &["--home", "--config", "--profile"];

const LAUNCHD: &[&str] = &[
    "stop",
    "kickstart",
    "bootout",
    "unload",
    "kill",
    "disable",
    "remove",
];

pub(super) fn call(call: &Call<'_>, program: &str, ends: Ends, found: &mut Findings) {
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
        "angelia" if changes_gateway(call, ends) => found.ask(Category::GatewayLifecycle),
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

/// A gateway that is started beside the one that runs would outlive who started it, or take over.
fn changes_gateway(call: &Call<'_>, ends: Ends) -> bool {
    let operands = wrapper::behind_long(call.arguments(), OWN_VALUED);
    let texts: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let verbs = texts.strip_prefix(&["gateway"]).unwrap_or(&texts);
    let loose = ["nohup", "setsid"];
    let left = call
        .simple
        .words
        .iter()
        .any(|word| loose.contains(&word.text.as_str()));
    match verbs.first() {
        Some(&"stop" | &"restart" | &"update") => true,
        Some(&"serve" | &"run") => {
            left || ends == Ends::Background || call.has_long("--r", "--replace")
        }
        _ => false,
    }
}
