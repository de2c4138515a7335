//! The local words that run `sh` in a target, with the script on its input.
//!
//! Containers and instances are made on first use, by a line for the local shell: look, make what is
//! missing, enter. Two who make the same at once meet in the same one.

use super::words::line;
use super::{Apptainer, Container, Engine, Network, Recipe, Ssh, Target, Which};
use crate::spawn::SHELL;

/// What runs in a container besides commands: it takes in those who lost their parents.
const FIRST: &str = "trap 'exit 0' TERM; while :; do sleep 86400 & wait; done";

/// All rights are taken away but those that installing packages takes.
const RIGHTS: [&str; 5] = ["DAC_OVERRIDE", "CHOWN", "FOWNER", "SETUID", "SETGID"];

/// Folders that are empty in a new container and never reach a disk.
const IN_MEMORY: [&str; 3] = ["/tmp", "/var/tmp", "/run"];

/// Processes of a container that may live at once.
const PIDS_MAX: &str = "256";

impl Target {
    /// What to start; nothing where commands are our own children.
    pub(crate) fn enter(&self) -> Option<Vec<String>> {
        match self {
            Self::Local => None,
            Self::Ssh(ssh) => Some(by_ssh(ssh)),
            Self::Container(container) => Some(by_shell(&into_container(container))),
            Self::Apptainer(apptainer) => Some(by_shell(&into_instance(apptainer))),
            Self::Template(words) => Some(words.clone()),
        }
    }
}

fn by_shell(script: &str) -> Vec<String> {
    [SHELL, "-c", script].map(str::to_owned).to_vec()
}

fn by_ssh(ssh: &Ssh) -> Vec<String> {
    let mut words = vec!["ssh".to_owned(), "-T".to_owned()];
    // Never ask anybody; notice a dead line; give nothing of this machine away. A connection shared
    // with others would end with whoever opened it.
    for option in [
        "BatchMode=yes",
        "ConnectTimeout=10",
        "ServerAliveInterval=15",
        "ServerAliveCountMax=3",
        "ForwardAgent=no",
        "ForwardX11=no",
        "ClearAllForwardings=yes",
        "PermitLocalCommand=no",
        "ControlPath=none",
        "EscapeChar=none",
        "LogLevel=ERROR",
    ] {
        words.extend(["-o".to_owned(), option.to_owned()]);
    }
    if let Some(file) = &ssh.known_hosts {
        let option = format!("UserKnownHostsFile={}", file.display());
        words.extend(["-o".to_owned(), option]);
    }
    if let Some(file) = &ssh.identity_file {
        let only = "IdentitiesOnly=yes".to_owned();
        words.extend(["-o".to_owned(), only]);
        words.extend(["-i".to_owned(), file.display().to_string()]);
    }
    if let Some(port) = ssh.port {
        words.extend(["-p".to_owned(), port.to_string()]);
    }
    if let Some(user) = &ssh.user {
        words.extend(["-l".to_owned(), user.clone()]);
    }
    words.extend(["--".to_owned(), ssh.host.clone(), "exec sh -s".to_owned()]);
    words
}

fn into_container(container: &Container) -> String {
    let engine = match container.engine {
        Engine::Docker => "docker",
        Engine::Podman => "podman",
    };
    let (name, make) = match &container.which {
        Which::Existing(name) => (name.clone(), "false".to_owned()),
        Which::Made(recipe) => {
            let name = format!("{}-{}", recipe.name, fingerprint(recipe));
            let make = line(
                recipe_words(engine, &name, recipe)
                    .iter()
                    .map(String::as_str),
            );
            (name, make)
        }
    };
    let inspect = line([engine, "container", "inspect", &name]);
    let start = line([engine, "start", &name]);
    let enter = line([engine, "exec", "-i", &name, "sh", "-s"]);
    format!(
        "{inspect} </dev/null >/dev/null 2>&1 || {make} </dev/null >/dev/null; \
         {start} </dev/null >/dev/null && exec {enter}"
    )
}

fn recipe_words(engine: &str, name: &str, recipe: &Recipe) -> Vec<String> {
    let mut words: Vec<String> = [engine, "run", "--detach", "--name", name]
        .map(str::to_owned)
        .into();
    words.extend(["--label", "angelia=target", "--cap-drop", "ALL"].map(str::to_owned));
    words.extend(RIGHTS.map(|right| format!("--cap-add={right}")));
    words.extend(
        [
            "--security-opt",
            "no-new-privileges",
            "--pids-limit",
            PIDS_MAX,
        ]
        .map(str::to_owned),
    );
    for folder in IN_MEMORY {
        let options = format!("{folder}:rw,exec,nosuid,nodev,size=512m");
        words.extend(["--tmpfs".to_owned(), options]);
    }
    if recipe.network == Network::None {
        words.extend(["--network", "none"].map(str::to_owned));
    }
    for mount in &recipe.mounts {
        words.extend(["--volume".to_owned(), mount.clone()]);
    }
    words.extend(["--entrypoint", "sh", &recipe.image, "-c", FIRST].map(str::to_owned));
    words
}

/// Nothing of this machine is seen inside: no home, no variables, a temp folder of its own.
fn into_instance(apptainer: &Apptainer) -> String {
    let name = format!("angelia-{}", hash(apptainer.image.as_bytes()));
    let instance = format!("instance://{name}");
    let look = line(["apptainer", "exec", "--cleanenv", &instance, "true"]);
    let options = ["--contain", "--cleanenv", "--no-home", "--writable-tmpfs"];
    let mut make = vec!["apptainer", "instance", "start"];
    make.extend(options);
    make.extend([apptainer.image.as_str(), &name]);
    let enter = line(["apptainer", "exec", "--cleanenv", &instance, "sh", "-s"]);
    format!(
        "{look} </dev/null >/dev/null 2>&1 || {} </dev/null >/dev/null; exec {enter}",
        line(make)
    )
}

/// Tells recipes apart: a container that was made with a network is not the one without.
fn fingerprint(recipe: &Recipe) -> String {
    let network = format!("{:?}", recipe.network);
    let mut parts = vec![recipe.image.as_str(), &network];
    parts.extend(recipe.mounts.iter().map(String::as_str));
    hash(line(parts).as_bytes())
}

/// Fowler, Noll and Vo's: the same on every machine and in every release.
fn hash(bytes: &[u8]) -> String {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(PRIME);
    format!("{:016x}", bytes.iter().fold(BASIS, mix))
}

#[cfg(test)]
#[path = "enter_tests.rs"]
mod tests;
