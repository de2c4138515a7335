//! What a target is called, for people who are asked about a command and for what they answer.
//!
//! Two targets have the same words only if a command does the same in both, because a yes that was given
//! for one holds for whatever is called the same.

use std::fmt;

use super::{Container, Engine, Network, Recipe, Ssh, Target, Which};

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => out.write_str("local"),
            Self::Ssh(ssh) => write!(out, "ssh:{ssh}"),
            Self::Container(container) => write!(out, "{container}"),
            Self::Apptainer(apptainer) => write!(out, "apptainer:{}", apptainer.image),
            Self::Template(words) => write!(out, "template:{}", words.join(" ")),
        }
    }
}

impl fmt::Display for Ssh {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = &self.user {
            write!(out, "{user}@")?;
        }
        out.write_str(&self.host)?;
        match self.port {
            Some(port) => write!(out, ":{port}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Container {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = match self.engine {
            Engine::Docker => "docker",
            Engine::Podman => "podman",
        };
        match &self.which {
            Which::Existing(name) => write!(out, "{engine}:{name}"),
            Which::Made(recipe) => write!(out, "{engine}:{recipe}"),
        }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} made of {}", self.name, self.image)?;
        for mount in &self.mounts {
            write!(out, ", sees {mount}")?;
        }
        match self.network {
            Network::Usual => Ok(()),
            Network::None => out.write_str(", without a network"),
        }
    }
}

#[cfg(test)]
#[path = "shown_tests.rs"]
mod tests;
