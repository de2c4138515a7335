//! What `terminal.backend` and the tables below `[terminal]` mean: where the agent's commands run.
//!
//! All of it is read, also what belongs to another place than the chosen one, so that choosing that one
//! later brings no surprise. Whether a place can be reached is found out when a command runs there.

use std::path::PathBuf;

use angelia_process::target::{Apptainer, Container, Engine, Network, Recipe, Ssh, Target, Which};

use super::keys::{self, Key, TERMINALS};
use super::problem::{Place, Problem};
use super::raw::{self, PATTERNS_APART};
use super::resolve::Layers;

/// What a container that we make is called unless something else is said.
const CONTAINER: &str = "angelia";

impl Layers<'_> {
    /// Where commands run. What is wrong is noted.
    pub(super) fn target(&mut self) -> Option<Target> {
        let backend = self.pick(&keys::TERMINAL, backend);
        let ssh = self.ssh();
        let container = self.container();
        let apptainer = self.written(&keys::APPTAINER_IMAGE, word);
        let template = self.written(&keys::TEMPLATE_COMMAND, program);
        match backend? {
            Backend::Local => Some(Target::Local),
            Backend::Ssh => self.needed(&keys::SSH_HOST, ssh.map(Target::Ssh)),
            Backend::Container(engine) => {
                let made = container.map(|which| Target::Container(Container { engine, which }));
                self.needed(&keys::CONTAINER_IMAGE, made)
            }
            Backend::Apptainer => {
                let instance = apptainer.map(|image| Target::Apptainer(Apptainer { image }));
                self.needed(&keys::APPTAINER_IMAGE, instance)
            }
            Backend::Template => {
                self.needed(&keys::TEMPLATE_COMMAND, template.map(Target::Template))
            }
        }
    }

    fn ssh(&mut self) -> Option<Ssh> {
        let host = self.written(&keys::SSH_HOST, word);
        let user = self.written(&keys::SSH_USER, word);
        let port = self.written(&keys::SSH_PORT, port);
        let identity_file = self.written(&keys::SSH_IDENTITY, path);
        let known_hosts = self.written(&keys::SSH_KNOWN_HOSTS, path);
        Some(Ssh {
            host: host?,
            user,
            port,
            identity_file,
            known_hosts,
        })
    }

    fn container(&mut self) -> Option<Which> {
        let image = self.written(&keys::CONTAINER_IMAGE, word);
        let name = self.written(&keys::CONTAINER_NAME, container_name);
        let mounts = self.written(&keys::CONTAINER_MOUNTS, mounts);
        let network = self.pick(&keys::CONTAINER_NETWORK, network);
        match image {
            None => name.map(Which::Existing),
            Some(image) => Some(Which::Made(Recipe {
                image,
                name: name.unwrap_or_else(|| CONTAINER.to_owned()),
                mounts: mounts.unwrap_or_default(),
                network: network?,
            })),
        }
    }

    /// The target, or the problem that a key it needs was not written.
    fn needed(&mut self, key: &Key, target: Option<Target>) -> Option<Target> {
        let is_written = self.raw.written.contains_key(key.path);
        if target.is_none() && !is_written {
            let chosen = self.raw.written.get(keys::TERMINAL.path);
            let (text, line) = chosen.map_or(("", 1), |chosen| (&*chosen.text, chosen.line));
            let says = format!(
                "`terminal.backend` is \"{text}\", which needs `{}`",
                key.path
            );
            let place = Place::Line(line);
            self.raw.problems.push(Problem { place, says });
        }
        target
    }
}

/// `terminal.backend`.
enum Backend {
    Local,
    Ssh,
    Container(Engine),
    Apptainer,
    Template,
}

fn backend(text: &str) -> Result<Backend, String> {
    match text {
        "local" => Ok(Backend::Local),
        "ssh" => Ok(Backend::Ssh),
        "docker" => Ok(Backend::Container(Engine::Docker)),
        "podman" => Ok(Backend::Container(Engine::Podman)),
        "apptainer" => Ok(Backend::Apptainer),
        "template" => Ok(Backend::Template),
        _ => {
            let quoted = TERMINALS.map(|name| format!("\"{name}\"")).join(" or ");
            let near = raw::suggestion(text, TERMINALS);
            Err(format!("must be {quoted}; found \"{text}\"{near}"))
        }
    }
}

/// A word that no program takes for an option.
fn word(text: &str) -> Result<String, String> {
    let is_word = !text.is_empty()
        && !text.starts_with('-')
        && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    let expected = || format!("must be one word that does not begin with a dash; found \"{text}\"");
    is_word.then(|| text.to_owned()).ok_or_else(expected)
}

fn container_name(text: &str) -> Result<String, String> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
    if text.starts_with(|first: char| first.is_ascii_alphanumeric()) && text.chars().all(fits) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "must be letters, digits, `_`, `.` and `-`; found \"{text}\""
    ))
}

fn words(text: &str) -> Result<Vec<String>, String> {
    let words = text.split(PATTERNS_APART).filter(|word| !word.is_empty());
    Ok(words.map(str::to_owned).collect())
}

/// A program and its words.
fn program(text: &str) -> Result<Vec<String>, String> {
    match text {
        "" => Err("must be a list of strings that begins with a program; found none".to_owned()),
        _ => words(text),
    }
}

fn mounts(text: &str) -> Result<Vec<String>, String> {
    let mounts = words(text)?;
    let wrong = mounts.iter().find(|mount| !is_mount(mount));
    match wrong {
        None => Ok(mounts),
        Some(wrong) => Err(format!(
            "must have the form \"/source:/place\" or \"/source:/place:ro\"; found \"{wrong}\""
        )),
    }
}

fn is_mount(text: &str) -> bool {
    match text.split(':').collect::<Vec<_>>()[..] {
        [source, place] | [source, place, "ro" | "rw"] => {
            source.starts_with('/') && place.starts_with('/')
        }
        _ => false,
    }
}

fn path(text: &str) -> Result<PathBuf, String> {
    match text {
        "" => Err("must be the path of a file; found nothing".to_owned()),
        _ => Ok(PathBuf::from(text)),
    }
}

fn port(text: &str) -> Result<u16, String> {
    let number = text.parse().ok().filter(|port| *port > 0);
    number.ok_or_else(|| format!("must be a whole number from 1 to 65535; found {text}"))
}

fn network(text: &str) -> Result<Network, String> {
    match text {
        "true" => Ok(Network::Usual),
        "false" => Ok(Network::None),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
