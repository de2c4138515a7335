//! Whether a command runs, is asked about, or is refused: the whole order of the decision.
//!
//! ```text
//! isolated container ─▶ runs            nothing of ours can be reached from there
//! hard block ─▶ refused                 before every setting, grant and person
//! sudo -S without a password ─▶ refused
//! deny rule ─▶ refused                  also under a bypass, also when granted
//! bypass ─▶ runs
//! allow rule, grant ─▶ runs             for exactly this command
//! nothing found ─▶ runs
//! schedule ─▶ as its setting says
//! nobody there ─▶ refused               who cannot be asked has not agreed
//! another model's advice ─▶ runs, or it is asked
//! a person ─▶ it is asked
//! ```
//!
//! The case is a value made for one call: who can be asked is told with it and is no state of the
//! program, so a schedule never changes what a chat may do, nor a chat a schedule. Nothing here asks
//! anybody, waits, or remembers a grant.

use super::findings::Findings;
use super::fingerprint::fingerprint;
use super::refusal::Refusal;
use super::reply::Keep;
use super::{Category, Listener, examine, listener, rule};

/// A command and everything that has a say in whether it runs.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// The command.
    pub command: &'a str,
    /// Where it would run.
    pub workdir: &'a str,
    /// Whether something can be typed into it.
    pub typing: Typing,
    /// The name of what would run it.
    pub backend: &'a str,
    /// What that keeps it from.
    pub isolation: Isolation,
    /// Who can be asked.
    pub surface: Surface,
    /// What the operator wrote down.
    pub rules: &'a Rules,
    /// Whether questions are switched off here.
    pub bypass: Bypass,
    /// The fingerprints that were agreed to, here or for good.
    pub grants: &'a [[u8; 32]],
    /// What another scanner found, in its words.
    pub scan: &'a [String],
    /// What another model said, if it was asked.
    pub advice: Option<Advice>,
}

/// Whether something can be typed into a command once it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Typing {
    /// It has no input.
    #[default]
    Never,
    /// Its input stays open.
    Later,
}

/// What the place of a command keeps from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// Nothing: it is this machine, or one that matters as much.
    None,
    /// Everything that matters: it runs in a container that has nothing of the host.
    Container,
}

/// Whether a container sees directories of its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mounts {
    /// It sees none.
    None,
    /// It sees some.
    Host,
}

impl Isolation {
    /// What a backend of this name keeps from a command. One that is not known keeps nothing.
    pub fn of(backend: &str, mounts: Mounts) -> Self {
        let contained = [
            "docker",
            "podman",
            "singularity",
            "apptainer",
            "modal",
            "daytona",
        ];
        match mounts {
            Mounts::None if contained.contains(&backend) => Self::Container,
            Mounts::None | Mounts::Host => Self::None,
        }
    }
}

/// Who can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// A person who reads the chat or sits at the terminal.
    Person,
    /// Nobody: a schedule runs it.
    Schedule,
    /// Nobody.
    Nobody,
}

/// Whether questions are switched off, by a flag at the start or for this conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bypass {
    /// They are asked.
    None,
    /// They are not.
    Everything,
}

/// What another model says about a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// It may run, this once.
    Approve,
    /// It should not; the owner may still say otherwise, this once.
    Deny,
    /// It cannot tell.
    Escalate,
}

/// How questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// A person is asked.
    #[default]
    Manual,
    /// Another model is asked first.
    Smart,
    /// Nobody is asked.
    Off,
}

impl Mode {
    /// The mode of this name. A name that means nothing asks a person.
    pub fn named(name: &str) -> Self {
        match name.trim().to_lowercase().as_str() {
            "smart" => Self::Smart,
            "off" | "false" => Self::Off,
            _ => Self::Manual,
        }
    }
}

/// What becomes of a schedule's dangerous commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheduled {
    /// They are refused.
    #[default]
    Deny,
    /// They run.
    Approve,
}

/// Whether the gateway has a password for sudo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SudoPassword {
    /// It has none, so a password on standard input would be a guess.
    #[default]
    None,
    /// It has one.
    Configured,
}

/// What the operator wrote down about commands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// How questions are asked.
    pub mode: Mode,
    /// What becomes of a schedule's dangerous commands.
    pub scheduled: Scheduled,
    /// Whether there is a password for sudo.
    pub sudo: SudoPassword,
    /// Patterns of commands that are refused.
    pub deny: Vec<String>,
    /// Commands that may run, or patterns of them.
    pub allow: Vec<String>,
}

/// What becomes of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gate {
    /// It runs.
    Run(Pass),
    /// Another model is asked first; its advice makes another case.
    Consult(Question),
    /// A person is asked.
    Ask(Question),
    /// It does not run.
    Refuse(Refusal),
}

/// Why a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// It can reach nothing that matters.
    Isolated,
    /// Questions are switched off.
    Bypassed,
    /// The operator allowed it.
    Allowed,
    /// Somebody agreed to exactly this.
    Granted,
    /// Nothing was found.
    Harmless,
    /// The operator lets schedules run such commands.
    Scheduled,
    /// Another model found nothing wrong with it.
    Advised,
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What a yes would be a yes to.
    pub fingerprint: [u8; 32],
    /// What the command does.
    pub categories: Vec<Category>,
    /// What another scanner found.
    pub scan: Vec<String>,
    /// The longest that a yes may hold.
    pub keep: Keep,
}

/// Decides what becomes of a command.
pub fn gate(case: &Case<'_>) -> Gate {
    if case.isolation == Isolation::Container {
        return Gate::Run(Pass::Isolated);
    }
    let mut found = examine(case.command, case.workdir);
    if case.typing == Typing::Later && listener(case.command) != Listener::Nobody {
        found.ask(Category::OpenShell);
    }
    if let Some(refusal) = never(case, &found) {
        return Gate::Refuse(refusal);
    }
    match passes(case, &found) {
        Some(pass) => Gate::Run(pass),
        None => settle(case, found),
    }
}

/// What nobody can lift.
fn never(case: &Case<'_>, found: &Findings) -> Option<Refusal> {
    if let Some(reason) = found.reason() {
        return Some(Refusal::Blocked(reason));
    }
    if found.guesses_password() && case.rules.sudo == SudoPassword::None {
        return Some(Refusal::SudoPassword);
    }
    rule::denied(&case.rules.deny, case.command, found.said()).map(Refusal::Ruled)
}

/// What needs no question.
fn passes(case: &Case<'_>, found: &Findings) -> Option<Pass> {
    if case.bypass == Bypass::Everything || case.rules.mode == Mode::Off {
        return Some(Pass::Bypassed);
    }
    if rule::allowed(&case.rules.allow, case.command) {
        return Some(Pass::Allowed);
    }
    if case.grants.contains(&print(case)) {
        return Some(Pass::Granted);
    }
    (found.is_harmless() && case.scan.is_empty()).then_some(Pass::Harmless)
}

fn settle(case: &Case<'_>, found: Findings) -> Gate {
    let question = question(case, found);
    match (case.surface, case.rules.scheduled) {
        (Surface::Schedule, Scheduled::Approve) => Gate::Run(Pass::Scheduled),
        (Surface::Schedule, Scheduled::Deny) => Gate::Refuse(Refusal::Scheduled(question)),
        (Surface::Nobody, _) => Gate::Refuse(Refusal::NobodyThere(question)),
        (Surface::Person, _) => ask(case, question),
    }
}

fn ask(case: &Case<'_>, question: Question) -> Gate {
    match (case.rules.mode, case.advice) {
        (Mode::Smart, None) => Gate::Consult(question),
        (Mode::Smart, Some(Advice::Approve)) => Gate::Run(Pass::Advised),
        (Mode::Smart | Mode::Manual | Mode::Off, _) => Gate::Ask(question),
    }
}

fn question(case: &Case<'_>, found: Findings) -> Question {
    Question {
        fingerprint: print(case),
        categories: found.into_categories(),
        scan: case.scan.to_vec(),
        keep: keep(case),
    }
}

/// What a scanner found may be another thing tomorrow, and what a model advised against is the owner's
/// own risk, once.
fn keep(case: &Case<'_>) -> Keep {
    let advised_against = case.rules.mode == Mode::Smart && case.advice == Some(Advice::Deny);
    match (advised_against, case.scan.is_empty()) {
        (true, _) => Keep::Once,
        (false, false) => Keep::Session,
        (false, true) => Keep::Always,
    }
}

fn print(case: &Case<'_>) -> [u8; 32] {
    fingerprint(case.command, case.workdir, case.backend)
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
